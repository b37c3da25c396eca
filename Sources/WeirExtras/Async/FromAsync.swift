// An asynchronous operation as a publisher.

public import Weir

extension AnyPublisher {
  /// Makes a publisher of asynchronous code.
  ///
  /// The code runs once for each subscriber, from when it first asks for a value. Unlike in the commonly copied
  /// version, cancelling the subscription cancels the task; code that has not begun then does not run, but where the
  /// task is just about to call it. The value is not kept: it goes to the subscriber when it is made, on a thread of
  /// the pool, also where the code belongs to an actor; or, after the cancellation, to nobody.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task.
  ///   - operation: Makes the value, or throws the error that the stream fails with.
  @_disfavoredOverload
  @inlinable
  public static func fromAsync(
    priority: TaskPriority? = nil, _ operation: @escaping () async throws -> Output
  ) -> AnyPublisher<Output, any Error> where Failure == any Error {
    asyncToPublisher(priority: priority, operation)
  }
}

/// Makes a publisher of asynchronous code.
///
/// The code runs once for each subscriber, from when it first asks for a value. Unlike in the commonly copied version,
/// cancelling the subscription cancels the task; code that has not begun then does not run, but where the task is just
/// about to call it. The value is not kept: it goes to the subscriber when it is made, on a thread of the pool, also
/// where the code belongs to an actor; or, after the cancellation, to nobody.
///
/// - Parameters:
///   - priority: The priority of the task.
///   - operation: Makes the value, or throws the error that the stream fails with.
@inlinable
public func asyncToPublisher<Value>(
  priority: TaskPriority? = nil, _ operation: @escaping () async throws -> Value
) -> AnyPublisher<Value, any Error> {
  AsyncOperation(AsyncClosure(operation), priority: priority).eraseToAnyPublisher()
}

/// A closure as a task's work.
@usableFromInline
struct AsyncClosure<Output>: AsyncWork {
  @usableFromInline typealias Failure = any Error

  @usableFromInline let operation: () async throws -> Output

  @inlinable
  init(_ operation: @escaping () async throws -> Output) { self.operation = operation }

  @inlinable
  func makeValue() async throws -> Output? { try await operation() }
}
