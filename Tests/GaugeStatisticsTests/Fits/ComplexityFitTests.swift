// Growth laws against NumPy's least squares and SciPy's distribution, and on costs of a known law.

import GaugeStatistics
import Testing

@Suite struct ComplexityFitTests {
  struct Vector: Decodable {
    struct Fit: Decodable {
      var law: String
      var base: Double
      var factor: Double
      var interval: [Double]
      var error: Double
      var criterion: Double
    }
    var points: [[Double]]
    var fits: [Fit]
  }

  @Test func agreesWithNumPyAndSciPy() throws {
    for vector in try vectors("complexity", as: [Vector].self) {
      let fits = ComplexityFit.fits(vector.points.map { ($0[0], $0[1]) })
      #expect(fits.map(\.law.rawValue) == vector.fits.map(\.law))
      for (fit, reference) in zip(fits, vector.fits) {
        #expect(agrees(fit.base, reference.base, within: 1e-6), "\(fit.law)")
        #expect(agrees(fit.factor.value, reference.factor, within: 1e-8))
        #expect(agrees(fit.factor.interval.lower, reference.interval[0], within: 1e-7))
        #expect(agrees(fit.factor.interval.upper, reference.interval[1], within: 1e-7))
        #expect(agrees(fit.error, reference.error, within: 1e-8))
        #expect(agrees(fit.criterion, reference.criterion, within: 1e-8))
      }
    }
  }

  @Test(arguments: GrowthLaw.allCases) func aKnownLawIsFound(law: GrowthLaw) throws {
    // Errors of up to one per cent, the same in every run of the test.
    let sizes = [1.0, 4, 16, 64, 256, 1024, 4096]
    let points = sizes.enumerated().map { index, size in
      (size, (3 * law.value(at: size) + 20) * (1 + 0.01 * [0.3, -0.8, 1, -0.1, -0.6, 0.4, 0.2][index]))
    }
    let best = try #require(ComplexityFit.fits(points).first)
    #expect(best.law == law)
    #expect(best.error < 0.02)
    let factor = law == .constant ? 23.0 : 3
    #expect(best.factor.interval.contains(factor))
  }

  @Test func tooFewSizesBearNothingOut() {
    #expect(ComplexityFit.fits([(1, 1), (2, 2), (3, 3), (3, 3.1)]).isEmpty)
    #expect(ComplexityFit.fits([(1, 1), (2, 2), (3, 3), (4, 0)]).isEmpty)
    #expect(ComplexityFit.fits([(0, 1), (2, 2), (3, 3), (4, 4)]).isEmpty)
  }

  @Test func aCostThatShrinksHasNoLawButTheConstant() {
    let fits = ComplexityFit.fits([(1, 10), (2, 8), (4, 6), (8, 5)])
    #expect(fits.map(\.law) == [.constant])
  }
}
