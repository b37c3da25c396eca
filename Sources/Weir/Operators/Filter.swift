// Lets some values through.

extension Publisher {
  /// Lets the values through that satisfy a predicate.
  ///
  /// - Parameter isIncluded: Decides about a value.
  @inlinable @inline(__always)
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// Lets the values of another publisher through that satisfy a predicate.
  ///
  /// For each value that it drops it asks for one more.
  public struct Filter<Upstream: Publisher>: Publisher {
    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Decides about a value.
    public let isIncluded: (Upstream.Output) -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - isIncluded: Decides about a value.
    @inlinable @inline(__always)
    public init(upstream: Upstream, isIncluded: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Output == Downstream.Input, Failure == Downstream.Failure {
      upstream.receive(subscriber: Relay(FilterRule(isIncluded: isIncluded), subscriber))
    }

    /// Lets the values through that satisfy both predicates, in one step.
    @inlinable @inline(__always)
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Filter<Upstream> {
      let first = self.isIncluded
      return Filter(upstream: upstream) { first($0) && isIncluded($0) }
    }
  }
}

@frozen
@usableFromInline
struct FilterRule<Input>: RelayRule {
  @usableFromInline typealias Output = Input

  @usableFromInline let isIncluded: (Input) -> Bool

  @inlinable @inline(__always)
  init(isIncluded: @escaping (Input) -> Bool) { self.isIncluded = isIncluded }

  @inlinable
  static var name: String { "Filter" }

  @inlinable @inline(__always)
  func relay<Downstream: Subscriber>(_ input: Input, to downstream: Downstream) -> Subscribers.Demand
  where Downstream.Input == Input {
    isIncluded(input) ? downstream.receive(input) : .max(1)
  }
}
