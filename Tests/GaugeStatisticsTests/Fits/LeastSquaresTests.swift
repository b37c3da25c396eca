// Linear fits: exact where they can be, and refused where there is no single answer.

import Testing

@testable import GaugeStatistics

@Suite struct LeastSquaresTests {
  @Test func aLineThroughItsPointsIsFound() throws {
    let fit = try #require(LeastSquares([[1, 1, 1], [1, 2, 4]], [5, 7, 11]))
    #expect(agrees(fit.coefficients[0], 3) && agrees(fit.coefficients[1], 2))
    #expect(fit.residual < 1e-20)
    // (X'X)⁻¹ of the columns, by hand.
    #expect(agrees(fit.inverse[0][0], 1.5) && agrees(fit.inverse[1][1], 3.0 / 14))
    #expect(agrees(fit.inverse[0][1], -0.5) && agrees(fit.inverse[1][0], -0.5))
  }

  @Test func columnsOfVeryDifferentSizeAreNoTrouble() throws {
    let sizes = [1.0, 1e3, 1e6]
    let fit = try #require(LeastSquares([sizes.map { $0 * $0 }, [1, 1, 1]], sizes.map { 2 * $0 * $0 + 7 }))
    #expect(agrees(fit.coefficients[0], 2) && agrees(fit.coefficients[1], 7, within: 1e-5))
  }

  @Test func whatHasNoSingleAnswerIsRefused() {
    #expect(LeastSquares([[1, 2], [2, 4]], [1, 1]) == nil)
    #expect(LeastSquares([[1], [2]], [1]) == nil)
    #expect(LeastSquares([], [1]) == nil)
  }
}
