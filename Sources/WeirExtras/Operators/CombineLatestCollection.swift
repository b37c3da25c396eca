// The newest values of any number of streams, as arrays.

public import Weir

extension Collection where Element: Publisher {
  /// Publishes the newest values of the publishers in this collection, in its order, whenever one of them publishes.
  ///
  ///     [temperature, pressure, humidity].combineLatest().sink { print($0) }
  ///
  /// The first array comes once all have published. The stream finishes when all have finished, and fails as soon as
  /// one fails. Of no publishers it finishes at once. Each publisher is asked for as many values as the subscriber asks
  /// for: a subject drops what it sends beyond that, and its newest value is the last one that came. Any thread may
  /// publish, subscribe and cancel.
  ///
  /// - Returns: The publisher; it keeps the collection.
  /// - Complexity: O(*n*) in the number of publishers, for each array.
  @_disfavoredOverload
  @inlinable
  public func combineLatest() -> Publishers.CombineLatestCollection<Self> {
    Publishers.CombineLatestCollection(self)
  }
}

extension Publishers {
  /// Publishes the newest values of all publishers of a collection, in its order, whenever one of them publishes.
  ///
  /// One engine holds all. Each unit of demand brings at most one array.
  public struct CombineLatestCollection<Sources: Collection>: Publisher where Sources.Element: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The newest value of each publisher.
    public typealias Output = [Sources.Element.Output]
    /// The publishers' kind of error.
    public typealias Failure = Sources.Element.Failure

    /// The publishers.
    public let sources: Sources

    /// Creates the publisher.
    ///
    /// - Parameter sources: The publishers.
    @inlinable
    public init(_ sources: Sources) { self.sources = sources }

    /// Attaches a subscriber.
    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      TupleLink<LatestPolicy, Downstream>.join(
        sources, to: HeldSubscriber(subscriber), name: "CombineLatest"
      ) { lane, _ in lane.peek() }
    }
  }
}

extension Publishers.CombineLatestCollection: Equatable where Sources: Equatable {}
