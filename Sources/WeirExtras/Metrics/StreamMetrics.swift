// Where the figures of measured streams are.

import WeirQueues

/// The figures of the streams that are `measured`, by their names and labels.
///
/// ```swift
/// let orders = PassthroughSubject<Int, Never>()
/// let token = orders.measured("orders").sink { print($0) }
/// orders.send(7)
/// print(StreamMetrics.shared["orders"]?.values ?? 0)    // 1
/// token.cancel()
/// ```
///
/// `measured` uses the shared one if not told otherwise. Any thread may use it at any time; what it reads while values
/// pass may lack the newest ones. It keeps a name and its figures for good.
public final class StreamMetrics: Sendable {
  private struct Key: Hashable {
    let name: String
    let labels: [String: String]

    /// A label without a value is as none, in OpenMetrics.
    init(_ name: String, _ labels: [String: String]) {
      self.name = name
      self.labels = labels.filter { !$0.value.isEmpty }
    }
  }

  /// The one that `measured` uses if not told otherwise.
  public static let shared = StreamMetrics()

  private let clock: @Sendable () -> Int
  private let streams = Lock([Key: StreamFigures]())

  /// Creates metrics without streams.
  public convenience init() { self.init { monotonicNanoseconds() } }

  /// Creates metrics without streams, whose times are those of a clock of the caller's.
  ///
  /// - Parameter clock: Says how many nanoseconds have passed since some moment; any thread may call it at any time.
  public init(clock: @escaping @Sendable () -> Int) { self.clock = clock }

  /// What has passed under a name; `nil` if no publisher has been made that measures under it.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - pairs: All of its labels.
  /// - Complexity: O(*n*) in the number of its subscriptions that somebody holds.
  public subscript(name: String, labels pairs: [String: String] = [:]) -> StreamReading? {
    streams.withLock { $0[Key(name, pairs)] }?.reading()
  }

  /// What has passed under all names, in their order.
  ///
  /// - Complexity: O(*n* log *n*) in the number of names, and O(*n*) in that of the subscriptions that somebody holds.
  public var readings: [StreamReading] {
    streams.withLock { Array($0.values) }
      .map { (order: $0.order, figures: $0) }
      .sorted { $0.order.lexicographicallyPrecedes($1.order) }
      .map { $0.figures.reading() }
  }

  /// The figures under a name, made if there are none.
  @usableFromInline
  func figures(of name: String, _ labels: [String: String]) -> StreamFigures {
    for label in labels.keys {
      precondition(isLabel(label), "API violation: no label of a stream can be called \(label)")
    }
    return streams.withLock { streams in
      let key = Key(name, labels)
      if let figures = streams[key] { return figures }
      let figures = StreamFigures(name: name, labels: key.labels, clock: clock)
      streams[key] = figures
      return figures
    }
  }
}

/// Whether OpenMetrics allows a label of that name, and it isn't one of those that the figures have anyway.
private func isLabel(_ name: String) -> Bool {
  guard let first = name.utf8.first, !name.hasPrefix("__"), name != "stream", name != "le" else { return false }
  let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  return !digits.contains(first)
    && name.utf8.allSatisfy { byte in
      digits.contains(byte) || byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 32)
    }
}
