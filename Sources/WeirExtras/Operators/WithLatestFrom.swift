// Joins each value with the newest one of another stream.

public import Weir

extension Publisher {
  /// Publishes, for each value of this stream, what a closure makes of it and of the newest value of another stream.
  ///
  /// Values that come before the other stream's first are dropped.
  ///
  /// - Parameters:
  ///   - other: The other stream, which publishes nothing by itself.
  ///   - resultSelector: Makes a value of a value of this stream and one of the other.
  @_disfavoredOverload
  @inlinable
  public func withLatestFrom<Other: Publisher, Result>(
    _ other: Other, resultSelector: @escaping (Output, Other.Output) -> Result
  ) -> Publishers.WithLatestFrom<Self, Other, Result> where Other.Failure == Failure {
    Publishers.WithLatestFrom(upstream: self, other: other, resultSelector: resultSelector)
  }

  /// Publishes, for each value of this stream, the newest value of another stream.
  ///
  /// Values that come before the other stream's first are dropped.
  ///
  /// - Parameter other: The other stream, which publishes nothing by itself.
  @_disfavoredOverload
  @inlinable
  public func withLatestFrom<Other: Publisher>(
    _ other: Other
  ) -> Publishers.WithLatestFrom<Self, Other, Other.Output> where Other.Failure == Failure {
    withLatestFrom(other) { $1 }
  }

  /// Publishes, for each value of this stream, what a closure makes of it and of the newest values of two other
  /// streams.
  ///
  /// Values that come before both other streams have published are dropped.
  ///
  /// - Parameters:
  ///   - other: Another stream.
  ///   - other1: Another stream.
  ///   - resultSelector: Makes a value of a value of this stream and the newest pair of the others.
  @_disfavoredOverload
  @inlinable
  public func withLatestFrom<Other: Publisher, Other1: Publisher, Result>(
    _ other: Other, _ other1: Other1, resultSelector: @escaping (Output, (Other.Output, Other1.Output)) -> Result
  ) -> Publishers.WithLatestFrom<Self, Publishers.CombineLatest<Other, Other1>, Result>
  where Other.Failure == Failure, Other1.Failure == Failure {
    withLatestFrom(other.combineLatest(other1), resultSelector: resultSelector)
  }

  /// Publishes, for each value of this stream, the newest values of two other streams.
  ///
  /// Values that come before both other streams have published are dropped.
  ///
  /// - Parameters:
  ///   - other: Another stream.
  ///   - other1: Another stream.
  @_disfavoredOverload
  @inlinable
  public func withLatestFrom<Other: Publisher, Other1: Publisher>(
    _ other: Other, _ other1: Other1
  )
    -> Publishers.WithLatestFrom<
      Self, Publishers.CombineLatest<Other, Other1>, (Other.Output, Other1.Output)
    > where Other.Failure == Failure, Other1.Failure == Failure
  {
    withLatestFrom(other, other1) { $1 }
  }
}

extension Publishers {
  /// Joins each value of a publisher with the newest one of another.
  ///
  /// The other publisher is subscribed to first and asked for everything. The upstream is asked for what the subscriber
  /// asks for, and for one more for each value that was dropped. The stream ends with the upstream; it fails when the
  /// other publisher fails, and finishes when that one finishes without a value.
  public struct WithLatestFrom<Upstream: Publisher, Other: Publisher, Output>: Publisher
  where Upstream.Failure == Other.Failure {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The publishers' kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// What they are joined with.
    public let other: Other

    /// Makes a value of one of each.
    public let resultSelector: (Upstream.Output, Other.Output) -> Output

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - other: What they are joined with.
    ///   - resultSelector: Makes a value of one of each.
    @inlinable
    public init(
      upstream: Upstream, other: Other, resultSelector: @escaping (Upstream.Output, Other.Output) -> Output
    ) {
      self.upstream = upstream
      self.other = other
      self.resultSelector = resultSelector
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let link = LatestFromLink(
        downstream: HeldSubscriber(subscriber), name: "WithLatestFrom", join: resultSelector)
      link.attach(upstream, other)
    }
  }
}
