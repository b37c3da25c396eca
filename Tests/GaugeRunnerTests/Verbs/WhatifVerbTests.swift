// `gauge whatif` from the command line to tables and codes.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct WhatifVerbTests {
  let folder: TemporaryFolder
  let program = CapturedProgram()

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    (["--top", "0"], "needs a number from 1 to 50"), (["--seconds", "0"], "needs seconds from 1 to 3600"),
    (["--function", ""], "option '--function' needs a name"),
    (["--format", "html"], "option '--format' knows table, csv, json"),
  ])
  func `a wrong command line is told`(arguments: [String], words: String) {
    #expect(program(arguments: ["whatif"] + arguments) == 64)
    #expect(program.error.contains(words), "\(program.error)")
  }

  @Test func `what is not asked for has a value`() throws {
    func options(_ words: String...) throws -> WhatifOptions {
      try WhatifOptions(Arguments(words, options: Verb.whatif.options))
    }
    let plain = try options()
    #expect(plain.functions.isEmpty && plain.top == 5 && plain.seconds == 20 && plain.format == .table)
    #expect(plain.launchBudget == 2000)
    let chosen = try options("--function", "f()", "--function", "g", "--seconds", "2", "--format", "json", "--top", "7")
    #expect(chosen.functions == ["f()", "g"] && chosen.format == .json && chosen.top == 7)
    #expect(chosen.launchBudget == 500)
  }

  @Test func `benchmarks that break, are skipped or have no timers don't stop the others`() throws {
    let executable = try folder.script(
      #"""
      if [ "$1" = list ]; then
        for name in breaks skips lacks; do printf 'benchmark\t%s\t\ttime\n' $name; done
        exit
      fi
      printf 'gauge-launch\t1\n' >&3
      [ "$GAUGE_HOOKS_WHATIF $GAUGE_HOOKS_WAITS" = 'survey 1' ] || exit 9
      case $3 in
        breaks) echo 'out of range'; printf 'failed\toops\n' >&3; exit 1 ;;
        skips) printf 'skipped\tnot today\n' >&3 ;;
        lacks) printf 'unavailable\tprofiled_operations\t1\tneither\tsampled\twhy\ndone\n' >&3 ;;
      esac
      """#)
    #expect(program("whatif", "--executable", executable) == 3)
    for line in ["breaks broke: oops", "    | out of range", "skips: skipped: not today", "lacks: unavailable: why"] {
      #expect(program.error.contains(line + "\n"), "\(program.error)")
    }
    #expect(program("whatif", "--executable", executable, "lacks") == 6)
  }

  @Test func `the code that is faster is told to the launch`() {
    var launch = ProfileLaunch(
      point: BenchmarkPoint(executable: "/bin/b", benchmark: "b", parameters: "", passes: []), kind: .experiments,
      budget: 1, environment: [:], file: "f")
    #expect(launch.command.environment?["GAUGE_HOOKS_WHATIF"] == "survey")
    launch.faster = [0x10..<0x2a, 0x100..<0x101]
    #expect(launch.command.environment?["GAUGE_HOOKS_WHATIF"] == "10-2a,100-101")
    #expect(launch.command.environment?["GAUGE_HOOKS_WAITS"] == "1")
  }

  #if os(Linux)
    /// Must show: a single thread gains what the function takes.
    @Test func `a function of a single thread is predicted`() throws {
      let code = program(
        "whatif", "--executable", ProfiledProgram.path, "known/work[turns=100000]", "--top", "1", "--seconds", "1",
        "--format", "csv")
      #expect([0, 7].contains(code), "\(program.error)")
      let lines = program.output.split(separator: "\n")
      #expect(lines.count == 4 && lines[1].hasPrefix("known/work[turns=100000],"), "\(program.output)")
      #expect(
        program(
          "whatif", "--executable", ProfiledProgram.path, "known/work[turns=100000]", "--seconds", "1", "--function",
          "nobody()") == 6)
      #expect(program.error.contains("no thread was seen in 'nobody()'"), "\(program.error)")
    }
  #endif
}
