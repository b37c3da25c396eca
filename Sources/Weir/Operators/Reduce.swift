// Combines all values into one.

extension Publisher {
  /// Publishes what a closure makes of all values, once the stream finishes.
  ///
  /// - Parameters:
  ///   - initialResult: The result before the first value, and of a stream without values.
  ///   - nextPartialResult: Makes the next result of the last one and a value.
  @_alwaysEmitIntoClient @inline(__always)
  public func reduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: @escaping (Accumulator, Output) -> Accumulator
  ) -> Publishers.Reduce<Self, Accumulator> {
    Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Publishes what a closure makes of all values, once the stream finishes; an error that the closure throws ends it.
  ///
  /// - Parameters:
  ///   - initialResult: The result before the first value, and of a stream without values.
  ///   - nextPartialResult: Makes the next result of the last one and a value.
  @_alwaysEmitIntoClient @inline(__always)
  public func tryReduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: @escaping (Accumulator, Output) throws -> Accumulator
  ) -> Publishers.TryReduce<Self, Accumulator> {
    Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// Combines all values of another publisher into one.
  ///
  /// It asks for everything, whatever is asked of it. The result is delivered as soon as it has been asked for.
  public struct Reduce<Upstream: Publisher, Output>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// The result before the first value, and of a stream without values.
    public let initial: Output

    /// Makes the next result of the last one and a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - initial: The result before the first value, and of a stream without values.
    ///   - nextPartialResult: Makes the next result of the last one and a value.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = ReducePolicy(
        initial: initial, nextPartialResult: PlainCombiner<Output, Upstream.Output, Failure>(nextPartialResult))
      upstream.receive(subscriber: DueSubscriber(policy, carrying: initial, to: subscriber))
    }
  }

  /// Combines all values of another publisher into one, with a closure that may throw.
  ///
  /// It asks for everything, whatever is asked of it, until the closure throws, which cancels the upstream. The result
  /// is delivered as soon as it has been asked for, an error at once.
  public struct TryReduce<Upstream: Publisher, Output>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// Any error: the upstream's, or the operator's own.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// The result before the first value, and of a stream without values.
    public let initial: Output

    /// Makes the next result of the last one and a value.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - initial: The result before the first value, and of a stream without values.
    ///   - nextPartialResult: Makes the next result of the last one and a value.
    @_alwaysEmitIntoClient @inline(__always)
    public init(
      upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == any Error {
      let policy = ReducePolicy(
        initial: initial,
        nextPartialResult: TryingCombiner<Output, Upstream.Output, Upstream.Failure>(nextPartialResult))
      upstream.receive(subscriber: DueSubscriber(policy, carrying: initial, to: subscriber))
    }
  }
}

@frozen
@usableFromInline
struct ReducePolicy<Closure: Combiner>: FoldPolicy {
  @usableFromInline typealias Input = Closure.Value
  @usableFromInline typealias Output = Closure.Result
  @usableFromInline typealias UpstreamFailure = Closure.UpstreamFailure
  @usableFromInline typealias Failure = Closure.Failure
  @usableFromInline typealias Carry = Output

  @usableFromInline let initial: Output?
  @usableFromInline let nextPartialResult: Closure

  @inlinable @inline(__always)
  init(initial: Output?, nextPartialResult: Closure) {
    self.initial = initial
    self.nextPartialResult = nextPartialResult
  }

  @inlinable static var name: StaticString { Closure.pick("Reduce", trying: "TryReduce") }

  @inlinable @inline(__always)
  func step(_ input: Input, _ carrier: some Carrier<Output>) -> Step<Output, Closure.Failure> {
    do throws(Closure.Thrown) {
      let result = try nextPartialResult(carrier.carry, input)
      carrier.carry = result
      return .hold
    } catch {
      return .fail(Closure.convert(thrown: error))
    }
  }

  @inlinable @inline(__always)
  func flush(_ carrier: some Carrier<Output>) -> Output? { carrier.carry }
}
