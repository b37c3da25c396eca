// Options of a run, from a command line and from a file.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct RunOptionsTests {
  func options(_ words: String...) throws -> RunOptions {
    try RunOptions(Arguments(words, options: Verb.run.options))
  }

  @Test func `the text is what one would type`() throws {
    let options = try options(
      "a*", "--filter", "b", "--quick", "--counts", "--metrics", "time,frees", "--launches", "3", "--time-limit", "2.5",
      "--seed", "9")
    #expect(
      options.text
        == "--quick --counts --metrics time,frees --launches 3 --time-limit 2.5 --filter b --filter a* --seed 9")
    #expect(try self.options("--seed", "1").text == "--seed 1")
    #expect(try self.options().text.hasPrefix("--seed "))
  }

  @Test(arguments: [
    ["--full", "--seed", "7"], ["--counts", "x/*", "--seed", "0"], ["--metrics", "latency_p50,frees", "--seed", "1"],
    ["--seed", "18446744073709551615", "--filter", "a[n=1;m=2]", "b"], ["--launches", "9", "--time-limit", "0.5"],
    ["--tag", "io", "--tag", "fast", "--seed", "2"], ["--affected-since", "main~2", "--seed", "3"],
  ])
  func `what is recorded is read as it was`(words: [String]) throws {
    let options = try RunOptions(Arguments(words, options: Verb.run.options))
    let recorded = try RunOptions(recorded: options.text, options: Verb.run.options)
    #expect(recorded.text == options.text)
    #expect(recorded.seed == options.seed)
    #expect(recorded.effort == options.effort)
    #expect(recorded.selection == options.selection)
    #expect(recorded.filters == options.filters)
    #expect(recorded.launches == options.launches)
    #expect(recorded.timeLimit == options.timeLimit)
  }

  @Test func `a commit takes the place of a revision's name`() throws {
    var options = try options("--affected-since", "main", "--filter", "main", "--seed", "1")
    options.pinRevision("0123abcd")
    #expect(options.affectedSince == "0123abcd")
    #expect(options.text == "--affected-since 0123abcd --filter main --seed 1")
  }

  @Test func `counts come alone or beside what is named`() throws {
    #expect(try options("--counts").selection == .exact)
    #expect(try options().selection == .usual)
    let both = try options("--counts", "--metrics", "time").selection
    #expect(both.takes(.time) && both.takes(.counts) && both.takes(.allocations) && !both.takes(.latency))
  }

  @Test func `what is asked again may be left out, but not differ`() throws {
    let recorded = try options("--quick", "a*", "--seed", "7")
    func check(_ words: String...) throws {
      try recorded.check(Arguments(words, options: Verb.run.options), against: "f.csv")
    }
    try check("--resume")
    try check("--quick", "--filter", "a*")
    try check("--seed", "7")
    #expect(
      throws: CommandFailure(
        code: .usage,
        message: "f.csv was begun with other options: '--quick --filter a* --seed 7', not '--full'",
        advice: "Leave them out: --resume takes them from the file. Without --resume a new run replaces it.")
    ) { try check("--full") }
    #expect(throws: CommandFailure.self) { try check("--quick") }
    #expect(throws: CommandFailure.self) { try check("--seed", "8") }
    #expect(throws: CommandFailure.self) { try check("--quick", "a*", "--counts") }
  }
}
