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

/// Who waits for whom, for threads that are about to sleep.
///
/// A thread enters the table and then looks whether it waits for itself, under one lock: so of several threads that
/// close a circle at least one finds it. What it finds may be over a moment later, which costs whoever asked a way
/// around that it had not needed.
@usableFromInline
package enum WaitTable {
  /// The words that name the thread which has what is waited for: the first that is not 0 counts, without its lowest
  /// four bits.
  private struct Wait {
    let holder: AtomicWord.Place
    let other: AtomicWord.Place
    let canGiveWay: Bool

    var thread: Int {
      let thread = holder.relaxedLoad() & ~15
      return thread != 0 ? thread : other.relaxedLoad() & ~15
    }
  }

  private static let waits = Lock<[Int: Wait]>([:])

  /// Makes the table: the explorer's runs are alike only if it is there before them.
  package static func prepare() { waits.withLock { _ in } }

  /// Notes that a thread waits, until `leave`.
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
    let wait = Wait(holder: holder.place, other: other.place, canGiveWay: canGiveWay)
    return waits.withLock { waits in
      waits[me] = wait
      var next = wait.thread
      var othersCan = false
      // Circles that others have closed are theirs to find: a way that is longer than the table leads into one.
      for _ in 0..<waits.count {
        if next == me { return canGiveWay || !othersCan }
        guard let wait = waits[next] else { return false }
        othersCan = othersCan || wait.canGiveWay
        next = wait.thread
      }
      return false
    }
  }

  /// Notes that a thread goes on.
  @usableFromInline
  package static func leave(_ me: Int) { waits.withLock { $0[me] = nil } }
}
