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

/// The largest sum that is told: beyond, sums stand still.
let largestSum = 1 << 61
