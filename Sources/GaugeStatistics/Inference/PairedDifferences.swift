// Order statistics of all pairwise differences of two samples, without a list of them where that would be long.

/// Every difference of a value of a second sample and one of a first, in rising order.
struct PairedDifferences: Sendable {
  private let first: [Double]
  private let second: [Double]
  /// All of them, where they are few.
  private let list: [Double]

  /// Differences up to which a list is kept; longer ones took seconds to sort, and gigabytes.
  static let longestList = 250_000

  /// Takes all differences.
  ///
  /// - Complexity: O(m · n · log(m · n)) up to `longestList`, beyond O(m · log m + n · log n).
  init(_ first: [Double], _ second: [Double], longestList: Int = longestList) {
    self.first = first.sorted()
    self.second = second.sorted()
    list =
      first.count * second.count > longestList ? [] : second.flatMap { value in first.map { value - $0 } }.sorted()
  }

  /// How many there are.
  var count: Int { first.count * second.count }

  /// The median.
  var median: Double {
    let middle = count / 2
    return count.isMultiple(of: 2) ? (self[middle - 1] + self[middle]) / 2 : self[middle]
  }

  /// The difference of which so many are smaller or as small, not counting itself.
  ///
  /// - Complexity: O(1) with a list, else O(m + n): the bits of the number are found one after the other.
  subscript(place: Int) -> Double {
    if !list.isEmpty { return list[place] }
    var (low, high) = (Self.key(-.infinity), Self.key(.infinity))
    while low < high {
      let middle = low + (high - low) / 2
      if differences(upTo: Self.number(middle)) > place { high = middle } else { low = middle + 1 }
    }
    return Self.number(low)
  }

  /// How many differences are not above a number.
  private func differences(upTo limit: Double) -> Int {
    var (count, taken) = (0, 0)
    // The larger the value of the first sample, the more of the second are near enough.
    for value in first {
      while taken < second.count, second[taken] - value <= limit { taken += 1 }
      count += taken
    }
    return count
  }

  /// A number as a whole number, in the same order.
  private static func key(_ number: Double) -> UInt64 {
    number.bitPattern >> 63 == 0 ? number.bitPattern | 1 << 63 : ~number.bitPattern
  }

  private static func number(_ key: UInt64) -> Double {
    Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key)
  }
}
