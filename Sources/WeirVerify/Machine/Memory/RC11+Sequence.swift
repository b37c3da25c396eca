// The order of all sequentially consistent operations: RC11's axiom that psc has no cycle.
// No test file: the litmus tests go through all of it.
//
// Nodes are the sequentially consistent accesses and fences; an edge says which comes first. The names of the relations
// are the paper's: sb is program order, hb happens-before, mo modification order, rb "reads before" (a read, and the
// writes after the one it has read), eco any way through rf, mo and rb. An access is left by one step of
//
//   scb = sb, or sb to another location; hb; sb from another one, or hb at one location, or mo, or rb
//
// and so is a fence, after any hb; an access is reached by the step itself, and a fence by any hb after it. From fence
// to fence hb leads, too, and hb; eco; hb.
//
// Light and heavy fences are of P1202R5: a heavy one is a fence to all others; between a light and a heavy one there
// are the edges of two fences, and a light one has no others.
//
// When an event is added it comes last in hb, so that edges begin at it by mo and rb alone, towards writes that stand
// behind it in modification order. Edges that end at it can't close a cycle without one of those.

extension RC11 {
  /// Adds what an event, the last one that was added, means for the order.
  mutating func noteOrder(of number: Int) {
    let event = events[number]
    // Thread 0 sets up before and looks after everything else: no edge leads back to what it does, or away from it.
    let isNode = event.ordering == .sequentiallyConsistent && event.thread != 0
    if isNode, event.action != .lightFence { hasSequence = true }
    guard isNode || hasSequence else { return }
    if isNode {
      for (index, node) in nodes.enumerated() where leads(events[node], to: event) {
        successors[index].append(nodes.count)
      }
      nodes.append(number)
      successors.append([])
    }
    guard !event.isFence else { return }
    let first = position(of: event) + 1
    guard first < orders[event.location].count else { return }
    noteEdges(through: event, to: orders[event.location][first...].map { events[$0] })
  }

  /// Adds the edges that lead through an access to writes that stand behind it in modification order.
  private mutating func noteEdges(through event: Event, to writes: [Event]) {
    let starts = nodes.indices.filter {
      let node = events[nodes[$0]]
      return node.isFence ? node.happensBefore(event) : isSame(node, event)
    }
    guard !starts.isEmpty else { return }
    let first = writes[0].position
    let reads = events.filter {
      $0.location == event.location && $0.action == .read && position(of: $0) >= first && !isSame($0, event)
    }
    var hasNew = false
    for end in nodes.indices {
      let node = events[nodes[end]]
      let isDirect = writes.contains { node.isFence ? $0.happensBefore(node) : isSame($0, node) }
      let isByRead = node.isFence && reads.contains { $0.happensBefore(node) }
      guard isDirect || isByRead else { continue }
      for start in starts {
        let former = events[nodes[start]]
        guard isPair(former, node), isDirect || former.isFence else { continue }
        successors[start].append(end)
        hasNew = true
      }
    }
    if hasNew, hasCycle { isInOrder = false }
  }

  /// Whether an edge leads from a node to one that was just added.
  private func leads(_ node: Event, to new: Event) -> Bool {
    guard isPair(node, new) else { return false }
    switch (node.isFence, new.isFence) {
    case (true, true):
      return node.happensBefore(new) || isSeen(after: node, before: new)
    case (true, false):
      return isStep(node, new) || events.contains { node.happensBefore($0) && isStep($0, new) }
    case (false, true):
      return isStep(node, new) || events.contains { $0.happensBefore(new) && isStep(node, $0) }
    case (false, false):
      return isStep(node, new)
    }
  }

  /// Whether an edge may lead from one to the other at all.
  private func isPair(_ one: Event, _ other: Event) -> Bool {
    if one.action == .lightFence { return other.action == .heavyFence }
    if other.action == .lightFence { return one.action == .heavyFence }
    return true
  }

  /// Whether something after one fence is eco-before something before another.
  private func isSeen(after fence: Event, before other: Event) -> Bool {
    var oldest = [Int](repeating: .max, count: orders.count)
    for event in events where !event.isFence && fence.happensBefore(event) {
      oldest[event.location] = min(oldest[event.location], age(event))
    }
    return events.contains { !$0.isFence && oldest[$0.location] < age($0) && $0.happensBefore(other) }
  }

  /// scb.
  private func isStep(_ one: Event, _ other: Event) -> Bool {
    if isSame(one, other) { return false }
    if one.thread == other.thread { return one.number < other.number }
    if !one.isFence, one.location == other.location {
      if one.happensBefore(other) { return true }
      if other.writes, age(one) < age(other) { return true }
    }
    guard
      let next = threads[one.thread].events.first(where: { events[$0].number > one.number && isElsewhere($0, one) }),
      let last = threads[other.thread].events.last(where: { events[$0].number < other.number && isElsewhere($0, other) }
      )
    else { return false }
    return events[next].happensBefore(events[last])
  }

  private func isElsewhere(_ number: Int, _ event: Event) -> Bool {
    event.isFence || events[number].location != event.location
  }

  private func isSame(_ one: Event, _ other: Event) -> Bool { one.thread == other.thread && one.number == other.number }

  /// Of a write its place in modification order, of a read that of the write it has read.
  private func position(of event: Event) -> Int { event.writes ? event.position : events[event.source].position }

  /// Of two accesses to a location, the one that is eco-before the other has the smaller age.
  private func age(_ event: Event) -> Int { position(of: event) * 2 + (event.writes ? 0 : 1) }

  private var hasCycle: Bool {
    var marks = [Int](repeating: 0, count: nodes.count)
    func closes(_ node: Int) -> Bool {
      if marks[node] != 0 { return marks[node] == 1 }
      marks[node] = 1
      if successors[node].contains(where: { closes($0) }) { return true }
      marks[node] = 2
      return false
    }
    return nodes.indices.contains { closes($0) }
  }
}
