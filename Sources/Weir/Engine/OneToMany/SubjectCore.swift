// What subjects have in common: a gate, the list of subscribers behind it, and the upstreams that feed them.

import WeirQueues

/// The engine of a subject: takes signals from any thread and delivers them to the subscribers, one at a time, in the
/// order of their subscription.
///
/// **Waiting.** A sender that finds another thread in the gate waits for it, unless nobody whom that one is calling
/// would take the signal (`calling` says who that is), or the subject hands over.
///
/// **The list.** Only the holder of the gate reads or changes the list, so it needs no copy, no snapshot and no
/// reclamation scheme: a slot holds a link that the list has retained, or nothing. A link that ends leaves an empty
/// slot behind and joins the chain of the retired; it is freed after the outermost delivery of the holding thread is
/// over and the gate is left, since deliveries further up the stack may still be running in it. Slots are closed up at
/// the same moment, once half are empty, so subscribing and cancelling cost O(1) amortised.
///
/// **Subscribing** never waits for a delivery. The subscriber joins the list inside the gate, or leaves its joining to
/// the thread that holds it, like a signal, behind everything sent before. Then it gets its subscription, outside the
/// gate; until it has that, and its first value, it has its own turn (`SubjectLink.turn`), which whoever brings a value
/// waits for.
///
/// **Re-entrance.** A send during a delivery of the same thread is delivered at once, deeper in the stack, as Combine
/// does. A delivery goes to the subscribers that were in the list when it began.
@safe
@usableFromInline
package final class SubjectCore<Output, Failure: Error> {
  @usableFromInline typealias Member = SubjectLink<Output, Failure>

  /// What a thread leaves behind that finds the gate taken.
  @frozen
  @usableFromInline
  enum Signal {
    case value(Output)
    /// The first of the values that are kept outside the queue, where their number has a bound.
    case next
    /// That a value has found no room among them.
    case failFull
    case completion(Subscribers.Completion<Failure>)
    case join(Member, AnyObject)
    case remove(Member)
    case refresh(Member)
  }

  @usableFromInline let gate = Gate<Signal>()
  /// The subject's name, for descriptions and error messages.
  @usableFromInline let name: StaticString
  /// Whether values and the completion wait for other threads' deliveries instead of being handed over.
  @usableFromInline let waits: Bool
  /// Whether signals that were handed over are being taken. SAFETY (exclusivity): as of the fields below.
  @safe @exclusivity(unchecked) @usableFromInline var isSettling = false
  /// Whether the value of an outer delivery stays the newest, behind those that were sent from within it.
  @usableFromInline let keepsOuterValue: Bool
  /// The last of those that were, by the end of its place's number. SAFETY (exclusivity): as of the fields below.
  @safe @exclusivity(unchecked) @usableFromInline var nestedVersion: Int32 = 0

  /// The address of the subscriber that the holder of the gate is calling; 0 while it calls none. Threads that wait
  /// look at it with `Gate.whileHeld`, so the holder erases it before it leaves. Each change releases what the former
  /// call did (acquireLoad in `isCalling`).
  @usableFromInline let calling = AtomicWord(0)
  /// The address of the first of those that it is calling further up its stack; the others follow in
  /// `SubjectLink.nextOuter`.
  @usableFromInline let outerCalls = AtomicWord(0)
  /// How often the holder of the gate has come back to such a call. It is counted when `calling` names that subscriber
  /// again, and before it leaves the others: who has found it in neither place has seen the count change.
  @usableFromInline let returns = AtomicWord(0)

  // SAFETY (exclusivity) of the next seven: only the holder of the gate touches them, one thread at a time; the
  // deliveries of one thread nest, and each reads `slots` anew for every subscriber.
  @exclusivity(unchecked) @usableFromInline var slots: UnsafeMutablePointer<Unmanaged<Member>?>
  @safe @exclusivity(unchecked) @usableFromInline var capacity = 1
  @safe @exclusivity(unchecked) @usableFromInline var count = 0
  @safe @exclusivity(unchecked) @usableFromInline var live = 0
  /// The chain of ended links, each retained once.
  @exclusivity(unchecked) @usableFromInline var retired: Unmanaged<Member>?
  @safe @exclusivity(unchecked) @usableFromInline var completion: Subscribers.Completion<Failure>?
  /// The subject whose engine this is, as long as there are subscribers: they keep it alive.
  @safe @exclusivity(unchecked) @usableFromInline var subject: AnyObject?

  @usableFromInline let upstreams: Upstreams
  /// Values that were handed over, where their number has a bound.
  @usableFromInline let bound: HandOverBound<Output, Failure>?

  /// The newest value, for subjects that keep it.
  @usableFromInline let latest: LatestValue<Output>?
  /// Version of the value delivered last. SAFETY (exclusivity): as above.
  @safe @exclusivity(unchecked) @usableFromInline var deliveredVersion = 0

  /// Creates the engine of a subject.
  ///
  /// - Parameters:
  ///   - name: The subject's name.
  ///   - latest: Where the subject keeps its newest value, if it does; it then asks upstreams for everything at once.
  ///   - contention: What a sender does while another thread is delivering.
  ///   - bound: How many values may be handed over; a policy that waits needs none.
  ///   - keepsOuterValue: Whether a value stays the newest that another one was sent within the delivery of.
  @inlinable
  package init(
    name: StaticString, latest: LatestValue<Output>? = nil, contention: ContentionPolicy = .wait,
    bound: HandOverBound<Output, Failure>? = nil, keepsOuterValue: Bool = false
  ) {
    self.name = name
    self.keepsOuterValue = keepsOuterValue
    waits = contention == .wait
    self.bound = bound
    self.latest = latest
    upstreams = Upstreams(isOpen: latest != nil)
    unsafe slots = .allocate(capacity: 1)
    unsafe retired = nil
  }

  deinit {
    // SAFETY: nobody else has a reference, so nobody holds the gate; the list's own references go with it.
    for index in 0..<count { unsafe slots[index]?.release() }
    unsafe slots.deallocate()
  }

  /// Sends a value to every subscriber with demand.
  ///
  /// The short way is inlined into its caller: by itself, the compiler would merge it with that of other kinds of
  /// values, and call through pointers.
  @inlinable @inline(__always)
  package func send(_ value: Output) {
    guard gate.enterOwned({ me in enterRevoked(me) }) else { return sendShared(value) }
    deliver(value)
    // Releases nothing: who finds 0 looks no further, and calls nobody, as values that are missed are not kept.
    calling.relaxedStore(0)
    if unsafe retired == nil, gate.leaveOwned({ me in leaveRevoked(me) }) { return }
    settle()
  }

  @inlinable @inline(never)
  func enterRevoked(_ me: Int) -> Bool { gate.enterRevoked(me) }

  @inlinable @inline(never)
  func leaveRevoked(_ me: Int) -> Bool { gate.leaveRevoked(me) }

  @inlinable @inline(never)
  func sendShared(_ value: Output) {
    let entry = gate.tryEnterShared()
    switch entry == .taken ? awaitGate() : entry {
    case .entered:
      deliver(value)
      leave()
    case .nested: nest(.value(value))
    case .taken: if let bound { handOver(value, to: bound) } else { handOver(.value(value)) }
    }
  }

  /// Waits while another thread holds the gate, to send a value. A function of its own: the way of a sender that finds
  /// the gate free counts no reference for the look.
  @inlinable @inline(never)
  func awaitGate() -> Gate<Signal>.Entry {
    var look = Look()
    return waits ? gate.wait(as: name, unless: { nobodyTakesAValue(&look) }) : gate.enterContended()
  }

  /// Ends the stream of every subscriber; later signals are dropped.
  @inlinable
  package func send(completion: Subscribers.Completion<Failure>) {
    var look = Look()
    switch waits ? gate.enter(as: name, unless: { nobodyTakesTheEnd(&look) }) : gate.enter() {
    case .entered:
      complete(completion)
      leave()
    case .nested: nest(.completion(completion))
    case .taken: if let bound { handOver(completion, to: bound) } else { handOver(.completion(completion)) }
    }
  }

  /// Attaches a subscriber of any kind; one that comes after the end gets an empty subscription and the completion.
  ///
  /// - Parameters:
  ///   - subscriber: The subscriber.
  ///   - subject: The subject whose engine this is.
  @inlinable
  package func subscribe<S: Subscriber>(
    boxed subscriber: S, to subject: AnyObject
  ) where S.Input == Output, S.Failure == Failure {
    // SAFETY: what these closures get is the box.
    let member = unsafe Member(
      core: self, target: .passRetained(SubscriberBox(subscriber)), closures: nil,
      receiveValue: { target, value in
        unsafe unsafeDowncast(target, to: SubscriberBox<S>.self).subscriber.receive(value)
      },
      receiveCompletion: { target, completion in
        unsafe unsafeDowncast(target, to: SubscriberBox<S>.self).subscriber.receive(completion: completion)
      })
    if let completion = enlist(member, to: subject) {
      subscriber.receive(subscription: Subscriptions.empty)
      return subscriber.receive(completion: completion)
    }
    subscriber.receive(subscription: member)
    member.endTurn()
  }

  /// Attaches a subscriber whose closures may be called in its place, as `subscribe(boxed:to:)` does others.
  @inlinable
  package func subscribe<S: DirectSubscriber>(
    direct subscriber: S, to subject: AnyObject
  ) where S.Input == Output, S.Failure == Failure {
    // SAFETY: what these closures get is the subscriber.
    let member = unsafe Member(
      core: self, target: .passRetained(subscriber), closures: subscriber.retainedClosures(),
      receiveValue: { target, value in unsafe unsafeDowncast(target, to: S.self).receive(value) },
      receiveCompletion: { target, completion in
        unsafe unsafeDowncast(target, to: S.self).receive(completion: completion)
      })
    if let completion = enlist(member, to: subject) {
      subscriber.receive(subscription: Subscriptions.empty)
      return subscriber.receive(completion: completion)
    }
    subscriber.receive(link: member)
    member.endTurn()
  }

  /// Takes a new link into the list, or leaves that to the thread that holds the gate.
  ///
  /// - Returns: The completion if the stream is over: then the subscriber is to be told of that, and gets no link.
  @inlinable @inline(__always)
  func enlist(_ member: Member, to subject: AnyObject) -> Subscribers.Completion<Failure>? {
    // Nobody knows the link yet; the gate or its queue publishes this.
    member.turn.relaxedStore(currentThreadIdentity())
    let entry = gate.enter()
    if entry == .taken {
      handOver(.join(member, subject))
      return nil
    }
    // Behind those that others have left, and behind their values, as in `nest`. Where the newest value is kept, the
    // subscriber gets that in any case, and what waits may be to be delivered later.
    if entry == .nested, waits, latest == nil, gate.hasQueued {
      nest(.join(member, subject))
      return nil
    }
    let completion = completion
    if completion == nil { append(member, to: subject) }
    if entry == .entered { leave() }
    return completion
  }

  /// Takes a cancelled link out; if no delivery is under way, its subscriber is freed before this returns.
  @inlinable
  func remove(_ member: Member) {
    switch gate.enter() {
    case .entered:
      detach(member)
      leave()
    case .nested: detach(member)
    case .taken:
      member.stopDirect()
      handOver(.remove(member))
    }
  }

  /// Adds an upstream, which is asked for everything once a subscriber has asked for anything.
  package func send(subscription: any Subscription) { upstreams.add(subscription) }

  /// What a closure returns that looks at what belongs to the holder of the gate; `nil` while another thread holds it.
  package func whileNobodyDelivers<Result>(_ look: () -> Result) -> Result? {
    switch gate.enter() {
    case .entered:
      defer { leave() }
      return look()
    case .nested: return look()
    case .taken: return nil
    }
  }

  /// How many signals wait for the thread that delivers.
  @inlinable
  package var handOverDepth: Int { gate.depth }

  /// Cancels the upstreams: the subject is about to go.
  @inlinable
  package func close() {
    if upstreams.isUsed { upstreams.cancel() }
  }

  /// Notes that a subscriber has asked for values.
  @inlinable
  func acknowledgeDemand() { upstreams.open() }
}

