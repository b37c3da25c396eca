// Sums of counts that come from files, which may be anything.

/// The sum of two counts, at most the largest number that halves and doubles safely.
///
/// - Parameters:
///   - first: A count, not below 0.
///   - second: Another.
func boundedSum(_ first: Int, _ second: Int) -> Int {
  let (total, overflows) = first.addingReportingOverflow(second)
  return overflows ? largestSum : min(total, largestSum)
}

/// A count that was shared out: the nearest whole number, of whatever sign no larger than sums are.
///
/// - Parameter share: The number; 0 is taken for what is none.
func boundedCount(_ share: Double) -> Int {
  share.isNaN ? 0 : Int(max(-Double(largestSum), min(Double(largestSum), share.rounded())))
}

/// The largest sum that is told: beyond, sums stand still.
let largestSum = 1 << 61
