// What subjects that replay have in common: a gate, the newest values behind it, and each subscriber's place there.

import WeirQueues

/// Keeps the newest values and the completion, and delivers both to every subscriber, early or late, on request.
///
/// Values are numbered; each subscriber has the number of the next one it is to get. A subscriber that asks for fewer
/// than come gets the next when it asks, as long as that is among those kept, and the oldest kept otherwise: so one
/// that has asked for everything misses nothing, and nothing is stored per subscriber.
///
/// What the thread that delivers does meanwhile (send, ask, subscribe, cancel) waits until the delivery is over;
/// otherwise nested values could push out one that the next subscriber in the list is still to get. So all subscribers
/// see the same values in the same order, also under re-entrance.
///
/// A sender that finds another thread in the gate waits for it, unless the subscriber that this one is calling would
/// not take its value, or the engine hands over. Subscribing and asking never wait for another subscriber: who finds
/// the gate taken gives the subscriber what it is owed outside the gate (`ReplayTurn`), up to the values whose `send`
/// is over, and leaves the rest to the holder. Until the holder has brought that subscriber up to date, nothing is
/// pushed out while it has demand, though more is kept than the limit: values that come meanwhile would push out what
/// it is still to get. It holds nothing while it has none, however long a call of it takes.
///
/// The engine of `shareReplay` too: it subscribes to an upstream while `membership` says that somebody subscribes.
@safe
@usableFromInline
package final class ReplayCore<Output, Failure: Error> {
  @usableFromInline typealias Member = ReplayLink<Output, Failure>

  /// What can happen to it.
  @frozen
  @usableFromInline
  enum Signal {
    case value(Output)
    case completion(Subscribers.Completion<Failure>)
    case join(Member)
    case serve(Member)
    case remove(Member)
    case forget
  }

  @usableFromInline let gate = Gate<Signal>()
  /// How many values are kept.
  @usableFromInline let limit: Int
  /// Whether values and the completion wait for other threads' deliveries instead of being handed over.
  @usableFromInline let waits: Bool
  /// The name that Combine would show.
  @usableFromInline let name: StaticString
  /// The subscribers of a shared upstream.
  @usableFromInline let membership = Lock(ReplayMembership())
  /// The shared upstream.
  @usableFromInline let upstream = UpstreamSlot()

  /// The address of the subscription that the holder of the gate is calling, or 0. Threads that wait look at it with
  /// `Gate.whileHeld`: it is kept until the gate is left. Each change releases what was done (acquireLoad in
  /// `isCalling`).
  @usableFromInline let calling = AtomicWord(0)
  /// The number of the first value whose `send` is not over, and whether the completion's is: what is before was
  /// offered to all who were in the list. Published by the gate's holder; acquired by threads that deliver outside it.
  @usableFromInline let delivered = AtomicWord(0)
  @usableFromInline let isOver = AtomicWord(0)

  /// Held while the holder of the gate changes one of the next three, or writes the completion, and while another
  /// thread reads them; and for `readers`. No user code runs under it.
  @usableFromInline let changing = SpinLock()
  /// Subscribers that came while the gate was taken, and that its holder has not brought up to date since.
  @safe @exclusivity(unchecked) @usableFromInline var readers: ContiguousArray<Member> = []

  // SAFETY (exclusivity) of all below: only the holder of the gate changes them; it reads the first three without the
  // lock, others read nothing but them and the completion. No user code runs during a change: what is taken out is
  // freed later.

  /// The values kept, from `first` on; emptied places before.
  @safe @exclusivity(unchecked) @usableFromInline var values: ContiguousArray<Output?> = []
  @safe @exclusivity(unchecked) @usableFromInline var first = 0
  /// The number of the value at place 0.
  @safe @exclusivity(unchecked) @usableFromInline var base = 0
  /// Written once, and then published by `isOver` to other threads, which read it without the lock.
  @safe @exclusivity(unchecked) @usableFromInline var completion: Subscribers.Completion<Failure>?
  @safe @exclusivity(unchecked) @usableFromInline var members: ContiguousArray<Member?> = []
  @safe @exclusivity(unchecked) @usableFromInline var live = 0
  /// Whether nothing is kept any more, as nobody will subscribe.
  @safe @exclusivity(unchecked) @usableFromInline var isForgotten = false
  /// Those that have left the list since the gate was entered: their subscribers are let go of when it was left.
  @safe @exclusivity(unchecked) @usableFromInline var retired: ContiguousArray<Member> = []
  /// What the holder has sent itself while it delivered, and what others had left to it before that.
  @safe @exclusivity(unchecked) @usableFromInline var nested = RingBuffer<Signal>()

  /// Creates an engine that keeps up to a number of values.
  @inlinable
  package init(limit: Int, name: StaticString, contention: ContentionPolicy = .wait) {
    precondition(limit >= 0, "\(name) can't keep fewer than no values")
    self.limit = limit
    self.name = name
    waits = contention == .wait
  }

  // MARK: Signals, from any thread

  /// Keeps a value and delivers it to every subscriber with demand.
  @inlinable
  package func send(_ value: Output) {
    var look = Look()
    receive(.value(value), waits ? gate.enter(as: name, unless: { nobodyTakesAValue(&look) }) : gate.enter())
  }

  /// Ends the stream of every subscriber, present and future, once it has got what is kept.
  @inlinable
  package func send(completion: Subscribers.Completion<Failure>) {
    var look = Look()
    receive(.completion(completion), waits ? gate.enter(as: name, unless: { nobodyTakesTheEnd(&look) }) : gate.enter())
  }

  /// Attaches a subscriber.
  @inlinable
  package func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    let member = Member(core: self, downstream: .of(subscriber))
    subscriber.receive(subscription: member)
    let entry = gate.enter()
    // What comes before the holder takes it into the list must not push out what is kept.
    if entry == .taken { beginReading(member) }
    receive(.join(member), entry)
    guard entry == .taken else {
      // What this thread has asked for since, when it was calling another subscriber, was only noted.
      let isOwed = member.ledger.demand != .none && isOwed(member)
      endTurn(of: member)
      if isOwed { receive(.serve(member)) }
      return
    }
    // Also a value whose `send` is under way: it will be offered to those only who are in the list already.
    catchUp(member, withNewest: limit > 0)
    let isOwed = isOwed(member)
    endTurn(of: member)
    if isOwed { handOver(.serve(member)) }
  }

  /// How many signals wait for the thread that delivers.
  package var handOverDepth: Int { gate.depth }

  /// How many values are kept. At rest: nobody sends, asks or subscribes.
  package var keptCount: Int { values.count - first }

  @inlinable
  func receive(_ signal: Signal) { receive(signal, gate.enter()) }

  @inlinable
  func receive(_ signal: Signal, _ entry: Gate<Signal>.Entry) {
    switch entry {
    case .entered:
      process(signal)
      settle()
    case .nested:
      // Others' signals that were left behind come first, as those have gone on. Where senders hand over, this one is
      // counted and taken like theirs, by the budget.
      guard gate.hasQueued else { return nested.append(signal) }
      guard waits else { return handOver(signal) }
      gate.enqueue(signal)
      gate.takeQueued { nested.append($0) }
    case .taken: handOver(signal)
    }
  }

  /// Does what the holder and others have left behind, and leaves the gate.
  @inlinable
  func settle(asHelper isHelper: Bool = false) {
    if isHelper { gate.adopt() }
    var ended: ContiguousArray<Member> = []
    var budget = isHelper ? .unlimited : HandOverBudget()
    func take(_ signal: Signal) {
      process(signal)
      processNested()
    }
    repeat {
      processNested()
      // Where senders wait, few signals are left to others, so that nobody is kept for long.
      if waits {
        gate.takeHandedOver(take)
      } else if gate.takeHandedOver(
        within: &budget, orElse: { HelperThread.start { self.settle(asHelper: true) } }, take)
      {
        break
      }
      closeUp()
      if !retired.isEmpty {
        ended.append(contentsOf: retired)
        retired = []
      }
      calling.publish(0)
    } while !gate.leave()
    for member in ended { member.retireSubscriber() }
  }

  @inlinable
  func processNested() {
    while let signal = nested.popFirst() {
      process(signal)
      closeUp()
    }
  }

  // MARK: What the holder of the gate does

  @inlinable
  func process(_ signal: Signal) {
    switch signal {
    case .value(let value):
      guard completion == nil, !isForgotten else { return }
      let evicted = keep(value)
      for index in 0..<members.count { if let member = members[index] { offer(member) } }
      // It is kept to the end, as its `deinit` may be user code. Without room for one value all have got it by now.
      withExtendedLifetime(evicted) {}
      // Where nothing is kept, nobody gets a value outside the gate: it is gone before it is delivered.
      if limit == 0 { evict() }
      delivered.publish(base + values.count)
      if limit > 0 { evictUnread() }
    case .completion(let completion):
      guard self.completion == nil else { return }
      changing.lock()
      self.completion = completion
      changing.unlock()
      for index in 0..<members.count { if let member = members[index] { offer(member) } }
      isOver.publish(1)
    case .join(let member):
      guard !member.ledger.isCancelled else { return detach(member) }
      member.place = members.count
      members.append(member)
      live += 1
      serve(member)
    case .serve(let member): if member.place >= 0 { serve(member) }
    case .remove(let member): detach(member)
    case .forget:
      // A value whose `send` was under way comes later.
      isForgotten = true
      changing.lock()
      let forgotten = values
      base += values.count
      first = 0
      values = []
      changing.unlock()
      withExtendedLifetime(forgotten) {}
    }
  }

  /// Stores a value.
  ///
  /// - Returns: The one that had to make room for it.
  @inlinable
  func keep(_ value: Output) -> Output? {
    changing.lock()
    defer { changing.unlock() }
    values.append(value)
    guard limit > 0, values.count - first > limit, readers.isEmpty else { return nil }
    return takeOldest()
  }

  /// Takes out the oldest value. For the holder of `changing`, too.
  @inlinable @inline(__always)
  func takeOldest() -> Output? {
    let oldest = values[first]
    values[first] = nil
    first += 1
    if first > 16, first * 2 > values.count { closeUpValues() }
    return oldest
  }

  /// Closes up the emptied places before the values, and gives memory back where most of it is not needed.
  @usableFromInline @inline(never)
  func closeUpValues() {
    base += first
    if values.capacity > 8 * (values.count - first) + 64 {
      values = ContiguousArray(values[first...])
    } else {
      values.removeFirst(first)
    }
    first = 0
  }

  /// Drops the only value.
  @inlinable
  func evict() {
    changing.lock()
    let value = values.popLast()
    base += 1
    changing.unlock()
    withExtendedLifetime(value) {}
  }

  /// Drops what is kept beyond the limit, unless a subscriber that is not up to date has asked for it.
  @inlinable @inline(__always)
  func evictUnread() { if values.count - first > limit { evictUnreadNow() } }

  @usableFromInline @inline(never)
  func evictUnreadNow() {
    var pushedOut: ContiguousArray<Output?> = []
    changing.lock()
    if !readers.contains(where: { $0.ledger.demand != .none }) {
      while values.count - first > limit { pushedOut.append(takeOldest()) }
    }
    changing.unlock()
    withExtendedLifetime(pushedOut) {}
  }

  /// Delivers a new value, or the completion, to a subscriber that would take it; waits until no other thread calls
  /// that one.
  @inlinable @inline(__always)
  func offer(_ member: Member) {
    if beginCall(member) || awaitTurn(of: member) {
      deliver(member)
      endCall(member)
    } else if !member.ledger.isCancelled {
      // When the value is kept for all: who has the turn takes it then, or this thread does.
      nested.append(.serve(member))
    }
  }

  /// Delivers what a subscriber has asked for, unless another thread is calling it: that one looks again.
  @inlinable
  func serve(_ member: Member) {
    while true {
      if beginCall(member) {
        deliver(member)
        endReading(member)
        return endCall(member)
      }
      // In this order: who sees the holder at it leaves a request to it, and then the turn is over, or its own.
      calling.publish(0)
      guard member.mark(ReplayTurn.asked) else { return }
    }
  }

  /// Says whom the holder is about to call.
  ///
  /// - Returns: Whether no other thread has that one's turn, and this one is not calling it.
  @inlinable @inline(__always)
  func beginCall(_ member: Member) -> Bool {
    calling.publish(unsafe Int(bitPattern: Unmanaged.passUnretained(member).toOpaque()))
    compilerBarrier()
    let turn = member.turn.acquireLoad()
    return turn == 0 || isOwnTurn(turn, of: member)
  }

  /// Whether a turn is this thread's, which is not calling the subscriber.
  @usableFromInline @inline(never)
  func isOwnTurn(_ turn: Int, of member: Member) -> Bool {
    turn & ~ReplayTurn.marks == currentThreadIdentity() && !member.isCalledOutside
  }

  /// Says that the holder is through with a subscriber, and serves it again if it has asked just now: whoever asks and
  /// finds the holder calling it leaves it at that.
  @inlinable @inline(__always)
  func endCall(_ member: Member) {
    // Another thread may call it from the next line on.
    let isBehind = member.next < base + values.count && member.subscriber != nil
    calling.publish(0)
    compilerBarrier()
    if isBehind, member.ledger.demand != .none { serve(member) }
  }

  /// Delivers what a subscriber has asked for, and the completion after the last value.
  @inlinable
  func deliver(_ member: Member) {
    guard let subscriber = member.subscriber else { return }
    let end = base + values.count
    if member.next < base + first || end - member.next > limit { skipPushedOut(member) }
    while member.next < end, member.ledger.take() {
      guard let value = values[member.next - base] else { return }
      member.next += 1
      member.begun.relaxedStore(1)
      let more = subscriber.receiveValue(value)
      if more != .none { member.ledger.add(more) }
    }
    guard let completion, member.next >= end, member.ledger.cancel() != DemandLedger.cancelled else { return }
    detach(member)
    member.release()
    subscriber.receiveCompletion(completion)
  }

  @inlinable
  func detach(_ member: Member) {
    if member.place >= 0 {
      members[member.place] = nil
      member.place = -1
      live -= 1
    }
    guard !member.isRetired else { return }
    changing.lock()
    member.isRetired = true
    let isReading = member.isReading
    changing.unlock()
    if isReading { endReadingNow(member) }
    retired.append(member)
  }

  /// Leaves out the values that a subscriber has asked for too late, also those that are kept for another one.
  @usableFromInline
  func skipPushedOut(_ member: Member) {
    let kept = limit > 0 && !member.isReading ? max(first, values.count - limit) : first
    member.next = max(member.next, base + kept)
  }

  /// Closes up empty places, if they are more than half; no delivery is under way.
  @inlinable
  func closeUp() {
    guard live * 2 < members.count - 8 else { return }
    members = members.filter { $0 != nil }
    for index in 0..<members.count { members[index]?.place = index }
  }
}

