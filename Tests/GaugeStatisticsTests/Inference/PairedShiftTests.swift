// The shift of pairs against its definition.

import GaugeStatistics
import Testing

@Suite struct PairedShiftTests {
  @Test func agreesWithItsDefinition() throws {
    for vector in try vectors("paired", as: [PairedVector].self) {
      let shift = PairedShift(vector.differences)
      #expect(agrees(shift.shift, vector.shift))
      for expected in vector.intervals ?? [] {
        let interval = shift.interval(confidence: try #require(expected[0]))
        #expect(agrees(interval.lower, expected[1] ?? -.infinity), "\(vector.differences)")
        #expect(agrees(interval.upper, expected[2] ?? .infinity), "\(vector.differences)")
      }
    }
  }

  @Test func theApproximationIsNearTheCount() {
    let differences = (0..<200).map { Double($0 * 37 % 200) }
    let counted = PairedShift(differences).interval(confidence: 0.99)
    let approximate = PairedShift(differences + [99.5]).interval(confidence: 0.99)
    #expect(abs(counted.lower - approximate.lower) < 1)
    #expect(abs(counted.upper - approximate.upper) < 1)
  }
}
