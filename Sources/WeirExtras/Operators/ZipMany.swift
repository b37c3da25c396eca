// Pairs the values of five and six streams: first with first, second with second.

public import Weir

extension Publisher {
  /// Publishes tuples of the values of this stream and four others, matched by their order.
  ///
  /// - Parameters:
  ///   - b: Another stream.
  ///   - c: Another stream.
  ///   - d: Another stream.
  ///   - e: Another stream.
  @_disfavoredOverload
  @inlinable
  public func zip<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Publishers.Zip5<Self, B, C, D, E>
  where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure {
    Publishers.Zip5(self, b, c, d, e)
  }

  /// Publishes tuples of the values of this stream and five others, matched by their order.
  ///
  /// - Parameters:
  ///   - b: Another stream.
  ///   - c: Another stream.
  ///   - d: Another stream.
  ///   - e: Another stream.
  ///   - f: Another stream.
  @_disfavoredOverload
  @inlinable
  public func zip<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Publishers.Zip6<Self, B, C, D, E, F>
  where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure, F.Failure == Failure {
    Publishers.Zip6(self, b, c, d, e, f)
  }
}

extension Publishers {
  /// Publishes tuples of the values of five publishers, matched by their order.
  ///
  /// One engine holds all five, so what runs ahead waits in one place. The stream finishes as soon as no further tuple
  /// is possible, and fails as soon as one publisher fails.
  public struct Zip5<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher
  >: Publisher
  where
    A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure, D.Failure == E.Failure
  {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// One value of each publisher.
    public typealias Output = (A.Output, B.Output, C.Output, D.Output, E.Output)
    /// The publishers' kind of error.
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// The third publisher.
    public let c: C

    /// The fourth publisher.
    public let d: D

    /// The fifth publisher.
    public let e: E

    /// Creates the publisher.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let laneA = TypedTupleLane<A.Output>()
      let laneB = TypedTupleLane<B.Output>()
      let laneC = TypedTupleLane<C.Output>()
      let laneD = TypedTupleLane<D.Output>()
      let laneE = TypedTupleLane<E.Output>()
      let link = TupleLink<PairingPolicy, Downstream>(
        downstream: HeldSubscriber(subscriber), lanes: [laneA, laneB, laneC, laneD, laneE], name: "Zip",
        build: { missing in
          (laneA.take(&missing), laneB.take(&missing), laneC.take(&missing), laneD.take(&missing), laneE.take(&missing))
        })
      link.open(a, laneA)
      link.open(b, laneB)
      link.open(c, laneC)
      link.open(d, laneD)
      link.open(e, laneE)
    }
  }

  /// Publishes tuples of the values of six publishers, matched by their order.
  ///
  /// One engine holds all six, so what runs ahead waits in one place. The stream finishes as soon as no further tuple
  /// is possible, and fails as soon as one publisher fails.
  public struct Zip6<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher
  >: Publisher
  where
    A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure, D.Failure == E.Failure,
    E.Failure == F.Failure
  {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// One value of each publisher.
    public typealias Output = (A.Output, B.Output, C.Output, D.Output, E.Output, F.Output)
    /// The publishers' kind of error.
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// The third publisher.
    public let c: C

    /// The fourth publisher.
    public let d: D

    /// The fifth publisher.
    public let e: E

    /// The sixth publisher.
    public let f: F

    /// Creates the publisher.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let laneA = TypedTupleLane<A.Output>()
      let laneB = TypedTupleLane<B.Output>()
      let laneC = TypedTupleLane<C.Output>()
      let laneD = TypedTupleLane<D.Output>()
      let laneE = TypedTupleLane<E.Output>()
      let laneF = TypedTupleLane<F.Output>()
      let link = TupleLink<PairingPolicy, Downstream>(
        downstream: HeldSubscriber(subscriber), lanes: [laneA, laneB, laneC, laneD, laneE, laneF], name: "Zip",
        build: { missing in
          (
            laneA.take(&missing), laneB.take(&missing), laneC.take(&missing), laneD.take(&missing),
            laneE.take(&missing), laneF.take(&missing)
          )
        })
      link.open(a, laneA)
      link.open(b, laneB)
      link.open(c, laneC)
      link.open(d, laneD)
      link.open(e, laneE)
      link.open(f, laneF)
    }
  }
}

extension Publishers.Zip5: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable {}
extension Publishers.Zip6: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable {}
