// Combines each value with the result of the one before.

extension Publisher {
  /// Publishes, for each value, what a closure makes of the last result and the value.
  ///
  /// - Parameters:
  ///   - initialResult: The result before the first value; not published itself.
  ///   - nextPartialResult: Makes the next result of the last one and a value.
  @_alwaysEmitIntoClient @inline(__always)
  public func scan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) -> Result
  ) -> Publishers.Scan<Self, Result> {
    Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Publishes, for each value, what a closure makes of the last result and the value; an error that it throws ends the
  /// stream.
  ///
  /// - Parameters:
  ///   - initialResult: The result before the first value; not published itself.
  ///   - nextPartialResult: Makes the next result of the last one and a value.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryScan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws -> Result
  ) -> Publishers.TryScan<Self, Result> {
    Publishers.TryScan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// Publishes, for each value of another publisher, what a closure makes of the last result and the value.
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// The result before the first value; not published itself.
    public let initialResult: Output

    /// Makes the next result of the last one and a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - initialResult: The result before the first value; not published itself.
    ///   - nextPartialResult: Makes the next result of the last one and a value.
    @_alwaysEmitIntoClient @inline(__always)
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Output == Downstream.Input, Failure == Downstream.Failure {
      let policy = ScanPolicy(nextPartialResult: PlainCombiner<Output, Upstream.Output, Failure>(nextPartialResult))
      upstream.receive(subscriber: StageSubscriber(policy, carrying: initialResult, to: subscriber))
    }
  }

  /// Publishes, for each value of another publisher, what a throwing closure makes of the last result and the value.
  ///
  /// When the closure throws, the upstream is cancelled and the error delivered.
  public struct TryScan<Upstream: Publisher, Output>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// Any error: the upstream's, or the closure's.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// The result before the first value; not published itself.
    public let initialResult: Output

    /// Makes the next result of the last one and a value.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - initialResult: The result before the first value; not published itself.
    ///   - nextPartialResult: Makes the next result of the last one and a value.
    @_alwaysEmitIntoClient @inline(__always)
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Output == Downstream.Input, Downstream.Failure == any Error {
      let policy = ScanPolicy(
        nextPartialResult: TryingCombiner<Output, Upstream.Output, Upstream.Failure>(nextPartialResult))
      upstream.receive(subscriber: StageSubscriber(policy, carrying: initialResult, to: subscriber))
    }
  }
}

@frozen
@usableFromInline
struct ScanPolicy<Closure: Combiner>: StagePolicy, ThrowingPolicy {
  @usableFromInline typealias Input = Closure.Value
  @usableFromInline typealias Output = Closure.Result
  @usableFromInline typealias UpstreamFailure = Closure.UpstreamFailure
  @usableFromInline typealias Failure = Closure.Failure

  @usableFromInline let nextPartialResult: Closure

  @inlinable @inline(__always)
  init(nextPartialResult: Closure) {
    self.nextPartialResult = nextPartialResult
  }

  @inlinable static var name: StaticString { Closure.pick("Scan", trying: "TryScan") }
  @inlinable static var strays: Strays { Closure.pick(.transparent, trying: .passesValues) }
  @inlinable static var shownLife: ShownLife { Closure.pick(.nothing, trying: .status) }

  @inlinable @inline(__always)
  func step(_ input: Input, _ carrier: some Carrier<Output>) -> Step<Output, Closure.Failure> {
    do throws(Closure.Thrown) {
      let result = try nextPartialResult(carrier.carry, input)
      carrier.carry = result
      return .emit(result)
    } catch {
      return .fail(Closure.convert(thrown: error))
    }
  }

  @usableFromInline
  func children(_ carry: Output) -> [Mirror.Child] { [("result", carry)] }
}
