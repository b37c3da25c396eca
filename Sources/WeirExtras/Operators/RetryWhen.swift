// Subscribes to a failed stream again when another stream says so.

public import Weir
import WeirQueues

extension Publisher {
  /// Subscribes to this stream again, after a failure, when another stream says so.
  ///
  /// The closure is called once per subscription, with a stream of the failures; what it returns is subscribed to at
  /// the first failure, and told of it behind what it publishes at once. Each value of that subscribes to this stream
  /// again if a failure waits for that. When it ends, so does the result, with its completion: at once if a failure
  /// waits, with the next failure otherwise.
  ///
  /// - Parameter trigger: Makes the stream that says when to try again, given the stream of failures. Who subscribes to
  ///   that while a failure waits for its answer gets that one first; those that have not been asked for wait.
  @_disfavoredOverload
  @inlinable
  public func retry<Trigger: Publisher>(
    when trigger: @escaping (AnyPublisher<Failure, Never>) -> Trigger
  ) -> Publishers.RetryWhen<Self, Trigger> where Trigger.Failure == Failure {
    Publishers.RetryWhen(upstream: self, trigger: trigger)
  }

  /// Subscribes to this stream again, after a failure, when another stream says so, which can't fail.
  ///
  /// The closure is called once per subscription, with a stream of the failures; what it returns is subscribed to at
  /// the first failure, and told of it behind what it publishes at once. Each value of that subscribes to this stream
  /// again if a failure waits for that. When it finishes, so does the result: at once if a failure waits, with the next
  /// failure otherwise.
  ///
  /// - Parameter trigger: Makes the stream that says when to try again, given the stream of failures. Who subscribes to
  ///   that while a failure waits for its answer gets that one first; those that have not been asked for wait.
  @_disfavoredOverload
  @inlinable
  public func retry<Trigger: Publisher>(
    when trigger: @escaping (AnyPublisher<Failure, Never>) -> Trigger
  ) -> Publishers.RetryWhen<Self, Publishers.SetFailureType<Trigger, Failure>> where Trigger.Failure == Never {
    let failure = Failure.self
    return Publishers.RetryWhen(upstream: self) { trigger($0).setFailureType(to: failure) }
  }
}

extension Publisher where Failure == Never {
  /// Passes this stream on, which never fails. Where neither can fail, both forms above would do.
  ///
  /// - Parameter trigger: Makes the stream that says when to try again, which is never subscribed to.
  @_disfavoredOverload
  @inlinable
  public func retry<Trigger: Publisher>(
    when trigger: @escaping (AnyPublisher<Failure, Never>) -> Trigger
  ) -> Publishers.RetryWhen<Self, Trigger> where Trigger.Failure == Never {
    Publishers.RetryWhen(upstream: self, trigger: trigger)
  }
}

extension Publishers {
  /// Subscribes to another publisher again, after a failure, when a trigger says so.
  ///
  /// Demand that has not been met is passed to the next attempt. Failures that follow each other at once are answered
  /// in a loop, so the stack does not grow.
  public struct RetryWhen<Upstream: Publisher, Trigger: Publisher>: Publisher
  where Trigger.Failure == Upstream.Failure {
    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the trigger, given the stream of failures.
    public let trigger: (AnyPublisher<Failure, Never>) -> Trigger

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - trigger: Makes the trigger, given the stream of failures.
    @inlinable
    public init(upstream: Upstream, trigger: @escaping (AnyPublisher<Failure, Never>) -> Trigger) {
      self.upstream = upstream
      self.trigger = trigger
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      RevivalSubscriber.attach(upstream, TriggeredRevivalPolicy(trigger), to: subscriber)
    }
  }
}

/// Leaves each failure to a trigger.
///
/// The trigger may speak on any thread; whoever takes the revival out under the lock uses it. It hears of one failure
/// at a time, in order: of one that comes while it is subscribed to, or hears of another, from the thread that does so.
@usableFromInline
final class TriggeredRevivalPolicy<Trigger: Publisher>: RevivalPolicy {
  @usableFromInline typealias Failure = Trigger.Failure

  private typealias Told = (number: Int, failure: Failure)

  private struct State {
    var revival: Revival<Failure>?
    var completion: Subscribers.Completion<Failure>?
    /// Counts failures; the first one subscribes to the trigger.
    var failures = 0
    /// Failures of which the trigger has not heard yet, in order.
    var untold: [Told] = []
    /// The last one of which it may have heard.
    var told: Told?
    /// Whether somebody subscribes to the trigger, or tells it of failures, and will tell it of all of them.
    var isTelling = false

    /// The failure that waits for its answer, if the trigger may have heard of it.
    var unanswered: Told? { revival != nil && told?.number == failures ? told : nil }
  }

  /// The state, which the stream of failures has too.
  private final class Memory: Sendable {
    let state = Lock(State())
  }

  private let memory = Memory()
  private let failures = PassthroughSubject<Told, Never>()
  private let trigger: Trigger

  @usableFromInline static var name: String { "RetryWhen" }

  @usableFromInline
  init(_ makeTrigger: (AnyPublisher<Failure, Never>) -> Trigger) {
    // A failure that the trigger has not asked for waits: it may take one at a time. So does one that comes while it is
    // not subscribed to this stream, until it is.
    let told = Deferred { [failures, memory] in
      var last = 0
      return failures.merge(with: Deferred { memory.state.withLock { $0.unanswered }.publisher })
        .filter { number, _ in
          defer { last = max(last, number) }
          return number > last
        }
        .map(\.failure)
    }
    trigger = makeTrigger(told.buffer(size: .max, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher())
  }

  @usableFromInline
  func noteValue() {}

  @usableFromInline
  func follow(_ failure: Failure, _ revival: Revival<Failure>) {
    let (completion, number, isTold) = memory.state.withLock { state -> (Subscribers.Completion<Failure>?, Int, Bool) in
      state.failures += 1
      if let completion = state.completion { return (completion, state.failures, true) }
      state.revival = revival
      state.untold.append((state.failures, failure))
      defer { state.isTelling = true }
      return (nil, state.failures, state.isTelling)
    }
    if let completion { return revival.conclude(completion) }
    // The revival holds the subscriber, and that this: a cancellation has to break the circle.
    revival.holdWhileWaiting(AnyCancellable { [weak self] in self?.forget(number) })
    if number == 1 {
      revival.holdToTheEnd(
        trigger.sink(
          receiveCompletion: { [weak self] in self?.end($0) }, receiveValue: { [weak self] _ in self?.resume() }))
    }
    if !isTold { tell() }
  }

  /// Tells the trigger of the failures, also of those that come meanwhile.
  private func tell() { while let failure = nextUntold() { failures.send(failure) } }

  private func nextUntold() -> Told? {
    memory.state.withLock { state -> Told? in
      state.isTelling = !state.untold.isEmpty
      guard state.isTelling else { return nil }
      state.told = state.untold.removeFirst()
      return state.told
    }
  }

  private func forget(_ number: Int) {
    let revival = memory.state.withLock { state in
      state.failures == number ? state.revival.take() : nil
    }
    withExtendedLifetime(revival) {}
  }

  private func resume() {
    let revival = memory.state.withLock { $0.revival.take() }
    revival?.resume()
  }

  private func end(_ completion: Subscribers.Completion<Failure>) {
    let revival = memory.state.withLock { state in
      state.completion = completion
      return state.revival.take()
    }
    revival?.conclude(completion)
  }
}
