// Which benchmarks a command line chooses.

import Testing

@testable import GaugeRunner

@Suite struct BenchmarkChoiceTests {
  static let points: [BenchmarkPoint] = [
    .sample("subject/send", "n=1"), .sample("subject/send", "n=10"), .sample("buffer/full"),
  ]

  @Test(arguments: [
    ([], ["subject/send[n=1]", "subject/send[n=10]", "buffer/full"]),
    (["subject/*"], ["subject/send[n=1]", "subject/send[n=10]"]),
    (["*[n=10]", "buffer/full"], ["subject/send[n=10]", "buffer/full"]),
    (["buffer/full", "*"], ["subject/send[n=1]", "subject/send[n=10]", "buffer/full"]),
  ])
  func `filters add up, and the order stays`(filters: [String], titles: [String]) throws {
    #expect(try Program.fitting(filters, Self.points).map(\.title) == titles)
  }

  @Test func `a filter that fits nothing is told with the nearest name`() {
    #expect(
      throws: CommandFailure(
        code: .usage, message: "no benchmark fits 'subjcet/send'", advice: "Did you mean 'subject/send'?")
    ) { try Program.fitting(["buffer/*", "subjcet/send"], Self.points) }
    #expect(
      throws: CommandFailure(
        code: .usage, message: "no benchmark fits 'x*'", advice: "'gauge list' prints what there is.")
    ) { try Program.fitting(["x*"], Self.points) }
  }
}