// What the holder of the gate does.
extension SubjectCore {
  @inlinable @inline(__always)
  func deliver(_ value: Output) {
    // Most subjects have one subscriber, and a loop costs more registers than one call.
    if count == 1 { deliver(value, at: 0) } else { deliverToAll(value) }
  }

  @inlinable @inline(never)
  func deliverToAll(_ value: Output) {
    let end = count
    var index = 0
    while index < end {
      deliver(value, at: index)
      index += 1
    }
  }

  @inlinable @inline(__always)
  func deliver(_ value: Output, at index: Int) {
    // SAFETY: `index` is below `count`, which never shrinks during a delivery; the slot's link is retained by the
    // list or by the chain of the retired until this thread's outermost delivery is over.
    guard let member = unsafe slots[index] else { return }
    calling.publish(unsafe Int(bitPattern: member.toOpaque()))
    unsafe member._withUnsafeGuaranteedRef { $0.offer(value) }
  }

  @inlinable
  func complete(_ completion: Subscribers.Completion<Failure>) {
    guard self.completion == nil else { return }
    self.completion = completion
    // All leave the list before the first is told: a value sent from within a completion reaches nobody.
    var members: [Member] = []
    for index in 0..<count {
      // SAFETY: as in `deliver`; `detach` empties the slot and keeps the link in the chain of the retired.
      guard let member = unsafe slots[index]?.takeUnretainedValue() else { continue }
      detach(member)
      members.append(member)
    }
    for member in members {
      calling.publish(unsafe Int(bitPattern: Unmanaged.passUnretained(member).toOpaque()))
      member.finish(completion)
    }
  }

