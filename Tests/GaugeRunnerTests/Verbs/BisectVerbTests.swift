// `gauge bisect` from sources to the commit, with executables that are scripts.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct BisectVerbTests {
  let fixture: TwoRevisions
  let gauge: CapturedProgram

  init() throws {
    let committed = try CommittedBenchmarks()
    (fixture, gauge) = (committed.fixture, committed.gauge)
  }

  /// Commits an executable.
  ///
  /// - Returns: The commit, as far as it is printed.
  @discardableResult
  func commit(_ executable: String, _ subject: String, isBroken: Bool = false) throws -> String {
    String(try fixture.commit(executable, subject, isBroken: isBroken).prefix(12))
  }

  /// Ten commits, the seventh of which makes the benchmark slower.
  ///
  /// - Returns: The commit before it, and itself.
  @discardableResult
  func makeHistory() throws -> (before: String, culprit: String) {
    let other = TwoRevisions.executable(time: "20").replacing("benchmark\\ta", with: "benchmark\\tb")
    for number in 1...4 { try commit(TwoRevisions.executable(time: "20"), "Nothing \(number)") }
    try commit(other, "Another benchmark")
    let before = try commit(TwoRevisions.executable(time: "20"), "Nothing 6")
    let culprit = try commit(TwoRevisions.executable(time: "21"), "Copies more")
    try commit(TwoRevisions.executable(time: "21"), "Doesn't build", isBroken: true)
    for number in 9...10 { try commit(TwoRevisions.executable(time: "21"), "Nothing \(number)") }
    return (before, culprit)
  }

  @Test func `the commit is found, with its change and how to explain it`() throws {
    let (before, culprit) = try makeHistory()
    #expect(gauge("bisect", "HEAD~9", "HEAD", "a", "--seed", "1") == 0, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("time of a: +5.0 % by one commit"), "\(gauge.output)")
    #expect(gauge.output.contains("  \(culprit)  Copies more\n"), "\(gauge.output)")
    #expect(gauge.output.contains("That is the change from "), "\(gauge.output)")
    let command = "  gauge ab --base revision:\(before) --new \(culprit) --explain a\n"
    #expect(gauge.output.contains(command), "\(gauge.output)")
    #expect(Files.kind(of: fixture.folder("package/.gauge/bisect.json")) == nil)
    #expect(Files.kind(of: fixture.folder("package/.gauge/ab/commits")) == nil)
    // Nothing that compiles is built twice.
    try fixture.folder.write("", to: "calls")
    #expect(gauge("bisect", "HEAD~9", "HEAD", "a", "--seed", "2") == 0, "\(gauge.output)\(gauge.error)")
    #expect(!(try fixture.folder.read("calls").contains("build")))
  }

  @Test func `a commit that made it faster is explained by the way back`() throws {
    try commit(TwoRevisions.executable(time: "20"), "Copies less")
    #expect(gauge("bisect", "HEAD~1", "HEAD", "a") == 0, "\(gauge.output)\(gauge.error)")
    let (before, after) = (
      try fixture.git("rev-parse", "HEAD~1").prefix(12), try fixture.git("rev-parse", "HEAD").prefix(12)
    )
    #expect(gauge.output.contains("time of a: -33.3 % by one commit"), "\(gauge.output)")
    #expect(gauge.output.contains("gauge ab --base revision:\(after) --new \(before) --explain a"), "\(gauge.output)")
  }

  @Test func `commits that can't be measured are skipped and named`() throws {
    try commit(TwoRevisions.executable(time: "30"), "Doesn't build", isBroken: true)
    let other = TwoRevisions.executable(time: "20").replacing("benchmark\\ta", with: "benchmark\\tb")
    try commit(other, "Another benchmark")
    try commit(TwoRevisions.executable(time: "33"), "Measured again")
    #expect(gauge("bisect", "HEAD~3", "HEAD", "a") == 0, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("time of a: +10.0 % by one of 3 commits"), "\(gauge.output)")
    #expect(gauge.output.contains(" is skipped: it doesn't build\n"), "\(gauge.output)")
    #expect(gauge.output.contains(" is skipped: it doesn't have the benchmark\n"), "\(gauge.output)")
    #expect(gauge.output.contains("built 4 of 4 commits"), "\(gauge.output)")
  }

  /// A benchmark executable that allocates a number of times.
  func counting(_ count: Int) -> String {
    #"""
    #!/bin/sh
    if [ "$1" = list ]; then printf 'benchmark\ta\t\tallocations\n'; exit; fi
    printf 'gauge-launch\t1\nmetric\tallocations\t1/op\tlower\texact\t1\t1\t\#(count)\ndone\n' >&3

    """#
  }

  /// The search came by the second parent: what the merge brought is the branch of the first one.
  @Test func `a merge names the command for the branch that was not searched, with its metric`() throws {
    try commit(counting(3), "Base")
    try fixture.git("checkout", "-q", "-b", "side")
    let aside = try commit(counting(3), "Aside")
    try fixture.git("checkout", "-q", "-")
    let more = try commit(counting(4), "Copies more")
    try fixture.git(
      "-c", "user.name=t", "-c", "user.email=t@t", "merge", "-q", "-s", "ours", "-m", "Merged", "side")
    let line = ["bisect", "side", "HEAD", "a", "--metric", "allocations"]
    #expect(gauge(arguments: line) == 0, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("  Merged\n"), "\(gauge.output)")
    let command = "  gauge bisect --metric allocations $(git merge-base \(aside) \(more)) \(more) a\n"
    #expect(gauge.output.contains("It is a merge. To search the branch:\n" + command), "\(gauge.output)")
  }

  @Test func `a project's threshold of a benchmark with parameters is heeded`() throws {
    func sized(_ time: String) -> String {
      TwoRevisions.executable(time: time).replacing("benchmark\\ta\\t\\t", with: "benchmark\\ta\\tsize=1\\t")
    }
    try commit(sized("20"), "Before")
    try commit(sized("20.5"), "Behind")
    try fixture.folder.write(
      "benchmark,metric,percent,absolute\na,time,10,\n", to: "package/Benchmarks/thresholds.csv")
    for pattern in ["a[size=1]", "a*"] {
      #expect(gauge("bisect", "HEAD~1", "HEAD", pattern) == 7, "\(gauge.output)\(gauge.error)")
      #expect(gauge.output.contains("time of a[size=1]: the same within 10"), "\(gauge.output)")
    }
  }

  @Test func `a count is told by one launch of each commit`() throws {
    for number in 0..<6 { try commit(counting(number < 4 ? 3 : 4), "Count \(number)") }
    let line = ["bisect", "HEAD~5", "HEAD", "a", "--metric", "allocations"]
    #expect(gauge(arguments: line) == 0, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("allocations of a: +33.3 % by one commit\n\n  "), "\(gauge.output)")
    #expect(gauge.output.contains("  Count 4\n"), "\(gauge.output)")
    #expect(!gauge.error.contains("launches"), "\(gauge.error)")
  }

  /// The defect: one launch decided, and a commit was named where nothing had changed.
  @Test func `a count that varies is searched for like a time`() throws {
    let counter = fixture.folder("count")
    try fixture.folder.write("0", to: "count")
    func varying(_ number: Int) -> String {
      #"""
      #!/bin/sh
      # Commit \#(number)
      if [ "$1" = list ]; then printf 'benchmark\ta\t\tallocations\n'; exit; fi
      read -r count <'\#(counter)'
      echo $((count + 1)) >'\#(counter)'
      printf 'gauge-launch\t1\nmetric\tallocations\t1/op\tlower\texact\t1\t1\t%s\ndone\n' $((100 + count * 7 % 5)) >&3

      """#
    }
    for number in 0..<4 { try commit(varying(number), "Count \(number)") }
    let line = ["bisect", "HEAD~3", "HEAD", "a", "--metric", "allocations"]
    #expect(gauge(arguments: line) == 7, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("allocations of a: the same within"), "\(gauge.output)")
  }

  @Test func `without a change there is no commit`() throws {
    try commit(TwoRevisions.executable(time: "30"), "Nothing")
    #expect(gauge("bisect", "HEAD~1", "HEAD", "a") == 7, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("time of a: the same within 0.4"), "\(gauge.output)")
    try commit(TwoRevisions.executable(time: "30"), "Nothing")
    #expect(gauge("bisect", "HEAD~1", "HEAD", "a") == 7, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("the executables of both ends are identical"), "\(gauge.output)")
  }

  @Test func `a search that was interrupted goes on with its answers`() throws {
    try makeHistory()
    let revisions = Revisions(package: fixture.package)
    let line = try revisions.line(from: revisions.commit(of: "HEAD~9"), to: revisions.commit(of: "HEAD"))
    var state = SearchState(
      of: SearchState.Terms(
        commits: line.map(\.hash), toolchain: revisions.toolchain, benchmark: "a", metric: "time", threshold: nil,
        resolution: nil, error: 0.01),
      SearchState.Subject(benchmark: "a", parameters: "", isExact: false))
    // No launch of these commits measured this: whoever looked again would see it.
    state.answers = [
      .built(0, like: nil, isIdentical: false), .built(9, like: nil, isIdentical: false),
      .launched([0, 9], [Array(repeating: 20, count: 20), Array(repeating: 20, count: 20)]),
    ]
    try state.write(to: fixture.folder("package/.gauge/bisect.json"))
    #expect(gauge("bisect", "HEAD~9", "HEAD", "a") == 7, "\(gauge.output)\(gauge.error)")
    #expect(gauge.error.contains("going on with the search of 3 answers"), "\(gauge.error)")
    try state.write(to: fixture.folder("package/.gauge/bisect.json"))
    #expect(gauge("bisect", "HEAD~9", "HEAD", "a", "--restart") == 0, "\(gauge.output)\(gauge.error)")
  }

  @Test func `command lines that can't be searched by are refused`() throws {
    #expect(gauge("bisect", "HEAD~1", "HEAD") == 64)
    #expect(gauge("bisect", "HEAD", "HEAD~1", "a") == 64)
    #expect(gauge.error.contains("GOOD has to be an ancestor of BAD\nIt is the other way round: "), "\(gauge.error)")
    #expect(gauge("bisect", "HEAD", "HEAD~0", "a") == 64)
    #expect(gauge.error.contains("'HEAD' and 'HEAD~0' are the same commit"), "\(gauge.error)")
    #expect(gauge("bisect", "HEAD~1", "HEAD", "a", "--metric", "tim") == 64)
    #expect(gauge.error.contains("Did you mean 'time'?"), "\(gauge.error)")
    #expect(gauge("bisect", "HEAD~1", "HEAD", "b") == 64)
    #expect(gauge("bisect", "HEAD~1", "HEAD", "a", "--error", "0") == 64)
    #expect(gauge("bisect", "nowhere", "HEAD", "a") == 3)
  }

  @Test func `an end that can't be measured is an error`() throws {
    try commit(TwoRevisions.executable(time: "30"), "Doesn't build", isBroken: true)
    #expect(gauge("bisect", "HEAD~1", "HEAD", "a") == 3, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("can't be measured: it doesn't build"), "\(gauge.output)")
    try commit(TwoRevisions.executable(time: "30"), "Builds")
    #expect(gauge("bisect", "HEAD~1", "HEAD", "a") == 3, "\(gauge.output)\(gauge.error)")
    #expect(gauge.error.contains("the good commit "), "\(gauge.error)")
  }
}
