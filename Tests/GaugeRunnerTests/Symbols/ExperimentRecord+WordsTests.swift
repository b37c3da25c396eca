// The words of experiments, whole and damaged.

import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct ExperimentRecordWordsTests {
  private let words: [UInt64] =
    [2, 250_000, 0, 0] + [0, 10, 4000, 0, 3900, 2000, 5, 7] + [500, 10, 4100, 1000, 1, 2, 3, 4]

  @Test func `experiments have their numbers`() throws {
    let record = try ExperimentRecord(words)
    #expect(record.experiments.map(\.speedUp) == [0, 0.5] && record.experiments.map(\.operations) == [10, 10])
    let first = record.experiments[0]
    #expect((first.used, first.inside, first.asleep, first.hits) == (3900, 2000, 5, 7))
    #expect(record.experiments.map(\.effectiveTime) == [400, 310])
    #expect(try ExperimentRecord([0, 1, 0, 0]).experiments.isEmpty)
  }

  @Test func `damaged words are refused`() {
    for count in [0, 3, 4, 11, 19] {
      #expect(throws: SampleFile.FormatError.brokenOff) { try ExperimentRecord(Array(words.prefix(count))) }
    }
    for (index, word) in [(0, UInt64.max), (0, 1), (4, 1001), (5, 1 << 60), (7, .max)] {
      var damaged = words
      damaged[index] = word
      #expect(throws: SampleFile.FormatError.self) { try ExperimentRecord(damaged) }
    }
  }

  @Test func `a file of stacks holds them`() throws {
    var stacks = WrittenStacks()
    stacks.source = .experiments
    stacks.waits = words
    stacks.types = "6\tsleep\n"
    stacks.add([100, 0], code: 1, frame: 0, pointer: 0x1000, base: 0x1000, stack: [])
    let file = try SampleFile(stacks.bytes)
    #expect(file.experiments == (try ExperimentRecord(words)) && file.records.count == 1)
    stacks.addExperiments()
    #expect(try SampleFile(stacks.bytes).experiments?.experiments.map(\.speedUp) == [0, 0.5, 0.5, 0])
    stacks.waits.removeLast()
    #expect(throws: SampleFile.FormatError.self) { try SampleFile(stacks.bytes) }
  }
}
