// Takes properties of every value.

extension Publisher {
  /// Takes a property of every value.
  ///
  /// A literal, as in `map(\.count)`, becomes a closure where nothing asks for this type: otherwise the compiler would
  /// try to read every closure of a chain as a key path, and take minutes for a chain of thirty.
  ///
  /// - Parameter keyPath: The property.
  @_disfavoredOverload
  @_alwaysEmitIntoClient @inline(__always)
  public func map<Result>(_ keyPath: KeyPath<Output, Result>) -> Publishers.MapKeyPath<Self, Result> {
    Publishers.MapKeyPath(upstream: self, keyPath: keyPath)
  }

  /// Takes two properties of every value, as a tuple.
  ///
  /// - Parameters:
  ///   - keyPath0: The first property.
  ///   - keyPath1: The second property.
  @_alwaysEmitIntoClient @inline(__always)
  public func map<Result0, Result1>(
    _ keyPath0: KeyPath<Output, Result0>, _ keyPath1: KeyPath<Output, Result1>
  ) -> Publishers.MapKeyPath2<Self, Result0, Result1> {
    Publishers.MapKeyPath2(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
  }

  /// Takes three properties of every value, as a tuple.
  ///
  /// - Parameters:
  ///   - keyPath0: The first property.
  ///   - keyPath1: The second property.
  ///   - keyPath2: The third property.
  @_alwaysEmitIntoClient @inline(__always)
  public func map<Result0, Result1, Result2>(
    _ keyPath0: KeyPath<Output, Result0>, _ keyPath1: KeyPath<Output, Result1>, _ keyPath2: KeyPath<Output, Result2>
  ) -> Publishers.MapKeyPath3<Self, Result0, Result1, Result2> {
    Publishers.MapKeyPath3(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
  }
}

extension Publishers {
  /// Takes a property of each value of another publisher.
  public struct MapKeyPath<Upstream: Publisher, Output>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// The property.
    public let keyPath: KeyPath<Upstream.Output, Output>

    @inlinable @inline(__always)
    init(upstream: Upstream, keyPath: KeyPath<Upstream.Output, Output>) {
      self.upstream = upstream
      self.keyPath = keyPath
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.receive(subscriber: StatelessSubscriber(MapKeyPathPolicy(keyPath: keyPath), subscriber))
    }
  }

  /// Takes two properties of each value of another publisher, as a tuple.
  public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The properties.
    public typealias Output = (Output0, Output1)
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// The first property.
    public let keyPath0: KeyPath<Upstream.Output, Output0>

    /// The second property.
    public let keyPath1: KeyPath<Upstream.Output, Output1>

    @inlinable @inline(__always)
    init(upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>, keyPath1: KeyPath<Upstream.Output, Output1>) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = MapKeyPathsPolicy<Upstream.Output, Output>(keyPaths: [keyPath0, keyPath1]) { [keyPath0, keyPath1] in
        ($0[keyPath: keyPath0], $0[keyPath: keyPath1])
      }
      upstream.receive(subscriber: StatelessSubscriber(policy, subscriber))
    }
  }

  /// Takes three properties of each value of another publisher, as a tuple.
  public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The properties.
    public typealias Output = (Output0, Output1, Output2)
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// The first property.
    public let keyPath0: KeyPath<Upstream.Output, Output0>

    /// The second property.
    public let keyPath1: KeyPath<Upstream.Output, Output1>

    /// The third property.
    public let keyPath2: KeyPath<Upstream.Output, Output2>

    @inlinable @inline(__always)
    init(
      upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>, keyPath1: KeyPath<Upstream.Output, Output1>,
      keyPath2: KeyPath<Upstream.Output, Output2>
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
      self.keyPath2 = keyPath2
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = MapKeyPathsPolicy<Upstream.Output, Output>(keyPaths: [keyPath0, keyPath1, keyPath2]) {
        [keyPath0, keyPath1, keyPath2] in
        ($0[keyPath: keyPath0], $0[keyPath: keyPath1], $0[keyPath: keyPath2])
      }
      upstream.receive(subscriber: StatelessSubscriber(policy, subscriber))
    }
  }
}

@frozen
@usableFromInline
struct MapKeyPathPolicy<Input, Output>: StatelessPolicy {
  @usableFromInline let keyPath: KeyPath<Input, Output>

  @inlinable @inline(__always)
  init(keyPath: KeyPath<Input, Output>) { self.keyPath = keyPath }

  @inlinable static var name: String { "ValueForKey" }

  @inlinable @inline(__always)
  func relay<Downstream: Subscriber>(_ input: Input, to downstream: Downstream) -> Subscribers.Demand
  where Downstream.Input == Output {
    downstream.receive(input[keyPath: keyPath])
  }

  @usableFromInline
  var children: [Mirror.Child] { [("keyPath", keyPath)] }
}

@frozen
@usableFromInline
struct MapKeyPathsPolicy<Input, Output>: StatelessPolicy {
  @usableFromInline let keyPaths: [AnyKeyPath]
  @usableFromInline let read: (Input) -> Output

  @inlinable @inline(__always)
  init(keyPaths: [AnyKeyPath], read: @escaping (Input) -> Output) {
    self.keyPaths = keyPaths
    self.read = read
  }

  @inlinable static var name: String { "ValueForKeys" }

  @inlinable @inline(__always)
  func relay<Downstream: Subscriber>(_ input: Input, to downstream: Downstream) -> Subscribers.Demand
  where Downstream.Input == Output {
    downstream.receive(read(input))
  }

  @usableFromInline
  var children: [Mirror.Child] {
    keyPaths.enumerated().map { ("keyPath\($0)", $1) }
  }
}
