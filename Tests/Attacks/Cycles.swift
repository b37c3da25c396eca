// Subjects whose sinks send to each other, from several threads: no thread may wait for ever, nothing may be lost.

import AttackJudge
import CAttacks
import Weir
import WeirQueues

/// How a subject's values come to the sink that passes them on.
private enum Way: String, CaseIterable, Sendable {
  case direct = "direct"
  case merge = "through merge"
  case flatMap = "through flat-map"
}

/// A value on its way: who sent it first, its number there, and how often it is still passed on.
private struct Passed {
  var sender: Int
  var number: Int
  var left: Int
  /// Where the last `send` is in its thread's record: the thread, and the number there.
  var step: (thread: Int, number: Int)
}

/// What one thread does in a round.
private final class Record: @unchecked Sendable {
  /// All it sent, in the order in which it began.
  var sends: [PassedSend] = []
  /// The nodes in whose subscribers it is: one bit for each.
  var held = 0
  /// The values that it delivered although another thread had sent them here: that `send`, and how often they went on.
  var taken: [(step: (thread: Int, number: Int), left: Int)] = []

  /// Notes a `send` while it is under way.
  func send(to node: Int, _ body: (_ number: Int) -> Void) {
    let number = sends.count
    sends.append(PassedSend(to: node, holding: held, Span(now(), .max)))
    body(number)
    sends[number].span.end = now()
  }
}

/// The sinks' view of one subject.
private final class Node: @unchecked Sendable {
  let subject: PassthroughSubject<Passed, Never>
  var sink: AnyCancellable?
  /// The newest number for each sender and each count of steps left.
  var newest: [[Int]]
  let received = Count()
  let inside = Count()

  init(_ threads: Int, _ steps: Int) {
    subject = PassthroughSubject()
    newest = Array(repeating: Array(repeating: 0, count: steps + 1), count: threads)
  }
}

/// - Parameters:
///   - count: How many subjects there are in the circle.
///   - threads: How many threads send into it, each to another subject.
///   - outsider: Whether one more thread sends to the first subject a value that is not passed on.
private func attackCycle(_ run: Run, _ count: Int, _ threads: Int, _ way: Way, outsider: Bool) {
  let tally = run.tally
  tally.excuse = .circle
  tally.limit = 2_000_000
  let lanes = (0...threads).map { _ in tally.lane() }
  while !run.isOver { oneRound(tally, lanes, count, threads, way, outsider) }
}

private func oneRound(
  _ tally: Tally, _ lanes: [Lane], _ count: Int, _ threads: Int, _ way: Way, _ outsider: Bool
) {
  let (steps, sends) = (count * 2 - 1, 200)
  let all = threads + (outsider ? 1 : 0)
  let nodes = (0..<count).map { _ in Node(all, steps) }
  let records = (0..<all).map { _ in Record() }
  for (index, node) in nodes.enumerated() {
    let nextIndex = (index + 1) % count
    let next = nodes[nextIndex].subject
    let publisher: AnyPublisher<Passed, Never> =
      switch way {
      case .direct: node.subject.eraseToAnyPublisher()
      case .merge: node.subject.merge(with: Empty(completeImmediately: false)).eraseToAnyPublisher()
      case .flatMap: [node.subject].publisher.flatMap { $0 }.eraseToAnyPublisher()
      }
    node.sink = publisher.sink { value in
      node.inside.add()
      let state = attack_state()!
      let thread = Tag.sender(Int(state.pointee.current))
      guard thread >= 0 else { return tally.fail("a delivery on a thread that sends nothing") }
      let record = records[thread]
      if thread != value.sender { tally.offThread.add() }
      if thread != value.step.thread { record.taken.append((value.step, value.left)) }
      let held = record.held
      record.held |= 1 << index
      state.pointee.delivered += 1
      let former = node.newest[value.sender][value.left]
      if value.number != former + 1 {
        tally.disorder.add()
        tally.note("after \(former) of a sender came \(value.number)")
      }
      node.newest[value.sender][value.left] = value.number
      node.received.add()
      if value.left > 0 {
        record.send(to: nextIndex) { step in
          next.send(
            Passed(sender: value.sender, number: value.number, left: value.left - 1, step: (thread, step)))
        }
      }
      record.held = held
      node.inside.add(-1)
    }
  }
  onThreads(all) { thread in
    for number in 1...sends {
      lanes[thread].send(Tag.of(thread, number)) { _ in
        records[thread].send(to: thread % count) { step in
          nodes[thread % count].subject.send(
            Passed(sender: thread, number: number, left: thread < threads ? steps : 0, step: (thread, step)))
        }
      }
    }
  }
  tally.rounds.add()
  judge(tally, records)
  let expected = threads * sends * (steps + 1) + (outsider ? sends : 0)
  let received = nodes.reduce(0) { $0 + $1.received.value }
  if received != expected { tally.fail("\(received) of \(expected) deliveries") }
  for node in nodes {
    if node.inside.value != 0 { tally.fail("somebody is still inside") }
    node.sink?.cancel()
  }
}

/// Looks for the circle behind each value that another thread delivered.
private func judge(_ tally: Tally, _ records: [Record]) {
  let circles = Circles(records.map(\.sends))
  for taken in records.flatMap(\.taken) {
    let (thread, number) = taken.step
    tally.handedOver.add()
    guard circles.contain(records[thread].sends[number], of: thread) else { continue }
    tally.inCircles.add()
    // Where it was handed over, and wherever it went from there.
    tally.deliveriesOfCircles.add(taken.left + 1)
  }
}

let cycles: [Attack] = Way.allCases.flatMap { way in
  [(2, 2, false), (2, 3, false), (3, 2, false), (3, 3, false), (4, 4, false), (2, 2, true), (3, 3, true)].map {
    count, threads, outsider in
    let others = outsider ? "; joined by another" : ""
    return Attack("cycles", "\(count) subjects; \(threads) threads\(others); \(way.rawValue)") { run in
      attackCycle(run, count, threads, way, outsider: outsider)
    }
  }
}
