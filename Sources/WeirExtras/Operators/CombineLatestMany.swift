// Combines the newest values of five and six streams.

public import Weir

extension Publisher {
  /// Publishes a tuple of the newest values of this stream and four others whenever one of them publishes.
  ///
  /// Nothing is published before every stream has a value. Each stream is asked for as many values as the subscriber
  /// asks for, so that a subject drops what it sends beyond that; what comes without demand all the same only replaces
  /// the former value.
  ///
  /// - Parameters:
  ///   - b: Another stream.
  ///   - c: Another stream.
  ///   - d: Another stream.
  ///   - e: Another stream.
  @_disfavoredOverload
  @inlinable
  public func combineLatest<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Publishers.CombineLatest5<Self, B, C, D, E>
  where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure {
    Publishers.CombineLatest5(self, b, c, d, e)
  }

  /// Publishes a tuple of the newest values of this stream and five others whenever one of them publishes.
  ///
  /// Nothing is published before every stream has a value. Each stream is asked for as many values as the subscriber
  /// asks for, so that a subject drops what it sends beyond that; what comes without demand all the same only replaces
  /// the former value.
  ///
  /// - Parameters:
  ///   - b: Another stream.
  ///   - c: Another stream.
  ///   - d: Another stream.
  ///   - e: Another stream.
  ///   - f: Another stream.
  @_disfavoredOverload
  @inlinable
  public func combineLatest<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Publishers.CombineLatest6<Self, B, C, D, E, F>
  where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure, F.Failure == Failure {
    Publishers.CombineLatest6(self, b, c, d, e, f)
  }
}

extension Publishers {
  /// Publishes a tuple of the newest values of five publishers whenever one of them publishes.
  ///
  /// One engine holds all five. Each unit of demand brings at most one tuple. The stream finishes when all have
  /// finished, and fails as soon as one fails.
  public struct CombineLatest5<
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
      let link = TupleLink<LatestPolicy, Downstream>(
        downstream: HeldSubscriber(subscriber), lanes: [laneA, laneB, laneC, laneD, laneE], name: "CombineLatest",
        build: { _ in
          (laneA.peek(), laneB.peek(), laneC.peek(), laneD.peek(), laneE.peek())
        })
      link.open(a, laneA)
      link.open(b, laneB)
      link.open(c, laneC)
      link.open(d, laneD)
      link.open(e, laneE)
    }
  }

  /// Publishes a tuple of the newest values of six publishers whenever one of them publishes.
  ///
  /// One engine holds all six. Each unit of demand brings at most one tuple. The stream finishes when all have
  /// finished, and fails as soon as one fails.
  public struct CombineLatest6<
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
      let link = TupleLink<LatestPolicy, Downstream>(
        downstream: HeldSubscriber(subscriber), lanes: [laneA, laneB, laneC, laneD, laneE, laneF],
        name: "CombineLatest",
        build: { _ in
          (laneA.peek(), laneB.peek(), laneC.peek(), laneD.peek(), laneE.peek(), laneF.peek())
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

extension Publishers.CombineLatest5: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable {}
extension Publishers.CombineLatest6: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable {}
