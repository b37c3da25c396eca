// One subscriber's run of asynchronous code, which makes the one value of its stream.
// No test file: AsyncOperationTests of WeirExtras does what is here.

import WeirQueues

/// Asynchronous code that makes at most one value.
@usableFromInline
package protocol AsyncWork {
  associatedtype Output
  associatedtype Failure: Error

  /// Makes the value; `nil` where there is none.
  func makeValue() async throws(Failure) -> Output?
}

/// A link that a task runs. Not generic: a task's closure may not capture the types that it would need then.
@usableFromInline
package class AsyncLink: Link {
  /// What the task does with this link. A closure of the code that makes the link: an override would not be compiled
  /// for the types of a generic subclass.
  @usableFromInline let run: (AsyncLink) async -> Void

  @inlinable
  init(
    run: @escaping (AsyncLink) async -> Void, onRequest: @escaping (Link, Subscribers.Demand) -> Void,
    onCancel: @escaping (Link) -> Void
  ) {
    self.run = run
    super.init(onRequest: onRequest, onCancel: onCancel)
  }

  /// Makes a task that runs this link.
  @inlinable
  final func makeTask(priority: TaskPriority?) -> Task<Void, Never> {
    // It goes to the task as a subscriber goes to the thread that sends.
    let sent = Unchecked<AsyncLink>(self)
    return Task(priority: priority) { await sent.value.run(sent.value) }
  }
}

/// The subscription of one subscriber to what asynchronous code makes.
///
/// Any thread may ask and cancel. The first request starts a task, which calls back once; cancelling the subscription
/// cancels it, and takes away the work that it has not begun. The lock guards the state; the subscriber is not called
/// under it, and nothing of the user's is freed there.
@usableFromInline
package final class TaskLink<Work: AsyncWork, Downstream: Subscriber>: AsyncLink
where Downstream.Input == Work.Output, Downstream.Failure == Work.Failure {
  @usableFromInline
  struct State {
    /// What the task takes when it begins; nothing if that has been cancelled meanwhile.
    @usableFromInline var work: Work?
    /// Whether the task has been made, or never will be.
    @usableFromInline var isStarted: Bool
    /// Who is to be told; nobody after the end.
    @usableFromInline var downstream: Downstream?
    @usableFromInline var task: Task<Void, Never>?
    /// Whether the end need not wait, or does not wait any more.
    @usableFromInline var mayEnd: Bool
    /// Whether the value has been published.
    @usableFromInline var hasDelivered = false

    @inlinable
    init(work: Work?, isStarted: Bool = false, downstream: Downstream? = nil, mayEnd: Bool = true) {
      self.work = work
      self.isStarted = isStarted
      self.downstream = downstream
      self.mayEnd = mayEnd
    }

    /// Who is to be told of the end now.
    @inlinable
    mutating func takeIfOver() -> Downstream? { mayEnd && hasDelivered ? downstream.take() : nil }
  }

  @usableFromInline let priority: TaskPriority?
  @usableFromInline let state: Lock<State>

  /// - Parameter endsAtOnce: `true` if the end comes right behind the value; `false` if it waits for a further request.
  @inlinable
  package init(_ work: Work, priority: TaskPriority?, endsAtOnce: Bool, downstream: Downstream) {
    self.priority = priority
    state = Lock(State(work: work, downstream: downstream, mayEnd: endsAtOnce))
    super.init(
      run: { link in await link.downcast(to: TaskLink.self).deliverValue() },
      onRequest: { link, demand in link.downcast(to: TaskLink.self).demand(demand) },
      onCancel: { link in link.downcast(to: TaskLink.self).takeAll().task?.cancel() })
  }

  @inlinable
  func demand(_ demand: Subscribers.Demand) {
    demand.requireSome("AsyncOperation")
    let (isFirst, over) = state.withLock { state in
      if state.isStarted || demand > .max(1) { state.mayEnd = true }
      defer { state.isStarted = true }
      return (!state.isStarted, state.takeIfOver())
    }
    if isFirst { start() }
    over?.receive(completion: .finished)
  }

  @inlinable
  func start() {
    let task = makeTask(priority: priority)
    let isWanted = state.withLock { state in
      if state.downstream != nil, !state.hasDelivered { state.task = task }
      return state.downstream != nil
    }
    if !isWanted { task.cancel() }
  }

  @inlinable
  func deliverValue() async {
    guard let work = state.withLock({ $0.work.take() }) else { return }
    do throws(Work.Failure) {
      if let output = try await work.makeValue() { deliver(output) } else { end(.finished) }
    } catch {
      end(.failure(error))
    }
  }

  @inlinable
  func deliver(_ output: Work.Output) {
    guard let downstream = state.withLock({ $0.downstream }) else { return }
    let demand = downstream.receive(output)
    let over = state.withLock { state in
      state.task = nil
      state.hasDelivered = true
      if demand > .none { state.mayEnd = true }
      return state.takeIfOver()
    }
    over?.receive(completion: .finished)
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Work.Failure>) {
    takeAll().downstream?.receive(completion: completion)
  }

  @inlinable
  func takeAll() -> State {
    state.withLock { state in
      defer { state = State(work: nil, isStarted: true) }
      return state
    }
  }

  @usableFromInline
  package override var description: String { "AsyncOperation" }
}
