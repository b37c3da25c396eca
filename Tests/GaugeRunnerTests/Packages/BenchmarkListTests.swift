// What executables say they can measure.

import Testing

@testable import GaugeRunner

@Suite struct BenchmarkListTests {
  @Test func `lists of several executables are joined in order`() throws {
    let folder = try TemporaryFolder()
    let one = try folder.script(
      "[ \"$*\" = 'list --machine' ] && printf 'benchmark\\ta/b\\tn=1;m=x\\ttime,latency\\nbenchmark\\ta/c\\t\\ttime\\n'",
      named: "one")
    let two = try folder.script("echo hello >&2; printf 'benchmark\\td\\t\\tallocations\\n'", named: "two")
    #expect(
      try BenchmarkList.points(of: [one, two]) == [
        BenchmarkPoint(executable: one, benchmark: "a/b", parameters: "n=1;m=x", passes: [.time, .latency]),
        BenchmarkPoint(executable: one, benchmark: "a/c", parameters: "", passes: [.time]),
        BenchmarkPoint(executable: two, benchmark: "d", parameters: "", passes: [.allocations]),
      ])
  }

  @Test func `a limit is the last field`() throws {
    let points = try BenchmarkList.parse(
      "benchmark\ta/b\t\ttime\tlimit/b\nbenchmark\tlimit/b\t\ttime\n", of: "x")
    #expect(points.map(\.limit) == ["limit/b", nil])
    #expect(points.map(\.passes) == [[.time], [.time]])
  }

  @Test func `tags and the run fixture are told`() throws {
    let points = try BenchmarkList.parse(
      "suite\trun-fixture\nbenchmark\ta\t\ttime\tb\tfast,io\nbenchmark\tb\t\ttime\t\tslow\n", of: "x")
    #expect(points.map(\.tags) == [["fast", "io"], ["slow"]])
    #expect(points.map(\.limit) == ["b", nil])
    #expect(points.map(\.hasRunFixture) == [true, true])
    #expect(try !BenchmarkList.parse("benchmark\tb\t\ttime\n", of: "x")[0].hasRunFixture)
  }

  @Test func `several threads are told`() throws {
    let points = try BenchmarkList.parse(
      "benchmark\ta\t\ttime\t\t\tthreads\nbenchmark\tb\t\ttime\tlimit\ttag\tthreads\nbenchmark\tc\t\ttime\n", of: "x")
    #expect(points.map(\.hasThreads) == [true, true, false])
    #expect(points.map(\.limit) == [nil, "limit", nil] && points.map(\.tags) == [[], ["tag"], []])
  }

  @Test func `a flaw of the build is told`() throws {
    let points = try BenchmarkList.parse("suite\tflaw\tfor debugging\nbenchmark\tb\t\ttime\n", of: "x")
    #expect(points.map(\.flaw) == ["for debugging"])
  }

  @Test func `the same benchmark in two executables is refused`() throws {
    let folder = try TemporaryFolder()
    let scripts = try ["one", "two"].map {
      try folder.script("printf 'benchmark\\ta\\tn=1\\ttime\\n'", named: $0)
    }
    #expect(throws: PackageFailure.ambiguous(benchmark: "a[n=1]", first: scripts[0], second: scripts[1])) {
      try BenchmarkList.points(of: scripts)
    }
  }

  @Test func `an executable that fails, hangs, talks nonsense or isn't there is told`() throws {
    let folder = try TemporaryFolder()
    let failing = try folder.script("echo 'error: twice' >&2; exit 64", named: "failing")
    #expect(
      throws: PackageFailure.unlistable(path: failing, reason: "exited with code 64", output: "error: twice\n")
    ) { try BenchmarkList.points(of: [failing]) }

    let hanging = try folder.script("while :; do :; done", named: "hanging")
    #expect(throws: PackageFailure.unlistable(path: hanging, reason: "no list within 0.2 seconds", output: "")) {
      try BenchmarkList.points(of: [hanging], limit: .milliseconds(200))
    }

    let odd = try folder.script("echo hello", named: "odd")
    #expect(
      throws: PackageFailure.unlistable(
        path: odd,
        reason: "expected benchmark<TAB>NAME<TAB>PARAMETERS<TAB>PASSES[<TAB>LIMIT[<TAB>TAGS[<TAB>threads]]], "
          + "found 'hello'",
        output: "")
    ) { try BenchmarkList.points(of: [odd]) }

    #expect(throws: PackageFailure.missingExecutable(path: folder("none"))) {
      try BenchmarkList.points(of: [folder("none")])
    }
  }

  @Test(arguments: [
    "benchmark\ta\t\ttime,speed", "benchmark\t\t\ttime", "benchmark\ta\ttime", "other\ta\t\ttime",
    "benchmark\ta\\tb\t\ttime",
    "benchmark\ta\t\ttime\t", "benchmark\ta\t\ttime\tlimit/a\tfast,slow\tmore", "suite\todd",
  ])
  func `lines of another form are refused`(line: String) {
    #expect(throws: PackageFailure.self) { try BenchmarkList.parse(line + "\n", of: "x") }
  }
}
