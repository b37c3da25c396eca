// Change points of a series: E-divisive (Matteson and James, JASA 109, 2014), hierarchical, with a permutation test.

/// Where the distribution of a series changes, whatever way it changes in.
///
/// The energy statistic (Székely and Rizzo) of two neighbouring stretches is largest where their values differ most
/// from each other compared with within. The best split of the best segment is tested against splits of the same values
/// in random order; the search ends with the first split that random orders reach too often. Long series are looked at
/// in stretches that overlap.
public struct ChangePoints: Sendable {
  /// A change.
  public struct Change: Hashable, Sendable {
    /// Index of the first value behind the change.
    public var index: Int
    /// The energy statistic of the split.
    public var statistic: Double
    /// Share of random orders that reach it.
    public var pValue: Double
  }

  /// Changes in the order of the series.
  public let changes: [Change]

  /// Finds the changes.
  ///
  /// - Parameters:
  ///   - series: The values in order.
  ///   - level: The largest p-value of a change.
  ///   - permutations: Random orders that each split is held against; the p-value is at least 1 / (permutations + 1).
  ///   - minimumSegment: Fewest values between two changes, at least 2.
  ///   - seed: Seed of the random orders.
  /// - Complexity: O(changes · permutations · n²) for n up to 256, beyond linear in n.
  public init(
    _ series: [Double], level: Double = 0.01, permutations: Int = 199, minimumSegment: Int = 3, seed: UInt64 = 1
  ) {
    precondition(minimumSegment >= 2, "a segment needs two values to differ within")
    precondition(permutations > 0, "a permutation test needs permutations")
    var generator = Xoshiro256(seed: seed)
    var changes: [Change] = []
    var start = 0
    while true {
      let end = min(series.count, start + Self.window)
      let found = Self.changes(
        series, within: start..<end, level: level, permutations: permutations, minimumSegment: minimumSegment,
        &generator)
      changes += found
      guard end < series.count else { break }
      // What was cut off of a stretch is looked at again, with what follows it.
      start = max(start + Self.window / 2, found.last?.index ?? 0)
    }
    self.changes = changes
  }

  /// Values that are looked at together: the time of longer series grows with their length and not with its square.
  static let window = 256

  /// The changes within a stretch, in order.
  private static func changes(
    _ series: [Double], within stretch: Range<Int>, level: Double, permutations: Int, minimumSegment: Int,
    _ generator: inout Xoshiro256
  ) -> [Change] {
    var segments = [stretch]
    var changes: [Change] = []
    while true {
      let splits = segments.map { bestSplit(series[$0], minimumSegment) }
      guard let best = splits.compactMap({ $0 }).max(by: { $0.statistic < $1.statistic }) else { break }
      var reached = 1
      for _ in 0..<permutations {
        let largest = segments.compactMap { segment in
          var values = Array(series[segment])
          for index in stride(from: values.count - 1, to: 0, by: -1) {
            values.swapAt(index, generator.index(below: index + 1))
          }
          return bestSplit(values[...], minimumSegment)?.statistic
        }.max()
        if let largest, largest >= best.statistic { reached += 1 }
        // Enough of them to know.
        if Double(reached) > level * Double(permutations + 1) { break }
      }
      let pValue = Double(reached) / Double(permutations + 1)
      guard pValue <= level else { break }
      changes.append(Change(index: best.index, statistic: best.statistic, pValue: pValue))
      segments = segments.flatMap { segment in
        segment.contains(best.index) && best.index > segment.lowerBound
          ? [segment.lowerBound..<best.index, best.index..<segment.upperBound] : [segment]
      }
    }
    return changes.sorted { $0.index < $1.index }
  }

  /// The split of a segment with the largest energy statistic: values before the split against those behind it up to
  /// some later end, so that a second change does not hide the first.
  ///
  /// - Returns: Index of the first value behind the split and the statistic; `nil` for a segment that is too short.
  static func bestSplit(_ segment: ArraySlice<Double>, _ minimum: Int) -> (index: Int, statistic: Double)? {
    let values = Array(segment)
    let n = values.count
    guard n >= 2 * minimum else { return nil }
    // `within[i]`: distances among the values before i.
    var within = [Double](repeating: 0, count: n + 1)
    for i in 0..<n { within[i + 1] = within[i] + values[..<i].reduce(0) { $0 + abs($1 - values[i]) } }
    var (place, largest) = (0, -Double.infinity)
    // A quotient takes as long as several products.
    let inverse = (0...n).map { $0 == 0 ? 0 : 1 / Double($0) }
    // `before[j]`: distances of the value j to all values before the split.
    var before = values.map { value in values[..<(minimum - 1)].reduce(0) { $0 + abs($1 - value) } }
    for split in minimum...(n - minimum) {
      let added = values[split - 1]
      for j in split..<n { before[j] += abs(values[j] - added) }
      // With m values before the split and k behind it, m k / (m + k) times the energy, which is 2 between / (m k) -
      // 2 within / (m (m - 1)) - 2 behind / (k (k - 1)).
      let m = Double(split)
      let own = within[split] * inverse[split - 1]
      var between = 0.0
      for end in split..<n {
        between += before[end]
        let count = end + 1 - split
        guard count >= minimum else { continue }
        let behind = within[end + 1] - within[split] - between
        let statistic =
          2 * inverse[split + count] * (between - own * Double(count) - behind * m * inverse[count - 1])
        if statistic > largest { (place, largest) = (split, statistic) }
      }
    }
    return largest > -.infinity ? (segment.startIndex + place, largest) : nil
  }
}
