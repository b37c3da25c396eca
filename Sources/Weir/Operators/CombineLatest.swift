// Combines the newest value of several streams.

extension Publisher {
  /// Publishes a tuple of the newest values of this stream and another whenever one of them publishes.
  ///
  /// Nothing is published before every stream has a value. A value that comes without demand only replaces the former
  /// one.
  ///
  /// - Parameter other: Another stream.
  @_alwaysEmitIntoClient
  public func combineLatest<P: Publisher>(
    _ other: P
  ) -> Publishers.CombineLatest<Self, P>
  where Failure == P.Failure {
    Publishers.CombineLatest(self, other)
  }

  /// Publishes what a closure makes of the newest values of this stream and another whenever one of them publishes.
  ///
  /// Nothing is published before every stream has a value. A value that comes without demand only replaces the former
  /// one.
  ///
  /// - Parameters:
  ///   - other: Another stream.
  ///   - transform: Makes a value of the values in a tuple.
  @_alwaysEmitIntoClient
  public func combineLatest<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T>
  where Failure == P.Failure {
    combineLatest(other).map { transform($0.0, $0.1) }
  }

  /// Publishes a tuple of the newest values of this stream and two others whenever one of them publishes.
  ///
  /// Nothing is published before every stream has a value. A value that comes without demand only replaces the former
  /// one.
  ///
  /// - Parameters:
  ///   - publisher1: Another stream.
  ///   - publisher2: Another stream.
  @_alwaysEmitIntoClient
  public func combineLatest<P: Publisher, Q: Publisher>(
    _ publisher1: P, _ publisher2: Q
  ) -> Publishers.CombineLatest3<Self, P, Q>
  where Failure == P.Failure, P.Failure == Q.Failure {
    Publishers.CombineLatest3(self, publisher1, publisher2)
  }

  /// Publishes what a closure makes of the newest values of this stream and two others whenever one of them publishes.
  ///
  /// Nothing is published before every stream has a value. A value that comes without demand only replaces the former
  /// one.
  ///
  /// - Parameters:
  ///   - publisher1: Another stream.
  ///   - publisher2: Another stream.
  ///   - transform: Makes a value of the values in a tuple.
  @_alwaysEmitIntoClient
  public func combineLatest<P: Publisher, Q: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T>
  where Failure == P.Failure, P.Failure == Q.Failure {
    combineLatest(publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
  }

  /// Publishes a tuple of the newest values of this stream and three others whenever one of them publishes.
  ///
  /// Nothing is published before every stream has a value. A value that comes without demand only replaces the former
  /// one.
  ///
  /// - Parameters:
  ///   - publisher1: Another stream.
  ///   - publisher2: Another stream.
  ///   - publisher3: Another stream.
  @_alwaysEmitIntoClient
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R
  ) -> Publishers.CombineLatest4<Self, P, Q, R>
  where Failure == P.Failure, P.Failure == Q.Failure, Q.Failure == R.Failure {
    Publishers.CombineLatest4(self, publisher1, publisher2, publisher3)
  }

  /// Publishes what a closure makes of the newest values of this stream and three others whenever one of them
  /// publishes.
  ///
  /// Nothing is published before every stream has a value. A value that comes without demand only replaces the former
  /// one.
  ///
  /// - Parameters:
  ///   - publisher1: Another stream.
  ///   - publisher2: Another stream.
  ///   - publisher3: Another stream.
  ///   - transform: Makes a value of the values in a tuple.
  @_alwaysEmitIntoClient
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T>
  where Failure == P.Failure, P.Failure == Q.Failure, Q.Failure == R.Failure {
    combineLatest(publisher1, publisher2, publisher3).map { transform($0.0, $0.1, $0.2, $0.3) }
  }
}

extension Publishers {
  /// Publishes a tuple of the newest values of two publishers whenever one of them publishes.
  ///
  /// Each unit of demand brings at most one tuple. The stream finishes when all have finished, and fails as soon as one
  /// fails.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The newest value of each publisher.
    public typealias Output = (A.Output, B.Output)
    /// The publishers' kind of error.
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// Creates the publisher.
    @_alwaysEmitIntoClient
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let laneA = TypedTupleLane<A.Output>()
      let laneB = TypedTupleLane<B.Output>()
      let link = TupleLink<LatestPolicy, Downstream>(
        downstream: HeldSubscriber(subscriber), lanes: [laneA, laneB], name: "CombineLatest",
        build: { _ in (laneA.peek(), laneB.peek()) })
      link.open(a, laneA)
      link.open(b, laneB)
    }
  }

  /// Publishes a tuple of the newest values of three publishers whenever one of them publishes.
  ///
  /// Each unit of demand brings at most one tuple. The stream finishes when all have finished, and fails as soon as one
  /// fails.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The newest value of each publisher.
    public typealias Output = (A.Output, B.Output, C.Output)
    /// The publishers' kind of error.
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// The third publisher.
    public let c: C

    /// Creates the publisher.
    @_alwaysEmitIntoClient
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let laneA = TypedTupleLane<A.Output>()
      let laneB = TypedTupleLane<B.Output>()
      let laneC = TypedTupleLane<C.Output>()
      let link = TupleLink<LatestPolicy, Downstream>(
        downstream: HeldSubscriber(subscriber), lanes: [laneA, laneB, laneC], name: "CombineLatest",
        build: { _ in (laneA.peek(), laneB.peek(), laneC.peek()) })
      link.open(a, laneA)
      link.open(b, laneB)
      link.open(c, laneC)
    }
  }

  /// Publishes a tuple of the newest values of four publishers whenever one of them publishes.
  ///
  /// Each unit of demand brings at most one tuple. The stream finishes when all have finished, and fails as soon as one
  /// fails.
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The newest value of each publisher.
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
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

    /// Creates the publisher.
    @_alwaysEmitIntoClient
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let laneA = TypedTupleLane<A.Output>()
      let laneB = TypedTupleLane<B.Output>()
      let laneC = TypedTupleLane<C.Output>()
      let laneD = TypedTupleLane<D.Output>()
      let link = TupleLink<LatestPolicy, Downstream>(
        downstream: HeldSubscriber(subscriber), lanes: [laneA, laneB, laneC, laneD], name: "CombineLatest",
        build: { _ in (laneA.peek(), laneB.peek(), laneC.peek(), laneD.peek()) })
      link.open(a, laneA)
      link.open(b, laneB)
      link.open(c, laneC)
      link.open(d, laneD)
    }
  }
}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}
extension Publishers.CombineLatest3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.CombineLatest4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
