// The subject that keeps nothing.

/// A subject that passes values on to its subscribers and keeps none.
///
/// A value is dropped for every subscriber that has not asked for one. Any thread may send, subscribe or cancel at any
/// time; subscribers are called one at a time, in the order of their subscription. A `send` that finds another thread
/// delivering waits for it and then delivers its own value, as in Combine; <doc:ThreadSafety> says for whom it waits. With
/// `.handOver` for its contention policy it leaves its value to that thread instead.
///
/// - Complexity: `send` is O(*n*) in the number of subscribers and allocates nothing, unless another thread is delivering.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  @usableFromInline let core: SubjectCore<Output, Failure>

  /// Creates a subject without subscribers, whose senders wait for each other, as in Combine.
  @_alwaysEmitIntoClient
  public convenience init() { self.init(contention: .wait) }

  /// Creates a subject without subscribers.
  ///
  /// - Parameter contention: What a sender does while another thread is delivering.
  @_alwaysEmitIntoClient
  public init(contention: ContentionPolicy) { core = SubjectCore(name: "PassthroughSubject", contention: contention) }

  /// Creates a subject to which threads hand their values over, as under ``ContentionPolicy/handOver``, but no more than so
  /// many: for senders that must not wait, and that may outrun the subscribers.
  ///
  /// Only values that were handed over count; a thread that finds nobody delivering delivers its value itself.
  ///
  /// - Parameters:
  ///   - limit: How many values may wait for the thread that delivers; at least 1.
  ///   - whenFull: What happens to a value that finds no room. With ``Publishers/BufferingStrategy/customError(_:)`` the stream
  ///     fails behind the values that wait; the closure runs on the thread that delivers.
  @_alwaysEmitIntoClient
  public init(handOverLimit limit: Int, whenFull: Publishers.BufferingStrategy<Failure>) {
    core = SubjectCore(
      name: "PassthroughSubject", contention: .handOver, bound: HandOverBound(limit: limit, whenFull: whenFull))
  }

  /// How many signals of other threads wait for the thread that is delivering, at some time before now.
  @_alwaysEmitIntoClient
  public var handOverDepth: Int { core.handOverDepth }

  deinit { core.close() }

  /// Sends a value to every subscriber that has asked for one.
  @_alwaysEmitIntoClient @inline(__always)
  public func send(_ input: Output) { core.send(input) }

  /// Ends the stream of every subscriber, present and future.
  @_alwaysEmitIntoClient
  public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }

  /// Adds an upstream, which is asked for everything once a subscriber has asked for anything.
  public func send(subscription: any Subscription) { core.send(subscription: subscription) }

  /// Attaches a subscriber.
  @_alwaysEmitIntoClient
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Output == Downstream.Input, Failure == Downstream.Failure {
    core.subscribe(subscriber, to: self)
  }
}
