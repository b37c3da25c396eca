// `gauge run` over a fake executable: files, faults, options and codes.

import Testing

@testable import GaugeRunner

@Suite struct RunVerbTests {
  let folder: TemporaryFolder
  let executable: String
  let gauge: CapturedProgram

  init() throws {
    folder = try TemporaryFolder()
    executable = try folder.fakeBenchmarks()
    gauge = CapturedProgram(in: folder.path)
  }

  func results(_ name: String = "results/latest.csv") throws -> Results {
    try ResultFile.read(folder(name)).results
  }

  @Test func `a run writes the default file, with its environment and its options`() throws {
    #expect(
      gauge("run", "--executable", executable, "--quick", "good", "--launches", "2", "--seed", "7") == 0,
      "\(gauge.error)")
    let results = try results()
    // Two launches for time with two metrics, two for latency, and one that counts, as there are no hooks.
    #expect(results.rows.count == 2 * 2 + 2 + 1)
    #expect(results.environment("gauge_options") == "--quick --launches 2 --filter good --seed 7")
    #expect(results.environment("executables")?.hasPrefix("FakeBenchmarks=") == true)
    #expect(
      results.environment("allocator") == "unavailable: libGaugeHooks.so is not beside the benchmark executables")
    #expect(
      gauge.output.hasPrefix(
        """
        good    time [ns]      ±  allocs  p50 [ns]
          good       2.50  0.0 %       0      40.0

        """), "\(gauge.output)")
    #expect(gauge.output.contains("\n\n1 benchmark, 5 launches in "))
    #expect(gauge.output.hasSuffix(": \(folder("results/latest.csv"))\n"))
  }

  @Test func `a run is remembered where that is asked for, and in packages`() throws {
    let line = ["run", "--executable", executable, "--quick", "good", "--launches", "5"]
    #expect(gauge(arguments: line) == 0)
    #expect(try EarlierRuns(folder: folder(".gauge/earlier")).read().isEmpty)
    #expect(gauge(arguments: line + ["--earlier", folder("e")]) == 0)
    let named = try EarlierRuns(folder: folder("e")).read()
    #expect(named.count == 1 && named[0].levels.contains { $0.key.metric == "time" && $0.value.launches == 5 })
    try folder.write("", to: "Package.swift")
    #expect(gauge(arguments: line) == 0 && gauge(arguments: line) == 0)
    #expect(try EarlierRuns(folder: folder(".gauge/earlier")).read().count == 2)
    // What can't be remembered is told, and is no failure.
    try folder.write("", to: "file")
    #expect(gauge(arguments: line + ["--earlier", folder("file/e")]) == 0)
    #expect(gauge.error.contains("warning: the run is not remembered for later comparisons: "), "\(gauge.error)")
  }

  @Test(arguments: [[], ["--metrics", "time"]])
  func `where mean and median part is said behind the table`(options: [String]) throws {
    let executable = try folder.script(
      #"""
      if [ "$1" = list ]; then
        for name in even rare; do printf 'benchmark\t%s\t\ttime\n' $name; done
        exit
      fi
      case $3 in rare) ratio=2.85 ;; *) ratio=1.05 ;; esac
      printf 'gauge-launch\t1\n' >&3
      printf 'metric\ttime\tns/op\tlower\tsampled\t1000\t10\t513\n' >&3
      printf 'metric\tmean_by_median\t1\tlower\tsampled\t1000\t1\t%s\ndone\n' $ratio >&3
      """#)
    #expect(gauge(arguments: ["run", "--executable", executable, "--launches", "3"] + options) == 0, "\(gauge.error)")
    let said = gauge.output.split(separator: "\n").filter { $0.contains("on average") }
    #expect(
      said == [
        "rare: its operations take ×2.85 their median on average: a few are long (mean_time and throughput are of all, "
          + "time is of most)"
      ], "\(gauge.output)")
  }

  @Test func `the same seed gives the same order`() throws {
    for name in ["a.csv", "b.csv"] {
      #expect(
        gauge("run", "--executable", executable, "--quick", "good*", "--seed", "7", "--output", folder(name)) == 0)
    }
    #expect(try results("a.csv").rows == results("b.csv").rows)
    #expect(try results("a.csv").rows.count > 20)
  }

  @Test func `an existing file is replaced, and that is said`() throws {
    try folder.write("old", to: "f.csv")
    #expect(gauge("run", "--executable", executable, "good/*", "--launches", "1", "--output", folder("f.csv")) == 0)
    #expect(gauge.error.hasPrefix("gauge: replacing \(folder("f.csv"))\n"))
    #expect(try results("f.csv").rows.count == 4)
  }

  @Test func `broken benchmarks are told by name with their output, the others are measured, the code is 3`() throws {
    #expect(
      gauge("run", "--executable", executable, "--quick", "traps", "throws", "good/grid", "--metrics", "time") == 3)
    #expect(gauge.error.contains("2 benchmarks broke:\n"))
    #expect(
      gauge.error.contains(
        "  traps: killed by signal 4 (Illegal instruction)\n    | Fatal error: index out of range\n"))
    #expect(gauge.error.contains("  throws: the benchmark threw: oops\n"))
    let results = try results()
    #expect(Set(results.faults.map(\.benchmark)) == ["traps", "throws"])
    #expect(results.rows.count == 2 * 2 * 16)
    #expect(gauge.output.contains("\n\n4 benchmarks, 32 launches in "))
  }

  @Test func `a benchmark that hangs is killed at the limit that was given`() throws {
    // On a busy machine the child may not have come to its output.
    for limit in ["0.2", "2", "20", "200"] {
      let gauge = CapturedProgram(in: folder.path)
      #expect(
        gauge("run", "--executable", executable, "hangs", "--time-limit", limit, "--metrics", "time,latency") == 3)
      #expect(gauge.error.contains("  hangs: did not end within \(limit) s (--time-limit allows more)\n"))
      if gauge.error.contains("allows more)\n    | still here\n") { return }
    }
    Issue.record("its output was lost")
  }

  @Test(arguments: [
    (["--quick", "--full"], "options '--quick' and '--full' exclude each other"),
    (["--metrics", "througput"], "unknown metric 'througput'\nDid you mean 'throughput'?"),
    (["--launches", "0"], "option '--launches' needs a whole number from 1 to 20000, not '0'"),
    (["--seed", "x"], "option '--seed' needs a whole number from 0, not 'x'"),
    (["--time-limit", "-1"], "option '--time-limit' needs seconds above 0, not '-1'"),
    (["god"], "no benchmark fits 'god'\nDid you mean 'good'?"),
    (
      ["good/*", "--shard", "3/3"],
      "shard 3/3 has none of the 2 benchmarks\nN of --shard I/N is at most their number: 2."
    ),
    (["good/*", "--metrics", "latency"], "none of the 2 benchmarks takes part in a pass that '--metrics' asks for"),
  ])
  func `a wrong command line is told, and nothing is written`(arguments: [String], message: String) {
    let options = ["run", "--executable", executable] + arguments
    let program = CapturedProgram(in: folder.path)
    #expect(program(arguments: options) == 64)
    #expect(program.error == "gauge run: error: \(message)\nSee 'gauge help run'.\n")
    #expect(Files.stamp(of: folder("results")) == nil)
  }

  /// It was measured for hours, and could not be read then.
  @Test func `more rows than can be read are refused, with the launches that fit`() throws {
    #expect(gauge("run", "--executable", executable, "--launches", "20000") == 64)
    #expect(
      gauge.error.contains(
        "the result file could have 3160032 rows, and no more than 999998 can be read\n--launches 6328 fits.\n"),
      "\(gauge.error)")
    #expect(folder.launches().isEmpty)
  }

  @Test func `a second measurement on the machine is warned of, and goes on`() throws {
    let path = folder("machine.lock")
    let gauge = CapturedProgram(in: folder.path, machineLock: path)
    let words = ["run", "--executable", executable, "good/grid", "--launches", "1", "--metrics", "time"]
    #expect(gauge(arguments: words) == 0, "\(gauge.error)")
    #expect(!gauge.error.contains("on this machine"))
    let lock = try FolderLock.takeFile(path)
    #expect(gauge(arguments: words) == 0, "\(gauge.error)")
    #expect(gauge.error.contains("gauge: warning: something else is being measured on this machine"), "\(gauge.error)")
    #expect(gauge("ab", "--base-executable", executable, "--executable", executable, "good/grid") == 0)
    #expect(gauge.error.contains("gauge: warning: something else is being measured on this machine"), "\(gauge.error)")
    lock?.hold()
  }

  @Test func `a file that can't be written is told before anything is built`() throws {
    #expect(gauge("run", "--output", "/dev/null/f.csv", "--executable", folder("none")) == 73)
    #expect(
      gauge.error
        == "gauge run: error: /dev/null/f.csv: cannot be written: /dev/null is not a folder\n\(Program.makeRoom)\n")
    #expect(gauge("run", "--output", "/dev/full", "--executable", executable, "good") == 73)
    #expect(
      gauge.error.hasSuffix(
        "gauge run: error: /dev/full: cannot be written: No space left on device\n\(Program.makeRoom)\n"))
  }
}
