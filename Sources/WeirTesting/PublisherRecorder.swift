// Records what a publisher sends, and compares it with what a test expects.

public import Weir
import WeirQueues

/// Something that a publisher sent.
public enum RecordedEvent<Output, Failure: Error> {
  /// A value.
  case value(Output)
  /// The end.
  case completion(Subscribers.Completion<Failure>)
}

extension RecordedEvent: Equatable where Output: Equatable, Failure: Equatable {}
extension RecordedEvent: Sendable where Output: Sendable, Failure: Sendable {}

/// A subscriber that records what it receives.
///
///     let recorder = subject.record()
///     subject.send(1)
///     recorder.expect(values: [1])
///     subject.send(completion: .finished)
///     try await recorder.waitForCompletion()
///
/// Any thread may use it, and it is `Sendable` if the values are. One that `record()` has made cancels its subscription
/// when it is freed; one that was subscribed to a publisher by hand is kept alive by that, as any subscriber is, until
/// the stream ends or it is cancelled.
public final class PublisherRecorder<Output, Failure: Error>: Subscriber, Cancellable {
  /// The values that it receives.
  public typealias Input = Output

  let tape: RecorderTape<Output, Failure>

  /// Creates a recorder, to be subscribed to a publisher.
  ///
  /// - Parameter demand: What it asks for at the beginning.
  public init(demand: Subscribers.Demand = .unlimited) { tape = RecorderTape(demand: demand, clock: nil) }

  init(_ tape: RecorderTape<Output, Failure>) { self.tape = tape }

  deinit { cancel() }

  /// Everything that came, in order.
  public var events: [RecordedEvent<Output, Failure>] { tape.records.map(\.event) }

  /// The values that came, in order.
  public var values: [Output] { tape.valuesAndCompletion().values }

  /// The end, once it has come.
  public var completion: Subscribers.Completion<Failure>? { tape.completion }

  /// Asks for more values; before the subscription, adds to what is asked for at the beginning.
  public func request(_ demand: Subscribers.Demand) { tape.request(demand) }

  /// Cancels the subscription.
  public func cancel() { tape.cancel() }

  /// Takes the subscription; a second one is cancelled.
  public func receive(subscription: any Subscription) { tape.receive(subscription: subscription) }

  /// Records a value.
  public func receive(_ input: Output) -> Subscribers.Demand { tape.receive(input) }

  /// Records the end.
  public func receive(completion: Subscribers.Completion<Failure>) { tape.receive(completion: completion) }

  // MARK: Waiting

  /// Waits until there are so many values, the stream has ended, time is up or the task is cancelled.
  nonisolated(nonsending)
    func waitUntilReady(_ count: Int, timeout: Duration) async
  {
    let place = WaitingPlace()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let once = ResumeOnce(continuation)
        let tape = tape
        let number = tape.whenReady(count) { once.resume() }
        place.open {
          tape.forget(number)
          once.resume()
        }
        let timer = Task.detached {
          // The system's clock can't tell moments that are much further away, or as far back.
          try? await Task.sleep(for: max(.zero, min(timeout, .seconds(1 << 32))))
          if !Task.isCancelled { place.leave() }
        }
        once.whenResumed { timer.cancel() }
      }
    } onCancel: {
      place.leave()
    }
  }

  /// Waits for a number of values in all.
  ///
  /// - Parameters:
  ///   - count: How many values there must be, with those that have come already; less than one is none.
  ///   - timeout: The longest time to wait; one below zero is over at once.
  ///   - fileID: Names the place in errors.
  ///   - line: Names the place in errors.
  /// - Returns: So many values, the first that came.
  /// - Throws: What the publisher fails with, if it fails first; otherwise a ``PublisherTestError``.
  @discardableResult
  nonisolated(nonsending)
    public func waitForValues(
      _ count: Int, timeout: Duration = .seconds(1), fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Output]
  {
    await waitUntilReady(count, timeout: timeout)
    return try firstValues(count, Wait("\(fileID)", line, timeout))
  }

  /// Waits for the end.
  ///
  /// - Parameters:
  ///   - timeout: The longest time to wait; one below zero is over at once.
  ///   - fileID: Names the place in errors.
  ///   - line: Names the place in errors.
  /// - Throws: ``PublisherTestError/timedOut`` or ``PublisherTestError/cancelled``.
  @discardableResult
  nonisolated(nonsending)
    public func waitForCompletion(
      timeout: Duration = .seconds(1), fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Subscribers.Completion<Failure>
  {
    await waitUntilReady(.max, timeout: timeout)
    guard let completion else { throw Wait("\(fileID)", line, timeout).error(for: "the end", after: values.count) }
    return completion
  }

  /// A wait in a test, for what is said of it.
  struct Wait {
    private let place: String
    private let timeout: Duration

    /// - Parameters:
    ///   - file: The test's file.
    ///   - line: The line that waits.
    ///   - timeout: How long it waits at most.
    init(_ file: String, _ line: UInt, _ timeout: Duration) {
      place = "\(file):\(line)"
      self.timeout = timeout
    }

    /// Why it ended without what it was for, and without the stream's end.
    func error(for awaited: String, after count: Int) -> PublisherTestError {
      if Task.isCancelled { return .cancelled("\(place): cancelled while it waited for \(awaited)") }
      return .timedOut("\(place): waited \(timeout) in vain for \(awaited); \(Wait.came(count))")
    }

    /// That the stream finished before.
    func finished(before awaited: String, after count: Int) -> PublisherTestError {
      .finishedEarly("\(place): the publisher finished before \(awaited); \(Wait.came(count))")
    }

    private static func came(_ count: Int) -> String {
      switch count {
      case 0: "no value came"
      case 1: "one value came"
      default: "\(count) values came"
      }
    }
  }

  func firstValues(_ count: Int, _ wait: Wait) throws -> [Output] {
    // At once: the end that another thread tells of may come behind values that were not there yet.
    let (values, completion) = tape.valuesAndCompletion(atMost: max(count, 0))
    if values.count >= count { return values }
    let awaited = count == 1 ? "a value" : "\(count) values"
    switch completion {
    case .failure(let failure): throw failure
    case .finished: throw wait.finished(before: awaited, after: values.count)
    case nil: throw wait.error(for: awaited, after: values.count)
    }
  }
}

