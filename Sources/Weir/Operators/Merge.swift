// Publishes what several streams publish, as it comes.
// Long file: Combine has seven arities, and an overload of `merge` from each to each larger one.

extension Publisher {
  /// Publishes what this stream and another stream publish, as it comes.
  @_alwaysEmitIntoClient
  public func merge<B: Publisher>(
    with b: B
  ) -> Publishers.Merge<Self, B>
  where B.Output == Output, B.Failure == Failure {
    Publishers.Merge(self, b)
  }

  /// Publishes what this stream and two other streams publish, as it comes.
  @_alwaysEmitIntoClient
  public func merge<B: Publisher, C: Publisher>(
    with b: B, _ c: C
  ) -> Publishers.Merge3<Self, B, C>
  where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
    Publishers.Merge3(self, b, c)
  }

  /// Publishes what this stream and three other streams publish, as it comes.
  @_alwaysEmitIntoClient
  public func merge<B: Publisher, C: Publisher, D: Publisher>(
    with b: B, _ c: C, _ d: D
  ) -> Publishers.Merge4<Self, B, C, D>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure
  {
    Publishers.Merge4(self, b, c, d)
  }

  /// Publishes what this stream and four other streams publish, as it comes.
  @_alwaysEmitIntoClient
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E
  ) -> Publishers.Merge5<Self, B, C, D, E>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure
  {
    Publishers.Merge5(self, b, c, d, e)
  }

  /// Publishes what this stream and five other streams publish, as it comes.
  @_alwaysEmitIntoClient
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Publishers.Merge6<Self, B, C, D, E, F>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure
  {
    Publishers.Merge6(self, b, c, d, e, f)
  }

  /// Publishes what this stream and six other streams publish, as it comes.
  @_alwaysEmitIntoClient
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> Publishers.Merge7<Self, B, C, D, E, F, G>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure,
    G.Output == Output, G.Failure == Failure
  {
    Publishers.Merge7(self, b, c, d, e, f, g)
  }

  /// Publishes what this stream and seven other streams publish, as it comes.
  @_alwaysEmitIntoClient
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> Publishers.Merge8<Self, B, C, D, E, F, G, H>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure,
    G.Output == Output, G.Failure == Failure, H.Output == Output, H.Failure == Failure
  {
    Publishers.Merge8(self, b, c, d, e, f, g, h)
  }

  /// Publishes what this stream and another of the same type publish, as it comes.
  ///
  /// - Parameter other: The other stream.
  @_alwaysEmitIntoClient
  public func merge(with other: Self) -> Publishers.MergeMany<Self> { Publishers.MergeMany(self, other) }
}

