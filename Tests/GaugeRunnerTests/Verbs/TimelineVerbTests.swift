// `gauge timeline` from the command line to tables, files and codes.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct TimelineVerbTests {
  let folder: TemporaryFolder
  let program = CapturedProgram()

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    (["--kind", "cpu"], "option '--kind' knows alloc, arc, waits"),
    (["--operation", "0"], "needs a number from 1 to 1000000000"),
    (["--operations", "1001"], "needs a number from 1 to 1000"),
    (["--time-limit", "0"], "needs seconds from 1 to 86400"),
    (["--format", "png"], "option '--format' knows table, events, perfetto, firefox, html"),
  ])
  func `a wrong command line is told`(arguments: [String], words: String) {
    #expect(program(arguments: ["timeline"] + arguments) == 64)
    #expect(program.error.contains(words), "\(program.error)")
  }

  @Test func `all is recorded where nothing is chosen, and what was asked twice is done once`() throws {
    func options(_ words: String...) throws -> TimelineOptions {
      try TimelineOptions(Arguments(words, options: Verb.timeline.options))
    }
    let plain = try options()
    #expect(plain.timeline == .init([.allocations, .references, .waits]) && plain.formats == [.table])
    let chosen = try options(
      "--kind", "arc,arc", "--format", "html,events,html", "--operation", "7", "--time-limit", "90")
    #expect(chosen.timeline == .init([.references], operation: 7, timeLimit: 90) && chosen.formats == [.html, .events])
    #expect(plain.output == nil)
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
    #expect(program("timeline", "--executable", executable) == 3)
    for line in ["breaks broke: oops", "    | out of range", "skips: skipped: not today", "lacks: unavailable: why"] {
      #expect(program.error.contains(line + "\n"), "\(program.error)")
    }
    #expect(program("timeline", "--executable", executable, "lacks") == 6)
    #expect(program("timeline", "--executable", executable, "nothing*") == 64)
    #expect(program("timeline", "--executable", executable, "--format", "html") == 64)
    #expect(program.error.contains("format 'html' has 3 files: name a folder by --output DIR\n"))
  }

  @Test func `kinds that can't be had are told with the reason`() {
    let counts = [Metric.arcRetains, .arcReleases].map { Measurement($0, .unavailable("it was stripped")) }
    #expect(TimelineSession.absences(counts) == ["retains and releases: unavailable: it was stripped"])
    #expect(TimelineSession.absences([]).isEmpty)
  }

  #if os(Linux)
    @Test func `a table is printed, and files are written`() throws {
      #expect(
        program(
          "timeline", "--executable", ProfiledProgram.path, "gauge/allocate", "--format", "table,perfetto,firefox,html",
          "--output", folder("out")) == 0, "\(program.error)")
      #expect(program.output.hasPrefix("gauge/allocate\n  operation 1 behind the warm-up: "), "\(program.output)")
      #expect(program.output.contains("1 allocation (24 bytes)"), "\(program.output)")
      #expect(program.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(program.output)")
      for ending in ["perfetto.json", "firefox.json", "timeline.html"] {
        #expect(try folder.read("out/gauge-allocate.\(ending)").contains("GaugeBenchmarks.Box"))
      }
    }

    /// Must show: two runs of a deterministic benchmark give the same allocation timeline.
    @Test func `two runs print the same allocations`() {
      func listing() -> String {
        let code = program(
          "timeline", "--executable", ProfiledProgram.path, "gauge/heap[operations=1000]", "--kind", "alloc",
          "--format", "events")
        #expect(code == 0, "\(program.error)")
        return program.output
      }
      let first = listing()
      #expect(first.contains("\tallocate\t1\t") && first.contains("\tfree\t1\t"), "\(first)")
      #expect(listing() == first)
    }
  #endif
}
