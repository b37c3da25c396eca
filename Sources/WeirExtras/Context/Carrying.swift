// Streams whose values keep the task-local values of their senders.

public import Weir

extension Publisher {
  /// Has values keep the context that they were sent in: what is bound where a value passes here is bound where it is
  /// delivered, also by another thread, later.
  ///
  /// ```swift
  /// enum Request { @TaskLocal static var id = "none" }
  ///
  /// let orders = PassthroughSubject<Int, Never>()
  /// let token = orders.carrying(Request.$id)
  ///   .receive(on: DispatchQueue.main)
  ///   .sink { print(Request.id, $0) }              // a7 42
  /// Request.$id.withValue("a7") { orders.send(42) }
  /// token.cancel()
  /// ```
  ///
  /// It captures nothing by itself, and costs nothing: it marks the stream. Operators that deliver later or elsewhere
  /// (`receive(on:)`, `delay`, `debounce`, `throttle`, `timeout`, `collect` by time, `buffer`, `flatMap`,
  /// `flatMapFirst`, `flatMapLatest`, `switchToLatest`, `mapAsync`, `compactMapAsync`, `sinkAsync`) find the mark in
  /// the stream's type, capture before them and bind behind them, and so do further ones behind those. Operators that
  /// pass values on as they come keep the mark; the types of those conform to ``ContextCarrying``.
  /// <doc:ContextAndMetrics> says whose context that is, and what isn't covered. A type that is erased has no mark:
  /// `carrying` marks it again.
  ///
  /// The end of the stream carries the context of who has ended it.
  ///
  /// - Parameter locals: What is carried: a task-local value, as `$id`, or another kind of context.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public func carrying<Locals: StreamContext>(_ locals: Locals) -> Publishers.Carrying<Self, Locals> {
    Publishers.Carrying(upstream: self, locals: locals)
  }

  /// Has values keep the context that they were sent in, which is made of two.
  ///
  /// - Parameters:
  ///   - first: What is carried.
  ///   - second: What else is.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public func carrying<First: StreamContext, Second: StreamContext>(
    _ first: First, _ second: Second
  ) -> Publishers.Carrying<Self, JoinedContext<First, Second>> {
    Publishers.Carrying(upstream: self, locals: JoinedContext(first, second))
  }

  /// Has values keep the context that they were sent in while they pass operators of any kind.
  ///
  /// Within the closure, values are pairs of a value and its context; behind it they are values again, and are
  /// delivered in that context. So it is for what `carrying` doesn't cover by itself: operators of a project, and
  /// threads that hand over where streams are joined:
  ///
  /// ```swift
  /// let both = orders.carrying(Request.$id) {
  ///   $0.merge(with: others.capturing(Request.$id)).contention(.handOver)
  /// }
  /// ```
  ///
  /// The closure is called for each subscriber: nothing is shared within. A finish comes in the context in which this
  /// stream has finished, a failure in that in which it has failed; where it hasn't, in that of the thread that
  /// delivers it.
  ///
  /// - Parameters:
  ///   - locals: What is carried.
  ///   - edge: Makes a stream of pairs out of one.
  @_disfavoredOverload
  @inlinable
  public func carrying<Locals: StreamContext, Edge: Publisher, Result>(
    _ locals: Locals, across edge: @escaping (Publishers.Capturing<Self, Locals>) -> Edge
  ) -> Publishers.CarryingAcross<Self, Locals, Edge, Result> where Edge.Output == Carried<Result, Locals> {
    Publishers.CarryingAcross(upstream: self, locals: locals, edge: edge)
  }
}

/// A publisher whose values keep the context that they were sent in, across the operators that deliver later or
/// elsewhere.
///
/// `carrying` makes one of any publisher.
public protocol ContextCarrying<Output, Failure>: Publisher {
  /// What kind of context.
  associatedtype CarriedLocals: StreamContext

  /// What is captured where values leave the thread of their sender.
  var carriedLocals: CarriedLocals { get }
}

/// A publisher that passes its upstream's values on as they come, on the thread that they come on, and carries what
/// that carries.
///
/// An operator of yours that does so has to say it, for the mark not to end there:
/// `extension Doubled: ContextPassing, ContextCarrying where Upstream: ContextCarrying {}`.
public protocol ContextPassing<Output, Failure>: ContextCarrying {
  /// The kind of publisher that the values come from.
  associatedtype Upstream: ContextCarrying

