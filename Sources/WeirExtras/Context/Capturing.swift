// Values with the context that they were sent in.

public import Weir
import WeirQueues

extension Publisher {
  /// Publishes each value together with what is bound where it passes here.
  ///
  /// A loop over `values` runs in the context of its own task, whatever is bound where a value is sent; this brings the
  /// other one with the value:
  ///
  /// ```swift
  /// func handle(_ orders: some Publisher<Int, Never>) async {
  ///   for await order in orders.capturing(Request.$id).values {
  ///     await order.bind { await store($0) }
  ///   }
  /// }
  /// enum Request { @TaskLocal static var id = "none" }
  /// func store(_ order: Int) async { print(Request.id, order) }
  /// ```
  ///
  /// - Parameter locals: What is captured: a task-local value, as `$id`, or several, as `JoinedContext($id, $span)`.
  @_disfavoredOverload
  @inlinable
  public func capturing<Locals: StreamContext>(_ locals: Locals) -> Publishers.Capturing<Self, Locals> {
    Publishers.Capturing(upstream: self, locals: locals)
  }
}

extension Publishers {
  /// Publishes each value of another publisher together with what is bound where it passes.
  public struct Capturing<Upstream: Publisher, Locals: StreamContext>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// A value, and its context.
    public typealias Output = Carried<Upstream.Output, Locals>
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// What is captured.
    public let locals: Locals

    /// What is given to every value, if it isn't what is bound where the value passes. In this context the upstream is
    /// subscribed to, too.
    @usableFromInline let fixed: Locals.Captured?

    /// Where the context of the end goes.
    @usableFromInline let end: EndContext<Locals>?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - locals: What is captured.
    @inlinable
    public init(upstream: Upstream, locals: Locals) {
      self.init(upstream, locals, fixed: nil, end: nil)
    }

    @inlinable
    init(_ upstream: Upstream, _ locals: Locals, fixed: Locals.Captured?, end: EndContext<Locals>?) {
      self.upstream = upstream
      self.locals = locals
      self.fixed = fixed
      self.end = end
    }

    /// Attaches a subscriber.
    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let capturing = CapturingSubscriber<Upstream.Output, Locals, Downstream>(
        downstream: subscriber, locals: locals, fixed: fixed, end: end)
      if let fixed {
        locals.bind(fixed) { upstream.receive(subscriber: capturing) }
      } else {
        upstream.receive(subscriber: capturing)
      }
    }
  }
}

/// Passes values on with their context. It has no subscription of its own.
@frozen
@usableFromInline
struct CapturingSubscriber<Input, Locals: StreamContext, Downstream: Subscriber>: Subscriber, CustomStringConvertible
where Downstream.Input == Carried<Input, Locals> {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let locals: Locals
  @usableFromInline let fixed: Locals.Captured?
  @usableFromInline let end: EndContext<Locals>?

  @inlinable
  init(downstream: Downstream, locals: Locals, fixed: Locals.Captured?, end: EndContext<Locals>?) {
    self.downstream = downstream
    self.locals = locals
    self.fixed = fixed
    self.end = end
  }

  @inlinable
  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    downstream.receive(Carried(input, locals, fixed ?? locals.capture()))
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if let end { end.put(locals.capture(), at: completion) }
    downstream.receive(completion: completion)
  }

  @usableFromInline var description: String { "Capturing" }
}

/// The context in which a stream ends, on its way round the values: a completion has no place for it.
@usableFromInline
final class EndContext<Locals: StreamContext>: Sendable {
  private struct Ends {
    var finish: Locals.Captured?
    var failure: Locals.Captured?
    /// Whether the failure is the one that is passed on.
    var isSettled = false
  }

  private let ends = Lock(Ends())

  @usableFromInline
  init() {}

  /// Notes the context of a completion that is about to be passed on.
  @usableFromInline
  func put<Failure: Error>(_ captured: Locals.Captured, at completion: Subscribers.Completion<Failure>) {
    change { ends in
      switch completion {
      case .finished: ends.finish = captured
      case .failure: if !ends.isSettled { ends.failure = captured }
      }
    }
  }

  /// Notes the context of the failure that is being passed on: of several at once, the one that has ended the stream.
  @usableFromInline
  func settle(_ captured: Locals.Captured) {
    change { ends in
      ends.failure = captured
      ends.isSettled = true
    }
  }

  private func change(_ body: (inout Ends) -> Void) {
    let former = ends.withLock { ends in
      defer { body(&ends) }
      return ends
    }
    // Freed behind the lock: a value's `deinit` may be user code.
    withExtendedLifetime(former) {}
  }

  /// Notes the context of a completion that is about to be passed on, unless there has been one of its kind.
  @usableFromInline
  func putIfFirst<Failure: Error>(_ captured: Locals.Captured, at completion: Subscribers.Completion<Failure>) {
    // The caller holds what was captured: none is freed under the lock.
    ends.withLock { ends in
      switch completion {
      case .finished: if ends.finish == nil { ends.finish = captured }
      case .failure: if ends.failure == nil { ends.failure = captured }
      }
    }
  }

  /// The context of a completion; `nil` if it doesn't come from where contexts are captured.
  @usableFromInline
  func captured<Failure: Error>(at completion: Subscribers.Completion<Failure>) -> Locals.Captured? {
    ends.withLock { ends in
      switch completion {
      case .finished: ends.finish
      case .failure: ends.failure
      }
    }
  }
}

/// A failure and its context, on their way across an operator that may meet several at once, and passes one on.
@frozen
@usableFromInline
struct CarriedFailure<Failure: Error, Locals: StreamContext>: Error {
  @usableFromInline let failure: Failure
  @usableFromInline let captured: Locals.Captured

  @inlinable
  init(_ failure: Failure, _ captured: Locals.Captured) {
    self.failure = failure
    self.captured = captured
  }

  /// The failure itself, which is being passed on: its context is that of the end.
  @inlinable
  func settled(in end: EndContext<Locals>?) -> Failure {
    end?.settle(captured)
    return failure
  }
}

extension Publishers.Capturing {
  /// This stream, whose failure brings its context with it.
  @inlinable
  func carryingFailure() -> Publishers.MapError<Self, CarriedFailure<Failure, Locals>> {
    mapError { [locals, fixed] in CarriedFailure($0, fixed ?? locals.capture()) }
  }
}
