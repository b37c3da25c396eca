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

  @Test func `one of the tags is enough`() throws {
    var points = Self.points
    points[0].tags = ["fast"]
    points[2].tags = ["io", "slow"]
    #expect(try Program.tagged([], points) == points)
    #expect(try Program.tagged(["fast", "io"], points) == [points[0], points[2]])
    #expect(
      throws: CommandFailure(
        code: .usage, message: "no benchmark has the tag 'fats'", advice: "Did you mean 'fast'?")
    ) { try Program.tagged(["fats"], points) }
  }

  @Test func `a filter that fits nothing is told with the nearest name`() {
    #expect(
      throws: CommandFailure(
        code: .usage, message: "no benchmark fits 'subjcet/send'", advice: "Did you mean 'subject/send'?")
    ) { try Program.fitting(["buffer/*", "subjcet/send"], Self.points) }
    #expect(
      throws: CommandFailure(
        code: .usage, message: "no benchmark fits 'subjct/*'", advice: "Did you mean 'subject/*'?")
    ) { try Program.fitting(["subjct/*"], Self.points) }
    #expect(
      throws: CommandFailure(
        code: .usage, message: "no benchmark fits 'x*'", advice: "'gauge list' prints what there is.")
    ) { try Program.fitting(["x*"], Self.points) }
  }
}
