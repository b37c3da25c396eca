// The right to change a state: a recursive lock that lends itself rather than deadlock.

import Weir
import WeirQueues

/// Lets one thread at a time read, change and write back the value of a state.
///
/// Rules and the closures of `withLock` run inside a turn, subscribers don't. Rules may write into other states, and so
/// a thread may want a second turn while it has one. If the thread that has the second one waits, perhaps over several
/// more, for a turn of this thread, both would wait for ever. But then the other thread stands still inside its own
/// change, at a call that returns only after this thread has gone on: to run here now is what it would be if that call
/// had led here on one thread. So the turn is lent: the caller enters beside the owner, and may do so again, also while
/// that one has been woken, and looks whether it can go on, which is when it is in no table.
///
/// Who waits for what is kept in one table, with the changes under way. A thread joins the table and looks for a circle
/// in one step, so of two threads that close a circle one sees it and goes on, the other sleeps. A thread in the table
/// does nothing until it has got what it waits for, so a circle that was found stays one.
package final class Turn: Sendable {
  struct State {
    var owner = 0
    var depth = 0
    /// Threads that it is lent to, which may take it again, too. One of all that have it runs; the others wait for that
    /// one.
    var lent: [(thread: Int, depth: Int)] = []
    var waiting: [Parker] = []

    var isFree: Bool { depth == 0 && lent.isEmpty }

    var holders: [Int] { (depth > 0 ? [owner] : []) + lent.map(\.thread) }

    mutating func enter(_ me: Int) -> Bool {
      if isFree {
        owner = me
        depth = 1
      } else if depth > 0, owner == me {
        depth += 1
      } else if let index = lent.firstIndex(where: { $0.thread == me }) {
        lent[index].depth += 1
      } else {
        return false
      }
      return true
    }

    mutating func leave(_ me: Int) {
      if let index = lent.firstIndex(where: { $0.thread == me }) {
        lent[index].depth -= 1
        if lent[index].depth == 0 { lent.remove(at: index) }
      } else {
        depth -= 1
      }
    }
  }

  private let state = Lock(State())
  private let isExclusive: Bool
  private let willChange = Lock<ObservableObjectPublisher?>(nil)

  /// Creates a free turn.
  ///
  /// - Parameter isExclusive: Whether threads wait for each other; for states of one thread they need not.
  package init(isExclusive: Bool = true) { self.isExclusive = isExclusive }

  /// Creates the turn of a state with a lock of the given kind.
  convenience init(_ lock: ManagedStateLock) {
    if case .absent = lock { self.init(isExclusive: false) } else { self.init() }
  }

  /// Takes the turn, again if this thread has it already. Acquires what its former owner did.
  ///
  /// - Parameter inPlace: Whether the state's value is read now and replaced before the turn is given back. Until
  ///   `endInPlace`, the thread must not take the turn again: that stops the program.
  package func enter(inPlace: Bool = false) {
    let me = currentThreadIdentity()
    Changes.enter(me, ObjectIdentifier(self), inPlace: inPlace)
    if isExclusive, !state.withLock({ $0.enter(me) }) { enterContended(me) }
  }

  /// Ends what `enter(inPlace:)` began; the turn stays this thread's.
  package func endInPlace() { Changes.endInPlace(currentThreadIdentity(), ObjectIdentifier(self)) }

  /// Gives the turn back.
  ///
  /// - Parameter delivery: What is to happen as soon as this thread has no turn at all: at once, or when it gives back
  ///   its last one.
  package func leave(then delivery: Delivery? = nil) {
    let me = currentThreadIdentity()
    if isExclusive {
      let next = state.withLock { state -> Parker? in
        state.leave(me)
        return state.isFree && !state.waiting.isEmpty ? state.waiting.removeFirst() : nil
      }
      next?.unpark()
    }
    Changes.leave(me, then: delivery)
  }

  // MARK: What is told before a change

  /// The publisher that tells of a change of the state before it is made; none is told before somebody asks for it.
  var objectWillChange: ObservableObjectPublisher {
    willChange.withLock { publisher in
      let made = publisher ?? ObservableObjectPublisher()
      publisher = made
      return made
    }
  }

  /// Tells that the state will be changed: now, or, where this thread is changing a state, when it is through with
  /// that.
  func announce(unless isNoChange: () -> Bool) {
    guard let publisher = willChange.withLock({ $0 }), !isNoChange() else { return }
    Changes.whenThrough { publisher.send() }
  }

  private func enterContended(_ me: Int) {
    while true {
      let parker = Parker()
      let isInside = Changes.withWaits { waits -> Bool in
        let isFree = state.withLock { state -> Bool in
          if state.enter(me) { return true }
          state.waiting.append(parker)
          return false
        }
        if isFree { return true }
        if waitsForItself(me, waits) {
          state.withLock { state in
            state.waiting.removeAll { $0 === parker }
            state.lent.append((me, 1))
          }
          return true
        }
        waits[me] = self
        return false
      }
      if isInside { return }
      parker.park()
      _ = Changes.withWaits { $0.removeValue(forKey: me) }
    }
  }

  /// Whether a thread that has this turn waits for one of the caller's.
  private func waitsForItself(_ me: Int, _ waits: [Int: Turn]) -> Bool {
    var seen: [Int] = []
    var turns = [self]
    while let turn = turns.popLast() {
      for holder in turn.state.withLock({ $0.holders }) {
        if holder == me { return true }
        guard !seen.contains(holder), let next = waits[holder] else { continue }
        seen.append(holder)
        turns.append(next)
      }
    }
    return false
  }
}
