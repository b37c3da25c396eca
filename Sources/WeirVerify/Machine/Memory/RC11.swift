// The memory of C++20 as an execution graph that grows by one operation at a time.
// No test file: the litmus tests go through all of it.
//
// RC11 is the model of O. Lahav, V. Vafeiadis, J. Kang, C.-K. Hur, D. Dreyer, "Repairing Sequential Consistency in
// C/C++11" (PLDI 2017), with the release sequences of C++20 (P0982: a write, and the read-modify-writes that follow
// each other from it). P0668 has since brought the standard's sequentially consistent fences to the same strength.
//
// An operation is added when all that its thread did before it, and the write that it reads from, are there. So program
// order and reads-from never form a cycle: loads don't see stores that come later in every order (load buffering).
// Everything else that the axioms allow is a choice here: which write a read sees, and where a write stands in its
// location's modification order. Each axiom, once broken, stays broken whatever is added, so what is not allowed is
// never added, and every graph that the axioms allow is reached.

/// Shared memory of up to seven threads and of one, number 0, that sets up before the others start and looks at the
/// end.
///
/// The caller decides which thread does its next operation; the graph decides what may come of it. Where that is more
/// than one thing it asks `choose` with the number of options, of which 0 is the newest, and the caller that passes
/// through all answers, in all orders of the operations, has seen everything that the model allows.
package struct RC11 {
  /// All that was done, in an order in which it can have been.
  private(set) var events: [Event] = []
  /// For each location its writes, as numbers of events, in modification order.
  private(set) var orders: [[Int]] = []
  private(set) var threads = [Thread](repeating: Thread(), count: Clock.scalarCount)
  private var races = Races()
  /// Whether reads return the newest value and stores come last: nothing is a choice then.
  package var takesNewest = false

  /// Whether any operation but light fences, which don't order each other, is sequentially consistent.
  var hasSequence = false
  /// The operations that take part in the order of all sequentially consistent ones.
  var nodes: [Int] = []
  /// For each of them those that must come later in that order, as indices of `nodes`.
  var successors: [[Int]] = []
  /// Whether there is such an order.
  var isInOrder = true

  package init() {}

  // MARK: What a graph is made of

  enum Action {
    case read, write, update, fence, lightFence, heavyFence
  }

  struct Event {
    let thread: Int
    /// Counts the thread's events from 1.
    let number: UInt32
    let action: Action
    let ordering: Ordering
    /// -1 for a fence.
    let location: Int
    /// What happens before it, and itself.
    let clock: Clock
    /// The write that it reads from, or -1.
    let source: Int
    /// What it has written.
    let value: Int
    /// What others may learn from its write.
    let message: Message
    /// Of a write: where it stands in modification order.
    var position = 0
    /// Of a write: for each thread its first event that has to do with it. Whoever knows one of them knows the write.
    var firstSeen = Clock(repeating: .max)

    var writes: Bool { action == .write || action == .update }
    var isFence: Bool { location < 0 }

    func happensBefore(_ later: Event) -> Bool {
      later.clock[thread] >= number && !(thread == later.thread && number == later.number)
    }
  }

  /// What is known at some point, by whom it may be learnt.
  struct Message {
    /// By those who acquire.
    var released = Clock.zero
    /// By light fences: what was known at heavy ones.
    var heavy = Clock.zero
    /// By heavy fences: what was known at light ones.
    var light = Clock.zero

    mutating func join(_ other: Message) {
      released.join(other.released)
      heavy.join(other.heavy)
      light.join(other.light)
    }
  }

  struct Thread {
    var clock = Clock.zero
    /// What fences have to give to the writes behind them.
    var fenced = Message()
    /// What reads have brought for the fences behind them.
    var read = Message()
    var events: [Int] = []
  }

  // MARK: Threads and locations

  /// Makes a location: its first value is a plain write.
  ///
  /// - Parameter thread: Whose write; `nil` if everybody knows it.
  /// - Returns: The location's number: they count from 0.
  package mutating func makeLocation(_ value: Int, by thread: Int?) -> Int {
    orders.append([])
    races.addLocation()
    if let thread {
      write(orders.count - 1, value, at: 0, by: thread, .plain)
    } else {
      orders[orders.count - 1] = [events.count]
      events.append(
        Event(
          thread: 0, number: 0, action: .write, ordering: .plain, location: orders.count - 1, clock: .zero, source: -1,
          value: value, message: Message(), firstSeen: .zero))
    }
    return orders.count - 1
  }

  /// Lets a thread begin, with all that thread 0 knows.
  package mutating func start(_ thread: Int) { learn(thread, threads[0].clock) }

  /// Lets thread 0 know all that a thread knows, which has ended.
  package mutating func end(_ thread: Int) { learn(0, threads[thread].clock) }

  /// Lets a thread know something by other means than these locations.
  package mutating func learn(_ thread: Int, _ clock: Clock) { threads[thread].clock.join(clock) }

  /// What a thread knows of the steps of each.
  package func clock(of thread: Int) -> Clock { threads[thread].clock }

  /// Counts a step of a thread that has to do with none of the locations.
  package mutating func step(_ thread: Int) { tick(thread) }

  /// What a location is in the end.
  package func finalValue(of location: Int) -> Int { events[orders[location].last!].value }

  /// The first pair of accesses, one of them plain and one writing, that nothing orders.
  package var race: String? { races.first }

  // MARK: Accesses

  /// Reads a location. A plain read returns the newest value: if there could be another, there is a race.
  package mutating func load(
    _ location: Int, by thread: Int, _ ordering: Ordering, _ choose: (Int) -> Int
  ) -> Int {
    let newest = orders[location].count - 1
    let oldest = ordering == .plain ? newest : newestKnown(location, by: thread)
    let position = pick(newest, oldest, choose) { position in
      position == newest || allows { $0.read(location, at: position, by: thread, ordering) }
    }
    let value = events[orders[location][position]].value
    read(location, at: position, by: thread, ordering)
    return value
  }

  /// Writes a location.
  package mutating func store(
    _ location: Int, _ value: Int, by thread: Int, _ ordering: Ordering, _ choose: (Int) -> Int
  ) {
    let end = orders[location].count
    let first = ordering == .plain ? end : newestKnown(location, by: thread) + 1
    let position = pick(end, first, choose) { position in
      position == end
        || isFree(position, location) && allows { $0.write(location, value, at: position, by: thread, ordering) }
    }
    write(location, value, at: position, by: thread, ordering)
  }

  /// Reads a location and writes it in the same step.
  ///
  /// - Parameters:
  ///   - failure: The ordering of the read if nothing is written.
  ///   - change: What to write in place of a value, or `nil` to write nothing: a compare-exchange that fails. Called
  ///     any number of times.
  /// - Returns: What was read, and whether something was written.
  package mutating func modify(
    _ location: Int, by thread: Int, _ ordering: Ordering, failure: Ordering, _ choose: (Int) -> Int,
    _ change: (Int) -> Int?
  ) -> (old: Int, hasWritten: Bool) {
    let newest = orders[location].count - 1
    let position = pick(newest, newestKnown(location, by: thread), choose) { position in
      if position == newest { return true }
      guard let new = change(events[orders[location][position]].value) else {
        return allows { $0.read(location, at: position, by: thread, failure) }
      }
      return isFree(position + 1, location)
        && allows { $0.write(location, new, at: position + 1, by: thread, ordering, reads: true) }
    }
    let old = events[orders[location][position]].value
    guard let new = change(old) else {
      read(location, at: position, by: thread, failure)
      return (old, false)
    }
    write(location, new, at: position + 1, by: thread, ordering, reads: true)
    return (old, true)
  }

  /// Coherence: an operation may see or follow no write that is older than one that its thread knows of.
  private func newestKnown(_ location: Int, by thread: Int) -> Int {
    let clock = threads[thread].clock
    return orders[location].lastIndex { any(events[$0].firstSeen .<= clock) } ?? 0
  }

  /// Atomicity: nothing comes between a read-modify-write and what it has read.
  private func isFree(_ position: Int, _ location: Int) -> Bool {
    events[orders[location][position]].action != .update
  }

  /// Chooses among the positions that are possible, the newest first.
  private func pick(
    _ newest: Int, _ oldest: Int, _ choose: (Int) -> Int, _ isPossible: (Int) -> Bool
  ) -> Int {
    if newest <= oldest || takesNewest { return newest }
    let possible = (oldest...newest).reversed().filter(isPossible)
    return possible.count == 1 ? possible[0] : possible[choose(possible.count)]
  }

  /// Whether there is still an order of all sequentially consistent operations after something was done.
  private func allows(_ operation: (inout RC11) -> Void) -> Bool {
    // Neither the first of them nor anything before it can be out of order.
    if !hasSequence { return true }
    var attempt = self
    operation(&attempt)
    return attempt.isInOrder
  }

  // MARK: Growth

  private mutating func read(_ location: Int, at position: Int, by thread: Int, _ ordering: Ordering) {
    let source = orders[location][position]
    let number = tick(thread)
    learn(thread, ordering, events[source].message)
    events[source].firstSeen[thread] = min(events[source].firstSeen[thread], number)
    add(.read, thread, ordering, location, source: source)
    noteAccess(events.count - 1)
    noteOrder(of: events.count - 1)
  }

  private mutating func write(
    _ location: Int, _ value: Int, at position: Int, by thread: Int, _ ordering: Ordering, reads: Bool = false
  ) {
    let number = tick(thread)
    var message = Message(), source = -1
    if reads {
      source = orders[location][position - 1]
      message = events[source].message
      learn(thread, ordering, message)
      events[source].firstSeen[thread] = min(events[source].firstSeen[thread], number)
    }
    if ordering != .plain { message.join(threads[thread].fenced) }
    if ordering.releases { message.released.join(threads[thread].clock) }
    for later in orders[location][position...] { events[later].position += 1 }
    orders[location].insert(events.count, at: position)
    add(reads ? .update : .write, thread, ordering, location, source: source, value: value, message: message)
    events[events.count - 1].position = position
    events[events.count - 1].firstSeen[thread] = number
    noteAccess(events.count - 1)
    noteOrder(of: events.count - 1)
  }

  package mutating func fence(by thread: Int, _ ordering: Ordering) {
    tick(thread)
    if ordering.acquires { threads[thread].clock.join(threads[thread].read.released) }
    if ordering.releases { threads[thread].fenced.released = threads[thread].clock }
    add(.fence, thread, ordering)
    noteOrder(of: events.count - 1)
  }

  /// The cheap half of an asymmetric fence: nothing but a barrier for the compiler.
  package mutating func lightFence(by thread: Int) {
    tick(thread)
    threads[thread].clock.join(threads[thread].read.heavy)
    threads[thread].fenced.light = threads[thread].clock
    add(.lightFence, thread, .sequentiallyConsistent)
    noteOrder(of: events.count - 1)
  }

  /// The dear half of an asymmetric fence, `membarrier`: a fence to all others, and to light ones as well (P1202R5).
  package mutating func heavyFence(by thread: Int) {
    tick(thread)
    threads[thread].clock.join(threads[thread].read.released)
    threads[thread].clock.join(threads[thread].read.light)
    threads[thread].fenced.released = threads[thread].clock
    threads[thread].fenced.heavy = threads[thread].clock
    add(.heavyFence, thread, .sequentiallyConsistent)
    noteOrder(of: events.count - 1)
  }

  /// - Returns: The number of the thread's event that begins.
  @discardableResult
  private mutating func tick(_ thread: Int) -> UInt32 {
    threads[thread].clock[thread] += 1
    return threads[thread].clock[thread]
  }

  private mutating func learn(_ thread: Int, _ ordering: Ordering, _ message: Message) {
    if ordering.acquires { threads[thread].clock.join(message.released) }
    if ordering != .plain { threads[thread].read.join(message) }
  }

  private mutating func add(
    _ action: Action, _ thread: Int, _ ordering: Ordering, _ location: Int = -1, source: Int = -1, value: Int = 0,
    message: Message = Message()
  ) {
    let clock = threads[thread].clock
    threads[thread].events.append(events.count)
    events.append(
      Event(
        thread: thread, number: clock[thread], action: action, ordering: ordering, location: location, clock: clock,
        source: source, value: value, message: message))
  }

  private mutating func noteAccess(_ number: Int) {
    let event = events[number]
    races.note(
      event.location, by: event.thread, event.clock, isPlain: event.ordering == .plain, writes: event.writes)
  }

  // MARK: States

  /// The same for two graphs that the same programs grow from in the same ways: events are named by thread and number,
  /// as it doesn't matter in what order they came.
  package var state: [Int] {
    func name(_ event: Int) -> Int { event < 0 ? -1 : events[event].thread << 32 | Int(events[event].number) }
    var state: [Int] = []
    for thread in threads {
      state.append(-2)
      for event in thread.events { state += [name(events[event].source), events[event].value] }
    }
    for order in orders {
      state.append(-3)
      state += order.map(name)
    }
    return state
  }
}