  @inlinable
  func append(_ member: Member, to subject: AnyObject) {
    if live == 0 { self.subject = subject }
    if count == capacity { grow() }
    // SAFETY: `count` is below `capacity`; the list's reference is balanced in `detach` or `deinit`.
    unsafe (slots + count).initialize(to: .passRetained(member))
    member.index = Int32(count)
    count += 1
    live += 1
  }

  @inlinable
  func grow() {
    let larger = UnsafeMutablePointer<Unmanaged<Member>?>.allocate(capacity: capacity * 2)
    // SAFETY: slots are trivial and their new home is twice as large; deliveries up the stack read `slots` anew.
    unsafe larger.moveInitialize(from: slots, count: count)
    unsafe slots.deallocate()
    unsafe slots = larger
    capacity *= 2
  }

  /// Empties a link's slot and retires it. One that has not joined yet is left to `join`.
  @inlinable
  func detach(_ member: Member) {
    guard member.index >= 0 else { return }
    // SAFETY: the index is the link's own slot; its reference moves into the chain.
    let slot = unsafe slots[Int(member.index)]
    unsafe slots[Int(member.index)] = nil
    member.index = -1
    live -= 1
    if let slot = unsafe slot { unsafe retire(slot) }
  }

  /// Puts a link into the chain, with the reference that the caller holds.
  @inlinable
  func retire(_ slot: Unmanaged<Member>) {
    let next = unsafe retired
    unsafe slot._withUnsafeGuaranteedRef { unsafe $0.nextRetired = next }
    unsafe retired = slot
  }

