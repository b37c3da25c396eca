// Pairs the values of several streams: first with first, second with second.

extension Publisher {
  /// Publishes tuples of the values of this stream and another, matched by their order.
  ///
  /// - Parameter other: Another stream.
  @_alwaysEmitIntoClient
  public func zip<Other: Publisher>(
    _ other: Other
  ) -> Publishers.Zip<Self, Other> where Failure == Other.Failure {
    Publishers.Zip(self, other)
  }

  /// Publishes what a closure makes of the values of this stream and another, matched by their order.
  ///
  /// - Parameters:
  ///   - other: Another stream.
  ///   - transform: Makes a value of the values in a tuple.
  @_alwaysEmitIntoClient
  public func zip<Other: Publisher, Result>(
    _ other: Other, _ transform: @escaping (Output, Other.Output) -> Result
  ) -> Publishers.Map<Publishers.Zip<Self, Other>, Result> where Failure == Other.Failure {
    zip(other).map { transform($0.0, $0.1) }
  }

  /// Publishes tuples of the values of this stream and two others, matched by their order.
  ///
  /// - Parameters:
  ///   - publisher1: Another stream.
  ///   - publisher2: Another stream.
  @_alwaysEmitIntoClient
  public func zip<Other1: Publisher, Other2: Publisher>(
    _ publisher1: Other1, _ publisher2: Other2
  ) -> Publishers.Zip3<Self, Other1, Other2> where Failure == Other1.Failure, Other1.Failure == Other2.Failure {
    Publishers.Zip3(self, publisher1, publisher2)
  }

  /// Publishes what a closure makes of the values of this stream and two others, matched by their order.
  ///
  /// - Parameters:
  ///   - publisher1: Another stream.
  ///   - publisher2: Another stream.
  ///   - transform: Makes a value of the values in a tuple.
  @_alwaysEmitIntoClient
  public func zip<Other1: Publisher, Other2: Publisher, Result>(
    _ publisher1: Other1, _ publisher2: Other2, _ transform: @escaping (Output, Other1.Output, Other2.Output) -> Result
  ) -> Publishers.Map<Publishers.Zip3<Self, Other1, Other2>, Result>
  where Failure == Other1.Failure, Other1.Failure == Other2.Failure {
    zip(publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
  }

  /// Publishes tuples of the values of this stream and three others, matched by their order.
  ///
  /// - Parameters:
  ///   - publisher1: Another stream.
  ///   - publisher2: Another stream.
  ///   - publisher3: Another stream.
  @_alwaysEmitIntoClient
  public func zip<Other1: Publisher, Other2: Publisher, Other3: Publisher>(
    _ publisher1: Other1, _ publisher2: Other2, _ publisher3: Other3
  ) -> Publishers.Zip4<Self, Other1, Other2, Other3>
  where Failure == Other1.Failure, Other1.Failure == Other2.Failure, Other2.Failure == Other3.Failure {
    Publishers.Zip4(self, publisher1, publisher2, publisher3)
  }

  /// Publishes what a closure makes of the values of this stream and three others, matched by their order.
  ///
  /// - Parameters:
  ///   - publisher1: Another stream.
  ///   - publisher2: Another stream.
  ///   - publisher3: Another stream.
  ///   - transform: Makes a value of the values in a tuple.
  @_alwaysEmitIntoClient
  public func zip<Other1: Publisher, Other2: Publisher, Other3: Publisher, Result>(
    _ publisher1: Other1, _ publisher2: Other2, _ publisher3: Other3,
    _ transform: @escaping (Output, Other1.Output, Other2.Output, Other3.Output) -> Result
  ) -> Publishers.Map<Publishers.Zip4<Self, Other1, Other2, Other3>, Result>
  where Failure == Other1.Failure, Other1.Failure == Other2.Failure, Other2.Failure == Other3.Failure {
    zip(publisher1, publisher2, publisher3).map { transform($0.0, $0.1, $0.2, $0.3) }
  }
}

extension Publishers {
  /// Publishes tuples of the values of two publishers, matched by their order.
  ///
  /// Values of a publisher that runs ahead are queued without limit. The stream finishes as soon as no further tuple is
  /// possible, and fails as soon as one publisher fails. As in Combine, a complete tuple is delivered also without
  /// demand.
  ///
  /// - Complexity: Amortised O(1) per value; memory is O(*n*) in the number of queued values.
  public struct Zip<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// One value of each publisher.
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
    where Downstream.Failure == Failure, Downstream.Input == Output {
      let laneA = TypedTupleLane<A.Output>()
      let laneB = TypedTupleLane<B.Output>()
      let link = TupleLink<PairingPolicy, Downstream>(
        downstream: HeldSubscriber(subscriber), lanes: [laneA, laneB], name: "Zip",
        build: { missing in (laneA.take(&missing), laneB.take(&missing)) })
      link.open(a, laneA)
      link.open(b, laneB)
    }
  }

  /// Publishes tuples of the values of three publishers, matched by their order.
  ///
  /// Values of a publisher that runs ahead are queued without limit. The stream finishes as soon as no further tuple is
  /// possible, and fails as soon as one publisher fails. As in Combine, a complete tuple is delivered also without
  /// demand.
  ///
  /// - Complexity: Amortised O(1) per value; memory is O(*n*) in the number of queued values.
  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// One value of each publisher.
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
    where Downstream.Failure == Failure, Downstream.Input == Output {
      let laneA = TypedTupleLane<A.Output>()
      let laneB = TypedTupleLane<B.Output>()
      let laneC = TypedTupleLane<C.Output>()
      let link = TupleLink<PairingPolicy, Downstream>(
        downstream: HeldSubscriber(subscriber), lanes: [laneA, laneB, laneC], name: "Zip",
        build: { missing in (laneA.take(&missing), laneB.take(&missing), laneC.take(&missing)) })
      link.open(a, laneA)
      link.open(b, laneB)
      link.open(c, laneC)
    }
  }

  /// Publishes tuples of the values of four publishers, matched by their order.
  ///
  /// Values of a publisher that runs ahead are queued without limit. The stream finishes as soon as no further tuple is
  /// possible, and fails as soon as one publisher fails. As in Combine, a complete tuple is delivered also without
  /// demand.
  ///
  /// - Complexity: Amortised O(1) per value; memory is O(*n*) in the number of queued values.
  public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where
    A.Failure == B.Failure, B.Failure == C.Failure,
    C.Failure == D.Failure
  {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// One value of each publisher.
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
    where Downstream.Failure == Failure, Downstream.Input == Output {
      let laneA = TypedTupleLane<A.Output>()
      let laneB = TypedTupleLane<B.Output>()
      let laneC = TypedTupleLane<C.Output>()
      let laneD = TypedTupleLane<D.Output>()
      let link = TupleLink<PairingPolicy, Downstream>(
        downstream: HeldSubscriber(subscriber), lanes: [laneA, laneB, laneC, laneD], name: "Zip",
        build: { missing in (laneA.take(&missing), laneB.take(&missing), laneC.take(&missing), laneD.take(&missing)) })
      link.open(a, laneA)
      link.open(b, laneB)
      link.open(c, laneC)
      link.open(d, laneD)
    }
  }
}

extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Zip3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.Zip4: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
