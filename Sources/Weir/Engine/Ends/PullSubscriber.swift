// The subscriber behind an asynchronous sequence: tasks take its values, one per call of `next`.

import WeirQueues

/// Hands each value of an upstream to one call of `next`, in order, and keeps those that come before the calls.
///
/// What is kept, and what is asked for, is an `AsyncBuffering`. A call asks first, where asking is up to it, and waits
/// only if that has brought no value: a value that is ready costs no suspension, no continuation and no allocation. An
/// iterator looks for it before it awaits anything (`beginTaking`, `endTaking`): to call an asynchronous function costs
/// as much as the value.
///
/// The lock guards the state; neither the upstream nor a task's resumption runs under it, and nothing of the user's is
/// freed there. A task's continuation is resumed by whoever took it out of the list.
@safe
@usableFromInline
package final class PullSubscriber<Input, Failure: Error>: ErasedSubscriber<Input, Failure>, Subscriber, Cancellable,
  CustomStringConvertible, @unchecked Sendable
{
  // SAFETY (@unchecked Sendable): all state is behind the lock; values pass from the upstream's thread to one task
  // only, which may use them as a subscriber on that thread might.

  @usableFromInline typealias Outcome = Result<Input?, Failure>
  @usableFromInline typealias Waiter = UnsafeContinuation<Unchecked<Outcome>, Never>

  @frozen
  @usableFromInline
  enum Phase {
    case awaitingSubscription
    case subscribed
    case over
  }

  /// The two steps of a call in code that knows the types: what an iterator runs behind `any AsyncSequence` does not.
  @usableFromInline let beginning: (PullSubscriber) -> Bool
  @usableFromInline let ending: (PullSubscriber) -> Input?
  @usableFromInline let lock = SpinLock()
  @usableFromInline let buffering: AsyncBuffering

  // SAFETY (exclusivity) of all below: whoever has the lock touches them, one thread at a time, and runs no code of the
  // user's meanwhile.
  @safe @exclusivity(unchecked) @usableFromInline final var phase = Phase.awaitingSubscription
  /// There while `subscribed`, and after the end until the calls that are asking it are done.
  @safe @exclusivity(unchecked) @usableFromInline final var upstream: Link?
  /// How many calls are asking the upstream, which they don't retain.
  @safe @exclusivity(unchecked) @usableFromInline final var asking = 0
  /// An error that nobody was told of yet.
  @safe @exclusivity(unchecked) @usableFromInline final var failure: Failure?
  /// Values that no call has taken yet; none while a call waits. One that nobody has asked for is here, too.
  @safe @exclusivity(unchecked) @usableFromInline final var values = RingBuffer<Input>()
  /// Calls that have asked before there was a subscription.
  @safe @exclusivity(unchecked) @usableFromInline final var earlyCalls = 0
  /// The call that has waited longest, and those that have waited less: seldom any, as a task's calls of `next` follow
  /// one another.
  @safe @exclusivity(unchecked) @usableFromInline final var waiter: Waiter?
  @safe @exclusivity(unchecked) @usableFromInline final var laterWaiters: [Waiter] = unsafe []

  /// - Precondition: The number of `buffering` is valid.
  @inlinable
  package init(_ buffering: AsyncBuffering = .backpressure(0)) {
    precondition(buffering.isValid, "API violation: there can't be \(buffering)")
    self.buffering = buffering
    beginning = { $0.lookForNext() }
    ending = { $0.takeFound() }
    super.init(
      onSubscription: { $0.narrowed(to: PullSubscriber.self).receive(subscription: $1) },
      onValue: { $0.narrowed(to: PullSubscriber.self).receive($1) },
      onCompletion: { $0.narrowed(to: PullSubscriber.self).receive(completion: $1) })
  }

  /// Whether each call asks for the value that it takes.
  @inlinable @inline(__always)
  final var asksPerCall: Bool {
    if case .backpressure = buffering { true } else { false }
  }

  // MARK: Tasks

  /// Takes the next value, and waits for it if there is none yet.
  ///
  /// If the task is cancelled, the upstream is, and every call returns `nil`, whatever was kept.
  ///
  /// - Returns: The value, or `nil` after the end.
  @usableFromInline
  package nonisolated(nonsending) final func next() async throws(Failure) -> Input? {
    beginTaking() ? endTaking() : try await wait()
  }

  /// Begins a call of `next`: asks for a value where asking is up to the call, and looks for one.
  ///
  /// - Returns: Whether there is one, or an end without an error. The caller has the lock then, and must call
  ///   `endTaking` at once; else it awaits `wait()`.
  @inlinable @inline(__always)
  package final func beginTaking() -> Bool { beginning(self) }

  /// Ends a call of `next` that has found something.
  ///
  /// - Returns: The value, or `nil` after the end.
  @inlinable @inline(__always)
  package final func endTaking() -> Input? { ending(self) }

  @inlinable
  final func lookForNext() -> Bool {
    if asksPerCall, isTaskCancelled() { cancel() }
    lock.lock()
    if asksPerCall { askForOne() }
    // What was sent after the task's cancellation is not for it; of an error only the way through `wait` can tell.
    if !values.isEmpty || (phase == .over && failure == nil), !isTaskCancelled() { return true }
    lock.unlock()
    return false
  }

  @inlinable
  final func takeFound() -> Input? {
    let value = values.popFirst()
    lock.unlock()
    return value
  }

  /// Asks the upstream for the value of a call; before there is a subscription that is left to it. Only with the lock,
  /// which is not held meanwhile.
  @inlinable @inline(__always)
  final func askForOne() {
    switch phase {
    case .awaitingSubscription: earlyCalls += 1
    case .over: break
    case .subscribed:
      guard let upstream = unsafe upstream.map(Unmanaged.passUnretained) else { return }
      asking += 1
      lock.unlock()
      // SAFETY: as long as one is asking, the upstream stays where it is.
      unsafe upstream._withUnsafeGuaranteedRef { $0.request(.max(1)) }
      lock.lock()
      asking -= 1
      if phase == .over { freeUpstream() }
    }
  }

  /// Frees the upstream of a stream that has ended while calls were asking, by the last of them. Only with the lock,
  /// which is not held meanwhile.
  @usableFromInline @inline(never)
  final func freeUpstream() {
    let upstream = takeUnaskedUpstream()
    lock.unlock()
    withExtendedLifetime(upstream) {}
    lock.lock()
  }

  /// Takes the upstream out, unless a call is asking it, which will do that. Only with the lock.
  private func takeUnaskedUpstream() -> Link? { asking == 0 ? upstream.take() : nil }

  @usableFromInline
  nonisolated(nonsending) final func wait() async throws(Failure) -> Input? {
    let outcome = await withTaskCancellationHandler {
      // SAFETY: the continuation goes into the list, or is resumed, once; the list's are resumed when they are taken
      // out.
      unsafe await withUnsafeContinuation { (waiter: Waiter) in unsafe enqueue(waiter) }
    } onCancel: {
      cancel()
    }
    // The runtime orders whatever was done before a continuation was resumed before what is done behind its `await`,
    // but does not tell ThreadSanitizer if the one was before the other. The lock does: whoever resumes has had it.
    lock.lock()
    lock.unlock()
    return try outcome.value.get()
  }

  private func enqueue(_ waiter: Waiter) {
    lock.lock()
    guard let outcome = takeOutcome() else {
      if unsafe self.waiter == nil {
        unsafe self.waiter = waiter
      } else {
        unsafe laterWaiters.append(waiter)
      }
      return lock.unlock()
    }
    lock.unlock()
    unsafe waiter.resume(returning: Unchecked(outcome))
  }

  /// What there is for a call that waits; `nil` if nothing has come. Only with the lock.
  private func takeOutcome() -> Outcome? {
    if let value = values.popFirst() { return .success(value) }
    guard phase == .over else { return nil }
    return if let untold = failure.take() { .failure(untold) } else { .success(nil) }
  }

  // MARK: The upstream

  @usableFromInline
  package final func receive(subscription: any Subscription) {
    let link = Link.of(subscription)
    lock.lock()
    let isFirst = phase == .awaitingSubscription
    var demand = Subscribers.Demand.none
    if isFirst {
      phase = .subscribed
      upstream = link
      demand = buffering.firstDemand + earlyCalls
    }
    lock.unlock()
    if !isFirst {
      link.cancel()
    } else if demand > .none {
      link.request(demand)
    }
  }

  @inlinable
  package final func receive(_ input: Input) -> Subscribers.Demand {
    lock.lock()
    guard phase == .subscribed else {
      lock.unlock()
      return .none
    }
    if let waiter = unsafe takeWaiter() {
      lock.unlock()
      unsafe waiter.resume(returning: Unchecked(.success(input)))
      return .none
    }
    let dropped = keep(input)
    lock.unlock()
    withExtendedLifetime(dropped) {}
    return .none
  }

  /// Takes the call that has waited longest. Only with the lock.
  @inlinable @inline(__always)
  final func takeWaiter() -> Waiter? {
    defer { unsafe waiter = laterWaiters.isEmpty ? nil : laterWaiters.removeFirst() }
    return waiter
  }

  /// Keeps a value, if there is room or room is made. Only with the lock.
  ///
  /// - Returns: The value that is dropped for it.
  @inlinable @inline(__always)
  final func keep(_ input: Input) -> Input? {
    guard let bound = buffering.bound else {
      values.append(input)
      return nil
    }
    let offer = values.offer(input, limit: bound.limit, whenFull: bound.whenFull)
    return if case .replaced(let oldest) = offer { oldest } else { nil }
  }

  /// Ends the stream, behind the values that are kept: the call that has waited longest is told of the error, the
  /// others that there is no value.
  @usableFromInline
  package final func receive(completion: Subscribers.Completion<Failure>) {
    lock.lock()
    guard phase != .over else { return lock.unlock() }
    phase = .over
    if case .failure(let error) = completion, unsafe waiter == nil { failure = error }
    let (upstream, left) = unsafe (takeUnaskedUpstream(), takeWaiting())
    lock.unlock()
    withExtendedLifetime(upstream) {}
    for index in unsafe left.indices {
      if index == 0, case .failure(let error) = completion {
        unsafe left[index].resume(returning: Unchecked(.failure(error)))
      } else {
        unsafe left[index].resume(returning: Unchecked(.success(nil)))
      }
    }
  }

  /// Cancels the upstream, and drops what is kept; every call returns `nil`.
  @usableFromInline
  package final func cancel() {
    lock.lock()
    let wasUnderWay = phase != .over
    phase = .over
    let cancelled = upstream
    let (upstream, left) = unsafe (takeUnaskedUpstream(), takeWaiting())
    let untold = failure.take()
    let dropped = values.takeAll()
    lock.unlock()
    if wasUnderWay { cancelled?.cancel() }
    withExtendedLifetime(upstream) {}
    for index in unsafe left.indices { unsafe left[index].resume(returning: Unchecked(.success(nil))) }
    withExtendedLifetime(untold) {}
    _ = dropped
  }

  private func takeWaiting() -> [Waiter] {
    guard let first = unsafe waiter.take() else { return unsafe [] }
    defer { unsafe laterWaiters = [] }
    return unsafe [first] + laterWaiters
  }

  @usableFromInline package var description: String { "Task" }
}

