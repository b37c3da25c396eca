// Values that wait for demand, up to a number: the engine of buffer.

import WeirQueues

/// Stands between an upstream that may be faster and a downstream that takes values as it asks for them.
///
/// Behind the gate, as the upstream sends from one thread while the downstream asks from another. A value that finds
/// demand and nobody before it is delivered at once and never stored.
@safe
@usableFromInline
package final class BufferLink<Downstream: Subscriber>:
  SerialLink<Downstream, BufferSignal<Downstream.Input, Downstream.Failure>>
{
  @usableFromInline typealias Value = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let ledger = DemandLedger()
  /// How many values are kept at most.
  @usableFromInline let size: Int
  /// What the upstream is asked for at first: everything, or so many values, and then one more for each that leaves.
  @usableFromInline let ahead: Subscribers.Demand
  @usableFromInline let whenFull: Publishers.BufferingStrategy<Failure>

  // SAFETY (exclusivity) of all below: only the holder of the gate touches them, one thread at a time. No user code
  // runs while one of them is being changed.
  @safe @exclusivity(unchecked) @usableFromInline var values = RingBuffer<Value>()
  /// Values on their way out: demand was taken for all of them at once, before the first was delivered.
  @safe @exclusivity(unchecked) @usableFromInline var leaving = RingBuffer<Value>()
  @safe @exclusivity(unchecked) @usableFromInline var upstream: Link?
  @safe @exclusivity(unchecked) @usableFromInline var hasBegun = false
  /// Whether it has begun, and every value has found room.
  @safe @exclusivity(unchecked) @usableFromInline var isOpen = false
  /// Whether the subscriber has asked while the error for a value without room was made, or later.
  @safe @exclusivity(unchecked) @usableFromInline var isAskedForEnd = false
  /// Whether the subscriber has its subscription.
  @safe @exclusivity(unchecked) @usableFromInline var isAnnounced = false
  /// Whether a value is being delivered: a request from within it is served by the delivery that it is nested in.
  @safe @exclusivity(unchecked) @usableFromInline var isEmitting = false
  /// How the stream will end once the values before it are delivered.
  @safe @exclusivity(unchecked) @usableFromInline var ending: Subscribers.Completion<Failure>?
  /// Who makes the error for a value that found no room. Under `lock`, as its maker says outside the gate that it
  /// begins.
  @safe @exclusivity(unchecked) @usableFromInline var maker = ErrorMaker.none

  @inlinable
  init(
    downstream: HeldSubscriber<Downstream>, size: Int, ahead: Subscribers.Demand,
    whenFull: Publishers.BufferingStrategy<Failure>, name: StaticString
  ) {
    self.size = size
    self.ahead = ahead
    self.whenFull = whenFull
    super.init(
      downstream: downstream, name: name,
      onRequest: { link, demand in link.downcast(to: BufferLink.self).demand(demand) },
      onCancel: { link in link.downcast(to: BufferLink.self).end() })
  }

  /// Whether the upstream is asked for as many values as leave.
  @inlinable @inline(__always)
  var keepsFull: Bool { ahead != .unlimited }

  // MARK: Signals, from any thread

  /// Takes a value from upstream.
  ///
  /// - Returns: What the upstream is asked for next, as far as it is known at once.
  @inlinable @inline(__always)
  func receive(_ value: Value) -> Subscribers.Demand {
    guard enterOwned() else { return receiveShared(value) }
    let demand = take(value)
    if isDue || !leaveOwned() { settle { process($0) } }
    return demand
  }

  @inlinable @inline(never)
  func receiveShared(_ value: Value) -> Subscribers.Demand {
    guard enterFree() == .entered else { return receiveTaken(value) }
    let demand = take(value)
    leave { process($0) }
    return demand
  }

  @inlinable @inline(never)
  func receiveTaken(_ value: Value) -> Subscribers.Demand {
    switch enterShared(.long, { ledger.hasNone }) {
    case .entered:
      let demand = take(value)
      leave { process($0) }
      return demand
    case .nested:
      if tookBehindOthers(.value(value), { process($0) }) { return .none }
      let demand = take(value)
      leaveNested { process($0) }
      return demand
    case .taken:
      handOver(.value(value)) { process($0) }
      return .none
    }
  }

  @inlinable
  func demand(_ demand: Subscribers.Demand) {
    guard demand > .none, ledger.add(demand) != DemandLedger.cancelled else { return }
    guard enterOwned() else { return receive(.demand) { process($0) } }
    let more = serve()
    guard more != .none, !isDue, let upstream else {
      ask(more)
      if isDue || !leaveOwned() { settle { process($0) } }
      return
    }
    // What `ask` would leave to do, without a place to keep it in.
    if leaveOwned() { return upstream.request(more) }
    ask(more)
    settle { process($0) }
  }

  @inlinable
  func end() {
    if ledger.cancel() != DemandLedger.cancelled { receive(cancellation: .cancel) { process($0) } }
  }

  // MARK: What the holder of the gate does

  @usableFromInline
  override func settleAsHelper() { settle({ process($0) }, asHelper: true) }

  @inlinable
  func process(_ signal: BufferSignal<Value, Failure>) {
    switch signal {
    case .subscription(let subscription): begin(subscription)
    case .value(let value):
      // Nobody knows who has sent it: it is no value of the maker's own.
      guard isOpen else { return }
      let demand = take(value)
      owe(answer: demand, to: upstream, process)
    case .completion(let completion):
      guard hasBegun, !isOver, ending == nil, !isFailing else { return }
      ending = completion
      keepCheckpoints(of: completion)
      ask(drain())
    case .demand: ask(serve())
    case .cancel: noteCancellation()
    case .goOn(.announce): announce()
    case .goOn(let step): step.refuse()
    case .failure(let error): fail(error)
    }
  }

  /// Does what new demand makes possible.
  ///
  /// - Returns: What to ask the upstream for.
  @inlinable @inline(__always)
  func serve() -> Subscribers.Demand {
    if !isOpen, case .thread = withLock({ maker }) { isAskedForEnd = true }
    return isEmitting ? .none : drain()
  }

  @inlinable
  func begin(_ subscription: Link) {
    guard !hasBegun, !isOver else { return owe(.cancel(subscription)) }
    (hasBegun, isOpen) = (true, true)
    guard keep(subscription, { upstream = $0 }) else { return }
    // Of no places none is asked for.
    guard ahead > .none else { return announce() }
    owe(.ask(subscription, ahead, then: .announce))
  }

  /// Gives the subscriber its subscription, once the upstream was asked.
  @inlinable
  func announce() {
    guard !isOver else { return }
    isAnnounced = true
    withDownstream { $0.receive(subscription: self) }
    // The upstream may have failed when it was asked.
    if ending != nil { ask(drain()) }
  }

  @inlinable @inline(__always)
  func take(_ value: Value) -> Subscribers.Demand {
    guard isOpen || hasBegun && !isFailing, !isOver else { return .none }
    if case .failure = ending { return .none }
    if values.isEmpty, leaving.isEmpty, size > 0, ledger.take() {
      emit(value)
      let more = values.isEmpty && ending == nil ? Subscribers.Demand.none : drain()
      return keepsFull ? more + 1 : .none
    }
    return store(value)
  }

  /// Puts a value behind those that wait, if there is room or room is made.
  @inlinable
  func store(_ value: Value) -> Subscribers.Demand {
    switch values.offer(value, limit: size, whenFull: whenFull) {
    case .kept: return drain()
    case .dropped:
      noteLoss()
      return drain()
    case .replaced(let former):
      noteLoss()
      defer { withExtendedLifetime(former) {} }
      return drain()
    case .failed:
      noteLoss()
      guard case .customError(let makeError) = whenFull else { return .none }
      isOpen = false
      withLock { maker = .isDue }
      owe(
        .run {
          self.withLock { self.maker = .thread(currentThreadIdentity()) }
          self.receive(.failure(makeError())) { self.process($0) }
        })
      return .none
    }
  }

  #if WEIR_INSPECTION
    /// How many values there was no room for. Only the holder of the gate changes it; anybody reads it.
    @usableFromInline let lostCount = AtomicWord(0)
  #endif

  /// Notes that a value has found no room, or has lost it to another one.
  @inlinable @inline(__always)
  func noteLoss() {
    #if WEIR_INSPECTION
      let former = lostCount.relaxedLoad()
      lostCount.relaxedStore(former &+ 1)
    #endif
  }

  /// Whether the stream will end with an error that is being made. What its maker sends itself is taken meanwhile, as
  /// in Combine, unless it has to be left to another thread.
  @inlinable
  var isFailing: Bool {
    switch withLock({ maker }) {
    case .none: false
    case .isDue: true
    case .thread(let thread): thread != currentThreadIdentity()
    }
  }

  /// Ends the stream, behind the values that wait, with the error for a value that found no room.
  @inlinable
  func fail(_ error: Failure) {
    guard !isOver, ending == nil else { return }
    ending = .failure(error)
    CheckpointTrail.keep(for: self)
    // A thread that cancels has detached the stream and cancels it itself, or it finds none here any more.
    guard let stream = withLock({ isDetached ? nil : upstream.take() }) else { return }
    // As in Combine, the next request brings the error; that may have come while it was made.
    let isAsked = isAskedForEnd
    owe(
      .run {
        stream.cancel()
        if isAsked { self.receive(.demand) { self.process($0) } }
      })
  }

  @inlinable @inline(__always)
  func emit(_ value: Value) {
    let wasEmitting = isEmitting
    isEmitting = true
    let more = pass(value)
    isEmitting = wasEmitting
    if more != .none { ledger.add(more) }
  }

  /// Delivers what waits, as far as there is demand, and then the end if it has come.
  ///
  /// The demand is taken for a whole batch, as Combine does: a failure that comes from within the delivery of its first
  /// value finds no demand left, and goes before the others. The finish goes behind them.
  ///
  /// - Returns: What to ask the upstream for, to fill the room that was made.
  @inlinable @inline(__always)
  func drain() -> Subscribers.Demand { ledger.hasNone && ending == nil ? .none : drainAsked() }

  @inlinable @inline(never)
  func drainAsked() -> Subscribers.Demand {
    var delivered = 0
    while !isOver, !values.isEmpty {
      let batch = ledger.take(upTo: values.count)
      guard batch > 0 else { break }
      if batch == 1, leaving.isEmpty {
        // Alone it needs no place of its own to wait in.
        guard !ledger.isCancelled, let value = values.popFirst() else { break }
        emit(value)
        delivered += 1
        continue
      }
      setApart(batch)
      while isOver ? !isCancelling : !ledger.isCancelled, let value = leaving.popFirst() {
        // After a failure from within, a sink is asked itself, which passes on nothing then.
        if isOver { _ = withDownstream { $0.receive(value) } } else { emit(value) }
        delivered += 1
      }
    }
    if !isOver, let ending { concludeIfDue(ending) }
    return keepsFull ? .max(delivered) : .none
  }

  /// Moves the oldest values out of the buffer, behind those that are leaving already.
  @inlinable
  func setApart(_ batch: Int) {
    if batch == values.count, leaving.isEmpty { return swap(&values, &leaving) }
    for _ in 0..<batch {
      guard let value = values.popFirst() else { return }
      leaving.append(value)
    }
  }

  /// Ends the stream once nothing waits: a failure at once, the finish when there is demand, as Combine does.
  @inlinable
  func concludeIfDue(_ ending: Subscribers.Completion<Failure>) {
    let hasDemand = ledger.demand > .none
    if case .finished = ending, !hasDemand || !leaving.isEmpty { return }
    guard isAnnounced, values.isEmpty || !hasDemand else { return }
    let wasCancelled = ledger.cancel() == DemandLedger.cancelled
    noteEnd()
    withLock { upstream.take() }
    _ = values.takeAll()
    if !wasCancelled { withDownstream { deliverKept(ending, to: $0) } }
  }

  /// Leaves it to do to ask the upstream for values.
  @inlinable
  func ask(_ demand: Subscribers.Demand) {
    if demand != .none, let upstream { owe(.ask(upstream, demand, then: .none)) }
  }

  @usableFromInline
  override var streams: LinkList { LinkList(upstream, nil) }

  @usableFromInline
  override func takeStreams() -> LinkList {
    defer { upstream = nil }
    return streams
  }

  @usableFromInline
  override func dropWaiting() {
    _ = values.takeAll()
    _ = leaving.takeAll()
  }

  /// What Combine shows; while another thread delivers, without the values, which belong to that thread.
  @usableFromInline
  package override var customMirror: Mirror {
    let entry = gate.enter()
    let children: [Mirror.Child] = [
      // After the end they belong to the thread that drops them.
      ("values", entry == .taken || isOver ? [] : values.elements), ("state", entry == .taken ? "subscribed" : state),
      ("downstreamDemand", ledger.demand), ("terminal", (entry == .taken ? nil : ending) as Any),
    ]
    if entry == .entered { leave { process($0) } }
    return Mirror(of: self, children: children)
  }

  /// Where in its life the subscription is, for mirrors.
  var state: String { isOver ? "terminal" : hasBegun ? "subscribed" : "ready" }
}

