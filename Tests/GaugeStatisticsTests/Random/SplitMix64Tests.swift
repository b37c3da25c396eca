// SplitMix64 against published streams.

import GaugeStatistics
import Testing

@Suite struct SplitMix64Tests {
  @Test func agreesWithTheReferenceStream() throws {
    let reference = try vectors("random", as: RandomVectors.self).splitMix64
    var generator = SplitMix64(seed: 42)
    #expect(reference.map { _ in String(generator.next()) } == reference)
  }

  @Test func agreesWithVignasPublishedStream() {
    var generator = SplitMix64(seed: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
  }
}

struct RandomVectors: Decodable {
  var splitMix64: [String]
  var xoshiro256: [String]
  var indices: [Int]
}