  /// Lets a link in that was handed over after its subscriber had got its subscription.
  @inlinable
  func join(_ member: Member, to subject: AnyObject) {
    if member.ledger.isCancelled {
      unsafe retire(.passRetained(member))
    } else if let completion = completion {
      // Its own thread may be the one that does this, before it has its subscription.
      if !member.isTurnMine || member.leaveEnd(completion) {
        calling.publish(unsafe Int(bitPattern: Unmanaged.passUnretained(member).toOpaque()))
        member.finish(completion)
      }
      unsafe retire(.passRetained(member))
    } else {
      append(member, to: subject)
    }
  }

  /// Leaves the gate and frees what was retired; delivers first what was handed over meanwhile.
  @inlinable @inline(__always)
  func leave() {
    calling.publish(0)
    if unsafe retired == nil, gate.leave() { return }
    settle()
  }

  @inlinable
  func handOver(_ signal: Signal) {
    if gate.handOver(signal) || (!waits && gate.relieve()) { settle() }
  }

  @inlinable @inline(never)
  func settle(asHelper isHelper: Bool = false) {
    if isHelper { gate.adopt() }
    var ended: Unmanaged<Member>?
    unsafe ended = nil
    var unused: AnyObject?
    var budget = isHelper ? .unlimited : HandOverBudget()
    repeat {
      isSettling = true
      // Where senders wait, few signals are left to others, so that nobody is kept for long; but what `reserve` leaves
      // to others is without bound.
      if waits {
        gate.takeHandedOver { process($0) }
      } else if gate.takeHandedOver(
        within: &budget, orElse: { HelperThread.start { self.settle(asHelper: true) } }, { process($0) })
      {
        if unsafe ended != nil { gate.outlastLookers() }
        break
      }
      isSettling = false
      // The chain is taken before the gate is left, and freed after: user code in a `deinit` may come back here.
      while let member = unsafe retired {
        // SAFETY: the chain retains its members; each moves to the other chain once, and is released once below.
        unsafe member._withUnsafeGuaranteedRef {
          unsafe retired = $0.nextRetired
          unsafe $0.nextRetired = ended
        }
        unsafe ended = member
      }
      if live == 0 || live * 2 < count - 8 { closeUp() }
      if live == 0, subject != nil { unused = subject.take() }
      calling.publish(0)
    } while !gate.leave()
    withExtendedLifetime(unused) {}
    while let member = unsafe ended {
      unsafe member._withUnsafeGuaranteedRef {
        unsafe ended = $0.nextRetired
        $0.retireTarget()
      }
      unsafe member.release()
    }
  }