/// What can happen to a buffer.
@frozen
@usableFromInline
package enum BufferSignal<Value, Failure: Error>: SerialSignal {
  case subscription(Link)
  case value(Value)
  case completion(Subscribers.Completion<Failure>)
  case demand
  case cancel
  case goOn(NextStep)
  /// To end with the error for a value that found no room.
  case failure(Failure)
}

/// Who makes the error for a value that found no room in a buffer.
@frozen
@usableFromInline
enum ErrorMaker {
  case none
  /// The thread that has taken the value, once it has left the gate.
  case isDue
  case thread(Int)
}

/// The subscriber to a buffer's upstream.
@frozen
@usableFromInline
struct BufferSubscriber<Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let link: BufferLink<Downstream>

  @inlinable
  init(_ link: BufferLink<Downstream>) { self.link = link }

  @inlinable
  var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) { link.receive(.subscription(.of(subscription))) { link.process($0) } }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    // SAFETY: whoever calls this has the subscriber, and so the link, until it returns.
    unsafe Unmanaged.passUnretained(link)._withUnsafeGuaranteedRef { $0.receive(input) }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    link.receive(.completion(completion), .long, unless: { link.ledger.hasNone }) { link.process($0) }
  }

  @usableFromInline var description: String { link.description }
}

extension BufferSubscriber: CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline var customMirror: Mirror { link.customMirror }
  @usableFromInline var playgroundDescription: Any { description }
}
