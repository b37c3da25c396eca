// An asynchronous operation as a stream of one value: the piece that the bridges from async code share.

import Weir
import WeirQueues

/// Runs an operation for each subscriber when it first asks for a value, and publishes what the operation returns, if
/// that is something. Cancelling the subscription cancels the operation's task.
@usableFromInline
struct AsyncOperation<Output, Failure: Error>: Publisher {
  @usableFromInline let priority: TaskPriority?
  @usableFromInline let operation: () async throws(Failure) -> Output?

  @usableFromInline
  init(priority: TaskPriority?, operation: @escaping () async throws(Failure) -> Output?) {
    self.priority = priority
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
    var downstream: ErasedSubscriber<Output, Failure>?
    var task: Task<Void, Never>?
  }

  private let state: Lock<State>
  private let cancelled = OneShot()

  init(_ work: AsyncOperation<Output, Failure>, _ downstream: ErasedSubscriber<Output, Failure>) {
    state = Lock(State(work: work, downstream: downstream))
  }

  func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "API violation: an asynchronous operation was asked for no value")
    guard let work = state.withLock({ $0.work.take() }) else { return }
    let job = Unchecked({ () async -> Void in await self.run(work) })
    let task = Task(priority: work.priority) { await job.value() }
    let isWanted = state.withLock { state in
      if state.downstream != nil { state.task = task }
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
    guard let downstream = takeAll().downstream else { return }
    switch outcome {
    case .success(let output):
      if let output { _ = downstream.receiveValue(output) }
      if !cancelled.hasFired { downstream.receiveCompletion(.finished) }
    case .failure(let failure): downstream.receiveCompletion(.failure(failure))
    }
  }

  func cancel() {
    if cancelled.fire() { takeAll().task?.cancel() }
  }

  private func takeAll() -> State {
    state.withLock { state in
      defer { state = State() }
      return state
    }
  }

  var description: String { "AsyncOperation" }
}
