// Group-sequential boundaries by alpha spending (Lan and DeMets, Biometrika 70, 1983).

/// How the error of a test is shared among several looks at growing data, so that stopping early keeps the whole.
///
/// The statistic of k looks is taken as Brownian motion seen at the looks' shares of the data: every sum of independent
/// launches is, ranks included, from a few launches on. The boundary of each look follows from the density of what has
/// not been decided before, by the recursive integration of Armitage, McPherson and Rowe (1969).
public struct AlphaSpending: Sendable {
  /// How much of the error is spent at a share of the data.
  public enum Function: Sendable {
    /// Little at first: boundaries like those of O'Brien and Fleming, nearly the full error for the last look.
    case obrienFleming
    /// Evenly: boundaries like Pocock's, alike at every look.
    case pocock
  }

  /// The boundary of each look, in standard deviations.
  public let boundaries: [Double]

  /// The two-sided level at which a test may reject at each look.
  public var levels: [Double] { boundaries.map { 2 * NormalDistribution.cumulative(-$0) } }

  /// Computes boundaries.
  ///
  /// - Parameters:
  ///   - looks: Share of the data at each look, rising, above 0 and at most 1.
  ///   - error: Chance of a wrong rejection in all, on both sides together, between 0 and 1.
  ///   - function: How it is spent.
  /// - Complexity: O(looks · 500²) exponentials.
  public init(looks: [Double], error: Double, function: Function = .obrienFleming) {
    precondition(!looks.isEmpty && looks[0] > 0 && looks[looks.count - 1] <= 1, "shares must be above 0 and at most 1")
    precondition(zip(looks, looks.dropFirst()).allSatisfy { $0 < $1 }, "shares must rise")
    precondition(error > 0 && error < 1, "an error must be between 0 and 1")
    var boundaries: [Double] = []
    var spent = 0.0
    /// The density of the undecided at points of equal distance, times each point's weight in the integral.
    var undecided: [(point: Double, weight: Double)] = [(0, 1)]
    var time = 0.0
    for look in looks {
      let share = 2 * Self.spent(error / 2, at: look, function)
      let step = (look - time).squareRoot()
      func crossing(_ edge: Double) -> Double {
        undecided.reduce(0) { sum, entry in
          sum + entry.weight
            * (NormalDistribution.cumulative(-(edge - entry.point) / step)
              + NormalDistribution.cumulative(-(edge + entry.point) / step))
        }
      }
      var (low, high) = (0.0, 40 * look.squareRoot())
      for _ in 0..<200 where high - low > 1e-13 * high {
        let middle = (low + high) / 2
        if crossing(middle) > share - spent { low = middle } else { high = middle }
      }
      let edge = (low + high) / 2
      boundaries.append(edge / look.squareRoot())
      undecided = Self.density(undecided, step: step, edge: edge)
      spent = share
      time = look
    }
    self.boundaries = boundaries
  }

  /// The error of one side that is spent at a share of the data.
  private static func spent(_ error: Double, at share: Double, _ function: Function) -> Double {
    switch function {
    case .obrienFleming:
      2 * NormalDistribution.cumulative(NormalDistribution.quantile(error / 2) / share.squareRoot())
    case .pocock: error * logarithm(1 + (exponential(1) - 1) * share)
    }
  }

  /// The density one step later within the boundary, by Simpson's rule.
  private static func density(
    _ before: [(point: Double, weight: Double)], step: Double, edge: Double
  ) -> [(point: Double, weight: Double)] {
    let panels = 500
    let width = 2 * edge / Double(panels)
    return (0...panels).map { index in
      let point = -edge + width * Double(index)
      let simpson = (index == 0 || index == panels ? 1.0 : index.isMultiple(of: 2) ? 2 : 4) * width / 3
      let density = before.reduce(0) { sum, entry in
        let distance = (point - entry.point) / step
        return sum + entry.weight * exponential(-distance * distance / 2)
      }
      return (point, simpson * density / (step * (2 * Double.pi).squareRoot()))
    }
  }
}
