// The reference values of the tests of pairs, which share their samples.

/// A sample of differences and what SciPy says about it, two-sided, greater and less.
struct PairedVector: Decodable {
  var differences: [Double]
  var positiveSum: Double
  var signedRank: [Double]
  var asymptotic: [Double]
  var shift: Double
  var intervals: [[Double?]]?
}
