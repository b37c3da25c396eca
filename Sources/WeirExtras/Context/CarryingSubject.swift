// A subject that delivers each value in the context of its sender, whichever thread delivers.

public import Weir

/// A `PassthroughSubject` that delivers each value in the context of its sender, also where another thread delivers it.
///
/// A subject whose senders hand over leaves a value to the thread that is delivering, where other task-local values are
/// bound than in the sender. Here each value, and the end, comes in the context of who has sent it, and the stream
/// carries that on:
///
/// ```swift
/// enum Request { @TaskLocal static var id = "none" }
///
/// let orders = CarryingSubject<Int, Never, _>(carrying: Request.$id, contention: .handOver)
/// let token = orders.sink { print(Request.id, $0) }
/// ```
///
/// Any thread may send, subscribe or cancel at any time.
///
/// - Complexity: As `PassthroughSubject`; each delivery to a subscriber binds the context once.
public final class CarryingSubject<Output, Failure: Error, Locals: StreamContext>: Subject, ContextCarrying {
  #if WEIR_INSPECTION
    /// Where it was made.
    public let _assembly = _AssemblySite.here()
  #endif

  /// What is captured where a value is sent.
  public let carriedLocals: Locals

  @usableFromInline let subject: PassthroughSubject<Carried<Output, Locals>, Failure>
  @usableFromInline let end = EndContext<Locals>()

  /// Creates a subject without subscribers.
  ///
  /// - Parameters:
  ///   - locals: What is carried: a task-local value, as `$id`, or several, as `JoinedContext($id, $span)`.
  ///   - contention: What a sender does while another thread is delivering.
  @inlinable
  public init(carrying locals: Locals, contention: ContentionPolicy = .wait) {
    carriedLocals = locals
    subject = PassthroughSubject(contention: contention)
  }

  /// Creates a subject to which threads hand their values over, up to a number.
  ///
  /// - Parameters:
  ///   - locals: What is carried.
  ///   - limit: How many values may wait for the thread that delivers; at least 1, anything less traps.
  ///   - whenFull: What happens to a value that finds no room. With `.customError`, the failure carries no context: it
  ///     comes in that of the thread that delivers it, or of a failure that was sent behind it.
  @inlinable
  public init(
    carrying locals: Locals, handOverLimit limit: Int, whenFull: Publishers.BufferingStrategy<Failure>
  ) {
    carriedLocals = locals
    subject = PassthroughSubject(handOverLimit: limit, whenFull: whenFull)
  }

  /// How many signals other threads have left to the thread that is delivering. By the time this returns, the number
  /// may have changed.
  @inlinable
  public var handOverDepth: Int { subject.handOverDepth }

  /// Sends a value to every subscriber that has asked for one, in the caller's context. Does nothing after the
  /// completion.
  @inlinable
  public func send(_ input: Output) { subject.send(Carried(input, carriedLocals, carriedLocals.capture())) }

  /// Ends the stream of every subscriber, present and future, in the caller's context. A second completion does
  /// nothing; if two threads end the stream at once, the end may come in the context of either.
  @inlinable
  public func send(completion: Subscribers.Completion<Failure>) {
    end.putIfFirst(carriedLocals.capture(), at: completion)
    subject.send(completion: completion)
  }

  /// Adds an upstream, which is asked for everything once a subscriber has asked for anything.
  public func send(subscription: any Subscription) { subject.send(subscription: subscription) }

  /// Attaches a subscriber.
  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Output == Downstream.Input, Failure == Downstream.Failure {
    subject.receive(subscriber: BindingSubscriber(downstream: subscriber, locals: carriedLocals, end: end))
  }
}

extension CarryingSubject: Sendable where Output: Sendable {}
