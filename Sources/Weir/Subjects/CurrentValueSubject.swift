// The subject that keeps the newest value.

/// A subject that keeps the newest value and gives it to every new subscriber.
///
/// A subscriber gets the newest value when it first asks for values. While it has no demand left it misses values, and
/// gets the newest when it requests values again. Demand that it returns from a value counts for later values alone, as
/// in Combine.
///
/// Any thread may send, read, subscribe or cancel at any time. Subscribers are called one at a time, in the order of
/// their subscription, and see values in the order in which they were stored. A `send` that finds another thread
/// delivering waits for it, as in Combine; <doc:ThreadSafety> says for whom it waits. As soon as `send` returns,
/// `value` is what was sent or newer, whatever the contention policy, unless the stream has ended. A value that a
/// subscriber sends while it receives one is delivered at once, as in Combine: the subscribers behind it in the list
/// get the newer value first.
///
/// - Complexity: Sending a value or the completion is O(*n*) in the number of subscribers, within a delivery in that of
///   all that there have been since the outermost one began; a value allocates nothing unless another thread is
///   delivering. Subscribing and cancelling take amortised constant time.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  #if WEIR_INSPECTION
    /// Where it was made.
    public let _assembly = _AssemblySite.here()
  #endif

  @usableFromInline let core: SubjectCore<Output, Failure>

  /// Creates a subject without subscribers, whose senders wait for each other, as in Combine.
  ///
  /// - Parameter value: The first value.
  @_alwaysEmitIntoClient
  public convenience init(_ value: Output) { self.init(value, contention: .wait) }

  /// Creates a subject without subscribers.
  ///
  /// - Parameters:
  ///   - value: The first value.
  ///   - contention: What a sender does while another thread is delivering.
  @_alwaysEmitIntoClient
  public init(_ value: Output, contention: ContentionPolicy) {
    core = SubjectCore(name: "CurrentValueSubject", latest: LatestValue(value), contention: contention)
  }

  /// Creates a subject to which threads hand their values over, as under ``ContentionPolicy/handOver``, up to a number:
  /// for senders that must not wait, and that may outrun the subscribers.
  ///
  /// Only values that were handed over count; a thread that finds nobody delivering delivers its value itself.
  /// ``value`` is the value sent last in any case, also if there was no room for it.
  ///
  /// - Parameters:
  ///   - value: The first value.
  ///   - limit: How many values may wait for the thread that delivers; at least 1, anything less traps.
  ///   - whenFull: What happens to a value that finds no room. With ``Publishers/BufferingStrategy/customError(_:)``
  ///     the stream fails behind the values that are waiting; the closure runs on the thread that delivers.
  @_alwaysEmitIntoClient
  public init(_ value: Output, handOverLimit limit: Int, whenFull: Publishers.BufferingStrategy<Failure>) {
    core = SubjectCore(
      name: "CurrentValueSubject", latest: LatestValue(value), contention: .handOver,
      bound: HandOverBound(limit: limit, whenFull: whenFull))
  }

  /// How many signals (values, completions, subscriptions and cancellations) other threads have left to the thread that
  /// is delivering. By the time this returns, the number may have changed.
  @_alwaysEmitIntoClient
  public var handOverDepth: Int { core.handOverDepth }

  deinit { core.close() }

  /// The newest value. Setting it sends the value as `send` does; after the completion, the value is only stored.
  ///
  /// - Complexity: Reading is O(1); setting is O(*n*) in the number of subscribers.
  @_alwaysEmitIntoClient
  public var value: Output {
    get { core.value }
    set { core.update(newValue, storesAfterEnd: true) }
  }

  /// Stores a value and sends it to every subscriber that has asked for one. Does nothing after the completion.
  ///
  /// - Complexity: O(*n*) in the number of subscribers.
  @_alwaysEmitIntoClient
  public func send(_ input: Output) { core.update(input, storesAfterEnd: false) }

  /// Ends the stream of every subscriber, present and future. A second completion does nothing.
  ///
  /// - Complexity: O(*n*) in the number of subscribers.
  @_alwaysEmitIntoClient
  public func send(completion: Subscribers.Completion<Failure>) { core.finish(completion) }

  /// Adds an upstream and asks it for everything; it is cancelled when this subject is freed.
  public func send(subscription: any Subscription) { core.send(subscription: subscription) }

  /// Attaches a subscriber, which gets the newest value when it first asks for values.
  @_alwaysEmitIntoClient
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Output == Downstream.Input, Failure == Downstream.Failure {
    core.subscribe(subscriber, to: self)
  }
}

extension CurrentValueSubject: Sendable where Output: Sendable {}
