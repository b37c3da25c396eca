// The dip test of unimodality (Hartigan and Hartigan, Annals of Statistics 13, 1985),
// by algorithm AS 217 (P. M. Hartigan).

/// How far a sample's distribution is from the nearest one with a single mode.
public struct DipTest: Sendable {
  /// The dip: the largest distance between both distribution functions, at least 1 / (2 n).
  public let dip: Double
  private let n: Int

  /// Computes the dip.
  ///
  /// - Parameter sorted: The sample in rising order, not empty.
  /// - Complexity: O(n) to O(n²), usually near the former.
  public init(sorted: [Double]) {
    precondition(!sorted.isEmpty, "a dip needs a value")
    n = sorted.count
    dip = sorted[0] == sorted[n - 1] || n < 4 ? 1 / (2 * Double(n)) : Hulls(sorted).dip / (2 * Double(n))
  }

  /// The probability of a dip at least this large in a sample of a uniform distribution, the worst unimodal one.
  ///
  /// Interpolated between quantiles that were simulated with 100,000 samples each: between 1 and 0.001, beyond which
  /// the last value stands for all that is smaller.
  public var pValue: Double {
    guard n >= 4 else { return 1 }
    let scaled = dip * Double(n).squareRoot()
    let sizes = Self.table
    let above = sizes.firstIndex { $0.n >= n } ?? sizes.count - 1
    let below = n >= sizes[sizes.count - 1].n ? sizes.count - 1 : max(0, sizes[above].n == n ? above : above - 1)
    // Between sizes the quantiles change with the logarithm of the size about evenly.
    let share =
      above == below
      ? 0
      : (logarithm(Double(n)) - logarithm(Double(sizes[below].n)))
        / (logarithm(Double(sizes[above].n)) - logarithm(Double(sizes[below].n)))
    let quantiles = Self.probabilities.indices.map { column in
      sizes[below].quantiles[column] + share * (sizes[above].quantiles[column] - sizes[below].quantiles[column])
    }
    guard let next = quantiles.firstIndex(where: { $0 >= scaled }) else { return Self.probabilities.last! }
    guard next > 0 else { return 1 }
    let part = (scaled - quantiles[next - 1]) / (quantiles[next] - quantiles[next - 1])
    let (high, low) = (logarithm(Self.probabilities[next - 1]), logarithm(Self.probabilities[next]))
    return exponential(high + part * (low - high))
  }

  /// Chances that a uniform sample's dip is larger than the quantiles below.
  static let probabilities = [0.9, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001]

  /// Quantiles of the dip times the square root of the size, for uniform samples.
  static let table: [(n: Int, quantiles: [Double])] = [
    (4, [0.25000, 0.25000, 0.31480, 0.37484, 0.41357, 0.44742, 0.46320, 0.47400, 0.48390, 0.48841]),
    (5, [0.22361, 0.27206, 0.36075, 0.39578, 0.41712, 0.43306, 0.43968, 0.44326, 0.44546, 0.44629]),
    (6, [0.20412, 0.30136, 0.36583, 0.39005, 0.40376, 0.44024, 0.47209, 0.49565, 0.52096, 0.53516]),
    (7, [0.21676, 0.31106, 0.36142, 0.38156, 0.42338, 0.46360, 0.48745, 0.50591, 0.52395, 0.53481]),
    (8, [0.23177, 0.31401, 0.35440, 0.40144, 0.43525, 0.46944, 0.48941, 0.50684, 0.52780, 0.55176]),
    (9, [0.24111, 0.31225, 0.36809, 0.40924, 0.43951, 0.47119, 0.49207, 0.51811, 0.54714, 0.56222]),
    (10, [0.24640, 0.30891, 0.37506, 0.41215, 0.44127, 0.47667, 0.50475, 0.52833, 0.55516, 0.56958]),
    (12, [0.25082, 0.31590, 0.38135, 0.41680, 0.45099, 0.49040, 0.51497, 0.53757, 0.56656, 0.58872]),
    (15, [0.24883, 0.32346, 0.38564, 0.42654, 0.45928, 0.49925, 0.52675, 0.54968, 0.57765, 0.59962]),
    (20, [0.25409, 0.32830, 0.39579, 0.43523, 0.47102, 0.51218, 0.54195, 0.56665, 0.59843, 0.61942]),
    (30, [0.25938, 0.33641, 0.40541, 0.44633, 0.48269, 0.52641, 0.55678, 0.58331, 0.61743, 0.64170]),
    (50, [0.26690, 0.34592, 0.41607, 0.45879, 0.49692, 0.54193, 0.57227, 0.60018, 0.63194, 0.65553]),
    (100, [0.27379, 0.35421, 0.42717, 0.47098, 0.51095, 0.55853, 0.58957, 0.61839, 0.65130, 0.68151]),
    (200, [0.27956, 0.36169, 0.43558, 0.48097, 0.52128, 0.57020, 0.60525, 0.63704, 0.67506, 0.70414]),
  ]
}

