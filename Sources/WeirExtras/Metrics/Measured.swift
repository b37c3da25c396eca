// Counts what passes, and measures how long it takes downstream.

public import Weir

extension Publisher {
  /// Counts what passes here, under a name, and measures how long values take downstream.
  ///
  /// ``StreamMetrics`` has the figures, as values and as text for a monitoring system. What is measured is the time
  /// that the subscriber takes for a value: from when this operator calls it until that call returns. It holds
  /// everything that happens within the call: the operators further down, the closures of the user's, and further
  /// values that these send through here; not what is left to another thread, scheduler or task. Every 64th value
  /// is measured, unless it comes within a measured one.
  ///
  /// All streams of the same name and labels add up, whichever place they come from. Names and labels are kept as long
  /// as the metrics are: what has no end, as an identifier of each request, is neither.
  ///
  /// The operator passes values and ends on as they come, on the thread that they come on, also before its subscription
  /// and after its end; a second subscription, or one that comes after the end, it cancels. It counts what a publisher
  /// sends that keeps its contract: of values that come from several threads at once it may miss some.
  ///
  /// - Parameters:
  ///   - name: What the stream is called in the figures.
  ///   - labels: What else tells it from others, such as the part of a program that it belongs to. A label's name
  ///     consists of ASCII letters, digits and `_`, and doesn't begin with a digit or `__`; `stream` and `le` are
  ///     taken. Any other name traps.
  ///   - metrics: Where the figures go.
  /// - Complexity: O(1) per value, without a lock or an allocation; the value that is measured takes a lock, and the
  ///   time twice, and one that comes after the end a lock. A subscription has four objects.
  @_disfavoredOverload
  @inlinable
  public func measured(
    _ name: String, labels: [String: String] = [:], in metrics: StreamMetrics = .shared
  ) -> Publishers.Measured<Self> {
    Publishers.Measured(upstream: self, name: name, labels: labels, metrics: metrics)
  }
}

extension Publishers {
  /// Counts what another publisher sends, and measures how long values take downstream.
  public struct Measured<Upstream: Publisher>: Publisher {
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

    @usableFromInline let figures: StreamFigures

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - name: What the stream is called in the figures.
    ///   - labels: What else tells it from others.
    ///   - metrics: Where the figures go.
    @inlinable
    public init(upstream: Upstream, name: String, labels: [String: String], metrics: StreamMetrics) {
      self.upstream = upstream
      figures = metrics.figures(of: name, labels)
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = MeasuringPolicy<Output, Failure>(figures.attach())
      upstream.receive(subscriber: TapSubscriber(policy, to: subscriber))
    }
  }
}

@frozen
@usableFromInline
struct MeasuringPolicy<Value, Failure: Error>: TapPolicy {
  @usableFromInline let tally: StreamTally
  @usableFromInline let hold: TallyHold

  @inlinable
  init(_ tally: StreamTally) {
    self.tally = tally
    hold = TallyHold(tally)
  }

  @inlinable static var name: StaticString { "Measured" }
  @inlinable static var outlivesTheEnd: Bool { true }

  @inlinable
  func see(subscription: any Subscription) {}

  @inlinable @inline(__always)
  func see(value: Value) { tally.begin() }

  @inlinable
  func see(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: tally.end(.completion)
    case .failure: tally.end(.failure)
    }
  }

  @inlinable @inline(__always)
  func see(returned demand: Subscribers.Demand) { tally.finish() }

  @inlinable
  func see(requested demand: Subscribers.Demand) {}

  @inlinable
  func seeCancellation() { tally.end(.cancellation) }
}
