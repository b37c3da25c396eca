// Threads that sleep until something is free, and the table of all of them, which tells circles.

import CMachine

/// A thread in a line.
@safe
package final class Sleeper {
  /// What the thread is told when it is woken.
  package enum Grant {
    /// Nothing: it still sleeps.
    case none
    /// To try again.
    case woken
    /// That what it waits for is its own now.
    case handed
  }

  package let thread: Int
  /// When it began to wait, in nanoseconds of the monotonic clock.
  package let since: Int
  private let parker = Parker()
  /// SAFETY (exclusivity): touched under the line's lock only.
  @safe @exclusivity(unchecked) package var grant = Grant.none

  package init(thread: Int, since: Int) {
    self.thread = thread
    self.since = since
  }

  /// Sleeps until it is woken, for a millisecond at most.
  package func sleep() { parker.park(atMost: 1_000_000) }

  /// Wakes the thread, which has its grant.
  package func wake() { parker.unpark() }
}

/// Threads that sleep in the order of their coming.
@usableFromInline
package final class WaitLine {
  package let sleepers = Lock<[Sleeper]>([])
  /// How many calls of subscribers have been marked by those who wait; see `Gate.number(of:in:)`.
  package let markedCalls = AtomicWord(0)

  @usableFromInline
  package init() {}
}

/// Signals that were left to another thread where senders wait, counted in this process.
@usableFromInline
package enum WaitException {
  /// Nobody whom that thread was calling would have taken the signal; others may be told of it.
  @usableFromInline
  package static func noteLetThrough() { machine_note_exception(machine_let_through) }

  /// The signal only changes the state of an operator: the subscriber is told nothing of it now.
  @usableFromInline
  package static func noteUntold() { machine_note_exception(machine_untold) }

  /// Threads waited for each other in a circle.
  @usableFromInline
  package static func noteCircle() { machine_note_exception(machine_circle) }

  /// How many signals were let through of which others may be told.
  package static var letThrough: Int { machine_exceptions(machine_let_through) }

  /// How many signals were let through of which nobody is told.
  package static var untold: Int { machine_exceptions(machine_untold) }

  /// How many circles were left by handing a signal over.
  package static var circles: Int { machine_exceptions(machine_circle) }
}

/// What its owner has, and whoever it is lent to: a state's turn.
package protocol AwaitedTurn: AnyObject {
  /// Those who have it. Who waits for it waits for all of them.
  var changers: [Changer] { get }
}

/// What threads wait for.
package struct Waits {
  enum Wait {
    /// What a thread has that one of two words names: the first that is not 0 counts, without its lowest four bits.
    case thread(AtomicWord.Place, AtomicWord.Place, canGiveWay: Bool)
    case turn(any AwaitedTurn)

    /// Whether whoever waits so can go another way easily.
    var canGiveWay: Bool { if case .thread(_, _, canGiveWay: true) = self { true } else { false } }
  }

  struct Entry {
    let changer: Changer
    let wait: Wait
  }

  /// By the threads that wait.
  private(set) var entries: [Int: Entry] = [:]

  /// Notes that somebody waits, until `remove`.
  mutating func add(_ changer: Changer, waitingFor wait: Wait) {
    entries[changer.thread] = Entry(changer: changer, wait: wait)
  }

  /// Notes that somebody waits for a turn, until `remove`.
  package mutating func add(_ changer: Changer, waitingFor turn: any AwaitedTurn) {
    add(changer, waitingFor: .turn(turn))
  }

  /// Notes that a thread goes on.
  package mutating func remove(_ thread: Int) { entries[thread] = nil }

  /// Whether somebody waits, on whatever thread.
  package func contains(_ changer: Changer) -> Bool { entry(of: changer) != nil }

  /// The turn that somebody waits for; or of a task that doesn't wait, and may need the thread where it was last seen,
  /// the one that is waited for there.
  package func turn(awaitedBy changer: Changer) -> (any AwaitedTurn)? {
    guard case .turn(let turn)? = (entry(of: changer) ?? entries[changer.thread])?.wait else { return nil }
    return turn
  }

  /// Whether a thread waits for itself, over others perhaps, and is to go another way.
  ///
  /// It follows every wait. If it can't go another way easily, a circle with somebody who can is left to that one.
  func isCircle(of me: Int) -> Bool {
    guard let own = entries[me]?.wait else { return false }
    var threads = self.threads(awaitedBy: own)
    // Circles that others have closed are theirs to find.
    var seen: [Int] = []
    while let thread = threads.popLast() {
      if thread == me { return true }
      guard !seen.contains(thread), let wait = entries[thread]?.wait else { continue }
      seen.append(thread)
      if own.canGiveWay || !wait.canGiveWay { threads += self.threads(awaitedBy: wait) }
    }
    return false
  }

  private func entry(of changer: Changer) -> Entry? {
    entries.values.first { $0.changer.identity == changer.identity }
  }

  /// The threads that have what is waited for.
  private func threads(awaitedBy wait: Wait) -> [Int] {
    switch wait {
    case .thread(let holder, let other, _):
      let thread = holder.relaxedLoad() & ~15
      return [thread != 0 ? thread : other.relaxedLoad() & ~15]
    case .turn(let turn):
      return turn.changers.map { entry(of: $0)?.changer.thread ?? $0.thread }
    }
  }
}

/// Who waits for whom, for threads that are about to sleep.
///
/// A thread enters the table and then looks whether it waits for itself, under one lock: so of several threads that
/// close a circle at least one finds it. What it finds may be over a moment later, which costs whoever asked a way
/// around that it had not needed.
///
/// There are two kinds of waits. Who waits for what another thread has, a gate or a subscriber, wakes up every moment,
/// looks again, and may leave its signal to that thread and go on. Who waits for a state's turn looks when it begins to
/// wait and when it was woken; in a circle of turns it is lent the turn, since its owner stands still until it is
/// through. In a circle of both kinds that would not be so: the other ones find that, and go on.
@usableFromInline
package enum WaitTable {
  private static let waits = Lock(Waits())

  /// Makes the table: the explorer's runs are alike only if it is there before them.
  package static func prepare() { waits.withLock { _ in } }

  /// Notes that a thread waits for what another one has, until `leave`.
  ///
  /// - Parameters:
  ///   - me: The calling thread.
  ///   - holder: Names the thread that has what is waited for; must live until `leave`.
  ///   - other: Names it while `holder` is 0.
  ///   - canGiveWay: Whether the caller can go another way easily, which it does if it finds a circle. Another one does
  ///     so only if nobody in the circle can.
  /// - Returns: `true` if that thread waits for the caller, or for one that does, and so on, and the caller is to give
  ///   way.
  @usableFromInline
  package static func enter(
    _ me: Int, waitingFor holder: borrowing AtomicWord, or other: borrowing AtomicWord, canGiveWay: Bool = true
  ) -> Bool {
    // SAFETY: the caller stays inside the owner of both words until it has left the table.
    let wait = Waits.Wait.thread(holder.place, other.place, canGiveWay: canGiveWay)
    let changer = Changer(thread: me)
    return waits.withLock { waits in
      waits.add(changer, waitingFor: wait)
      return waits.isCircle(of: me)
    }
  }

  /// Notes that a thread goes on.
  @usableFromInline
  package static func leave(_ me: Int) { waits.withLock { $0.remove(me) } }

  /// Looks at all waits and changes them in one step. The lock of a turn's state is taken within this, never around it.
  package static func withWaits<Result>(_ body: (inout Waits) -> Result) -> Result { waits.withLock(body) }
}
