// The subject that keeps nothing.

/// A subject that passes values on to its subscribers and keeps none.
///
/// A subscriber that has not asked for a value does not get it, then or later.
///
/// Any thread may send, subscribe or cancel at any time. Subscribers are called one at a time, in the order of their
/// subscription. A `send` that finds another thread delivering waits for it and then delivers its own value, as in
/// Combine; <doc:ThreadSafety> says for whom it waits. With the contention policy `.handOver` it leaves its value to
/// that thread instead.
///
/// - Complexity: Sending a value or the completion is O(*n*) in the number of subscribers, within a delivery in that of
///   all that there have been since the outermost one began; a value allocates nothing unless another thread is
///   delivering. Subscribing and cancelling take amortised constant time.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  #if WEIR_INSPECTION
    /// Where it was made.
    public let _assembly = _AssemblySite.here()
  #endif

  @usableFromInline let core: SubjectCore<Output, Failure>

  /// Creates a subject without subscribers, whose senders wait for each other, as in Combine.
  @_alwaysEmitIntoClient
  public convenience init() { self.init(contention: .wait) }

  /// Creates a subject without subscribers.
  ///
  /// - Parameter contention: What a sender does while another thread is delivering.
  @_alwaysEmitIntoClient
  public init(contention: ContentionPolicy) { core = SubjectCore(name: "PassthroughSubject", contention: contention) }

  /// Creates a subject to which threads hand their values over, as under ``ContentionPolicy/handOver``, up to a number:
  /// for senders that must not wait, and that may outrun the subscribers.
  ///
  /// Only values that were handed over count; a thread that finds nobody delivering delivers its value itself.
  ///
  /// - Parameters:
  ///   - limit: How many values may wait for the thread that delivers; at least 1, anything less traps.
  ///   - whenFull: What happens to a value that finds no room. With ``Publishers/BufferingStrategy/customError(_:)``
  ///     the stream fails behind the values that are waiting; the closure runs on the thread that delivers.
  @_alwaysEmitIntoClient
  public init(handOverLimit limit: Int, whenFull: Publishers.BufferingStrategy<Failure>) {
    core = SubjectCore(
      name: "PassthroughSubject", contention: .handOver, bound: HandOverBound(limit: limit, whenFull: whenFull))
  }

  /// How many signals (values, completions, subscriptions and cancellations) other threads have left to the thread that
  /// is delivering. By the time this returns, the number may have changed.
  @_alwaysEmitIntoClient
  public var handOverDepth: Int { core.handOverDepth }

  deinit { core.close() }

  /// Sends a value to every subscriber that has asked for one. Does nothing after the completion.
  ///
  /// - Complexity: O(*n*) in the number of subscribers.
  @_alwaysEmitIntoClient @inline(__always)
  public func send(_ input: Output) { core.send(input) }

  /// Ends the stream of every subscriber, present and future. A second completion does nothing.
  ///
  /// - Complexity: O(*n*) in the number of subscribers.
  @_alwaysEmitIntoClient
  public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }

  /// Adds an upstream, which is asked for everything once a subscriber has asked for anything, and cancelled when this
  /// subject is freed.
  public func send(subscription: any Subscription) { core.send(subscription: subscription) }

  /// Attaches a subscriber.
  @_alwaysEmitIntoClient
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Output == Downstream.Input, Failure == Downstream.Failure {
    core.subscribe(subscriber, to: self)
  }
}

extension PassthroughSubject: PassingSubject {
  @inlinable package var passingCore: AnyObject { core }
}

extension PassthroughSubject: Sendable where Output: Sendable {}
