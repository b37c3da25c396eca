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
  ///   that hears of those that are still to be told, and of one that waits for its answer; those that have not been
  ///   asked for wait. It ends when the trigger has ended.
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
  ///   that hears of those that are still to be told, and of one that waits for its answer; those that have not been
  ///   asked for wait. It ends when the trigger has ended.
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
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

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

/// The failures of one stream, for its trigger, which hears of one at a time, in order.
///
/// What is taken out of the state is freed behind the lock: the `deinit` of a failure may be user code.
private final class FailureLog<Reason: Error>: Sendable {
  struct State {
    var revival: Revival<Reason>?
    var completion: Subscribers.Completion<Reason>?
    /// Counts failures; the first one subscribes to the trigger.
    var failures = 0
    /// Failures of which the trigger has not heard yet, by their numbers, which count from 1.
    var untold: [Int: Reason] = [:]
    /// The number of the last one of which it has heard.
    var told = 0
    /// The failure that waits for its answer, if listeners have heard of it.
    var unanswered: Reason?
    /// Whether somebody subscribes to the trigger, or tells it of failures, and will tell it of all of them.
    var isTelling = false
    /// Who has subscribed, by numbers, which count from 0.
    var listeners: [Int: Listener] = [:]
    var listenersMade = 0
    /// Whether the trigger has ended: no failure will be told.
    var isOver = false

    /// Takes what waits for an answer.
    mutating func takeRevival() -> (revival: Revival<Reason>?, failure: Reason?) {
      (revival.take(), unanswered.take())
    }
  }

  struct Listener {
    let subject: PassthroughSubject<Reason, Never>
    /// What it gets when it is attached; `nil` from then on.
    var early: [Reason]?
  }

  let state = Lock(State())

  /// Adds a listener, which is not attached yet.
  ///
  /// - Returns: Its number.
  func add(_ subject: PassthroughSubject<Reason, Never>) -> Int {
    state.withLock { state in
      let early = state.unanswered.map { [$0] } ?? []
      state.listeners[state.listenersMade] = Listener(subject: subject, early: early)
      state.listenersMade += 1
      return state.listenersMade - 1
    }
  }

  /// Sends a listener that is attached by now what has come since it was added.
  func open(_ number: Int, _ subject: PassthroughSubject<Reason, Never>) {
    while let failures = takeEarly(number) { failures.forEach(subject.send) }
    if state.withLock({ $0.isOver }) { end(number) }
  }

  private func takeEarly(_ number: Int) -> [Reason]? {
    state.withLock { state in
      guard let early = state.listeners[number]?.early else { return nil }
      state.listeners[number]?.early = early.isEmpty ? nil : []
      return early
    }
  }

  /// Ends the stream of failures. Listeners that are not attached yet end when they are.
  func end() {
    let attached = state.withLock { state -> [Int] in
      state.isOver = true
      return state.listeners.filter { $0.value.early == nil }.keys.sorted()
    }
    for number in attached { end(number) }
  }

  private func end(_ number: Int) {
    let listener = state.withLock { $0.listeners.removeValue(forKey: number) }
    listener?.subject.send(completion: .finished)
  }

  func remove(_ number: Int) {
    let listener = state.withLock { $0.listeners.removeValue(forKey: number) }
    withExtendedLifetime(listener) {}
  }

  /// Tells the listeners of the failures, also of those that come meanwhile.
  func tell() {
    while let (failure, subjects) = nextUntold() { for subject in subjects { subject.send(failure) } }
  }

  /// Takes the next failure, for those that are attached; others get it when they are.
  private func nextUntold() -> (failure: Reason, subjects: [PassthroughSubject<Reason, Never>])? {
    state.withLock { state in
      guard let failure = state.untold.removeValue(forKey: state.told + 1) else {
        state.isTelling = false
        return nil
      }
      state.told += 1
      // It may have its answer already, as those before it have.
      if state.told == state.failures, state.revival != nil { state.unanswered = failure }
      var subjects: [PassthroughSubject<Reason, Never>] = []
      for number in state.listeners.keys.sorted() {
        if state.listeners[number]?.early?.append(failure) == nil, let listener = state.listeners[number] {
          subjects.append(listener.subject)
        }
      }
      return (failure, subjects)
    }
  }
}

/// The stream of failures that a trigger is given. It ends when the trigger has ended.
private struct FailurePublisher<Reason: Error>: Publisher {
  typealias Output = Reason
  typealias Failure = Never

  let log: FailureLog<Reason>

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Reason, Downstream.Failure == Never {
    let subject = PassthroughSubject<Reason, Never>()
    let number = log.add(subject)
    // A failure that has not been asked for waits: a trigger may take one at a time.
    subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropOldest)
      .handleEvents(receiveCancel: { [weak log] in log?.remove(number) })
      .receive(subscriber: subscriber)
    log.open(number, subject)
  }
}

/// Leaves each failure to a trigger.
///
/// The trigger may speak on any thread; whoever takes the revival out under the lock uses it. It hears of one failure
/// at a time, in order: of one that comes while it is subscribed to, or hears of another, from the thread that does so.
@usableFromInline
final class TriggeredRevivalPolicy<Trigger: Publisher>: RevivalPolicy {
  @usableFromInline typealias Failure = Trigger.Failure

  private let log = FailureLog<Failure>()
  private let trigger: Trigger

  @usableFromInline static var name: String { "RetryWhen" }

  @usableFromInline
  init(_ makeTrigger: (AnyPublisher<Failure, Never>) -> Trigger) {
    trigger = makeTrigger(FailurePublisher(log: log).eraseToAnyPublisher())
  }

  @usableFromInline
  func noteValue() {}

  @usableFromInline
  func follow(_ failure: Failure, _ revival: Revival<Failure>) {
    let (completion, number, isTold) = log.state.withLock {
      state -> (Subscribers.Completion<Failure>?, Int, Bool) in
      state.failures += 1
      if let completion = state.completion { return (completion, state.failures, true) }
      state.revival = revival
      state.untold[state.failures] = failure
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
    if !isTold { log.tell() }
  }

  private func forget(_ number: Int) {
    let waiting = log.state.withLock { $0.failures == number ? $0.takeRevival() : (nil, nil) }
    withExtendedLifetime(waiting) {}
  }

  private func resume() {
    let waiting = log.state.withLock { $0.takeRevival() }
    waiting.revival?.resume()
  }

  private func end(_ completion: Subscribers.Completion<Failure>) {
    let waiting = log.state.withLock { state in
      state.completion = completion
      return state.takeRevival()
    }
    waiting.revival?.conclude(completion)
    // What has ended by an inner failure of `flatMap` is still subscribed, and would never be freed.
    log.end()
  }
}
