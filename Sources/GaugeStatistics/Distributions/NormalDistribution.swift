// The standard normal distribution; its quantile is Wichura's algorithm AS 241 (Applied Statistics 37, 1988).

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The normal distribution with mean 0 and standard deviation 1.
public enum NormalDistribution {
  /// The probability of a value not above `x`, with full relative precision in the lower tail.
  public static func cumulative(_ x: Double) -> Double { erfc(-x * 0.5.squareRoot()) / 2 }

  /// The value that a draw does not exceed with the given probability; infinite at 0 and 1.
  ///
  /// AS 241 (`PPND16`): relative error about 1e-16.
  public static func quantile(_ probability: Double) -> Double {
    precondition((0...1).contains(probability), "a probability must be between 0 and 1")
    let centred = probability - 0.5
    if abs(centred) <= 0.425 {
      let r = 0.180625 - centred * centred
      return centred * polynomial(central.numerator, r) / polynomial(central.denominator, r)
    }
    let tail = min(probability, 1 - probability)
    guard tail > 0 else { return centred < 0 ? -.infinity : .infinity }
    let r = (-log(tail)).squareRoot()
    let magnitude =
      r <= 5
      ? polynomial(middle.numerator, r - 1.6) / polynomial(middle.denominator, r - 1.6)
      : polynomial(far.numerator, r - 5) / polynomial(far.denominator, r - 5)
    return centred < 0 ? -magnitude : magnitude
  }

  private static func polynomial(_ coefficients: [Double], _ x: Double) -> Double {
    coefficients.reversed().reduce(0) { $0 * x + $1 }
  }

  /// Coefficients in rising powers, as printed in AS 241.
  private typealias Ratio = (numerator: [Double], denominator: [Double])

  private static let central: Ratio = (
    [
      3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
      4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3,
    ],
    [
      1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3, 2.1213794301586595867e+4,
      3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3,
    ]
  )
  private static let middle: Ratio = (
    [
      1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
      1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
    ],
    [
      1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
      1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
    ]
  )
  private static let far: Ratio = (
    [
      6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
      2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
    ],
    [
      1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
      1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
    ]
  )
}
