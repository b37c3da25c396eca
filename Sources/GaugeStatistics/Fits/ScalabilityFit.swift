// How a throughput grows with the number of threads: Gunther's universal scalability law (N. J. Gunther, "Guerrilla
// Capacity Planning", chapter 4), fitted with relative errors.

/// The law `λN / (1 + σ(N-1) + κN(N-1))`, fitted to throughputs.
public struct ScalabilityFit: Hashable, Sendable {
  /// λ: the throughput of one thread.
  public var rate: Estimate
  /// σ: the part of the work that only one thread at a time can do. 0 for perfect scaling, 1 for none.
  public var contention: Estimate
  /// κ: what each pair of threads costs to keep in agreement. Above 0 more threads in the end do less.
  public var coherence: Estimate
  /// Root mean square of the relative errors.
  public var error: Double

  /// The throughput of a number of threads, by the law.
  public func throughput(of threads: Double) -> Double {
    rate.value * threads
      / (1 + contention.value * (threads - 1) + coherence.value * threads * (threads - 1))
  }

  /// The number of threads beyond which the throughput falls; `nil` where it never does.
  public var peak: Double? {
    guard coherence.value > 0 else { return nil }
    return (max(0, 1 - contention.value) / coherence.value).squareRoot()
  }

  /// Fits the law. None of its parameters may be below 0: one that would be is 0, and its interval ends there.
  ///
  /// With `N/X` for the time that N threads take for N operations, the law is linear in 1/λ, σ/λ and κ/λ.
  ///
  /// - Parameters:
  ///   - points: Numbers of threads, at least 1, and throughputs above 0; several may share a number.
  ///   - confidence: Probability that each interval holds.
  /// - Returns: `nil` where there are fewer than 4 numbers of threads.
  public init?(_ points: [(threads: Double, throughput: Double)], confidence: Double = 0.95) {
    guard Set(points.map(\.threads)).count >= 4,
      points.allSatisfy({ $0.threads >= 1 && $0.throughput > 0 && $0.throughput.isFinite })
    else { return nil }
    let scales = points.map { $0.throughput / $0.threads }
    let columns = [
      scales, zip(points, scales).map { ($0.threads - 1) * $1 },
      zip(points, scales).map { $0.threads * ($0.threads - 1) * $1 },
    ]
    // The best of the fits whose parameters are all legal: with three columns that is all there is to try.
    var best: (kept: [Int], fit: LeastSquares)?
    for kept in [[0, 1, 2], [0, 1], [0, 2], [0]] {
      guard let fit = LeastSquares(kept.map { columns[$0] }, points.map { _ in 1 }),
        fit.coefficients.allSatisfy({ $0 >= 0 }), fit.coefficients[0] > 0
      else { continue }
      if best.map({ fit.residual < $0.fit.residual }) ?? true { best = (kept, fit) }
    }
    guard let (kept, fit) = best else { return nil }
    let freedom = Double(points.count - kept.count)
    let variance = fit.residual / freedom
    let reach = StudentDistribution(degreesOfFreedom: freedom).quantile((1 + confidence) / 2)
    let base = fit.coefficients[0]
    // The variance of a quotient, to first order.
    func quotient(_ column: Int) -> Estimate {
      guard let place = kept.firstIndex(of: column) else { return .exact(0) }
      let value = fit.coefficients[place] / base
      let spread =
        variance
        * (fit.inverse[place][place] - 2 * value * fit.inverse[0][place] + value * value * fit.inverse[0][0])
      let width = reach * max(0, spread).squareRoot() / base
      return Estimate(value, Interval(max(0, value - width), value + width))
    }
    contention = quotient(1)
    coherence = quotient(2)
    let width = reach * (variance * fit.inverse[0][0]).squareRoot() / base
    rate = Estimate(1 / base, Interval(max(0, (1 - width) / base), (1 + width) / base))
    error = (fit.residual / Double(points.count)).squareRoot()
  }
}
