// `gauge profile` from the command line to tables, files and codes.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct ProfileVerbTests {
  let folder: TemporaryFolder
  let program = CapturedProgram()
  /// Where the toolchain's programs are.
  private static let toolsPath = ProcessInfo.processInfo.environment["PATH"] ?? ""

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    (["--kind", "gpu"], "option '--kind' knows cpu, alloc, arc"), (["--rate", "0"], "needs a number from 1 to 10000"),
    (["--seconds", "0"], "needs seconds from 0.1 to 600"), (["--format", "png"], "option '--format' knows table"),
    (["--colour"], "unknown option '--colour'"),
  ])
  func `a wrong command line is told`(arguments: [String], words: String) {
    #expect(program(arguments: ["profile"] + arguments) == 64)
    #expect(program.error.contains(words), "\(program.error)")
  }

  @Test func `the help page has examples`() {
    #expect(program("help", "profile") == 0)
    #expect(program.output.contains("gauge profile --kind alloc,arc"))
    #expect(program("--help") == 0)
    #expect(program.output.contains("  profile      Says where time, waits, allocations"))
  }

  @Test func `what was asked twice is done once`() throws {
    let options = try ProfileOptions(
      Arguments(["--kind", "arc,cpu,arc", "--seconds", "0.25"], options: Verb.profile.options))
    #expect(options.kinds == [.arc, .cpu] && options.budget == 250 && options.rate == 1000)
    #expect(options.formats == [.table] && options.output == nil)
  }

  @Test func `benchmarks that break, are skipped or record nothing don't stop the others`() throws {
    let executable = try folder.script(
      #"""
      if [ "$1" = list ]; then
        for name in breaks skips lacks; do printf 'benchmark\t%s\t\ttime\n' $name; done
        exit
      fi
      printf 'gauge-launch\t1\n' >&3
      case $3 in
        breaks) echo 'out of range'; printf 'failed\toops\n' >&3; exit 1 ;;
        skips) printf 'skipped\tnot today\n' >&3 ;;
        lacks) printf 'unavailable\tprofiled_operations\t1\tneither\tsampled\twhy\ndone\n' >&3 ;;
      esac
      """#)
    #expect(program("profile", "--executable", executable) == 3)
    for line in [
      "breaks broke: oops", "    | out of range", "skips: skipped: not today", "lacks: cpu: unavailable: why",
    ] {
      #expect(program.error.contains(line + "\n"), "\(program.error)")
    }
    #expect(program("profile", "--executable", executable, "lacks") == 6)
    #expect(program("profile", "--executable", executable, "nothing*") == 64)
    #expect(program("profile", "--executable", folder("missing")) == 66)
  }

  /// It was told behind the first profile, and documents followed one another on one stream.
  @Test func `what can't be printed is refused before anything is recorded`() throws {
    let executable = try folder.script(
      #"""
      if [ "$1" = list ]; then printf 'benchmark\ta\t\ttime\nbenchmark\tb\t\ttime\n'; exit; fi
      touch '\#(folder("launched"))'
      """#)
    let words = ["profile", "--executable", executable, "--format"]
    #expect(program(arguments: words + ["pprof", "a"]) == 64)
    #expect(program.error.contains("a pprof file can't be printed: name a folder by --output DIR\n"))
    for format in ["html", "speedscope"] {
      #expect(program(arguments: words + [format]) == 64)
      #expect(program.error.contains("format '\(format)' has 2 files: name a folder by --output DIR\n"))
      #expect(program(arguments: words + [format, "a", "--kind", "cpu,alloc"]) == 64)
    }
    #expect(Files.kind(of: folder("launched")) == nil)
  }

  @Test func `a benchmark that the other executable lacks is told`() throws {
    let executable = try folder.script(#"[ "$1" = list ] && printf 'benchmark\ta\t\ttime\n'"#)
    let other = try folder.script(#"[ "$1" = list ] && printf 'benchmark\tb\t\ttime\n'"#, named: "other")
    _ = program("profile", "--executable", executable, "--against", other)
    #expect(program.error.contains("gauge: a: nothing to compare with: it is not in \(other)\n"), "\(program.error)")
  }

  @Test func `what is compared with must be there`() throws {
    let executable = try folder.script(#"[ "$1" = list ] && printf 'benchmark\ta\t\ttime\nbenchmark\tb\t\ttime\n'"#)
    #expect(program("profile", "--executable", executable, "a", "--against", "c") == 64)
    #expect(program.error.contains("option '--against' needs an executable or a benchmark, and 'c' is neither"))
    #expect(program("profile", "--executable", executable, "a", "--against", try folder.write("", to: "text")) == 3)
  }

  #if os(Linux)
    @Test func `the difference of two benchmarks is told`() {
      #expect(
        program(
          "profile", "--executable", ProfiledProgram.path, "gauge/allocate", "--kind", "alloc", "--against",
          "gauge/empty") == 0, "\(program.error)")
      #expect(program.error.contains("gauge: gauge/allocate: alloc: 1000 stacks, 100.0 % of them whole\n"))
      #expect(program.output.contains("against 0 allocations by operation: +1 allocation\n"), "\(program.output)")
    }

    /// The executable has line tables: nothing strips what is built beside the tests.
    @Test(.enabled(if: SourceLines(besides: "swift", path: Self.toolsPath) != nil))
    func `allocations are told by the line of the program that makes them`() throws {
      let program = CapturedProgram(path: Self.toolsPath)
      #expect(
        program("profile", "--executable", ProfiledProgram.path, "gauge/allocate", "--kind", "alloc") == 0,
        "\(program.error)")
      let lines = program.output.split(separator: "\n").map {
        $0.split(separator: " ", omittingEmptySubsequences: true)
      }
      for (unit, amount) in [("allocations", "1"), ("bytes", "24")] {
        let head = try #require(
          lines.firstIndex { $0.starts(with: [Substring(unit), "line", "of"]) }, "\(program.output)")
        let site = lines[head + 1]
        #expect(site.first == Substring(amount) && site.count > 2, "\(program.output)")
        #expect(site[1].wholeMatch(of: /GaugeBenchmarks\.swift:[1-9][0-9]*/) != nil, "\(program.output)")
      }
      // The table of functions has the line, too.
      let caller = try #require(
        lines.first { $0.contains("closure") && $0.last?.hasPrefix("GaugeBenchmarks.swift:") == true })
      #expect(caller.first == "0.0")
    }

    @Test func `waits are told by what they are for, and for whole threads`() throws {
      #expect(
        program(
          "profile", "--executable", ProfiledProgram.path, "gauge/sleep", "--kind", "waits", "--seconds", "0.1",
          "--format", "table,folded", "--output", folder("out")) == 0, "\(program.error)")
      let lines = program.output.split(separator: "\n").map(String.init)
      let first = try #require(lines.first { $0.contains(" 1. ") }, "\(program.output)")
      #expect(first.contains("%") && first.contains("sleeps"), "\(first)")
      #expect(lines.contains { $0.hasPrefix("  thread ") && $0.contains("not seen") }, "\(program.output)")
      #expect(lines.joined(separator: " ").contains("unavailable: tasks that wait"))
      let folded = try folder.read("out/gauge-sleep.waits.folded").split(separator: "\n")
      #expect(folded.contains { $0.hasPrefix("gauge/sleep;") && $0.contains(";waiting: sleep ") }, "\(folded)")
    }

    @Test func `tables are printed and files are written`() throws {
      #expect(
        program(
          "profile", "--executable", ProfiledProgram.path, "gauge/allocate", "--kind", "alloc", "--format",
          "table,folded", "--output", folder("out")) == 0, "\(program.error)")
      #expect(program.output.hasPrefix("gauge/allocate\nallocations: 1 allocations by operation, 1000 operations\n"))
      let file = "out/gauge-allocate.allocations.folded"
      #expect(program.error.contains("gauge: wrote \(folder(file))\n"))
      let lines = try folder.read(file).split(separator: "\n")
      #expect(lines.allSatisfy { $0.hasPrefix("gauge/allocate;") })
      let counts: [Int] = lines.compactMap { line in line.split(separator: " ").last.flatMap { Int($0) } }
      #expect(counts.reduce(0, +) == 1000)
    }
  #endif
}
