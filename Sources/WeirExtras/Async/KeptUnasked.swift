// What comes unasked on its way to asynchronous code, which takes it when it comes to it.
// No test file: MapAsyncTests does what is here.

import Weir
import WeirQueues

/// Passes values on as they are asked for, and keeps those that nobody has asked for yet, in order.
///
/// The upstream is asked for what is not kept already. Any thread may ask and cancel. The values, and the end behind
/// them, are passed on by one thread at a time, with nothing held.
@usableFromInline
final class KeptUnasked<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  private struct State {
    /// How many values have been asked for and not been passed on yet.
    var asked = 0
    var completion: Subscribers.Completion<Failure>?
    /// Whether a thread passes on what there is, also what comes meanwhile.
    var isPassing = false
    var isCancelled = false
  }

  private enum Event {
    case value(Input)
    case end(Subscribers.Completion<Failure>)
  }

  private let downstream: Downstream
  private let upstream = UpstreamSlot()
  private let state = Lock(State())
  /// Touched under the lock of `state` only.
  private var values = RingBuffer<Input>()

  @usableFromInline
  init(_ downstream: Downstream) { self.downstream = downstream }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if upstream.connect(subscription) != nil { downstream.receive(subscription: self) }
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    state.withLock { state in
      if !state.isCancelled { values.append(input) }
    }
    passOn()
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    _ = upstream.complete()
    state.withLock { state in
      if !state.isCancelled, state.completion == nil { state.completion = completion }
    }
    passOn()
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    let unmet = state.withLock { state -> Int in
      let count = demand.max ?? .max
      let met = min(count, max(values.count - state.asked, 0))
      state.asked += min(count, Int.max - state.asked)
      return count - met
    }
    passOn()
    if unmet > 0 { upstream.request(unmet == .max ? .unlimited : .max(unmet)) }
  }

  @usableFromInline
  func cancel() {
    upstream.disconnect(evenBefore: true)
    // Freed behind the lock: the `deinit` of a value or of a failure may be user code.
    var dropped = RingBuffer<Input>()
    let completion = state.withLock { state -> Subscribers.Completion<Failure>? in
      state.isCancelled = true
      swap(&values, &dropped)
      return state.completion.take()
    }
    withExtendedLifetime(completion) {}
  }

  private func passOn() {
    let isFirst = state.withLock { state -> Bool in
      defer { state.isPassing = true }
      return !state.isPassing
    }
    guard isFirst else { return }
    while let event = takeNext() {
      switch event {
      case .value(let value): request(downstream.receive(value))
      case .end(let completion): downstream.receive(completion: completion)
      }
    }
  }

  private func takeNext() -> Event? {
    state.withLock { state -> Event? in
      if state.asked > 0, let value = values.popFirst() {
        state.asked -= 1
        return .value(value)
      }
      if values.isEmpty, let completion = state.completion.take() { return .end(completion) }
      state.isPassing = false
      return nil
    }
  }

  @usableFromInline var description: String { "MapAsync" }
}
