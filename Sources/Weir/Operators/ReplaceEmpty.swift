// Puts a value in the place of an empty stream.

extension Publisher {
  /// Publishes a given value if the stream finishes without one.
  ///
  /// - Parameter output: The value to publish then.
  @_alwaysEmitIntoClient @inline(__always)
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}

extension Publishers {
  /// Passes on the values of another publisher, or a value of its own if that finishes without any.
  ///
  /// As in Combine, it asks for everything, whatever is asked of it, and passes the upstream's values on also without
  /// demand. Its own value is delivered as soon as anything has been asked for.
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
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

    /// The value to publish if there is none.
    public let output: Upstream.Output

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - output: The value to publish if there is none.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = ReplaceEmptyPolicy<Output, Failure>(output: output)
      upstream.receive(subscriber: DueSubscriber(policy, carrying: true, to: subscriber))
    }
  }
}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

@frozen
@usableFromInline
struct ReplaceEmptyPolicy<Value, Failure: Error>: DuePolicy {
  @usableFromInline typealias UpstreamFailure = Failure
  @usableFromInline typealias Carry = Bool

  @usableFromInline let output: Value

  @inlinable @inline(__always)
  init(output: Value) { self.output = output }

  @inlinable static var name: StaticString { "ReplaceEmpty" }
  @inlinable static var pull: DemandPolicy { .everythingAndDemand }
  @inlinable static var showsDownstream: Bool { false }

  @inlinable @inline(__always)
  func step(_ input: Value, _ isEmpty: some Carrier<Bool>) -> Step<Value, Failure> {
    isEmpty.carry = false
    return .emit(input)
  }

  @inlinable @inline(__always)
  func conclude(
    _ completion: Subscribers.Completion<Failure>, _ isEmpty: some Carrier<Bool>
  ) -> Conclusion<Value, Failure> {
    if case .finished = completion, isEmpty.carry { return .due(output) }
    return .now(completion)
  }
}