extension PublisherRecorder: Sendable where Output: Sendable {}

/// Resumes a continuation once, whoever comes first.
private final class ResumeOnce: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, Never>?
    var isOver = false
    var follow: (() -> Void)?
  }
  private let state: Lock<State>

  init(_ continuation: CheckedContinuation<Void, Never>) { state = Lock(State(continuation: continuation)) }

  func resume() {
    let (continuation, follow) = state.withLock { state in
      defer { state = State(continuation: nil, isOver: true) }
      return (state.continuation, state.follow)
    }
    continuation?.resume()
    follow?()
  }

  func whenResumed(_ follow: @escaping () -> Void) {
    let isOver = state.withLock { state -> Bool in
      if !state.isOver { state.follow = follow }
      return state.isOver
    }
    if isOver { follow() }
  }
}

/// A wait that may be left before it has begun.
private final class WaitingPlace: Sendable {
  private struct State {
    var isLeft = false
    var leave: (() -> Void)?
  }
  private let state = Lock(State())

  func open(_ leave: @escaping () -> Void) {
    let isLeft = state.withLock { state -> Bool in
      if !state.isLeft { state.leave = leave }
      return state.isLeft
    }
    if isLeft { leave() }
  }

  func leave() {
    let leave = state.withLock { state in
      defer { state = State(isLeft: true) }
      return state.leave
    }
    leave?()
  }
}

extension Publisher {
  /// Subscribes a recorder to this publisher.
  ///
  /// - Parameter demand: What it asks for at the beginning.
  /// - Returns: The recorder; the subscription is cancelled when it is freed.
  public func record(demand: Subscribers.Demand = .unlimited) -> PublisherRecorder<Output, Failure> {
    record(demand: demand, clock: nil)
  }

  func record(demand: Subscribers.Demand, clock: FrameClock?) -> PublisherRecorder<Output, Failure> {
    let tape = RecorderTape<Output, Failure>(demand: demand, clock: clock)
    subscribe(tape)
    return PublisherRecorder(tape)
  }
}

extension PublisherRecorder where Output: Equatable {
  /// Fails the test unless exactly these values have come.
  public func expect(
    values expected: [Output], fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let actual = values
    guard actual != expected else { return }
    reportTestFailure(
      "the stream has other values\nexpected: \(expected)\nactual:   \(actual)",
      at: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension PublisherRecorder {
  /// Fails the test unless the stream has finished.
  public func expectFinished(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let actual = completion
    if case .finished = actual { return }
    reportTestFailure(
      "the stream has not finished\nexpected: finished\nactual:   \(actual.map { "\($0)" } ?? "no end yet")",
      at: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Fails the test unless the stream has failed as told.
  public func expectFailure(
    _ expected: Failure, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where Failure: Equatable {
    let actual = completion
    if case .failure(let failure) = actual, failure == expected { return }
    reportTestFailure(
      "the stream has not failed as expected\nexpected: failure(\(expected))\nactual:   "
        + (actual.map { "\($0)" } ?? "no end yet"),
      at: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
