// Student's t distribution through the regularised incomplete beta function (DLMF 8.17, continued fraction by Lentz).
// Ours, as the C library has no distributions, and its gamma function another form on each system.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Student's t distribution with a real number of degrees of freedom.
public struct StudentDistribution: Sendable {
  /// Degrees of freedom, above 0.
  public let degreesOfFreedom: Double

  /// Creates the distribution.
  ///
  /// - Parameter degreesOfFreedom: Degrees of freedom, above 0.
  public init(degreesOfFreedom: Double) {
    precondition(degreesOfFreedom > 0, "degrees of freedom must be positive")
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// The probability of a value not above `t`.
  public func cumulative(_ t: Double) -> Double {
    guard t.isFinite else { return t < 0 ? 0 : 1 }
    let tail =
      incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5) / 2
    return t < 0 ? tail : 1 - tail
  }

  /// The value that a draw does not exceed with the given probability; infinite at 0 and 1.
  ///
  /// - Complexity: About 100 evaluations of `cumulative(_:)`: bracketing and bisection to the last bit.
  public func quantile(_ probability: Double) -> Double {
    precondition((0...1).contains(probability), "a probability must be between 0 and 1")
    if probability == 0.5 { return 0 }
    let tail = min(probability, 1 - probability)
    guard tail > 0 else { return probability < 0.5 ? -.infinity : .infinity }
    var inner = 0.0
    var outer = 1.0
    while cumulative(-outer) > tail {
      inner = outer
      outer *= 2
      if outer.isInfinite { break }
    }
    while true {
      let middle = inner + (outer - inner) / 2
      if middle == inner || middle == outer { break }
      if cumulative(-middle) > tail { inner = middle } else { outer = middle }
    }
    return probability < 0.5 ? -outer : outer
  }
}

/// The regularised incomplete beta function I_x(a, b).
func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
  if x <= 0 { return 0 }
  if x >= 1 { return 1 }
  // The fraction converges fast below this bound; above it the symmetry I_x(a, b) = 1 - I_{1-x}(b, a) leads below it.
  if x > (a + 1) / (a + b + 2) { return 1 - incompleteBeta(1 - x, b, a) }
  let front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log1p(-x)) / a
  let tiny = 1e-300
  var c = 1.0
  var d = 1 - (a + b) * x / (a + 1)
  d = 1 / (abs(d) < tiny ? tiny : d)
  var fraction = d
  for step in 1...500 {
    let m = Double(step)
    let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
    let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
    var change = 1.0
    for coefficient in [even, odd] {
      d = 1 + coefficient * d
      d = 1 / (abs(d) < tiny ? tiny : d)
      c = 1 + coefficient / c
      if abs(c) < tiny { c = tiny }
      change = c * d
      fraction *= change
    }
    if abs(change - 1) < 1e-16 { break }
  }
  return front * fraction
}

/// The logarithm of the gamma function for positive arguments: Stirling's series (DLMF 5.11.1) behind an upward shift.
func logGamma(_ x: Double) -> Double {
  var shifted = x
  var product = 1.0
  while shifted < 15 {
    product *= shifted
    shifted += 1
  }
  let inverse = 1 / shifted
  let square = inverse * inverse
  let series =
    inverse * (1 / 12.0 - square * (1 / 360.0 - square * (1 / 1260.0 - square * (1 / 1680.0 - square / 1188.0))))
  return (shifted - 0.5) * log(shifted) - shifted + log(2 * Double.pi) / 2 + series - log(product)
}
