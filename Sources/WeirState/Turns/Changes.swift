// Which threads are changing states, and what they are to deliver once they are through.

import WeirQueues

/// What is to happen when a thread has no turn any more: a change's delivery to the subscribers.
package typealias Delivery = () -> Void

/// The changes under way, by thread.
///
/// A rule may write into another state. That state's subscribers must not run while the rule's own state is being
/// changed, so deliveries wait here until the thread has given back its last turn. Threads are spread over several
/// tables, each with its own lock, which is held for a few instructions.
enum Changes {
  private struct Entry {
    let thread: Int
    var depth = 0
    /// The turns whose states the thread is changing in place.
    var inPlace: ObjectIdentifier?
    /// Those that it changes within that one's change; apart, as one alone needs no allocation.
    var othersInPlace: [ObjectIdentifier] = []

    func isInPlace(_ turn: ObjectIdentifier) -> Bool { inPlace == turn || othersInPlace.contains(turn) }

    mutating func beginInPlace(_ turn: ObjectIdentifier) {
      if inPlace == nil { inPlace = turn } else { othersInPlace.append(turn) }
    }

    mutating func endInPlace(_ turn: ObjectIdentifier) {
      if inPlace == turn { inPlace = othersInPlace.popLast() } else { othersInPlace.removeAll { $0 == turn } }
    }
    var waiting: [Delivery] = []
  }

  private final class Table: Sendable {
    let entries = Lock<[Entry]>([])
  }

  private final class Registry: Sendable {
    let tables = (0..<64).map { _ in Table() }
    let waits = Lock<[Int: Turn]>([:])
  }

  private static let registry = Registry()

  private static func table(of thread: Int) -> Table {
    registry.tables[(thread >> 6 ^ thread >> 12 ^ thread >> 20) & 63]
  }

  /// The turns that threads wait for, by thread.
  static func withWaits<Result>(_ body: (inout [Int: Turn]) -> Result) -> Result { registry.waits.withLock(body) }

  /// Notes that a thread takes a turn, perhaps to change the state in place. Until that is over, the thread must not
  /// take the turn again: it was for a write that what is changed in place would replace.
  static func enter(_ thread: Int, _ turn: ObjectIdentifier, inPlace: Bool) {
    let isAllowed = table(of: thread).entries.withLock { entries -> Bool in
      let index = entries.firstIndex { $0.thread == thread } ?? entries.count
      if index == entries.count { entries.append(Entry(thread: thread)) }
      guard !entries[index].isInPlace(turn) else { return false }
      if inPlace { entries[index].beginInPlace(turn) }
      entries[index].depth += 1
      return true
    }
    precondition(isAllowed, "a state is written from within a change of the same state, which would replace the write")
  }

  /// Notes that a thread no longer changes a state in place; the turn is still its own.
  static func endInPlace(_ thread: Int, _ turn: ObjectIdentifier) {
    table(of: thread).entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.thread == thread }) else { return }
      entries[index].endInPlace(turn)
    }
  }

  /// Notes that a thread has given a turn back; after its last one, does what was waiting for that.
  static func leave(_ thread: Int, then delivery: Delivery?) {
    let waiting = table(of: thread).entries.withLock { entries -> [Delivery] in
      guard let index = entries.firstIndex(where: { $0.thread == thread }) else { return [] }
      entries[index].depth -= 1
      guard entries[index].depth == 0 else {
        if let delivery { entries[index].waiting.append(delivery) }
        return []
      }
      var waiting = entries[index].waiting
      entries.swapAt(index, entries.count - 1)
      entries.removeLast()
      if let delivery { waiting.append(delivery) }
      return waiting
    }
    for delivery in waiting { delivery() }
  }

  /// Does something now, or when the calling thread has no turn any more.
  static func whenThrough(_ action: @escaping Delivery) {
    let thread = currentThreadIdentity()
    let isWaiting = table(of: thread).entries.withLock { entries -> Bool in
      guard let index = entries.firstIndex(where: { $0.thread == thread }) else { return false }
      entries[index].waiting.append(action)
      return true
    }
    if !isWaiting { action() }
  }
}
