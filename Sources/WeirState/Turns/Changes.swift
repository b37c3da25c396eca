// Who is changing states, and what is to be delivered once they are through.

import WeirQueues

/// What is to happen when a changer has no turn any more: a change's delivery to the subscribers.
package typealias Delivery = () -> Void

/// The changes under way, by the identities of those who make them.
///
/// A rule may write into another state. That state's subscribers must not run while the rule's own state is being
/// changed, so deliveries wait here until the changer has given back its last turn. Changers are spread over several
/// tables, each with its own lock, which is held for a few instructions.
enum Changes {
  private struct Entry {
    let changer: Int
    /// The turn that it took first, if its change may be suspended.
    let suspendable: ObjectIdentifier?
    var depth = 0
    /// The turn whose state the changer is changing in place.
    var inPlace: ObjectIdentifier?
    /// Those that it changes within that one's change; apart, as one alone needs no allocation.
    var othersInPlace: [ObjectIdentifier] = []

    func isInPlace(_ turn: ObjectIdentifier) -> Bool { inPlace == turn || othersInPlace.contains(turn) }

    /// Whether what becomes of a turn's state is delivered only behind a change of another state, which may be
    /// suspended before that.
    func isWithinSuspendable(_ turn: ObjectIdentifier) -> Bool { suspendable != nil && suspendable != turn }

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

  private static let tables = (0..<64).map { _ in Table() }

  private static func table(of changer: Int) -> Table {
    tables[(changer >> 6 ^ changer >> 12 ^ changer >> 20) & 63]
  }

  /// Notes that a changer takes a turn, perhaps to change the state in place. Until that is over, it must not take the
  /// turn again but to read: it was for a write that what is changed in place would replace.
  ///
  /// - Returns: Whether the turn was taken within a change of another state that may be suspended.
  static func enter(_ changer: Int, _ turn: ObjectIdentifier, _ use: Turn.Use) -> Bool {
    let isWithin = table(of: changer).entries.withLock { entries -> Bool? in
      let index = entries.firstIndex { $0.changer == changer } ?? entries.count
      if index == entries.count {
        entries.append(Entry(changer: changer, suspendable: use == .suspendable ? turn : nil))
      }
      guard use == .reading || !entries[index].isInPlace(turn) else { return nil }
      if use.isInPlace { entries[index].beginInPlace(turn) }
      entries[index].depth += 1
      return entries[index].isWithinSuspendable(turn)
    }
    requireNoLoss(isWithin != nil)
    return isWithin == true
  }

  private static func requireNoLoss(_ isKept: Bool) {
    precondition(isKept, "a state is written from within a change of the same state, which would replace the write")
  }

  /// Stops the program if another changer, which runs further up this very stack, is changing the state in place.
  static func refuseWithin(_ changer: Int, _ turn: ObjectIdentifier) {
    let isInPlace = table(of: changer).entries.withLock { entries in
      entries.contains { $0.changer == changer && $0.isInPlace(turn) }
    }
    requireNoLoss(!isInPlace)
  }

  /// Notes that a changer no longer changes a state in place; the turn is still its own.
  ///
  /// - Returns: As for `enter`.
  static func endInPlace(_ changer: Int, _ turn: ObjectIdentifier) -> Bool {
    table(of: changer).entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.changer == changer }) else { return false }
      entries[index].endInPlace(turn)
      return entries[index].isWithinSuspendable(turn)
    }
  }

  /// Notes that a changer has given a turn back; after its last one, does what was waiting for that.
  ///
  /// - Parameters:
  ///   - changer: Who has given it back.
  ///   - makeDelivery: Returns what is to wait, too, if anything is; called only if the changer has another turn.
  /// - Returns: Whether that was its last one.
  static func leave(_ changer: Int, unlessThrough makeDelivery: () -> Delivery?) -> Bool {
    let waiting = table(of: changer).entries.withLock { entries -> [Delivery]? in
      guard let index = entries.firstIndex(where: { $0.changer == changer }) else { return [] }
      entries[index].depth -= 1
      guard entries[index].depth == 0 else {
        if let delivery = makeDelivery() { entries[index].waiting.append(delivery) }
        return nil
      }
      entries.swapAt(index, entries.count - 1)
      return entries.removeLast().waiting
    }
    guard let waiting else { return false }
    for delivery in waiting { delivery() }
    return true
  }

  /// Does something now, or when whoever calls has no turn any more.
  static func whenThrough(_ action: @escaping Delivery) {
    let changer = Changer.current
    let isWaiting = table(of: changer).entries.withLock { entries -> Bool in
      guard let index = entries.firstIndex(where: { $0.changer == changer }) else { return false }
      entries[index].waiting.append(action)
      return true
    }
    if !isWaiting { action() }
  }
}
