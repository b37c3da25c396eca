// `gauge ab` from sources to exit code, with executables that are scripts.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct AbVerbTests {
  let fixture: TwoRevisions
  let gauge: CapturedProgram

  init() throws {
    fixture = try TwoRevisions()
    gauge = CapturedProgram(in: fixture.folder("package"), swift: fixture.package.swift)
  }

  @Test func `a slower revision is worse, the way back is better`() throws {
    #expect(gauge("ab", "--base", "HEAD~1", "--seed", "1") == 2, "\(gauge.error)")
    #expect(gauge.output.contains("+50.0 %"))
    #expect(gauge.output.contains("Interleaved launches: a change counts from 0.1 % and 0.03 ns on"))
    let terms = gauge.output.replacing("\n", with: " ")
    #expect(terms.contains("any false change of a time in 1 of 1,000 suites, and any of what else varies in 1 of"))
    let base = try ResultFile.read(fixture.folder("package/results/ab/base.csv")).results
    #expect(base.rows.count == 20)
    #expect(base.environment("commit") == (try fixture.git("rev-parse", "HEAD~1")).dropLast().description)
    #expect(gauge("ab", "--base", "HEAD", "--new", "HEAD~1", "a") == 4)
  }

  @Test func `identical binaries are not measured`() throws {
    #expect(gauge("ab", "--base", "HEAD", "--format", "json", "--output", fixture.folder("out")) == 0, "\(gauge.error)")
    #expect(gauge.output.contains("not measured: the binaries are identical"))
    #expect(try fixture.folder.read("out/comparison.json").contains("\"exit_code\": 0"))
    #expect(try ResultFile.read(fixture.folder("package/results/ab/new.csv")).results.rows.isEmpty)
  }

  @Test func `executables can be given`() throws {
    let paths = try ["20", "30"].map { try fixture.folder.script(TwoRevisions.executable(time: $0), named: "E" + $0) }
    #expect(gauge("ab", "--base-executable", paths[0], "--executable", paths[1]) == 2, "\(gauge.error)")
    #expect(gauge("ab", "--base-executable", paths[0], "--executable", paths[1], "--budget", "0.001") == 7)
    #expect(gauge.output.contains("The time was up"))
  }

  @Test(.enabled(if: CallgrindTests.isInstalled)) func `what counts the same is not timed`() throws {
    // A byte behind the end makes it another binary of the same code. A child process writes both, as it does scripts.
    let paths = ["base", "new"].map { fixture.folder($0) }
    let run = try ProcessRun.capturing(
      Command(
        program: "/bin/sh",
        arguments: ["-c", #"cp "$1" "$2" && cp "$1" "$3" && printf x >>"$3""#, "sh", CallgrindTests.benchmarks] + paths)
    )
    try #require(run.succeeded, "\(run.output)")
    let sides = ["ab", "--base-executable", paths[0], "--executable", paths[1], "gauge/allocate"]
    #expect(gauge(arguments: sides) == 0, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("not measured: the counts are identical"), "\(gauge.output)")
    let rows = try ResultFile.read(fixture.folder("package/results/ab/new.csv")).results.rows
    #expect(Set(rows.map(\.metric.name)).isSuperset(of: ["instructions", "retains", "releases"]))
    #expect(!rows.contains { $0.metric.name == "time" })
    // Threads are timed whatever is counted, and so is everything where that is asked for.
    let timed = gauge(arguments: sides + ["--time-all", "--budget", "0.001"])
    #expect(timed == 7 && gauge.output.contains("the time was up"), "\(gauge.output)")
  }

  @Test func `run fixtures stand while both sides are measured`() throws {
    let paths = try ["20", "30"].map { time in
      try fixture.folder.script(
        #"""
        echo "$1 $2" >> '\#(fixture.folder("calls-"))\#(time)'
        case "$1" in
          list) printf 'suite\trun-fixture\nbenchmark\ta\t\ttime\n' ;;
          fixture) if [ "$2" = set-up ]; then touch "$GAUGE_RUN_FOLDER/up"; else rm "$GAUGE_RUN_FOLDER/up"; fi ;;
          launch)
            [ -e "$GAUGE_RUN_FOLDER/up" ] || exit 9
            printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t\#(time)\ndone\n' >&3 ;;
        esac
        """#, named: "F" + time)
    }
    #expect(gauge("ab", "--base-executable", paths[0], "--executable", paths[1]) == 2, "\(gauge.error)")
    for time in ["20", "30"] {
      let calls = try fixture.folder.read("calls-\(time)").split(separator: "\n")
      #expect(calls.contains("fixture set-up") && calls.last == "fixture tear-down", "\(calls)")
    }
  }

  @Test func `what else a launch tells asks for no more pairs`() throws {
    let paths = try [("base", 2), ("new", 3)].map { name, period in
      try fixture.folder.script(
        #"""
        if [ "$1" = list ]; then printf 'benchmark\ta\t\ttime\n'; exit; fi
        echo >> '\#(fixture.folder(name + ".launches"))'
        rest=$(($(wc -l < '\#(fixture.folder(name + ".launches"))') % \#(period)))
        printf 'gauge-launch\t1\n' >&3
        printf 'metric\ttime\tns/op\tlower\tsampled\t1\t1\t%s\n' 20 >&3
        printf 'metric\ttime_readers\tns/op\tlower\tsampled\t1\t1\t%s\n' $((1 + 99 * rest)) >&3
        echo done >&3
        """#, named: name)
    }
    // The readers' time is 1 or 100 on one side, 1, 100 or 199 on the other, which so few launches tell nothing about.
    // The row is decided nevertheless.
    #expect(gauge("ab", "--base-executable", paths[0], "--executable", paths[1]) == 0, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("1 same, 0 not enough data"), "\(gauge.output)")
  }

  /// Sides that take the same time, one of which counts more instructions.
  private func sides(instructions: Int) throws -> [String] {
    try [1000, instructions].map { count in
      try fixture.folder.script(
        #"""
        if [ "$1" = list ]; then printf 'benchmark\ta\t\ttime\n'; exit; fi
        printf 'gauge-launch\t1\n' >&3
        printf 'metric\ttime\tns/op\tlower\tsampled\t1\t1\t20\n' >&3
        printf 'metric\tinstructions\t1/op\tlower\texact\t1\t1\t%s\n' \#(count) >&3
        echo done >&3
        """#, named: "I\(count)")
    }
  }

  @Test(arguments: [(1010, 2), (990, 4), (1004, 0)] as [(Int, Int32)])
  func `a count that certainly changed is a verdict of its own`(instructions: Int, code: Int32) throws {
    let paths = try sides(instructions: instructions)
    #expect(gauge("ab", "--base-executable", paths[0], "--executable", paths[1]) == code, "\(gauge.output)")
    #expect(gauge.output.contains(code == 0 ? "2 same" : "1 same"), "\(gauge.output)")
    let strict = ["ab", "--base-executable", paths[0], "--executable", paths[1], "--threshold", "instructions=0"]
    #expect(gauge(arguments: strict) == (code == 0 ? 2 : code))
  }

  @Test func `what would decide open rows is told with the command`() throws {
    let paths = try sides(instructions: 1004)
    let line = ["ab", "--base-executable", paths[0], "--executable", paths[1]]
    #expect(gauge(arguments: line + ["--budget", "0.001"]) == 7)
    #expect(gauge.output.contains("the time was up: about 20 pairs of launches would decide, "), "\(gauge.output)")
    let text = gauge.output.replacing("\n", with: " ")
    #expect(text.contains("gauge \(line.joined(separator: " ")) --budget 10 a` would decide"), "\(gauge.output)")
  }

  /// The defect: five launches a side can't give a verdict among eight rows, and there was no way to have more.
  @Test func `counts that vary are judged`() throws {
    let paths = try [100, 200].map { count in
      try fixture.folder.script(
        #"""
        if [ "$1" = list ]; then printf 'benchmark\ta\t\tallocations\nbenchmark\tb\t\tallocations\n'; exit; fi
        printf 'gauge-launch\t1\n' >&3
        for metric in allocations frees; do
          printf 'metric\t%s\t1/op\tlower\tsampled\t1\t1\t%s\n' $metric \#(count) >&3
        done
        for metric in allocated_bytes peak_heap; do
          printf 'metric\t%s\tB/op\tlower\tsampled\t1\t1\t%s\n' $metric \#(count) >&3
        done
        echo done >&3
        """#, named: "V\(count)")
    }
    #expect(gauge("ab", "--base-executable", paths[0], "--executable", paths[1]) == 2, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("8 worse, 0 better, 0 same, 0 not enough data"), "\(gauge.output)")
    // As many launches as ten rows take at 0.1 %.
    #expect(try ResultFile.read(fixture.folder("package/results/ab/new.csv")).results.rows.count == 2 * 4 * 9)
    #expect(AbMeasuring.launches(ofVarying: 0, among: 0) == 5 && AbMeasuring.launches(ofVarying: 112, among: 490) == 12)
  }

  @Test func `a benchmark that breaks on the base side is told, and the code says so`() throws {
    let paths = try [("base", "exit 9"), ("new", ":")].map { name, ending in
      try fixture.folder.script(
        #"""
        if [ "$1" = list ]; then printf 'benchmark\ta\t\ttime\n'; exit; fi
        \#(ending)
        printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t20\ndone\n' >&3
        """#, named: name)
    }
    let sides = ["ab", "--base-executable", paths[0], "--executable", paths[1]]
    #expect(gauge(arguments: sides) == 3, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("broke: a: on the base side: "), "\(gauge.output)")
    #expect(gauge(arguments: sides + ["--format", "json,junit", "--output", fixture.folder("out")]) == 3)
    #expect(try fixture.folder.read("out/comparison.json").contains("\"exit_code\": 3"))
    #expect(try fixture.folder.read("out/junit.xml").contains(" errors=\"1\""))
  }

  @Test func `an executable that doesn't compile is in every report`() throws {
    let swift = try fixture.folder.script(
      #"""
      case "$*" in
        package*)
          echo '{"targets":[{"name":"Fast","type":"executable","path":"Benchmarks/Fast"},'
          echo '{"name":"Slow","type":"executable","path":"Benchmarks/Slow"}]}' ;;
        *'--product Slow'*) exit 1 ;;
        *) exec '\#(fixture.package.swift)' "$@" ;;
      esac
      """#, named: "swift-of-two")
    let gauge = CapturedProgram(in: fixture.folder("package"), swift: swift)
    let line = ["ab", "--base", "HEAD", "--format", "json,junit,markdown", "--output", fixture.folder("out")]
    #expect(gauge(arguments: line) == 3, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("broke: Slow: doesn't compile on the new side"), "\(gauge.output)")
    #expect(try fixture.folder.read("out/comparison.json").contains("\"exit_code\": 3"))
    #expect(try fixture.folder.read("out/junit.xml").contains(" errors=\"2\""))
    #expect(try fixture.folder.read("out/comparison.md").contains("**broke**"))
  }

  @Test func `benchmarks of one side are named`() throws {
    let paths = try [("base", "gone"), ("new", "added")].map { name, other in
      try fixture.folder.script(
        #"""
        if [ "$1" = list ]; then printf 'benchmark\ta\t\ttime\nbenchmark\t\#(other)\t\tallocations\n'; exit; fi
        printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t20\ndone\n' >&3
        """#, named: name)
    }
    let sides = ["ab", "--base-executable", paths[0], "--executable", paths[1]]
    #expect(gauge(arguments: sides) == 0, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("Only in the baseline: gone.\nOnly in the new run: added.\n"), "\(gauge.output)")
    #expect(gauge.output.contains("1 row only in the baseline; 1 row only in the new run"), "\(gauge.output)")
    // A filter may name what was removed; there is nothing to compare then.
    #expect(gauge(arguments: sides + ["gone"]) == 6, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("Only in the baseline: gone."), "\(gauge.output)")
    #expect(gauge(arguments: sides + ["none"]) == 64)
  }

  /// The defect: a row that broke had fewer launches than were never planned.
  @Test func `files of sides are whole`() throws {
    let paths = try [("base", "9"), ("new", "3")].map { name, last in
      try fixture.folder.script(
        #"""
        if [ "$1" = list ]; then printf 'benchmark\ta\t\ttime\n'; exit; fi
        echo >> '\#(fixture.folder(name + ".launches"))'
        [ "$(wc -l < '\#(fixture.folder(name + ".launches"))')" -lt \#(last) ] || exit 9
        printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t20\ndone\n' >&3
        """#, named: name)
    }
    #expect(gauge("ab", "--base-executable", paths[0], "--executable", paths[1]) == 3, "\(gauge.output)")
    #expect(!gauge.output.contains("how many launches"), "\(gauge.output)")
    for name in ["base", "new"] {
      #expect(try ResultFile.read(fixture.folder("package/results/ab/\(name).csv")).results.hasEnd)
    }
  }

  @Test func `what other processes do meanwhile is no reason not to judge pairs`() throws {
    let paths = try [(20, 0), (30, 1000)].map { time, load in
      try fixture.folder.script(
        #"""
        if [ "$1" = list ]; then printf 'benchmark\ta\t\ttime\n'; exit; fi
        printf 'gauge-launch\t1\n' >&3
        printf 'metric\ttime\tns/op\tlower\tsampled\t1\t1\t%s\n' \#(time) >&3
        printf 'metric\tforeign_load\tprocessors\tneither\tsampled\t1\t1\t%s\n' \#(load) >&3
        echo done >&3
        """#, named: "L\(time)")
    }
    #expect(gauge("ab", "--base-executable", paths[0], "--executable", paths[1]) == 2, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("1 worse, 0 better, 0 same, 0 not enough data"), "\(gauge.output)")
    // The files of both sides are files of runs, too: there the load counts.
    let files = ["base", "new"].map { fixture.folder("package/results/ab/\($0).csv") }
    #expect(gauge("compare", files[0], files[1]) == 7, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("other processes kept 0 of "), "\(gauge.output)")
  }

  @Test func `every pair is of new copies of the executables`() throws {
    let paths = try ["base", "new"].map { name in
      try fixture.folder.script(
        #"""
        if [ "$1" = list ]; then printf 'benchmark\ta\t\ttime\n'; exit; fi
        echo "${0##*/}" >> '\#(fixture.folder("started-" + name))'
        printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t20\ndone\n' >&3
        """#, named: name)
    }
    #expect(gauge("ab", "--base-executable", paths[0], "--executable", paths[1]) == 0, "\(gauge.output)\(gauge.error)")
    for name in ["base", "new"] {
      let started = try fixture.folder.read("started-" + name).split(separator: "\n").filter { $0.hasPrefix(".") }
      #expect(started.count == 20 && Set(started).count == 20, "\(started)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).filter {
      $0.contains(".gauge-")
    }
    #expect(left == [])
  }

  @Test func `mistakes have their codes`() {
    #expect(gauge("ab") == 64)
    #expect(gauge("ab", "--base", "HEAD", "none/*") == 64)
    #expect(gauge("ab", "--base", "nowhere") == 3)
    #expect(gauge("ab", "--base-executable", "/nowhere/x") == 64)
    #expect(gauge("ab", "--base-executable", "/nowhere/x", "--executable", "/nowhere/y") == 66)
  }
}