  /// Where the values come from.
  var upstream: Upstream { get }
}

extension ContextPassing {
  /// What the upstream carries.
  @inlinable
  public var carriedLocals: Upstream.CarriedLocals { upstream.carriedLocals }
}

extension ContextCarrying {
  /// Has values keep a further context that they were sent in.
  ///
  /// - Parameter locals: What is carried from here on, beside what is already.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public func carrying<Locals: StreamContext>(
    _ locals: Locals
  ) -> Publishers.Carrying<Self, JoinedContext<CarriedLocals, Locals>> {
    Publishers.Carrying(upstream: self, locals: JoinedContext(carriedLocals, locals))
  }

  /// Has values keep two further contexts that they were sent in.
  ///
  /// - Parameters:
  ///   - first: What is carried from here on, beside what is already.
  ///   - second: What else is.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public func carrying<First: StreamContext, Second: StreamContext>(
    _ first: First, _ second: Second
  ) -> Publishers.Carrying<Self, JoinedContext<CarriedLocals, JoinedContext<First, Second>>> {
    Publishers.Carrying(upstream: self, locals: JoinedContext(carriedLocals, JoinedContext(first, second)))
  }

  /// This stream across an operator that delivers later or elsewhere.
  @inlinable
  func across<Edge: Publisher, Result>(
    _ edge: @escaping (Publishers.Capturing<Self, CarriedLocals>) -> Edge
  ) -> Publishers.CarryingAcross<Self, CarriedLocals, Edge, Result>
  where Edge.Output == Carried<Result, CarriedLocals> {
    Publishers.CarryingAcross(upstream: self, locals: carriedLocals, edge: edge)
  }
}

extension Publishers {
  /// Marks another publisher as one whose values keep the context that they were sent in.
  public struct Carrying<Upstream: Publisher, Locals: StreamContext>: ContextCarrying {
    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// What is captured where values leave the thread of their sender.
    public let carriedLocals: Locals

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - locals: What is carried.
    @inlinable @inline(__always)
    public init(upstream: Upstream, locals: Locals) {
      self.upstream = upstream
      carriedLocals = locals
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.receive(subscriber: subscriber)
    }
  }

  /// Publishes what a stream of values with their contexts makes of another publisher, each value in its context.
  public struct CarryingAcross<Upstream: Publisher, Locals: StreamContext, Edge: Publisher, Output>: ContextCarrying
  where Edge.Output == Carried<Output, Locals> {
    /// The kind of error behind the operators between.
    public typealias Failure = Edge.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// What is captured where values leave the thread of their sender.
    public let carriedLocals: Locals

    /// Makes a stream of pairs out of one.
    public let edge: (Capturing<Upstream, Locals>) -> Edge

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - locals: What is carried.
    ///   - edge: Makes a stream of pairs out of one.
    @inlinable
    public init(upstream: Upstream, locals: Locals, edge: @escaping (Capturing<Upstream, Locals>) -> Edge) {
      self.upstream = upstream
      carriedLocals = locals
      self.edge = edge
    }

    /// Attaches a subscriber.
    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let end = EndContext<Locals>()
      edge(Capturing(upstream, carriedLocals, fixed: nil, end: end))
        .receive(subscriber: BindingSubscriber(downstream: subscriber, locals: carriedLocals, end: end))
    }
  }
}

/// Passes each value on in its context. It has no subscription of its own.
@frozen
@usableFromInline
struct BindingSubscriber<Locals: StreamContext, Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline typealias Input = Carried<Downstream.Input, Locals>
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let locals: Locals
  @usableFromInline let end: EndContext<Locals>

  @inlinable
  init(downstream: Downstream, locals: Locals, end: EndContext<Locals>) {
    self.downstream = downstream
    self.locals = locals
    self.end = end
  }

  @inlinable
  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand { input.bind { downstream.receive($0) } }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard let captured = end.captured(at: completion) else { return downstream.receive(completion: completion) }
    locals.bind(captured) { downstream.receive(completion: completion) }
  }

  @usableFromInline var description: String { "Carrying" }
}