  /// Does what a handed-over signal asks for.
  @inlinable
  func process(_ signal: Signal) {
    switch signal {
    case .value(let value):
      if latest != nil { deliveredVersion += 1 }
      deliver(value)
    case .next: deliverNext()
    case .failFull: failFull()
    case .completion(let completion): complete(completion)
    case .join(let member, let subject): join(member, to: subject)
    case .remove(let member): detach(member)
    case .refresh(let member): if member.index >= 0 { catchUpInside(member) }
    }
  }

  /// Closes up empty slots; no delivery is under way, so no index but the links' own is in use.
  @inlinable
  func closeUp() {
    var end = 0
    for index in 0..<count {
      guard let member = unsafe slots[index] else { continue }
      // SAFETY: `end` is at most `index`; the link moves together with its index.
      unsafe slots[end] = member
      unsafe member._withUnsafeGuaranteedRef { $0.index = Int32(end) }
      end += 1
    }
    count = end
  }
}

extension SubjectCore: CustomReflectable {
  /// What the subject knows, without the memory that it is kept in; the newest value alone while another thread
  /// delivers, since nobody else may look at the rest then.
  @usableFromInline package var customMirror: Mirror {
    let known: [Mirror.Child] =
      whileNobodyDelivers { [("completion", completion as Any), ("downstreams", members)] } ?? []
    let newest: [Mirror.Child] = latest.map { [("currentValue", $0.withLock { $0.value })] } ?? []
    return Mirror(of: self, children: newest + known)
  }

  /// The links of the list. Only the holder of the gate may call this.
  private var members: [Member] { (0..<count).compactMap { unsafe slots[$0]?.takeUnretainedValue() } }
}

// SAFETY: any thread may call it, and one at a time has what is inside (the gate); values go from thread to thread.
extension SubjectCore: @unchecked Sendable where Output: Sendable {}
