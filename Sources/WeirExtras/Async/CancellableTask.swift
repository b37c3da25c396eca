// A task that can be kept among cancellables.

public import Weir

/// A running task as something to cancel.
///
/// When it is freed, the task is cancelled, unless it was made to let the task run on; in the commonly copied version
/// the task always runs on. Any thread may use it.
public final class CancellableTask<Output: Sendable>: Cancellable, Sendable {
  private let task: Task<Output, any Error>
  private let cancelsOnDeinit: Bool

  /// Starts a task, which runs where `Task { }` would: on the actor that it is made on.
  ///
  /// - Parameters:
  ///   - priority: The task's priority.
  ///   - cancelsOnDeinit: `true` if the task is cancelled when this object is freed, `false` if it runs on.
  ///   - operation: What the task does. If it uses its owner, also without `self.`, it keeps that alive until it ends:
  ///     an owner that keeps the task lets it capture `[weak self]`.
  public init(
    priority: TaskPriority? = nil, cancelsOnDeinit: Bool = true,
    @_inheritActorContext @_implicitSelfCapture operation: sending @escaping @isolated(any) () async throws -> Output
  ) {
    task = Task(priority: priority, operation: operation)
    self.cancelsOnDeinit = cancelsOnDeinit
  }

  deinit {
    if cancelsOnDeinit { task.cancel() }
  }

  /// Cancels the task.
  public func cancel() { task.cancel() }

  /// `true` once the task has been cancelled.
  public var isCancelled: Bool { task.isCancelled }

  /// What the task returns, once it does. Waiting keeps this object alive.
  public var value: Output {
    get async throws {
      defer { withExtendedLifetime(self) {} }
      return try await task.value
    }
  }
}
