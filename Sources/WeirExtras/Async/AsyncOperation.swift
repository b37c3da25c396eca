// An asynchronous operation as a stream of one value: the piece that the bridges from async code share.

import Weir
import WeirQueues

/// Runs an operation for each subscriber when it first asks for a value, and publishes what the operation returns, if
/// that is something. Cancelling the subscription cancels the operation's task.
@usableFromInline
struct AsyncOperation<Output, Failure: Error>: Publisher {
  /// When it finishes, once it has published its value.
  @usableFromInline
  enum End {
    case atOnce
    /// When it is asked for a second value: an operator that makes streams of values takes that for the time to make
    /// the next one, and asks once it has passed this one's value on.
    case whenAsked
  }

  @usableFromInline let priority: TaskPriority?
  @usableFromInline let end: End
  @usableFromInline let operation: () async throws(Failure) -> Output?

  @usableFromInline
  init(priority: TaskPriority?, end: End = .atOnce, operation: @escaping () async throws(Failure) -> Output?) {
    self.priority = priority
    self.end = end
    self.operation = operation
  }

  @usableFromInline
  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    subscriber.receive(subscription: AsyncOperationLink(self, ErasedSubscriber(subscriber)))
  }
}

/// One subscriber's run of an operation. Any thread may ask and cancel; the task calls back once.
private final class AsyncOperationLink<Output, Failure: Error>: Subscription, CustomStringConvertible {
  private struct State {
    var work: AsyncOperation<Output, Failure>?
    /// Who is to be told; nobody after the end.
    var downstream: ErasedSubscriber<Output, Failure>?
    var task: Task<Void, Never>?
    /// Whether the end need not wait, or does not wait any more.
    var mayEnd: Bool
    /// Whether the value has been published.
    var hasDelivered = false

    /// Who is to be told of the end now.
    mutating func takeIfOver() -> ErasedSubscriber<Output, Failure>? {
      mayEnd && hasDelivered ? downstream.take() : nil
    }
  }

  private let state: Lock<State>

  init(_ work: AsyncOperation<Output, Failure>, _ downstream: ErasedSubscriber<Output, Failure>) {
    state = Lock(State(work: work, downstream: downstream, mayEnd: work.end == .atOnce))
  }

  func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "API violation: an asynchronous operation was asked for no value")
    let (work, over) = state.withLock { state in
      let work = state.work.take()
      if work == nil || demand > .max(1) { state.mayEnd = true }
      return (work, state.takeIfOver())
    }
    if let work { start(work) }
    over?.receiveCompletion(.finished)
  }

  private func start(_ work: AsyncOperation<Output, Failure>) {
    let job = Unchecked({ () async -> Void in await self.run(work) })
    let task = Task(priority: work.priority) { await job.value() }
    let isWanted = state.withLock { state in
      if state.downstream != nil, !state.hasDelivered { state.task = task }
      return state.downstream != nil
    }
    if !isWanted { task.cancel() }
  }

  private func run(_ work: AsyncOperation<Output, Failure>) async {
    do throws(Failure) {
      deliver(.success(try await work.operation()))
    } catch {
      deliver(.failure(error))
    }
  }

  private func deliver(_ outcome: Result<Output?, Failure>) {
    switch outcome {
    case .success(let output?): deliver(output)
    case .success(nil): takeAll().downstream?.receiveCompletion(.finished)
    case .failure(let failure): takeAll().downstream?.receiveCompletion(.failure(failure))
    }
  }

  private func deliver(_ output: Output) {
    guard let downstream = state.withLock({ $0.downstream }) else { return }
    let demand = downstream.receiveValue(output)
    let over = state.withLock { state in
      state.task = nil
      state.hasDelivered = true
      if demand > .none { state.mayEnd = true }
      return state.takeIfOver()
    }
    over?.receiveCompletion(.finished)
  }

  func cancel() { takeAll().task?.cancel() }

  private func takeAll() -> State {
    state.withLock { state in
      defer { state = State(mayEnd: true) }
      return state
    }
  }

  var description: String { "AsyncOperation" }
}
