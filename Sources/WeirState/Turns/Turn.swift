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
/// actor, the last thread of the pool. So the turn is taken away from it by whoever is on that thread, or stands in a
/// circle with it, and by anybody who has waited for long. When the task comes back, it takes the turn again, as others
/// do, to store its outcome.
///
/// Who waits for what is kept in one table, that of all waiting threads. A changer joins the table and looks for a
/// circle in one step, so of two that close a circle one sees it and goes on, the other sleeps. Who waits for a turn
/// does nothing until it has got that, so a circle of turns that was found stays one. Waits for the gates of subjects
/// and operators, and for their subscribers, are not followed: who waits there wakes up by itself and may go on, and
/// would run beside the one that it was lent to. It finds the circles that it is in, turns among them, and goes another
/// way.
package final class Turn: Sendable {
  struct State {
    struct Holder {
      var changer: Changer
      var depth = 1
      /// Whether it is a task that may be suspended, between reading the value and storing another.
      var isApart: Bool
    }

    var owner: Holder?
    /// Those that it is lent to, which may take it again, too. Of all that have it and are not apart one runs; the
    /// others wait for that one.
    var lent: [Holder] = []
    var waiting: [Parker] = []
    /// How often somebody has given it back, has lost it, or has come back to it.
    var generation = 0

    var holders: [Holder] { (owner.map { [$0] } ?? []) + lent }

    /// Whether nobody has it, or only those who may be suspended.
    var isLeftAlone: Bool { owner?.isApart != false && lent.allSatisfy(\.isApart) }

    /// Does something with what the caller has of this turn.
    ///
    /// - Returns: `nil` if it has nothing of it.
    @discardableResult
    mutating func withHolder<Result>(_ me: Changer, _ body: (inout Holder) -> Result) -> Result? {
      if owner?.changer.identity == me.identity { return body(&owner!) }
      guard let index = lent.firstIndex(where: { $0.changer.identity == me.identity }) else { return nil }
      return body(&lent[index])
    }

    mutating func enter(_ me: Changer, isApart: Bool) -> Bool {
      if owner == nil, lent.isEmpty {
        owner = Holder(changer: me, isApart: isApart)
        return true
      }
      return withHolder(me) { $0.depth += 1 } != nil
    }

    /// - Returns: Who is to be woken: the first, or all where it depends on their threads who may take it.
    mutating func leave(_ me: Changer) -> [Parker] {
      let depth = withHolder(me) { holder in
        holder.depth -= 1
        return holder.depth
      }
      guard depth == 0 else { return [] }
      if owner?.depth == 0 { owner = nil } else { lent.removeAll { $0.depth == 0 } }
      generation &+= 1
      guard !waiting.isEmpty, isLeftAlone else { return [] }
      if holders.isEmpty { return [waiting.removeFirst()] }
      defer { waiting = [] }
      return waiting
    }

    /// Takes the turn away from tasks that may be suspended.
    mutating func take(from isMeant: (Holder) -> Bool = { _ in true }) {
      if let former = owner, former.isApart, isMeant(former) { owner = nil }
      lent.removeAll { $0.isApart && isMeant($0) }
      generation &+= 1
    }

    /// Notes that a task is on this thread and will not be suspended any more.
    ///
    /// - Returns: `false` if it must take the turn again: it was taken away, or somebody else is running.
    mutating func comeBack(_ me: Changer) -> Bool {
      guard let wasApart = withHolder(me, { $0.isApart }) else { return false }
      guard wasApart else { return true }
      guard isLeftAlone else {
        take { $0.changer.identity == me.identity }
        return false
      }
      withHolder(me) { $0 = Holder(changer: me, depth: $0.depth, isApart: false) }
      // Who has just seen a task that may be suspended looks again.
      generation &+= 1
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
    /// The value is only read, also where the caller is changing it in place.
    case reading
    /// The value is read now and replaced before the turn is given back. Until `endInPlace`, the caller must not take
    /// the turn again to write: that stops the program.
    case inPlace
    /// The same, and a task may be suspended meanwhile.
    case suspendable

    var isInPlace: Bool { self == .inPlace || self == .suspendable }
  }

  /// Takes the turn, again if the caller has it already. Acquires what its former owner did.
  ///
  /// - Returns: Whether what is stored is delivered only behind a change of another state, which may be suspended
  ///   before that.
  @discardableResult
  package func enter(_ use: Use = .plain) -> Bool {
    let me = Changer(thread: currentThreadIdentity())
    // Code in no task is never suspended.
    let use: Use = use == .suspendable && !me.isTask ? .inPlace : use
    let isWithin = Changes.enter(me.identity, ObjectIdentifier(self), use)
    guard isExclusive else { return isWithin }
    let isApart = use == .suspendable
    if !state.withLock({ $0.enter(me, isApart: isApart) }) {
      enterContended(me, isApart: isApart)
      if use != .reading { refuseWithinOthers(me) }
    }
    return isWithin
  }

  /// Ends what `enter` began for a change in place, on whatever thread; the turn stays the caller's, or is so again.
  ///
  /// - Returns: As for `enter`.
  @discardableResult
  package func endInPlace() -> Bool {
    let me = Changer(thread: currentThreadIdentity())
    let isWithin = Changes.endInPlace(me.identity, ObjectIdentifier(self))
    if isExclusive, me.isTask, !state.withLock({ $0.comeBack(me) }) {
      enterContended(me, isApart: false)
      refuseWithinOthers(me)
    }
    return isWithin
  }

  /// Gives the turn back; after the caller's last one, what was waiting for that happens.
  ///
  /// - Parameter makeDelivery: Returns what is to happen once the caller has no turn at all, or `nil`; not called where
  ///   this was its last one.
  /// - Returns: `true` if the caller has no turn any more: it makes happen itself what `makeDelivery` is for.
  @discardableResult
  package func leave(unlessThrough makeDelivery: () -> Delivery? = { nil }) -> Bool {
    let me = Changer(thread: currentThreadIdentity())
    if isExclusive {
      for parker in state.withLock({ $0.leave(me) }) { parker.unpark() }
    }
    return Changes.leave(me.identity, unlessThrough: makeDelivery)
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
  ///
  /// - Returns: Whether it has told, or had nobody to tell.
  @discardableResult
  func announce(unless isNoChange: () -> Bool) -> Bool {
    guard let publisher = willChange.withLock({ $0 }) else { return true }
    guard !isNoChange() else { return false }
    Changes.whenThrough { publisher.send() }
    return true
  }

  // MARK: Waiting

  private static let complaint =
    "WeirState: a change in place has not ended for more than a second, as the value's own code awaits something, or"
    + " takes long. Other changes go on beside it, and its outcome will replace theirs. Copy the value, await, and"
    + " write back what is new; what takes long may be done in `withLock` of the state."

  private enum Step { case inside, outside, again }

  private func enterContended(_ me: Changer, isApart: Bool) {
    while true {
      let parker = Parker()
      var generation = 0
      let isInside = WaitTable.withWaits { waits -> Bool in
        // Not before it looks again: it stands still until then.
        waits.remove(me.thread)
        while true {
          let before = state.withLock { $0.generation }
          let mustNotWait = waitsForItself(me, waits)
          let step = state.withLock { state -> Step in
            if state.enter(me, isApart: isApart) { return .inside }
            // Whoever was looked at has it still.
            guard state.generation == before else { return .again }
            if mustNotWait {
              // One that waits itself is not suspended.
              state.take { !waits.contains($0.changer) }
              if !state.enter(me, isApart: isApart) { state.lent.append(State.Holder(changer: me, isApart: isApart)) }
              return .inside
            }
            state.waiting.append(parker)
            return .outside
          }
          if step == .again { continue }
          generation = before
          if step == .outside { waits.add(me, waitingFor: self) }
          return step == .inside
        }
      }
      if isInside { return }
      parker.park(atMost: patience)
      let isInVain = state.withLock { state -> Bool in
        state.waiting.removeAll { $0 === parker }
        guard state.generation == generation, state.isLeftAlone else { return false }
        state.take()
        return true
      }
      if isInVain { complain(Self.complaint) }
    }
  }

  /// Stops the program if somebody else on this thread is changing the state in place: as that can't be suspended, it
  /// is further up this very stack, and would replace what the caller writes.
  private func refuseWithinOthers(_ me: Changer) {
    for holder in state.withLock({ $0.holders })
    where !holder.isApart && holder.changer.thread == me.thread && holder.changer.identity != me.identity {
      Changes.refuseWithin(holder.changer.identity, ObjectIdentifier(self))
    }
  }

  /// Whether somebody who has this turn waits for the caller, or is a task that may need the caller's thread.
  private func waitsForItself(_ me: Changer, _ waits: Waits) -> Bool {
    let all = state.withLock { $0.holders }
    // Who is running ends before long, unless it stands still for the caller; then those that may be suspended count.
    let running = all.filter { !$0.isApart }
    var holders = (running.isEmpty ? all : running).map(\.changer)
    var seen: [Int] = []
    while let holder = holders.popLast() {
      if holder.identity == me.identity || holder.thread == me.thread { return true }
      guard !seen.contains(holder.identity) else { continue }
      seen.append(holder.identity)
      holders += waits.turn(awaitedBy: holder)?.changers ?? []
    }
    return false
  }
}

extension Turn: AwaitedTurn {
  package var changers: [Changer] { state.withLock { $0.holders.map(\.changer) } }
}
