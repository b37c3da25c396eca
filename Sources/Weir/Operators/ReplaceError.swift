// Puts a value in the place of an error.

extension Publisher {
  /// Where the stream would fail, publishes a given value and finishes.
  ///
  /// - Parameter output: The value to publish then.
  @_alwaysEmitIntoClient @inline(__always)
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}

extension Publishers {
  /// Passes on the values of another publisher, and one of its own instead of an error.
  ///
  /// Its own value is delivered when there is demand for it. As in Combine, a value that the upstream sends without
  /// demand traps.
  public struct ReplaceError<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// This stream can't fail.
    public typealias Failure = Never

    /// Where the values come from.
    public let upstream: Upstream

    /// The value to publish instead of an error.
    public let output: Upstream.Output

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - output: The value to publish instead of an error.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = ReplaceErrorPolicy<Output, Upstream.Failure>(output: output)
      upstream.receive(subscriber: DueSubscriber(policy, to: subscriber))
    }
  }
}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

@frozen
@usableFromInline
struct ReplaceErrorPolicy<Value, UpstreamFailure: Error>: DuePolicy {
  @usableFromInline let output: Value

  @inlinable @inline(__always)
  init(output: Value) { self.output = output }

  @inlinable static var name: StaticString { "ReplaceError" }
  @inlinable static var pull: DemandPolicy { .demand }
  @inlinable static var showsDownstream: Bool { false }

  @inlinable @inline(__always)
  func step(_ input: Value, _ carrier: some Carrier<Void>) -> Step<Value, Never> { .emit(input) }

  @inlinable @inline(__always)
  func conclude(
    _ completion: Subscribers.Completion<UpstreamFailure>, _ carrier: some Carrier<Void>
  ) -> Conclusion<Value, Never> {
    switch completion {
    case .finished: .now(.finished)
    case .failure: .due(output)
    }
  }
}
