// Handles each value with asynchronous code.

public import Weir
import WeirQueues

extension Publisher {
  /// Handles each value with asynchronous code, one after the other.
  ///
  /// Values are asked for within this call. Those that come while a handler runs, or before the task that runs them has
  /// begun, wait in order, and all of them, if `buffering` doesn't say otherwise: so of a stream that is long and at
  /// hand all values are in memory at once; `.backpressure(_:)` makes it wait. `.backpressure(0)` asks for a value only
  /// when a handler may run, by the task: what a subject sends before that is dropped. Unlike the commonly copied
  /// version, this runs one handler at a time, takes streams with any kind of error and tells of the end.
  ///
  /// - Parameters:
  ///   - buffering: What is kept of the values that come meanwhile. Its number is valid.
  ///   - priority: The priority of the task in which the handlers run.
  ///   - receiveCompletion: Called at the end of the stream, after the last handler.
  ///   - receiveValue: Handles a value.
  /// - Returns: An object that, when it is cancelled or freed, cancels the stream and the handlers that are running,
  ///   whose tasks can tell by `Task.isCancelled`; values that are kept are dropped, and neither closure is called any
  ///   more, but where a task is just about to call one: of an actor that is busy, it runs when the actor comes to it.
  @_disfavoredOverload
  public func sinkAsync(
    buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) async -> Void,
    receiveValue: @escaping (Output) async -> Void
  ) -> AnyCancellable {
    handle(
      AsyncHandlers(
        subscriber: PullSubscriber(buffering), receiveCompletion: receiveCompletion, receiveValue: receiveValue),
      atOnce: 1, priority)
  }

  /// Handles each value with asynchronous code, one after the other.
  ///
  /// Values are asked for within this call, but with `.backpressure(0)`; those that come meanwhile wait, as with
  /// ``sinkAsync(buffering:priority:receiveCompletion:receiveValue:)``.
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

  /// Handles values with asynchronous code, several at once.
  ///
  /// Where several may run, each handler has a task of its own: those are started in the order of the values, but
  /// threads that are free at the same time may begin them in another. Everything else is as with
  /// ``sinkAsync(buffering:priority:receiveCompletion:receiveValue:)``.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many handlers may run at once, at least 1, with which values are handled in order.
  ///   - buffering: What is kept of the values that come meanwhile. Its number is valid.
  ///   - priority: The priority of the task in which the handlers run.
  ///   - receiveCompletion: Called at the end of the stream, after the last handler. Nothing is called by default.
  ///   - receiveValue: Handles a value. It may run on several threads at once, so that it is `@Sendable`.
  /// - Returns: An object that, when it is cancelled or freed, cancels the stream and the handlers that are running.
  @_disfavoredOverload
  public func sinkAsync(
    maxConcurrent: Int, buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) async -> Void = { _ in },
    receiveValue: @escaping @Sendable (Output) async -> Void
  ) -> AnyCancellable {
    precondition(maxConcurrent > 0, "API violation: sinkAsync needs room for one handler at least")
    return handle(
      AsyncHandlers(
        subscriber: PullSubscriber(buffering), receiveCompletion: receiveCompletion, receiveValue: receiveValue),
      atOnce: maxConcurrent, priority)
  }

  /// Subscribes, and has a task call the handlers.
  private func handle(
    _ handlers: AsyncHandlers<Output, Failure>, atOnce limit: Int, _ priority: TaskPriority?
  ) -> AnyCancellable {
    let subscriber = handlers.subscriber
    subscribe(subscriber)
    // The closures go from here to the tasks, as any closure of a subscriber goes to the thread that sends.
    let sent = Unchecked(handlers)
    let task = Task(priority: priority) { await sent.value.run(atOnce: limit) }
    return AnyCancellable {
      task.cancel()
      subscriber.cancel()
    }
  }
}

/// The handlers of one `sinkAsync`.
private struct AsyncHandlers<Output, Failure: Error> {
  let subscriber: PullSubscriber<Output, Failure>
  let receiveCompletion: (Subscribers.Completion<Failure>) async -> Void
  let receiveValue: (Output) async -> Void

  /// Handles all values, up to a number at once, and then the end.
  func run(atOnce limit: Int) async {
    let completion = limit == 1 ? await handleOneByOne() : await handle(atOnce: limit)
    if !Task.isCancelled { await receiveCompletion(completion) }
  }

  private func handleOneByOne() async -> Subscribers.Completion<Failure> {
    do throws(Failure) {
      while let value = try await next() { await receiveValue(value) }
      return .finished
    } catch {
      return .failure(error)
    }
  }

  /// Starts a task for each value, when there is a value and fewer tasks than may run.
  private func handle(atOnce limit: Int) async -> Subscribers.Completion<Failure> {
    let room = Room(for: limit)
    let handlers = Unchecked(self)
    let end = await withDiscardingTaskGroup { group in
      do throws(Failure) {
        while true {
          await room.take()
          guard let value = try await handlers.value.next() else { break }
          let handler = Unchecked { await handlers.value.receiveValue(value) }
          group.addTask {
            if !Task.isCancelled { await handler.value() }
            room.giveBack()
          }
        }
        return Unchecked(Subscribers.Completion<Failure>.finished)
      } catch {
        return Unchecked(Subscribers.Completion<Failure>.failure(error))
      }
    }
    return end.value
  }

  /// - Returns: The next value; `nil` at the end, or where the task is cancelled: the value may have come before that,
  ///   and the task not have gone on since.
  private func next() async throws(Failure) -> Output? {
    let value = try await subscriber.next()
    return Task.isCancelled ? nil : value
  }
}
