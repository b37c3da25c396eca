// Handles each value with asynchronous code, one after the other.

public import Weir
import WeirQueues

extension Publisher {
  /// Handles each value with asynchronous code, in order: the next value is asked for when the handler has returned.
  ///
  /// A publisher that can't hold values back, such as a `PassthroughSubject`, drops what comes while a handler runs, or
  /// before the task that runs them has begun, which is some time after this call; put
  /// `buffer(size:prefetch:whenFull:)` before this to keep it. Unlike the commonly copied version, it runs one handler
  /// at a time, takes streams with any kind of error and tells of the end.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task in which the handlers run.
  ///   - receiveCompletion: Called at the end of the stream, after the last handler.
  ///   - receiveValue: Handles a value.
  /// - Returns: An object that, when it is cancelled or freed, cancels the stream and the handler that is running,
  ///   whose task can tell by `Task.isCancelled`; neither closure is called any more.
  public func sinkAsync(
    priority: TaskPriority? = nil,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) async -> Void,
    receiveValue: @escaping (Output) async -> Void
  ) -> AnyCancellable {
    let subscriber = PullSubscriber<Output, Failure>()
    subscribe(subscriber)
    let job = Unchecked({ () async -> Void in
      var completion = Subscribers.Completion<Failure>.finished
      do throws(Failure) {
        while let value = try await subscriber.next() {
          // The value may have come before the cancellation, and the task not have gone on since.
          if Task.isCancelled { return }
          await receiveValue(value)
        }
      } catch {
        completion = .failure(error)
      }
      if !Task.isCancelled { await receiveCompletion(completion) }
    })
    let task = Task(priority: priority) { await job.value() }
    return AnyCancellable {
      task.cancel()
      subscriber.cancel()
    }
  }

  /// Handles each value with asynchronous code, in order: the next value is asked for when the handler has returned.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task in which the handlers run.
  ///   - receiveValue: Handles a value.
  /// - Returns: An object that, when it is cancelled or freed, cancels the stream and the handler that is running.
  public func sinkAsync(
    priority: TaskPriority? = nil, receiveValue: @escaping (Output) async -> Void
  ) -> AnyCancellable {
    sinkAsync(priority: priority, receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
