// Student's distribution and its special functions against SciPy.

import Testing

@testable import GaugeStatistics

@Suite struct StudentDistributionTests {
  @Test func agreesWithSciPy() throws {
    let reference = try vectors("distributions", as: DistributionVectors.self)
    for row in reference.student {
      #expect(agrees(StudentDistribution(degreesOfFreedom: row[0]).cumulative(row[1]), row[2]), "\(row)")
    }
    for row in reference.studentQuantile {
      let value = StudentDistribution(degreesOfFreedom: row[0]).quantile(row[1])
      #expect(agrees(value, row[2]) || abs(value - row[2]) < 1e-12, "\(row)")
    }
  }

  @Test func specialFunctionsAgreeWithSciPy() throws {
    let reference = try vectors("distributions", as: DistributionVectors.self)
    for row in reference.incompleteBeta { #expect(agrees(incompleteBeta(row[0], row[1], row[2]), row[3]), "\(row)") }
    for row in reference.logGamma {
      let value = logGamma(row[0])
      #expect(agrees(value, row[1]) || abs(value - row[1]) < 1e-13, "\(row)")
    }
  }

  @Test func endsAreInfinite() {
    let distribution = StudentDistribution(degreesOfFreedom: 3)
    #expect(distribution.quantile(0) == -.infinity && distribution.quantile(1) == .infinity)
    #expect(distribution.cumulative(-.infinity) == 0 && distribution.cumulative(.infinity) == 1)
  }
}
