// Handles each value with asynchronous code.

public import Weir
import WeirQueues

extension Publisher {
  /// Handles each value with asynchronous code, one after the other if not told otherwise.
  ///
  /// Values are asked for within this call. Those that come while handlers run, or before the task that runs them has
  /// begun, wait in order, and all of them, if `buffering` doesn't say otherwise: so of a stream that is long and at hand
  /// all values are in memory at once; `.backpressure(_:)` makes it wait. Unlike the commonly copied version, it runs as
  /// many handlers at a time as it is told, takes streams with any kind of error and tells of the end.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many handlers may run at once, at least 1. With one, the default, values are handled in
  ///     order; with more they begin in order.
  ///   - buffering: What is kept of the values that come meanwhile. Its number is valid.
  ///   - priority: The priority of the task in which the handlers run.
  ///   - receiveCompletion: Called at the end of the stream, after the last handler.
  ///   - receiveValue: Handles a value.
  /// - Returns: An object that, when it is cancelled or freed, cancels the stream and the handlers that are running,
  ///   whose tasks can tell by `Task.isCancelled`; values that are kept are dropped, and neither closure is called any
  ///   more, but for one that the task is just about to call: of an actor that is busy, it runs when the actor comes to
  ///   it.
  public func sinkAsync(
    maxConcurrent: Int = 1, buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) async -> Void,
    receiveValue: @escaping (Output) async -> Void
  ) -> AnyCancellable {
    precondition(maxConcurrent > 0, "API violation: sinkAsync needs room for one handler at least")
    let subscriber = PullSubscriber<Output, Failure>(buffering)
    subscribe(subscriber)
    // The closures go from here to the tasks, as any closure of a subscriber goes to the thread that sends.
    let handlers = Unchecked(
      AsyncHandlers(subscriber: subscriber, receiveCompletion: receiveCompletion, receiveValue: receiveValue))
    let task = Task(priority: priority) { await handlers.value.run(atOnce: maxConcurrent) }
    return AnyCancellable {
      task.cancel()
      subscriber.cancel()
    }
  }

  /// Handles each value with asynchronous code, one after the other if not told otherwise.
  ///
  /// Values are asked for within this call; those that come meanwhile wait, as with
  /// ``sinkAsync(maxConcurrent:buffering:priority:receiveCompletion:receiveValue:)``.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many handlers may run at once, at least 1. With one, the default, values are handled in
  ///     order; with more they begin in order.
  ///   - buffering: What is kept of the values that come meanwhile. Its number is valid.
  ///   - priority: The priority of the task in which the handlers run.
  ///   - receiveValue: Handles a value.
  /// - Returns: An object that, when it is cancelled or freed, cancels the stream and the handlers that are running.
  public func sinkAsync(
    maxConcurrent: Int = 1, buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    receiveValue: @escaping (Output) async -> Void
  ) -> AnyCancellable {
    sinkAsync(
      maxConcurrent: maxConcurrent, buffering: buffering, priority: priority, receiveCompletion: { _ in },
      receiveValue: receiveValue)
  }
}

/// The handlers of one `sinkAsync`.
private struct AsyncHandlers<Output, Failure: Error> {
  let subscriber: PullSubscriber<Output, Failure>
  let receiveCompletion: (Subscribers.Completion<Failure>) async -> Void
  let receiveValue: (Output) async -> Void

  /// Handles all values, up to a number at once, and then the end.
  func run(atOnce limit: Int) async {
    var completion = Subscribers.Completion<Failure>.finished
    if limit == 1 {
      completion = await handleAll()
    } else {
      let handlers = Unchecked(self)
      await withTaskGroup(of: Subscribers.Completion<Failure>.self) { group in
        for _ in 0..<limit { group.addTask { await handlers.value.handleAll() } }
        // One of them was told of the error.
        for await end in group {
          if case .failure = end { completion = end }
        }
      }
    }
    if !Task.isCancelled { await receiveCompletion(completion) }
  }

  /// Handles values until there are no more.
  ///
  /// - Returns: The end of the stream, as far as this was told.
  private func handleAll() async -> Subscribers.Completion<Failure> {
    do throws(Failure) {
      while let value = try await subscriber.next() {
        // The value may have come before the cancellation, and the task not have gone on since.
        if Task.isCancelled { break }
        await receiveValue(value)
      }
      return .finished
    } catch {
      return .failure(error)
    }
  }
}
