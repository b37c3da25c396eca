// Matches the values of any number of streams by their order, as arrays.

public import Weir

extension Collection where Element: Publisher {
  /// Publishes arrays of the values of the publishers in this collection, in its order: first the first of each, then
  /// the second of each.
  ///
  /// The stream finishes as soon as no further array is possible, and fails as soon as one publisher fails. Of no
  /// publishers it finishes at once. Any thread may publish, subscribe and cancel.
  ///
  /// - Returns: The publisher; it keeps the collection.
  /// - Complexity: O(*n*) in the number of publishers, for each array. What runs ahead is kept: of publishers that heed
  ///   demand no more than the subscriber has asked for, as a subject drops what it sends beyond that.
  @_disfavoredOverload
  @inlinable
  public func zip() -> Publishers.ZipCollection<Self> { Publishers.ZipCollection(self) }
}

extension Publishers {
  /// Publishes arrays of the values of all publishers of a collection, matched by their order.
  ///
  /// One engine holds all, so what runs ahead waits in one place.
  public struct ZipCollection<Sources: Collection>: Publisher where Sources.Element: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// One value of each publisher.
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
      TupleLink<PairingPolicy, Downstream>.join(sources, to: HeldSubscriber(subscriber), name: "Zip") { $0.take(&$1) }
    }
  }
}

extension Publishers.ZipCollection: Equatable where Sources: Equatable {}