/// Cancels the upstream of an asynchronous sequence when the last copy of its iterator is gone.
@usableFromInline
package final class PullHandle<Input, Failure: Error> {
  @usableFromInline package let subscriber: PullSubscriber<Input, Failure>

  @inlinable
  package init(_ subscriber: PullSubscriber<Input, Failure>) { self.subscriber = subscriber }

  deinit { subscriber.cancel() }

  /// The subscriber, not retained.
  @inlinable @inline(__always)
  package final var unretained: UnretainedPullSubscriber<Input, Failure> {
    unsafe UnretainedPullSubscriber(subscriber: Unmanaged.passUnretained(subscriber))
  }
}

/// The subscriber of a handle, for a call of `next`: the iterator keeps the handle, and nobody else has access to the
/// iterator until the call returns. To count references would cost two atomic operations for each value.
@safe
@frozen
@usableFromInline
package struct UnretainedPullSubscriber<Input, Failure: Error> {
  @usableFromInline let subscriber: Unmanaged<PullSubscriber<Input, Failure>>

  // SAFETY: of all three, see above.

  @inlinable @inline(__always)
  init(subscriber: Unmanaged<PullSubscriber<Input, Failure>>) { unsafe self.subscriber = subscriber }

  /// As that of the subscriber.
  @inlinable @inline(__always)
  package func beginTaking() -> Bool { unsafe subscriber._withUnsafeGuaranteedRef { $0.beginTaking() } }

  /// As that of the subscriber.
  @inlinable @inline(__always)
  package func endTaking() -> Input? { unsafe subscriber._withUnsafeGuaranteedRef { $0.endTaking() } }

  /// As that of the subscriber.
  @inlinable @inline(__always)
  package nonisolated(nonsending) func wait() async throws(Failure) -> Input? {
    try await unsafe subscriber.takeUnretainedValue().wait()
  }
}

/// What an asynchronous sequence makes its iterators from.
@frozen
@usableFromInline
struct PullSource<P: Publisher> {
  @usableFromInline let publisher: P
  @usableFromInline let buffering: AsyncBuffering
  /// Subscribes, in code that knows the publisher's type, where the sequence was made.
  @usableFromInline let subscribe: (P, AsyncBuffering) -> PullHandle<P.Output, P.Failure>

  @inlinable @inline(__always)
  init(_ publisher: P, _ buffering: AsyncBuffering) {
    self.publisher = publisher
    self.buffering = buffering
    subscribe = { publisher, buffering in
      let handle = PullHandle<P.Output, P.Failure>(PullSubscriber(buffering))
      publisher.subscribe(handle.subscriber)
      return handle
    }
  }

  /// A subscription of its own for an iterator.
  @inlinable
  func makeHandle() -> PullHandle<P.Output, P.Failure> { subscribe(publisher, buffering) }
}

// SAFETY: its closure captures nothing.
extension PullSource: @unchecked Sendable where P: Sendable {}
