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
  @inlinable
  public convenience init() { self.init(contention: .wait) }

  /// Creates a subject without subscribers.
  ///
  /// - Parameter contention: What a sender does while another thread is delivering.
  @inlinable
  public init(contention: ContentionPolicy) { core = SubjectCore(name: "PassthroughSubject", contention: contention) }

  /// How many signals of other threads wait for the thread that is delivering, at some time before now.
  @inlinable
  public var handOverDepth: Int { core.handOverDepth }

  deinit { core.close() }

  /// Sends a value to every subscriber that has asked for one.
  @inlinable @inline(__always)
  public func send(_ input: Output) { core.send(input) }

  /// Ends the stream of every subscriber, present and future.
  @inlinable
  public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }

  /// Adds an upstream, which is asked for everything once a subscriber has asked for anything.
  public func send(subscription: any Subscription) { core.send(subscription: subscription) }

  /// Attaches a subscriber.
  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Output == Downstream.Input, Failure == Downstream.Failure {
    core.subscribe(subscriber, to: self)
  }
}
