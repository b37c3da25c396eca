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
      let stage = ScanStage(nextPartialResult: PlainCombiner<Output, Upstream.Output, Failure>(nextPartialResult))
      upstream.receive(subscriber: StageSubscriber(stage, carrying: initialResult, to: subscriber))
    }
  }

  /// Publishes, for each value of another publisher, what a throwing closure makes of the last result and the value.
  ///
  /// When the closure throws, the upstream is cancelled and the error delivered.
  public struct TryScan<Upstream: Publisher, Output>: Publisher {
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
      let stage = ScanStage(
        nextPartialResult: TryingCombiner<Output, Upstream.Output, Upstream.Failure>(nextPartialResult))
      upstream.receive(subscriber: StageSubscriber(stage, carrying: initialResult, to: subscriber))
    }
  }
}

@frozen
@usableFromInline
struct ScanStage<Mode: Combiner>: Stage, ModalStage {
  @usableFromInline typealias Input = Mode.Value
  @usableFromInline typealias Output = Mode.Result
  @usableFromInline typealias UpstreamFailure = Mode.UpstreamFailure
  @usableFromInline typealias Failure = Mode.Failure

  @usableFromInline let nextPartialResult: Mode

  @inlinable @inline(__always)
  init(nextPartialResult: Mode) {
    self.nextPartialResult = nextPartialResult
  }

  @inlinable static var name: StaticString { Mode.pick("Scan", trying: "TryScan") }
  @inlinable static var strays: Strays { Mode.pick(.transparent, trying: .passesValues) }
  @inlinable static var shownLife: ShownLife { Mode.pick(.nothing, trying: .status) }

  @inlinable @inline(__always)
  func step(_ input: Input, _ carrier: some StageCarrier<Output>) -> Step<Output, Mode.Failure> {
    do throws(Mode.Thrown) {
      let result = try nextPartialResult(carrier.carry, input)
      carrier.carry = result
      return .emit(result)
    } catch {
      return .fail(Mode.convert(thrown: error))
    }
  }

  @usableFromInline
  func children(_ carry: Output) -> [Mirror.Child] { [("result", carry)] }
}
