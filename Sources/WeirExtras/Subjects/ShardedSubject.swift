// A subject with a lane for each sender, for more senders than one subject can feed.

public import Weir

/// A subject whose senders each have a lane, and whose values are delivered on a scheduler.
///
/// Threads that send to one subject pass its memory to each other with each value, and wait for each other's
/// deliveries. Here a sender asks for a lane, and sends there: while its values are being taken it touches nothing that
/// other senders write, and it never waits for a subscriber. A job on the scheduler goes from lane to lane, and
/// delivers.
///
/// ```swift
/// let loop = EventLoopScheduler()
/// let readings = ShardedSubject<Double, Never>(on: loop)
/// let token = readings.sink { print($0) }
///
/// func measure() {
///   let lane = readings.makeLane()       // one for each thread that sends
///   for step in 0..<3 { lane.send(Double(step)) }
/// }
/// measure()
/// token.cancel()
/// ```
///
/// **Order.** The values of a lane keep their order, and all subscribers see the same one; between lanes there is none,
/// not even where one value was sent because of another. The completion comes behind everything that was sent before
/// it.
///
/// **Demand** is as with a `PassthroughSubject`, where values arrive: a subscriber that hasn't asked for a value then
/// doesn't get it. Values that wait for the scheduler take memory, without a bound: senders that outrun the subscribers
/// should send to another subject, whose default is to wait.
///
/// Any thread may send, also several on one lane, which share its order; any may subscribe and cancel. Subscribers get
/// their subscription on the thread that subscribes, and values and the completion on the scheduler; one that comes
/// after the completion gets that at once. The scheduler must run what it is given: one that drops a job, as an event
/// loop that is shut down, ends the deliveries for good. Within a delivery, what is sent comes later. On a scheduler
/// that runs jobs at once, as `ImmediateScheduler`, the stack grows with every 1,024 values that come without a pause.
///
/// - Complexity: Sending is amortised O(1): two atomic operations on memory of the lane's own while its values are
///   being taken, and an allocation and a job of the scheduler where they weren't.
public final class ShardedSubject<Output, Failure: Error>: Publisher {
  #if WEIR_INSPECTION
    /// Where it was made.
    public let _assembly = _AssemblySite.here()
  #endif

  /// Where one sender sends.
  public struct Lane {
    @usableFromInline let lane: ShardLane<Output, Failure>

    @inlinable
    init(_ core: ShardedCore<Output, Failure>) { lane = ShardLane(core) }

    /// Sends a value to every subscriber that has asked for one when it arrives, behind what was sent on this lane
    /// before. Any thread may call this.
    ///
    /// - Parameter value: The value.
    @inlinable
    public func send(_ value: Output) { lane.send(value) }
  }

  @usableFromInline let subject: PassthroughSubject<Output, Failure>
  @usableFromInline let core: ShardedCore<Output, Failure>

  /// Creates a subject without subscribers and lanes.
  ///
  /// - Parameters:
  ///   - scheduler: Where values are delivered; it is kept as long as the subject or a lane of it.
  ///   - options: Scheduler-specific options.
  @inlinable
  public init<Context: Scheduler>(on scheduler: Context, options: Context.SchedulerOptions? = nil) {
    let subject = PassthroughSubject<Output, Failure>()
    self.subject = subject
    core = ShardedCore(
      schedule: { action in scheduler.schedule(options: options, action) }, deliver: { subject.send($0) },
      finish: { subject.send(completion: $0) })
  }

  /// A new lane, for one sender. What is sent there is delivered also when the subject itself is freed.
  @inlinable
  public func makeLane() -> Lane { Lane(core) }

  /// Ends the stream of every subscriber, present and future, behind all that was sent before. Any thread may call
  /// this.
  ///
  /// - Parameter completion: How the stream ends.
  @inlinable
  public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }

  /// Attaches a subscriber.
  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Output == Downstream.Input, Failure == Downstream.Failure {
    subject.receive(subscriber: subscriber)
  }
}

extension ShardedSubject: Sendable where Output: Sendable {}
extension ShardedSubject.Lane: Sendable where Output: Sendable {}
