// The right to change a state: a recursive lock that lends itself rather than deadlock.

import Weir
import WeirQueues

/// Lets one changer at a time, a task or the thread of code in none, read, change and write back the value of a state.
///
/// Rules and the closures of `withLock` run inside a turn, subscribers don't. Rules may write into other states, and so
/// a changer may want a second turn while it has one. If whoever has the second one waits, perhaps over several more,
/// for a turn of this changer, both would wait for ever. But then the other one stands still inside its own change, at
/// a call that returns only after this one has gone on: to run here now is what it would be if that call had led here
/// on one thread. So the turn is lent: the caller enters beside the owner, and may do so again, also while that one has
/// been woken, and looks whether it can go on, which is when it is in no table.
///
/// A task may be suspended inside a change in place. It has the turn until that change ends, on whatever thread, and
/// others wait for that. But what the task needs to go on may be just what waits: the thread that it began on, an
/// actor, the last thread of the pool. So the turn is lent on that thread, and where that thread waits, over others
/// perhaps, for the caller; and anybody is let in who has waited for long. Such a task is `apart`: others may change
/// the value beside it, and it stores its outcome only when none of them is at it.
///
/// Who waits for what is kept in one table, with the changes under way. A changer joins the table and looks for a
/// circle in one step, so of two that close a circle one sees it and goes on, the other sleeps. A changer in the table
/// does nothing until it has got what it waits for, so a circle that was found stays one.
package final class Turn: Sendable {
  struct State {
    struct Holder {
      var changer: Changer
      var depth = 1
      var phase = Phase.running

      var isApart: Bool { phase != .running }
    }

    enum Phase {
      case running
      /// A task that may be suspended, between reading the value and storing another.
      case apart
      /// The same, and it has been waited for in vain.
      case letBe
    }

    var owner: Holder?
    /// Those that it is lent to, which may take it again, too. Of all that have it and are not apart one runs; the
    /// others wait for that one.
    var lent: [Holder] = []
    /// Those that are apart and wait to store.
    var storing: [(changer: Changer, parker: Parker)] = []
    var waiting: [Parker] = []
    /// How often somebody has given it back.
    var generation = 0

    var holders: [Holder] { (owner.map { [$0] } ?? []) + lent }

    /// Does something with what the caller has of this turn.
    ///
    /// - Returns: `nil` if it has nothing of it.
    mutating func withHolder<Result>(_ me: Changer, _ body: (inout Holder) -> Result) -> Result? {
      if owner?.changer.identity == me.identity { return body(&owner!) }
      guard let index = lent.firstIndex(where: { $0.changer.identity == me.identity }) else { return nil }
      return body(&lent[index])
    }

    mutating func enter(_ me: Changer, _ phase: Phase) -> Bool {
      if owner == nil, lent.isEmpty {
        owner = Holder(changer: me, phase: phase)
        return true
      }
      return withHolder(me) { $0.depth += 1 } != nil
    }

    /// - Returns: Who is to be woken.
    mutating func leave(_ me: Changer) -> Parker? {
      let depth = withHolder(me) { holder in
        holder.depth -= 1
        return holder.depth
      }
      guard depth == 0 else { return nil }
      if owner?.depth == 0 { owner = nil } else { lent.removeAll { $0.depth == 0 } }
      generation &+= 1
      if owner == nil, lent.isEmpty { return waiting.isEmpty ? nil : waiting.removeFirst() }
      guard !storing.isEmpty, holders.allSatisfy(\.isApart) else { return nil }
      let next = storing.removeFirst()
      _ = withHolder(next.changer) { $0.phase = .running }
      return next.parker
    }

    /// Gives up waiting for those that have it, if all of them are tasks that may be suspended.
    mutating func letBe() -> Bool {
      guard !holders.isEmpty, holders.allSatisfy(\.isApart) else { return false }
      owner?.phase = .letBe
      for index in lent.indices { lent[index].phase = .letBe }
      return true
    }

    /// Notes that a task that was apart is on this thread and wants to store.
    ///
    /// - Returns: Whether it may.
    mutating func mayStore(_ me: Changer) -> Bool {
      let isBack = withHolder(me) { holder in
        holder.changer = me
        return !holder.isApart
      }
      guard isBack == false, holders.allSatisfy(\.isApart) else { return isBack != false }
      _ = withHolder(me) { $0.phase = .running }
      return true
    }
  }

  private let state = Lock(State())
  private let isExclusive: Bool
  private let willChange = Lock<ObservableObjectPublisher?>(nil)

  /// For how long one task that is apart is waited for, in nanoseconds.
  private let patience: Int

  /// Creates a free turn.
  ///
  /// - Parameters:
  ///   - isExclusive: Whether changers wait for each other; for states of one thread they need not.
  ///   - patience: For how long a task is waited for that may be suspended, in nanoseconds.
  package init(isExclusive: Bool = true, patience: Int = 1_000_000_000) {
    self.isExclusive = isExclusive
    self.patience = patience
  }

  /// Creates the turn of a state with a lock of the given kind.
  convenience init(_ lock: ManagedStateLock) {
    if case .absent = lock { self.init(isExclusive: false) } else { self.init() }
  }

  /// What is read of the state's value, and when it is replaced.
  package enum Use {
    /// Rules may read and write.
    case plain
    /// The value is read now and replaced before the turn is given back. Until `endInPlace`, the caller must not take
    /// the turn again: that stops the program.
    case inPlace
    /// The same, and a task may be suspended meanwhile.
    case suspendable
  }

  /// Takes the turn, again if the caller has it already. Acquires what its former owner did.
  package func enter(_ use: Use = .plain) {
    let me = Changer(thread: currentThreadIdentity())
    Changes.enter(me.identity, ObjectIdentifier(self), inPlace: use != .plain)
    guard isExclusive else { return }
    let phase = me.isTask && use == .suspendable ? State.Phase.apart : .running
    if !state.withLock({ $0.enter(me, phase) }) { enterContended(me, phase) }
  }

  /// Ends what `enter` began for a change in place, on whatever thread; the turn stays the caller's.
  package func endInPlace() {
    let me = Changer(thread: currentThreadIdentity())
    Changes.endInPlace(me.identity, ObjectIdentifier(self))
    if isExclusive, me.isTask, !state.withLock({ $0.mayStore(me) }) { waitToStore(me) }
  }

  /// Gives the turn back.
  ///
  /// - Parameter delivery: What is to happen as soon as the caller has no turn at all: at once, or when it gives back
  ///   its last one.
  package func leave(then delivery: Delivery? = nil) {
    let me = Changer(thread: currentThreadIdentity())
    if isExclusive { state.withLock { $0.leave(me) }?.unpark() }
    Changes.leave(me.identity, then: delivery)
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

  /// Tells that the state will be changed: now, or, where the caller is changing a state, when it is through with that.
  func announce(unless isNoChange: () -> Bool) {
    guard let publisher = willChange.withLock({ $0 }), !isNoChange() else { return }
    Changes.whenThrough { publisher.send() }
  }

  // MARK: Waiting

  private static let complaint =
    "WeirState: a change in place has not ended for more than a second, as the value's own code awaits something. Other"
    + " changes go on beside it, and its outcome will replace theirs: copy the value, await, and write back what is new."

  private enum Step { case inside, outside, again }

  private func enterContended(_ me: Changer, _ phase: State.Phase) {
    while true {
      let parker = Parker()
      var generation = 0
      let isInside = Changes.withWaits { waits -> Bool in
        while true {
          let before = state.withLock { $0.generation }
          let mustNotWait = waitsForItself(me, waits)
          let step = state.withLock { state -> Step in
            if state.enter(me, phase) { return .inside }
            // Whoever was looked at has it still.
            guard state.generation == before else { return .again }
            if mustNotWait || state.holders.allSatisfy({ $0.phase == .letBe }) {
              state.lent.append(State.Holder(changer: me, phase: phase))
              return .inside
            }
            state.waiting.append(parker)
            return .outside
          }
          if step == .again { continue }
          generation = before
          if step == .outside { waits[me.identity] = Changes.Wait(turn: self, thread: me.thread) }
          return step == .inside
        }
      }
      if isInside { break }
      parker.park(atMost: patience)
      _ = Changes.withWaits { $0.removeValue(forKey: me.identity) }
      let isInVain = state.withLock { state -> Bool in
        state.waiting.removeAll { $0 === parker }
        return state.generation == generation && state.letBe()
      }
      if isInVain { complain(Self.complaint) }
    }
    if me.isTask { Changes.refuseWithin(me.thread, ObjectIdentifier(self)) }
  }

  /// Waits until nobody else runs in this turn.
  private func waitToStore(_ me: Changer) {
    let parker = Parker()
    let mayStore = Changes.withWaits { waits -> Bool in
      if state.withLock({ $0.mayStore(me) }) { return true }
      if waitsForItself(me, waits) {
        state.withLock { state in _ = state.withHolder(me) { $0.phase = .running } }
        return true
      }
      let mayStore = state.withLock { state -> Bool in
        if state.mayStore(me) { return true }
        state.storing.append((me, parker))
        return false
      }
      if !mayStore { waits[me.identity] = Changes.Wait(turn: self, thread: me.thread) }
      return mayStore
    }
    if mayStore { return }
    parker.park()
    _ = Changes.withWaits { $0.removeValue(forKey: me.identity) }
  }

  /// Whom somebody waits for who wants to have the turn, or has it and wants to store.
  private func whoHoldsUp(_ changer: Int) -> [Changer] {
    let holders = state.withLock { $0.holders }
    guard holders.contains(where: { $0.changer.identity == changer }) else { return holders.map(\.changer) }
    return holders.filter { !$0.isApart }.map(\.changer)
  }

  /// Whether somebody who has this turn waits for the caller, or is a task that may need the caller's thread.
  private func waitsForItself(_ me: Changer, _ waits: [Int: Changes.Wait]) -> Bool {
    var seen: [Int] = []
    var holders = whoHoldsUp(me.identity)
    while let holder = holders.popLast() {
      if holder.identity == me.identity || holder.thread == me.thread { return true }
      guard !seen.contains(holder.identity) else { continue }
      seen.append(holder.identity)
      // A suspended task stands in no table; the thread that it may need perhaps does, for somebody else.
      let waiting = waits[holder.identity] == nil ? waits.first { $0.value.thread == holder.thread }?.key : nil
      let waiter = waiting ?? holder.identity
      if let turn = waits[waiter]?.turn { holders += turn.whoHoldsUp(waiter) }
    }
    return false
  }
}
