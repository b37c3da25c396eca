// Makes a publisher for each subscriber.

/// Calls a closure for each subscriber, and attaches the subscriber to the publisher that the closure returns.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  #if WEIR_INSPECTION
    /// Where it was made.
    public let _assembly = _AssemblySite.here()
  #endif

  /// The kind of values published.
  public typealias Output = DeferredPublisher.Output
  /// The kind of error that the stream may end with.
  public typealias Failure = DeferredPublisher.Failure

  /// Makes the publisher; called once per subscriber, on the subscribing thread.
  public let createPublisher: () -> DeferredPublisher

  /// Creates the publisher.
  ///
  /// - Parameter createPublisher: Makes the publisher for one subscriber; called on the thread that subscribes.
  @_alwaysEmitIntoClient
  public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

  /// Attaches a subscriber to a publisher of its own.
  @_alwaysEmitIntoClient @inline(__always)
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Failure == Downstream.Failure, Output == Downstream.Input {
    createPublisher().subscribe(subscriber)
  }
}