// One connection of `shareReplay`.
extension ReplayCore {
  /// Takes a subscriber in.
  ///
  /// - Returns: `nil` if the connection is over; otherwise whether the caller is to subscribe to the upstream once the
  ///   subscriber is attached.
  @inlinable
  package func admit() -> Bool? {
    membership.withLock { membership in
      switch membership.phase {
      case .closed: return nil
      case .finished: return false
      case .fresh, .connected:
        membership.count += 1
        defer { membership.phase = .connected }
        return membership.phase == .fresh
      }
    }
  }

  /// Lets a subscriber go that has cancelled; the last one ends the connection and what it keeps.
  @inlinable
  func dismiss() {
    let isLast = membership.withLock { membership -> Bool in
      guard membership.phase == .connected else { return false }
      membership.count -= 1
      if membership.count == 0 { membership.phase = .closed }
      return membership.count == 0
    }
    guard isLast else { return }
    upstream.disconnect(evenBefore: true)
    receive(.forget)
  }

  /// Takes the upstream's end. After a failure the next subscriber begins anew, also one that subscribes while it is
  /// told; so it does after a finish if the last one has just gone, and all that was kept with it.
  @inlinable
  func conclude(_ completion: Subscribers.Completion<Failure>) {
    guard upstream.complete() else { return }
    membership.withLock { membership in
      guard membership.phase != .closed else { return }
      if case .failure = completion { membership.phase = .closed } else { membership.phase = .finished }
    }
    send(completion: completion)
  }
}

/// Passes an upstream's values to a replaying engine.
@frozen
@usableFromInline
package struct ReplayFeed<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  @usableFromInline let core: ReplayCore<Input, Failure>
  @usableFromInline package let combineIdentifier = CombineIdentifier()

  @inlinable
  package init(_ core: ReplayCore<Input, Failure>) { self.core = core }

  @inlinable
  package func receive(subscription: any Subscription) { core.upstream.connect(subscription)?.request(.unlimited) }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    if core.upstream.state.isActive { core.send(input) }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) { core.conclude(completion) }

  @usableFromInline package var description: String { "\(core.name)" }
}

// SAFETY: any thread may call it, and one at a time has what is inside (the gate); values go from thread to thread.
extension ReplayCore: @unchecked Sendable where Output: Sendable {}
