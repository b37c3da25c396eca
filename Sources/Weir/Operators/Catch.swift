// Puts another stream in the place of one that fails.

extension Publisher {
  /// Puts another publisher in the place of this stream when it fails.
  ///
  /// Demand that has not been met is passed to the new publisher, in one request.
  ///
  /// - Parameter handler: Makes the new publisher, given the error.
  @_alwaysEmitIntoClient
  public func `catch`<NewPublisher: Publisher>(
    _ handler: @escaping (Failure) -> NewPublisher
  ) -> Publishers.Catch<Self, NewPublisher> where NewPublisher.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }

  /// Puts another publisher in the place of this stream when it fails, or ends the stream with another error.
  ///
  /// Demand that has not been met is passed to the new publisher, in one request.
  ///
  /// - Parameter handler: Makes the new publisher, given the error; an error that it throws ends the stream.
  @_alwaysEmitIntoClient
  public func tryCatch<NewPublisher: Publisher>(
    _ handler: @escaping (Failure) throws -> NewPublisher
  ) -> Publishers.TryCatch<Self, NewPublisher> where NewPublisher.Output == Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// Puts another publisher in the place of one that fails.
  ///
  /// A value that the upstream sends without being asked traps, and so does a second failure of it before the stream
  /// has ended. As in Combine, values that come after the end are passed on.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The new publisher's kind of error.
    public typealias Failure = NewPublisher.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the new publisher, given the upstream's error.
    public let handler: (Upstream.Failure) -> NewPublisher

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - handler: Makes the new publisher, given the upstream's error.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      CatchPolicy(handler: handler).attach(upstream, to: subscriber)
    }
  }

  /// Puts another publisher in the place of one that fails, or ends the stream with another error.
  ///
  /// A value that the upstream sends without being asked traps, and so does a second failure of it before the stream
  /// has ended. As in Combine, values that come after the end are passed on.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// Any error: the new publisher's, or the handler's.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the new publisher, given the upstream's error.
    public let handler: (Upstream.Failure) throws -> NewPublisher

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - handler: Makes the new publisher, given the upstream's error; an error that it throws ends the stream.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      TryCatchPolicy(handler: handler).attach(upstream, to: subscriber)
    }
  }
}

/// Follows a failure with a stream that is made of it.
@frozen
@usableFromInline
struct CatchPolicy<UpstreamFailure: Error, Successor: Publisher>: SuccessionPolicy {
  @usableFromInline typealias Input = Successor.Output
  @usableFromInline typealias Failure = Successor.Failure

  @usableFromInline let handler: (UpstreamFailure) -> Successor

  @inlinable
  init(handler: @escaping (UpstreamFailure) -> Successor) { self.handler = handler }

  @inlinable static var name: String { "Catch" }
  @inlinable static var isTrusting: Bool { true }

  @inlinable
  func follow(_ completion: Subscribers.Completion<UpstreamFailure>) -> Following<Successor, Failure> {
    switch completion {
    case .finished: .end(.finished)
    case .failure(let failure): .stream(handler(failure))
    }
  }
}

/// Follows a failure with a stream that is made of it, or with another failure.
@frozen
@usableFromInline
struct TryCatchPolicy<UpstreamFailure: Error, Successor: Publisher>: SuccessionPolicy {
  @usableFromInline typealias Input = Successor.Output
  @usableFromInline typealias Failure = any Error

  @usableFromInline let handler: (UpstreamFailure) throws -> Successor

  @inlinable
  init(handler: @escaping (UpstreamFailure) throws -> Successor) { self.handler = handler }

  @inlinable static var name: String { "TryCatch" }
  @inlinable static var isTrusting: Bool { true }

  @inlinable
  func follow(_ completion: Subscribers.Completion<UpstreamFailure>) -> Following<Successor, Failure> {
    guard case .failure(let failure) = completion else { return .end(.finished) }
    do { return .stream(try handler(failure)) } catch { return .end(.failure(error)) }
  }

  @inlinable
  static func convert(_ failure: Successor.Failure) -> any Error { failure }
}
