// Runs closures at the signals that pass.

extension Publisher {
  /// Runs closures at the signals that pass between this publisher and its subscriber.
  ///
  /// They are called on the thread that sends the signal, and freed at the end of the stream: `receiveRequest` and
  /// `receiveCancel` on the thread that asks or cancels, whatever other threads are doing, which may be in another of
  /// these closures or in the same.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called with the upstream's subscription, before the downstream gets one.
  ///   - receiveOutput: Called with each value, before the downstream gets it.
  ///   - receiveCompletion: Called with the completion, before the downstream gets it.
  ///   - receiveCancel: Called when the downstream cancels, before the upstream is cancelled.
  ///   - receiveRequest: Called with what the downstream asks for, in a request or in return for a value.
  @_alwaysEmitIntoClient @inline(__always)
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
  }
}

extension Publishers {
  /// Runs closures at the signals that pass between another publisher and its subscriber.
  public struct HandleEvents<Upstream: Publisher>: Publisher {
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

    /// Called with the upstream's subscription.
    public var receiveSubscription: ((any Subscription) -> Void)?

    /// Called with each value.
    public var receiveOutput: ((Upstream.Output) -> Void)?

    /// Called with the completion.
    public var receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?

    /// Called when the downstream cancels.
    public var receiveCancel: (() -> Void)?

    /// Called with what the downstream asks for.
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - receiveSubscription: Called with the upstream's subscription.
    ///   - receiveOutput: Called with each value.
    ///   - receiveCompletion: Called with the completion.
    ///   - receiveCancel: Called when the downstream cancels.
    ///   - receiveRequest: Called with what the downstream asks for.
    @_alwaysEmitIntoClient @inline(__always)
    public init(
      upstream: Upstream, receiveSubscription: ((any Subscription) -> Void)? = nil,
      receiveOutput: ((Output) -> Void)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
      receiveRequest: ((Subscribers.Demand) -> Void)?
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
      self.receiveCancel = receiveCancel
      self.receiveRequest = receiveRequest
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.receive(subscriber: TapSubscriber(HandleEventsPolicy(self), to: subscriber))
    }
  }
}

@frozen
@usableFromInline
struct HandleEventsPolicy<Value, Failure: Error>: TapPolicy {
  @usableFromInline let receiveSubscription: ((any Subscription) -> Void)?
  @usableFromInline let receiveOutput: ((Value) -> Void)?
  @usableFromInline let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
  @usableFromInline let receiveCancel: (() -> Void)?
  @usableFromInline let receiveRequest: ((Subscribers.Demand) -> Void)?

  @inlinable @inline(__always)
  init<Upstream: Publisher>(
    _ handlers: Publishers.HandleEvents<Upstream>
  ) where Upstream.Output == Value, Upstream.Failure == Failure {
    receiveSubscription = handlers.receiveSubscription
    receiveOutput = handlers.receiveOutput
    receiveCompletion = handlers.receiveCompletion
    receiveCancel = handlers.receiveCancel
    receiveRequest = handlers.receiveRequest
  }

  @inlinable static var name: StaticString { "HandleEvents" }
  @inlinable static var outlivesTheEnd: Bool { false }

  @inlinable @inline(__always)
  func see(subscription: any Subscription) { receiveSubscription?(subscription) }

  @inlinable @inline(__always)
  func see(value: Value) { receiveOutput?(value) }

  @inlinable @inline(__always)
  func see(completion: Subscribers.Completion<Failure>) { receiveCompletion?(completion) }

  @inlinable @inline(__always)
  func see(returned demand: Subscribers.Demand) {
    if demand != .none { receiveRequest?(demand) }
  }

  @inlinable @inline(__always)
  func see(requested demand: Subscribers.Demand) { receiveRequest?(demand) }

  @inlinable @inline(__always)
  func seeCancellation() { receiveCancel?() }
}
