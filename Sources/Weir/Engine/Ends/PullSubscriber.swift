// The subscriber behind an asynchronous sequence: it asks for one value per call of `next`.

import WeirQueues

/// Hands each value of an upstream to one waiting task, and asks for no value that no task waits for.
///
/// The lock guards who waits and how far the stream is; neither the upstream nor a task's resumption runs under it. A
/// task's continuation is resumed by whoever took it out of the list.
@safe
@usableFromInline
package final class PullSubscriber<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): all state is behind the lock; values pass from the upstream's thread to the waiting
  // task only, which may use them as a subscriber on that thread might.

  @usableFromInline typealias Outcome = Result<Input?, Failure>
  typealias Waiter = UnsafeContinuation<Unchecked<Outcome>, Never>

  enum Phase {
    case awaitingSubscription
    case subscribed(any Subscription)
    /// Ended, with an error that nobody was told of yet.
    case over(Failure?)
  }

  /// What a task does that begins to wait.
  enum Step {
    case wait
    case request(any Subscription)
    case resume(Outcome)
  }

  @safe
  struct State {
    var phase = Phase.awaitingSubscription
    /// Longest waiting first; few, as a task's calls of `next` follow one another.
    var waiting: [Waiter] = unsafe []
  }

  let state = Lock(State())

  @usableFromInline
  package init() {}

  /// Waits for a value, after asking for one.
  ///
  /// If the task is cancelled, the upstream is, and every waiting call returns `nil`.
  ///
  /// - Returns: The value, or `nil` after the end.
  @usableFromInline
  package nonisolated(nonsending) func next() async throws(Failure) -> Input? {
    let outcome = await withTaskCancellationHandler {
      // SAFETY: the continuation goes into the list, or is resumed, once; the list's are resumed when they are taken
      // out.
      unsafe await withUnsafeContinuation { (waiter: Waiter) in unsafe enqueue(waiter) }
    } onCancel: {
      cancel()
    }
    return try outcome.value.get()
  }

  func enqueue(_ waiter: Waiter) {
    let step = state.withLock { state -> Step in
      switch state.phase {
      case .awaitingSubscription:
        unsafe state.waiting.append(waiter)
        return .wait
      case .subscribed(let subscription):
        unsafe state.waiting.append(waiter)
        return .request(subscription)
      case .over(let failure?):
        state.phase = .over(nil)
        return .resume(.failure(failure))
      case .over(nil): return .resume(.success(nil))
      }
    }
    switch step {
    case .wait: break
    case .request(let subscription): subscription.request(.max(1))
    case .resume(let outcome): unsafe waiter.resume(returning: Unchecked(outcome))
    }
  }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    let waiting = state.withLock { state -> Int? in
      guard case .awaitingSubscription = state.phase else { return nil }
      state.phase = .subscribed(subscription)
      return unsafe state.waiting.count
    }
    guard let waiting else { return subscription.cancel() }
    if waiting > 0 { subscription.request(.max(waiting)) }
  }

  @usableFromInline
  package func receive(_ input: Input) -> Subscribers.Demand {
    let waiter = unsafe state.withLock { state -> Waiter? in
      guard case .subscribed = state.phase else { return nil }
      precondition(unsafe !state.waiting.isEmpty, "API violation: received a value that was not asked for")
      return unsafe state.waiting.removeFirst()
    }
    unsafe waiter?.resume(returning: Unchecked(.success(input)))
    return .none
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) {
    var failure: Failure?
    if case .failure(let error) = completion { failure = error }
    end(failure)
  }

  /// Cancels the upstream; every waiting call returns `nil`.
  @usableFromInline
  package func cancel() { end(nil)?.cancel() }

  /// Ends the stream: the task that has waited longest is told of the error, the others that there is no value.
  ///
  /// - Returns: The upstream's subscription, if it was under way.
  @discardableResult
  func end(_ failure: Failure?) -> (any Subscription)? {
    let (subscription, waiting) = unsafe state.withLock { state -> ((any Subscription)?, [Waiter]) in
      defer { unsafe state.waiting = [] }
      switch state.phase {
      case .over: return unsafe (nil, state.waiting)
      case .awaitingSubscription, .subscribed:
        var current: (any Subscription)?
        if case .subscribed(let subscription) = state.phase { current = subscription }
        state.phase = .over(unsafe state.waiting.isEmpty ? failure : nil)
        return unsafe (current, state.waiting)
      }
    }
    var untold = failure
    for index in unsafe waiting.indices {
      let outcome: Outcome = if let failure = untold.take() { .failure(failure) } else { .success(nil) }
      unsafe waiting[index].resume(returning: Unchecked(outcome))
    }
    return subscription
  }
}

/// Cancels the upstream of an asynchronous sequence when the last copy of its iterator is gone.
@usableFromInline
package final class PullHandle<Input, Failure: Error> {
  @usableFromInline package let subscriber = PullSubscriber<Input, Failure>()

  @usableFromInline
  package init() {}

  deinit { subscriber.cancel() }
}
