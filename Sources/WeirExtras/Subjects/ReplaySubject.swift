// The subject that keeps its newest values.

public import Weir

/// A subject that gives every new subscriber the newest values, then passes on what comes.
///
/// A subscriber gets what it asks for: one that asks for less than comes gets the next value when it asks, as long as
/// that is among those kept, and the oldest kept otherwise. The completion comes after the last value, also to
/// subscribers that come after it.
///
/// Any thread may send, subscribe, ask or cancel at any time. A subscriber is called by one thread at a time, and all
/// see values in the same order. A value that a subscriber sends while it receives one is delivered when all have got
/// the first; another thread that sends meanwhile waits until the delivery is over, or leaves its value to that
/// (`contention`). Who subscribes or asks gets, before that returns, the values that have been delivered to those who
/// were subscribed before; one that its sender has left to another thread comes from that thread, and where another
/// thread is calling this very subscriber, or about to, that one may deliver them when it is through. It never waits
/// for other subscribers: it is called while another thread calls one of those. On the thread that is delivering it
/// gets them, as that thread's values, when all have got the first; where senders hand over, behind what others have
/// left, and maybe on the thread that takes over.
///
/// What is sent while a subscriber is being given what is kept, as it is new or has asked, and has asked for more than
/// it has got, is kept until it has got it, also beyond the buffer's size; a sender that would deliver to it waits for
/// it, unless the two threads would wait for each other.
///
/// - Complexity: Sending is O(*n*) in the number of subscribers. Memory is O(*k*) in the number of values that are
///   kept, of subscribers, and of streams that have fed it: subscriptions to those are kept until the subject goes.
public final class ReplaySubject<Output, Failure: Error>: Subject {
  #if WEIR_INSPECTION
    /// Where it was made.
    public let _assembly = _AssemblySite.here()
  #endif

  @usableFromInline let core: ReplayCore<Output, Failure>
  private let upstreams = Upstreams(isOpen: true)

  /// Creates a subject without subscribers.
  ///
  /// - Parameter bufferSize: How many values are kept; not negative, `Int.max` for all.
  @inlinable
  public convenience init(bufferSize: Int) { self.init(bufferSize: bufferSize, contention: .wait) }

  /// Creates a subject without subscribers.
  ///
  /// - Parameters:
  ///   - bufferSize: How many values are kept; not negative, `Int.max` for all.
  ///   - contention: What a sender does while another thread is delivering.
  @inlinable
  public convenience init(bufferSize: Int, contention: ContentionPolicy) {
    self.init(core: ReplayCore(limit: bufferSize, name: "ReplaySubject", contention: contention))
  }

  @usableFromInline
  init(core: ReplayCore<Output, Failure>) { self.core = core }

  deinit { upstreams.cancel() }

  /// Keeps a value and sends it to every subscriber that has asked for one. After the completion it does nothing.
  @inlinable
  public func send(_ input: Output) { core.send(input) }

  /// Ends the stream of every subscriber, present and future, once it has got what is kept.
  @inlinable
  public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }

  /// Adds an upstream and asks it for everything.
  public func send(subscription: any Subscription) { upstreams.add(subscription) }

  /// How many signals other threads have left to the thread that is delivering, and, where senders hand over, how many
  /// it has sent itself behind those. By the time this returns, the number may have changed.
  public var handOverDepth: Int { core.handOverDepth }

  /// Attaches a subscriber, which gets the values kept when it asks for them.
  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Output == Downstream.Input, Failure == Downstream.Failure {
    core.subscribe(subscriber)
  }
}

extension ReplaySubject: Sendable where Output: Sendable {}
