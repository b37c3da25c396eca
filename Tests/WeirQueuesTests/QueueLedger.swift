// What one thread or task has done with a queue, and what must hold for all of them in whatever order they went.

import TestKit

@testable import WeirQueues

/// The numbers that one thread or task has put into a queue and taken out, and what it was told.
struct QueueLedger {
  private var added: [Int] = []
  private var taken: [Int] = []
  /// Whether it knows that the queue takes nothing more.
  private(set) var isShut = false
  /// Whether it knows that nothing more comes.
  private(set) var isDrained = false
  private(set) var problem: String?

  mutating func check(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds, problem == nil { problem = what() }
  }

  mutating func close() { isShut = true }

  mutating func end() { isDrained = true }

  /// Notes what was accepted.
  mutating func add(_ elements: some Collection<LifetimeTracked>) {
    check(elements.isEmpty || !isShut, "a closed queue took \(elements.map(\.number))")
    added += elements.map(\.number)
  }

  /// Notes what became of an element, which has to come back unless it was accepted.
  mutating func add(_ element: LifetimeTracked, _ offer: Offer<LifetimeTracked>, mayBeFull: Bool) {
    switch offer {
    case .taken: add([element])
    case .full(let back):
      check(back === element, "\(back.number) came back instead of \(element.number)")
      check(mayBeFull, "full")
    case .closed(let back):
      check(back === element, "\(back.number) came back instead of \(element.number)")
      close()
    }
  }

  mutating func add(_ element: LifetimeTracked, _ overwrite: Overwrite<LifetimeTracked>) {
    switch overwrite {
    case .appended: add([element])
    case .replaced(let old):
      add([element])
      take([old])
    case .closed(let back): add(element, .closed(back), mayBeFull: false)
    }
  }

  mutating func take(_ elements: some Collection<LifetimeTracked>) {
    check(elements.isEmpty || !isDrained, "\(elements.map(\.number)) came after the end")
    taken += elements.map(\.number)
  }

  /// Says what is wrong when all are through: what went in must have come out once or be there, and what comes from one
  /// producer must be in its order for each consumer, what is there behind it.
  ///
  /// - Parameters:
  ///   - ledgers: The producers' and consumers'.
  ///   - rest: What is left in the queue.
  ///   - producer: Who has added a number.
  static func problem(_ ledgers: [QueueLedger], rest: [Int], producer: (Int) -> Int) -> String? {
    if let problem = ledgers.lazy.compactMap(\.problem).first { return problem }
    let (into, out) = (ledgers.flatMap(\.added).sorted(), (ledgers.flatMap(\.taken) + rest).sorted())
    if into != out { return "\(into) went in, \(out) came out" }
    for ledger in ledgers {
      var last: [Int: Int] = [:]
      for number in ledger.taken + rest {
        if let former = last.updateValue(number, forKey: producer(number)), former > number {
          return "\(number) came after \(former)"
        }
      }
    }
    return nil
  }
}
