// The operators that call asynchronous code, for streams that carry a context: it runs in that of its value's sender.

public import Weir

extension ContextCarrying {
  /// Transforms every value with asynchronous code, one after the other, in the context of the value's sender.
  ///
  /// - Parameters:
  ///   - buffering: What is kept of the values that come meanwhile.
  ///   - priority: The priority of the tasks.
  ///   - transform: Makes the new value, in the context of the value's sender; the new one is delivered there, too.
  @_disfavoredOverload
  @inlinable
  public func mapAsync<Result>(
    buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    _ transform: @escaping (Output) async throws(Failure) -> Result
  ) -> some ContextCarrying<Result, Failure> {
    transformed(1, buffering, priority) {
      (input: Output) async throws(Failure) -> Result? in try await transform(input)
    }
  }

  /// Transforms every value with asynchronous code, several at once, each in the context of its sender.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many values may be under way at once; at least one.
  ///   - buffering: What is kept of the values that come meanwhile.
  ///   - priority: The priority of the tasks.
  ///   - transform: Makes the new value. It may run on several threads at once.
  @_disfavoredOverload
  @inlinable
  public func mapAsync<Result>(
    maxConcurrent: Int, buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> Result
  ) -> some ContextCarrying<Result, Failure> {
    transformed(maxConcurrent, buffering, priority) {
      (input: Output) async throws(Failure) -> Result? in try await transform(input)
    }
  }

  /// Transforms every value with asynchronous code, one after the other, in the context of the value's sender, and
  /// drops the value where that returns `nil`.
  ///
  /// - Parameters:
  ///   - buffering: What is kept of the values that come meanwhile.
  ///   - priority: The priority of the tasks.
  ///   - transform: Makes the new value, or `nil`.
  @inlinable
  public func compactMapAsync<Result>(
    buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    _ transform: @escaping (Output) async throws(Failure) -> Result?
  ) -> some ContextCarrying<Result, Failure> { transformed(1, buffering, priority, transform) }

  /// Transforms every value with asynchronous code, several at once, each in the context of its sender, and drops the
  /// value where that returns `nil`.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many values may be under way at once; at least one.
  ///   - buffering: What is kept of the values that come meanwhile.
  ///   - priority: The priority of the tasks.
  ///   - transform: Makes the new value, or `nil`. It may run on several threads at once.
  @_disfavoredOverload
  @inlinable
  public func compactMapAsync<Result>(
    maxConcurrent: Int, buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> Result?
  ) -> some ContextCarrying<Result, Failure> { transformed(maxConcurrent, buffering, priority, transform) }

  @inlinable
  func transformed<Result>(
    _ maxConcurrent: Int, _ buffering: AsyncBuffering, _ priority: TaskPriority?,
    _ transform: @escaping (Output) async throws(Failure) -> Result?
  ) -> some ContextCarrying<Result, Failure> {
    across { pairs in
      Publishers.MapAsync(pairs.carryingFailure(), maxConcurrent, buffering, priority) {
        (pair: Carried<Output, CarriedLocals>) async throws(CarriedFailure<Failure, CarriedLocals>)
          -> Carried<Result, CarriedLocals>? in
        try await pair.mapAsync(transform)
      }
      .mapError { [end = pairs.end] in $0.settled(in: end) }
    }
  }

  /// Handles each value with asynchronous code, one after the other, in the context of the value's sender.
  ///
  /// - Parameters:
  ///   - buffering: What is kept of the values that come meanwhile. Its number is valid.
  ///   - priority: The priority of the task in which the handlers run.
  ///   - receiveCompletion: Called at the end of the stream, after the last handler, in the context of who has ended
  ///     it.
  ///   - receiveValue: Handles a value.
  /// - Returns: An object that, when it is cancelled or freed, cancels the stream and the handlers that are running.
  @_disfavoredOverload
  public func sinkAsync(
    buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) async -> Void,
    receiveValue: @escaping (Output) async -> Void
  ) -> AnyCancellable {
    let (pairs, end) = capturingAll()
    return pairs.sinkAsync(
      buffering: buffering, priority: priority,
      receiveCompletion: { await end.bind($0, pairs.locals, receiveCompletion) },
      receiveValue: { await $0.bind(receiveValue) })
  }

  /// Handles each value with asynchronous code, one after the other, in the context of the value's sender.
  ///
  /// - Parameters:
  ///   - buffering: What is kept of the values that come meanwhile. Its number is valid.
  ///   - priority: The priority of the task in which the handlers run.
  ///   - receiveValue: Handles a value.
  /// - Returns: An object that, when it is cancelled or freed, cancels the stream and the handler that is running.
  @_disfavoredOverload
  public func sinkAsync(
    buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    receiveValue: @escaping (Output) async -> Void
  ) -> AnyCancellable {
    sinkAsync(buffering: buffering, priority: priority, receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  /// Handles values with asynchronous code, several at once, each in the context of its sender.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many handlers may run at once, at least 1.
  ///   - buffering: What is kept of the values that come meanwhile. Its number is valid.
  ///   - priority: The priority of the task in which the handlers run.
  ///   - receiveCompletion: Called at the end of the stream, after the last handler, in the context of who has ended
  ///     it.
  ///   - receiveValue: Handles a value. It may run on several threads at once, so that it is `@Sendable`.
  /// - Returns: An object that, when it is cancelled or freed, cancels the stream and the handlers that are running.
  @_disfavoredOverload
  public func sinkAsync(
    maxConcurrent: Int, buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) async -> Void = { _ in },
    receiveValue: @escaping @Sendable (Output) async -> Void
  ) -> AnyCancellable {
    let (pairs, end) = capturingAll()
    return pairs.sinkAsync(
      maxConcurrent: maxConcurrent, buffering: buffering, priority: priority,
      receiveCompletion: { await end.bind($0, pairs.locals, receiveCompletion) },
      receiveValue: { await $0.bind(receiveValue) })
  }

  /// This stream's values with their contexts, and where the context of its end will be.
  private func capturingAll() -> (Publishers.Capturing<Self, CarriedLocals>, EndContext<CarriedLocals>) {
    let end = EndContext<CarriedLocals>()
    return (Publishers.Capturing(self, carriedLocals, fixed: nil, end: end), end)
  }
}

extension Carried {
  /// What asynchronous code makes of the value, in its context; `nil` where it makes nothing. A failure brings the
  /// context with it.
  @usableFromInline
  func mapAsync<Result, Failure: Error>(
    _ transform: (Value) async throws(Failure) -> Result?
  ) async throws(CarriedFailure<Failure, Locals>) -> Carried<Result, Locals>? {
    let outcome = await bind { value async -> Swift.Result<Result?, Failure> in
      do throws(Failure) { return .success(try await transform(value)) } catch { return .failure(error) }
    }
    switch outcome {
    case .success(let result): return result.map { Carried<Result, Locals>($0, locals, captured) }
    case .failure(let error): throw CarriedFailure(error, captured)
    }
  }
}

extension EndContext {
  /// Calls a closure with a completion, in the context of that.
  func bind<Failure: Error>(
    _ completion: Subscribers.Completion<Failure>, _ locals: Locals,
    _ receiveCompletion: (Subscribers.Completion<Failure>) async -> Void
  ) async {
    guard let captured = captured(at: completion) else { return await receiveCompletion(completion) }
    await locals.bind(captured, isolation: #isolation) { await receiveCompletion(completion) }
  }
}
