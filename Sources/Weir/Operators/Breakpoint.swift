// Stops in the debugger at chosen signals.

import WeirQueues

extension Publisher {
  /// Stops in the debugger at each signal for which a closure returns `true`.
  ///
  /// Without a debugger such a signal ends the program.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Returns `true` to stop at a subscription.
  ///   - receiveOutput: Returns `true` to stop at a value.
  ///   - receiveCompletion: Returns `true` to stop at the completion.
  @_alwaysEmitIntoClient @inline(__always)
  public func breakpoint(
    receiveSubscription: ((any Subscription) -> Bool)? = nil, receiveOutput: ((Output) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  /// Stops in the debugger if the stream fails; without a debugger, that ends the program.
  @_alwaysEmitIntoClient @inline(__always)
  public func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: { completion in
      guard case .failure = completion else { return false }
      return true
    })
  }
}

extension Publishers {
  /// Stops in the debugger at chosen signals of another publisher, and passes everything on.
  public struct Breakpoint<Upstream: Publisher>: Publisher {
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

    /// Returns `true` to stop at a subscription.
    public let receiveSubscription: ((any Subscription) -> Bool)?

    /// Returns `true` to stop at a value.
    public let receiveOutput: ((Upstream.Output) -> Bool)?

    /// Returns `true` to stop at the completion.
    public let receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - receiveSubscription: Returns `true` to stop at a subscription.
    ///   - receiveOutput: Returns `true` to stop at a value.
    ///   - receiveCompletion: Returns `true` to stop at the completion.
    @_alwaysEmitIntoClient @inline(__always)
    public init(
      upstream: Upstream, receiveSubscription: ((any Subscription) -> Bool)? = nil,
      receiveOutput: ((Upstream.Output) -> Bool)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.receive(subscriber: SignalSubscriber(BreakpointPolicy(self), subscriber))
    }
  }
}

@frozen
@usableFromInline
struct BreakpointPolicy<Value, Cause: Error>: SignalPolicy {
  @usableFromInline typealias UpstreamFailure = Cause
  @usableFromInline typealias Failure = Cause

  @usableFromInline let receiveSubscription: ((any Subscription) -> Bool)?
  @usableFromInline let receiveOutput: ((Value) -> Bool)?
  @usableFromInline let receiveCompletion: ((Subscribers.Completion<Cause>) -> Bool)?

  @inlinable @inline(__always)
  init<Upstream: Publisher>(
    _ breakpoint: Publishers.Breakpoint<Upstream>
  ) where Upstream.Output == Value, Upstream.Failure == Cause {
    receiveSubscription = breakpoint.receiveSubscription
    receiveOutput = breakpoint.receiveOutput
    receiveCompletion = breakpoint.receiveCompletion
  }

  @inlinable static var name: String { "Breakpoint" }

  @inlinable @inline(__always)
  func look(atSubscription subscription: any Subscription) {
    if receiveSubscription?(subscription) == true { stopTellingCheckpoints() }
  }

  @inlinable @inline(__always)
  func look(atValue value: Value) {
    if receiveOutput?(value) == true { stopTellingCheckpoints() }
  }

  @inlinable @inline(__always)
  func look(atCompletion completion: Subscribers.Completion<Cause>) {
    if receiveCompletion?(completion) == true { stopTellingCheckpoints() }
  }
}

/// Stops in the debugger, and says before which named places of the stream the signal has come past.
@usableFromInline @inline(never)
func stopTellingCheckpoints() {
  let places = CheckpointTrail.text
  if !places.isEmpty { complain("Breakpoint" + places) }
  stopInDebugger()
}
