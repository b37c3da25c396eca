// Keeps values until they are asked for.

extension Publisher {
  /// Keeps values that come without demand, up to a number, until they are asked for.
  ///
  /// The stream finishes at a request that comes when no value is left. A failure of the upstream does not wait for
  /// requests: values that are still kept are dropped.
  ///
  /// - Parameters:
  ///   - size: The greatest number of values that are kept; with 0, every value finds the buffer full, and with
  ///     `.keepFull` none is asked for.
  ///   - prefetch: What the upstream is asked for.
  ///   - whenFull: What happens to a value that finds no room.
  @_alwaysEmitIntoClient
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }
}

extension Publishers {
  /// What a buffer asks its upstream for.
  @frozen
  public enum PrefetchStrategy: Equatable, Hashable {
    /// As many values as there is room for, and one more for each value that leaves.
    case keepFull
    /// Everything at once, so that the buffer holds what comes between requests.
    case byRequest
  }

  /// Keeps the values of another publisher until they are asked for.
  ///
  /// - Complexity: O(1) per value, whatever the size; a request is O(*n*) in the number of values that it sets free.
  ///   Nothing is allocated once the buffer has grown to what it holds.
  public struct Buffer<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// The greatest number of values that are kept; with 0, every value finds the buffer full.
    public let size: Int

    /// What the upstream is asked for.
    public let prefetch: PrefetchStrategy

    /// What happens to a value that finds no room.
    public let whenFull: BufferingStrategy<Failure>

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - size: The greatest number of values that are kept; with 0, every value finds the buffer full.
    ///   - prefetch: What the upstream is asked for.
    ///   - whenFull: What happens to a value that finds no room.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, size: Int, prefetch: PrefetchStrategy, whenFull: BufferingStrategy<Failure>
    ) {
      self.upstream = upstream
      self.size = size
      self.prefetch = prefetch
      self.whenFull = whenFull
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Failure == Downstream.Failure, Output == Downstream.Input {
      attach(subscriber, keeping: size)
    }

    /// Attaches a subscriber.
    ///
    /// - Parameters:
    ///   - subscriber: The subscriber.
    ///   - limit: The greatest number of values that are kept; `size` may be less, and is what `keepFull` asks for.
    @inlinable @inline(__always)
    package func attach<Downstream: Subscriber>(_ subscriber: Downstream, keeping limit: Int)
    where Failure == Downstream.Failure, Output == Downstream.Input {
      let link = BufferLink(
        downstream: HeldSubscriber(subscriber), size: limit, ahead: prefetch == .keepFull ? .max(size) : .unlimited,
        whenFull: whenFull, name: "Buffer")
      upstream.receive(subscriber: BufferSubscriber(link))
    }
  }
}
