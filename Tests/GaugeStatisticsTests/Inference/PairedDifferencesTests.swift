// Order statistics of differences, with a list of them and without.

import Testing

@testable import GaugeStatistics

@Suite struct PairedDifferencesTests {
  @Test func theSameWithAndWithoutAList() {
    var noise = Xoshiro256(seed: 3)
    for (m, n) in [(1, 1), (1, 7), (8, 5), (13, 13)] {
      let first = (0..<m).map { _ in (noise.unit() * 8).rounded() - 4 }
      let second = (0..<n).map { _ in noise.unit() * 8 - 4 }
      let (list, none) = (PairedDifferences(first, second), PairedDifferences(first, second, longestList: 0))
      #expect((0..<m * n).map { list[$0] } == (0..<m * n).map { none[$0] })
      #expect(list.median == none.median)
    }
  }

  @Test func anyNumbersHaveDifferences() {
    let values = [-1e150, -1, -Double.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1, 1e150]
    let (list, none) = (PairedDifferences(values, values), PairedDifferences(values, values, longestList: 0))
    #expect((0..<list.count).map { list[$0] } == (0..<list.count).map { none[$0] })
  }

  @Test func manyValuesNeedNoList() {
    let values = (0..<20_000).map { Double($0 * 7919 % 20_000) }
    let differences = PairedDifferences(values, values.map { $0 + 3 })
    #expect(differences.median == 3)
    #expect(differences[0] == -19_996 && differences[differences.count - 1] == 20_002)
    let interval = HodgesLehmann(values, values.map { $0 + 3 }).interval(confidence: 0.95)
    #expect(interval.lower < 3 && 3 < interval.upper && interval.upper < 250)
  }
}
