// Passes on the values in a range of positions.

extension Publisher {
  /// Passes on the first values, up to a number, and then finishes.
  ///
  /// A prefix of no values finishes at the first value.
  ///
  /// - Parameter maxLength: The number of values; a negative one traps.
  @_alwaysEmitIntoClient @inline(__always)
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    output(in: ..<maxLength)
  }

  /// Passes on only the value at a position, and then finishes.
  ///
  /// - Parameter index: The position, counted from 0; a negative one traps.
  @_alwaysEmitIntoClient @inline(__always)
  public func output(at index: Int) -> Publishers.Output<Self> {
    output(in: index...index)
  }

  /// Passes on the values in a range of positions, and then finishes.
  ///
  /// - Parameter range: The positions, counted from 0; a negative one traps.
  @_alwaysEmitIntoClient @inline(__always)
  public func output<Range: RangeExpression>(in range: Range) -> Publishers.Output<Self> where Range.Bound == Int {
    Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
  }
}

extension Publishers {
  /// Passes on the values of another publisher in a range of positions.
  ///
  /// The last of them ends the stream and cancels the upstream. For each value before the range it asks for one more.
  public struct Output<Upstream: Publisher>: Publisher {
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

    /// The positions, counted from 0.
    public let range: CountableRange<Int>

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - range: The positions, counted from 0; a negative one traps.
    @_alwaysEmitIntoClient @inline(__always)
    public init(upstream: Upstream, range: CountableRange<Int>) {
      precondition(range.lowerBound >= 0 && range.upperBound >= range.lowerBound, "a position must not be negative")
      self.upstream = upstream
      self.range = range
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = OutputPolicy<Output, Failure>(range: range)
      upstream.receive(subscriber: StageSubscriber(policy, carrying: 0, to: subscriber))
    }
  }
}

extension Publishers.Output: Equatable where Upstream: Equatable {}

@frozen
@usableFromInline
struct OutputPolicy<Value, Failure: Error>: StagePolicy {
  @usableFromInline typealias UpstreamFailure = Failure
  @usableFromInline typealias Carry = Int

  @usableFromInline let range: Range<Int>

  @inlinable @inline(__always)
  init(range: Range<Int>) { self.range = range }

  @inlinable static var name: StaticString { "Output" }
  @inlinable static var strays: Strays { .passesValues }
  @inlinable static var showsDownstream: Bool { false }

  @inlinable @inline(__always)
  func step(_ input: Value, _ position: some Carrier<Int>) -> Step<Value, Failure> {
    let current = position.carry
    guard current < range.upperBound else { return .finish }
    position.carry = current + 1
    if current < range.lowerBound { return .skip }
    return current + 1 < range.upperBound ? .emit(input) : .last(input)
  }
}