/// The two hulls of a distribution function, and the search for the interval of the mode between them.
///
/// Positions are indices into the sample. The greatest convex minorant and the least concave majorant touch the
/// function in chains of points; the modal interval shrinks to where they are farthest apart, and the dip is the
/// largest distance to the hulls outside of it.
private struct Hulls {
  private let x: [Double]
  /// For each point the one before it on the convex minorant of all points up to it.
  private var minorant: [Int]
  /// For each point the one behind it on the concave majorant of all points from it.
  private var majorant: [Int]

  init(_ sorted: [Double]) {
    x = sorted
    let last = sorted.count - 1
    minorant = Array(0...last)
    majorant = Array(0...last)
    for j in 1...last {
      minorant[j] = j - 1
      while minorant[j] != 0, !turns(minorant[minorant[j]], minorant[j], j) { minorant[j] = minorant[minorant[j]] }
    }
    for k in stride(from: last - 1, through: 0, by: -1) {
      majorant[k] = k + 1
      while majorant[k] != last, !turns(majorant[majorant[k]], majorant[k], k) { majorant[k] = majorant[majorant[k]] }
    }
  }

  /// Whether the slope from b to c is steeper than the one from a to b, in the direction of the walk.
  private func turns(_ a: Int, _ b: Int, _ c: Int) -> Bool {
    (x[c] - x[b]) * Double(b - a) < (x[b] - x[a]) * Double(c - b)
  }

  /// Twice the size of the sample times the dip.
  var dip: Double {
    var (low, high) = (0, x.count - 1)
    var dip = 1.0
    while true {
      // From the right end to the left one, and from the left end to the right one.
      let convex = Array(sequence(first: high) { $0 > low ? minorant[$0] : nil })
      let concave = Array(sequence(first: low) { $0 < high ? majorant[$0] : nil })
      let (gap, left, right) = widestGap(convex, concave)
      if gap < dip { return dip }
      let below = zip(convex[left...], convex[left...].dropFirst()).map { distance(from: $1, to: $0, sign: 1) }
      let above = zip(concave[right...], concave[right...].dropFirst()).map { distance(from: $0, to: $1, sign: -1) }
      dip = max(dip, below.max() ?? 0, above.max() ?? 0)
      if low == convex[left], high == concave[right] { return dip }
      (low, high) = (convex[left], concave[right])
    }
  }

  /// The largest distance between both hulls, and the positions in their chains that enclose it.
  private func widestGap(_ convex: [Int], _ concave: [Int]) -> (gap: Double, left: Int, right: Int) {
    var (left, right) = (convex.count - 1, concave.count - 1)
    guard convex.count != 2 || concave.count != 2 else { return (1, left, right) }
    var (i, j) = (max(0, convex.count - 2), min(1, concave.count - 1))
    var gap = 0.0
    repeat {
      let (a, b) = (convex[i], concave[j])
      if a > b {
        let start = convex[i + 1]
        let height = Double(b - start + 1) - (x[b] - x[start]) * Double(a - start) / (x[a] - x[start])
        j += 1
        if height >= gap { (gap, left, right) = (height, i + 1, j - 1) }
      } else {
        let start = concave[j - 1]
        let height = (x[a] - x[start]) * Double(b - start) / (x[b] - x[start]) - Double(a - start - 1)
        i -= 1
        if height >= gap { (gap, left, right) = (height, i + 1, j) }
      }
      (i, j) = (max(0, i), min(j, concave.count - 1))
    } while convex[i] != concave[j]
    return (gap, left, right)
  }

  /// The largest distance between the function and a side of a hull, counted in values: 1 for neighbours.
  private func distance(from start: Int, to end: Int, sign: Double) -> Double {
    guard end - start > 1, x[end] != x[start] else { return 1 }
    let slope = Double(end - start) / (x[end] - x[start])
    return (start...end).reduce(1) { largest, index in
      max(largest, sign * (Double(index - start) - (x[index] - x[start]) * slope) + 1)
    }
  }
}
