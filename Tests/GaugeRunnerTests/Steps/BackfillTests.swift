// `gauge history backfill` from sources to the history, with executables that are scripts.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct BackfillTests {
  let committed: CommittedBenchmarks
  var fixture: TwoRevisions { committed.fixture }
  var gauge: CapturedProgram { committed.gauge }

  init() throws { committed = try CommittedBenchmarks() }

  /// Fills the history, three launches a commit.
  func backfill(_ words: String...) -> Int32 {
    gauge(arguments: ["history", "backfill", "--launches", "3"] + words)
  }

  func history() throws -> History {
    let path = fixture.folder("package/results/history.csv")
    return try History(Files.contents(of: path), path: path)
  }

  /// The medians of the history's times, in the order of its runs.
  func times() throws -> [Double] { try history().entries.filter { $0.key.metric == "time" }.map(\.estimate.value) }

  let other = TwoRevisions.executable(time: "20").replacing("benchmark\\ta", with: "benchmark\\tb")

  @Test func `commits are measured in their order, and those that can't be are named`() throws {
    let broken = try fixture.commit(TwoRevisions.executable(time: "30"), "Doesn't build", isBroken: true)
    try fixture.commit(other, "Another benchmark")
    let last = try fixture.commit(TwoRevisions.executable(time: "33"), "Copies more")
    #expect(backfill("HEAD~4..HEAD", "--filter", "a") == 0, "\(gauge.output)\(gauge.error)")
    let path = fixture.folder("package/results/history.csv")
    #expect(
      gauge.output.hasPrefix("\(path): 3 commits measured, 0 were there, 2 left out\n"), "\(gauge.output)")
    #expect(gauge.output.contains("  \(broken.prefix(12))  it doesn't build  (Doesn't build)\n"), "\(gauge.output)")
    #expect(gauge.output.contains("  it has no such benchmark  (Another benchmark)\n"), "\(gauge.output)")
    #expect(try times() == [20, 30, 33])
    let run = try #require(try history().runs.last)
    #expect(run.environment["commit"] == last && run.environment["subject"] == "Copies more")
    #expect(run.environment["dirty"] == "no" && run.environment["backfill"] == "--launches 3 --filter a")
    #expect(try history().entries.map(\.launches).allSatisfy { $0 == 3 })
    #expect(Files.kind(of: fixture.folder("package/.gauge/ab/commits")) == nil)
    #expect(Files.kind(of: fixture.folder("package/results/backfill/\(last.prefix(12)).csv")) == .file)
  }

  @Test func `nothing is built or measured twice`() throws {
    try fixture.commit(TwoRevisions.executable(time: "30"), "Doesn't build", isBroken: true)
    #expect(backfill("HEAD~2..HEAD") == 0, "\(gauge.output)\(gauge.error)")
    let (builds, text) = (try committed.builds, try fixture.folder.read("package/results/history.csv"))
    #expect(backfill("HEAD~2..HEAD") == 0)
    #expect(gauge.output.contains(": 0 commits measured, 2 were there, 1 left out\n"), "\(gauge.output)")
    #expect(gauge.output.contains("it doesn't build"), "\(gauge.output)")
    #expect(try committed.builds == builds)
    #expect(try fixture.folder.read("package/results/history.csv") == text)
    // What was left out is tried again where that is asked for, and nothing else.
    #expect(backfill("HEAD~2..HEAD", "--again") == 0)
    #expect(gauge.output.contains(": 0 commits measured, 2 were there, 1 left out\n"), "\(gauge.output)")
    #expect(try committed.builds > builds)
    // Other options measure other things.
    #expect(backfill("HEAD~2..HEAD", "--quick") == 0)
    #expect(gauge.output.contains(": 2 commits measured, 0 were there, 1 left out\n"), "\(gauge.output)")
  }

  @Test func `a result file that was whole when it was interrupted is taken`() throws {
    #expect(backfill("HEAD~1..HEAD") == 0)
    let builds = try committed.builds
    try FileManager.default.removeItem(atPath: fixture.folder("package/results/history.csv"))
    let file = "package/results/backfill/\(try fixture.git("rev-parse", "HEAD").prefix(12)).csv"
    let whole = try fixture.folder.read(file)
    #expect(backfill("HEAD~1..HEAD") == 0)
    #expect(gauge.output.contains(": 2 commits measured, 0 were there, 0 left out\n"), "\(gauge.output)")
    #expect(try committed.builds == builds && times() == [20, 30])
    // One that was cut is measured again, from what is kept of its build.
    try FileManager.default.removeItem(atPath: fixture.folder("package/results/history.csv"))
    try fixture.folder.write(String(whole.dropLast(40)), to: file)
    #expect(backfill("HEAD~1..HEAD") == 0)
    #expect(try committed.builds == builds && times() == [20, 30])
    #expect(try ResultFile.read(fixture.folder(file)).results.hasEnd)
  }

  @Test func `every n-th commit from the oldest on, and the gaps later`() throws {
    for time in 40...44 { try fixture.commit(TwoRevisions.executable(time: "\(time)"), "Time \(time)") }
    #expect(backfill("HEAD~6..HEAD", "--every", "4") == 0)
    #expect(try times() == [20, 42, 44])
    #expect(backfill("HEAD~6..HEAD", "--every", "2") == 0)
    #expect(gauge.output.contains(": 1 commits measured, 3 were there, 0 left out\n"), "\(gauge.output)")
    #expect(try times() == [20, 40, 42, 44])
    #expect(backfill("HEAD~6..HEAD") == 0)
    #expect(try times() == [20, 30, 40, 41, 42, 43, 44])
    #expect(try history().runs.map(\.number) == Array(1...7))
  }

  @Test func `what somebody has added is not measured again, and what is older comes before it`() throws {
    let commit = String(try fixture.git("rev-parse", "HEAD").prefix(40))
    let file = try ResultFileWriter.replacing(
      fixture.folder("package/results/latest.csv"), environment: [("commit", commit), ("dirty", "no")])
    try file.append([.sample("a", metric: .time, .value(25))])
    #expect(gauge("history", "add") == 0, "\(gauge.error)")
    #expect(backfill("HEAD~1..HEAD") == 0, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains(": 1 commits measured, 1 were there, 0 left out\n"), "\(gauge.output)")
    #expect(try times() == [20, 25])
  }

  @Test func `one commit is both ends`() throws {
    #expect(backfill("HEAD..HEAD") == 0, "\(gauge.output)\(gauge.error)")
    #expect(try times() == [30])
  }

  /// It was there, as its commit was named, and stayed without its other benchmarks for good.
  @Test func `a run that a killed write has left in part is made whole`() throws {
    #expect(backfill("HEAD~1..HEAD") == 0)
    let whole = try fixture.folder.read("package/results/history.csv")
    try fixture.folder.write(String(whole.dropLast(10)), to: "package/results/history.csv")
    #expect(try times() == [20])
    let builds = try committed.builds
    #expect(backfill("HEAD~1..HEAD") == 0)
    #expect(gauge.output.contains(": 1 commits measured, 1 were there, 0 left out\n"), "\(gauge.output)")
    #expect(gauge.error.contains("history.csv:"), "\(gauge.error)")
    #expect(gauge.error.contains("the file breaks off within this line"), "\(gauge.error)")
    #expect(try times() == [20, 30] && committed.builds == builds)
  }

  /// A full disk left out every commit, for good and without a word of it.
  @Test func `what another tool could not do is named with its cause and tried again`() throws {
    let tree = fixture.folder("package/.gauge/ab/tree")
    let lock = fixture.folder("package/.git/worktrees")
    try fixture.folder.write("in the way", to: "package/.git/worktrees")
    #expect(backfill("HEAD~1..HEAD") == 3, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("worktree add --force --detach \(tree)"), "\(gauge.output)")
    #expect(gauge.output.contains(" failed: fatal: "), "\(gauge.output)")
    try FileManager.default.removeItem(atPath: lock)
    #expect(backfill("HEAD~1..HEAD") == 0, "\(gauge.output)\(gauge.error)")
    #expect(try times() == [20, 30])
  }

  @Test func `where no commit can be measured the command says so`() throws {
    let trap = "#!/bin/sh\nif [ \"$1\" = list ]; then printf 'benchmark\\ta\\t\\ttime\\n'; exit; fi\nexit 9\n"
    try fixture.commit(trap, "Breaks")
    try fixture.commit(other, "Has another")
    #expect(backfill("HEAD~1..HEAD", "--filter", "a") == 3, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("  nothing of it could be measured  (Breaks)\n"), "\(gauge.output)")
    #expect(Files.kind(of: fixture.folder("package/results/history.csv")) == nil)
  }

  @Test func `command lines that name no commits are refused`() throws {
    for words in [[], ["HEAD"], ["HEAD~1...HEAD"], ["..HEAD"], ["HEAD.."], ["HEAD..HEAD~1"], ["HEAD~1..HEAD", "x"]] {
      #expect(gauge(arguments: ["history", "backfill"] + words) == 64, "\(words)")
    }
    #expect(gauge("history", "backfill", "HEAD~1..HEAD", "--every", "0") == 64)
    #expect(gauge("history", "backfill", "HEAD~1..HEAD", "--metrics", "tim") == 64)
    #expect(gauge("history", "backfill", "nowhere..HEAD") == 3)
    #expect(gauge("history", "changes", "--every", "2") == 64)
    #expect(gauge.error.contains("'history changes' takes no option '--every'"), "\(gauge.error)")
  }
}