extension Publishers {
  /// Publishes what two publishers publish, as it comes.
  ///
  /// It finishes when all have finished, and fails as soon as one fails.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where A.Output == B.Output, A.Failure == B.Failure {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The publishers' kind of values.
    public typealias Output = A.Output
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
      let link = FlattenLink.merging(to: subscriber)
      link.open(a)
      link.open(b)
      link.seal()
    }

    /// Publishes what these publishers and another stream publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge3<A, B, Z>
    where Z.Output == Output, Z.Failure == Failure {
      Merge3(a, b, z)
    }

    /// Publishes what these publishers and two other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher>(
      with z: Z, _ y: Y
    ) -> Merge4<A, B, Z, Y>
    where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
      Merge4(a, b, z, y)
    }

    /// Publishes what these publishers and three other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
      with z: Z, _ y: Y, _ x: X
    ) -> Merge5<A, B, Z, Y, X>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure
    {
      Merge5(a, b, z, y, x)
    }

    /// Publishes what these publishers and four other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W
    ) -> Merge6<A, B, Z, Y, X, W>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure, W.Output == Output, W.Failure == Failure
    {
      Merge6(a, b, z, y, x, w)
    }

    /// Publishes what these publishers and five other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V
    ) -> Merge7<A, B, Z, Y, X, W, V>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure, W.Output == Output, W.Failure == Failure, V.Output == Output, V.Failure == Failure
    {
      Merge7(a, b, z, y, x, w, v)
    }

    /// Publishes what these publishers and six other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher, U: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V, _ u: U
    ) -> Merge8<A, B, Z, Y, X, W, V, U>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure, W.Output == Output, W.Failure == Failure, V.Output == Output, V.Failure == Failure,
      U.Output == Output, U.Failure == Failure
    {
      Merge8(a, b, z, y, x, w, v, u)
    }
  }

  /// Publishes what three publishers publish, as it comes.
  ///
  /// It finishes when all have finished, and fails as soon as one fails.
  public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The publishers' kind of values.
    public typealias Output = A.Output
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
      let link = FlattenLink.merging(to: subscriber)
      link.open(a)
      link.open(b)
      link.open(c)
      link.seal()
    }

    /// Publishes what these publishers and another stream publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge4<A, B, C, Z>
    where Z.Output == Output, Z.Failure == Failure {
      Merge4(a, b, c, z)
    }

    /// Publishes what these publishers and two other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher>(
      with z: Z, _ y: Y
    ) -> Merge5<A, B, C, Z, Y>
    where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
      Merge5(a, b, c, z, y)
    }

    /// Publishes what these publishers and three other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
      with z: Z, _ y: Y, _ x: X
    ) -> Merge6<A, B, C, Z, Y, X>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure
    {
      Merge6(a, b, c, z, y, x)
    }

    /// Publishes what these publishers and four other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W
    ) -> Merge7<A, B, C, Z, Y, X, W>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure, W.Output == Output, W.Failure == Failure
    {
      Merge7(a, b, c, z, y, x, w)
    }

    /// Publishes what these publishers and five other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V
    ) -> Merge8<A, B, C, Z, Y, X, W, V>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure, W.Output == Output, W.Failure == Failure, V.Output == Output, V.Failure == Failure
    {
      Merge8(a, b, c, z, y, x, w, v)
    }
  }

  /// Publishes what four publishers publish, as it comes.
  ///
  /// It finishes when all have finished, and fails as soon as one fails.
  public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure, C.Output == D.Output,
    C.Failure == D.Failure
  {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The publishers' kind of values.
    public typealias Output = A.Output
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
      let link = FlattenLink.merging(to: subscriber)
      link.open(a)
      link.open(b)
      link.open(c)
      link.open(d)
      link.seal()
    }

    /// Publishes what these publishers and another stream publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge5<A, B, C, D, Z>
    where Z.Output == Output, Z.Failure == Failure {
      Merge5(a, b, c, d, z)
    }

    /// Publishes what these publishers and two other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher>(
      with z: Z, _ y: Y
    ) -> Merge6<A, B, C, D, Z, Y>
    where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
      Merge6(a, b, c, d, z, y)
    }

    /// Publishes what these publishers and three other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
      with z: Z, _ y: Y, _ x: X
    ) -> Merge7<A, B, C, D, Z, Y, X>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure
    {
      Merge7(a, b, c, d, z, y, x)
    }

    /// Publishes what these publishers and four other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(
      with z: Z, _ y: Y, _ x: X, _ w: W
    ) -> Merge8<A, B, C, D, Z, Y, X, W>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure, W.Output == Output, W.Failure == Failure
    {
      Merge8(a, b, c, d, z, y, x, w)
    }
  }

  /// Publishes what five publishers publish, as it comes.
  ///
  /// It finishes when all have finished, and fails as soon as one fails.
  public struct Merge5<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure, C.Output == D.Output,
    C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure
  {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The publishers' kind of values.
    public typealias Output = A.Output
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
    @_alwaysEmitIntoClient
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let link = FlattenLink.merging(to: subscriber)
      link.open(a)
      link.open(b)
      link.open(c)
      link.open(d)
      link.open(e)
      link.seal()
    }

    /// Publishes what these publishers and another stream publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge6<A, B, C, D, E, Z>
    where Z.Output == Output, Z.Failure == Failure {
      Merge6(a, b, c, d, e, z)
    }

    /// Publishes what these publishers and two other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher>(
      with z: Z, _ y: Y
    ) -> Merge7<A, B, C, D, E, Z, Y>
    where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
      Merge7(a, b, c, d, e, z, y)
    }

    /// Publishes what these publishers and three other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
      with z: Z, _ y: Y, _ x: X
    ) -> Merge8<A, B, C, D, E, Z, Y, X>
    where
      Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
      X.Failure == Failure
    {
      Merge8(a, b, c, d, e, z, y, x)
    }
  }

  /// Publishes what six publishers publish, as it comes.
  ///
  /// It finishes when all have finished, and fails as soon as one fails.
  public struct Merge6<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure, C.Output == D.Output,
    C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure, E.Output == F.Output, E.Failure == F.Failure
  {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The publishers' kind of values.
    public typealias Output = A.Output
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
    @_alwaysEmitIntoClient
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let link = FlattenLink.merging(to: subscriber)
      link.open(a)
      link.open(b)
      link.open(c)
      link.open(d)
      link.open(e)
      link.open(f)
      link.seal()
    }

    /// Publishes what these publishers and another stream publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge7<A, B, C, D, E, F, Z>
    where Z.Output == Output, Z.Failure == Failure {
      Merge7(a, b, c, d, e, f, z)
    }

    /// Publishes what these publishers and two other streams publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher, Y: Publisher>(
      with z: Z, _ y: Y
    ) -> Merge8<A, B, C, D, E, F, Z, Y>
    where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
      Merge8(a, b, c, d, e, f, z, y)
    }
  }

  /// Publishes what seven publishers publish, as it comes.
  ///
  /// It finishes when all have finished, and fails as soon as one fails.
  public struct Merge7<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
  >: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure, C.Output == D.Output,
    C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure, E.Output == F.Output, E.Failure == F.Failure,
    F.Output == G.Output, F.Failure == G.Failure
  {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The publishers' kind of values.
    public typealias Output = A.Output
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

    /// The seventh publisher.
    public let g: G

    /// Creates the publisher.
    @_alwaysEmitIntoClient
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
      self.g = g
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let link = FlattenLink.merging(to: subscriber)
      link.open(a)
      link.open(b)
      link.open(c)
      link.open(d)
      link.open(e)
      link.open(f)
      link.open(g)
      link.seal()
    }

    /// Publishes what these publishers and another stream publish, as it comes.
    @_alwaysEmitIntoClient
    public func merge<Z: Publisher>(
      with z: Z
    ) -> Merge8<A, B, C, D, E, F, G, Z>
    where Z.Output == Output, Z.Failure == Failure {
      Merge8(a, b, c, d, e, f, g, z)
    }
  }

  /// Publishes what eight publishers publish, as it comes.
  ///
  /// It finishes when all have finished, and fails as soon as one fails.
  public struct Merge8<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher
  >: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure, C.Output == D.Output,
    C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure, E.Output == F.Output, E.Failure == F.Failure,
    F.Output == G.Output, F.Failure == G.Failure, G.Output == H.Output, G.Failure == H.Failure
  {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The publishers' kind of values.
    public typealias Output = A.Output
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

    /// The seventh publisher.
    public let g: G

    /// The eighth publisher.
    public let h: H

    /// Creates the publisher.
    @_alwaysEmitIntoClient
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
      self.g = g
      self.h = h
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let link = FlattenLink.merging(to: subscriber)
      link.open(a)
      link.open(b)
      link.open(c)
      link.open(d)
      link.open(e)
      link.open(f)
      link.open(g)
      link.open(h)
      link.seal()
    }
  }

  /// Publishes what any number of publishers of one type publish, as it comes.
  ///
  /// It finishes when all have finished, and fails as soon as one fails.
  ///
  /// - Complexity: A value takes amortised constant time, however many publishers there are. Subscribing, the first
  ///   request for everything, the cancellation and the end are O(*n*) in the number of publishers.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The publishers' kind of values.
    public typealias Output = Upstream.Output
    /// The publishers' kind of error.
    public typealias Failure = Upstream.Failure

    /// The publishers.
    public let publishers: [Upstream]

    /// Creates the publisher.
    ///
    /// - Parameter upstream: The publishers.
    @_alwaysEmitIntoClient
    public init(_ upstream: Upstream...) { publishers = upstream }

    /// Creates the publisher.
    ///
    /// - Parameter upstream: The publishers.
    /// - Complexity: O(*n*) in the number of publishers.
    @_alwaysEmitIntoClient
    public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let link = FlattenLink.merging(to: subscriber)
      for publisher in publishers { link.open(publisher) }
      link.seal()
    }

    /// Publishes what these publishers and another publish, as it comes.
    ///
    /// - Parameter other: The other publisher.
    /// - Complexity: O(*n*) in the number of publishers.
    @_alwaysEmitIntoClient
    public func merge(with other: Upstream) -> MergeMany<Upstream> { MergeMany(publishers + [other]) }
  }
}

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Merge3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.Merge4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
extension Publishers.Merge5: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable {}
extension Publishers.Merge6: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable {}
extension Publishers.Merge7: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable {}
extension Publishers.Merge8: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable, H: Equatable {}
extension Publishers.MergeMany: Equatable where Upstream: Equatable {}

extension FlattenLink {
  /// A link for a fixed number of streams: the subscriber gets its subscription first, then the streams are opened, and
  /// `seal` says that there are no more.
  @inlinable
  static func merging(to downstream: Downstream) -> FlattenLink {
    let link = FlattenLink(downstream: HeldSubscriber(downstream), policy: .all, name: "Merge")
    downstream.receive(subscription: link)
    return link
  }

  @inlinable
  func seal() { receive(.outerEnd(.finished)) }
}
