// Faults injected into real processes: each has a name, the right exit code, and costs nothing that was measured
// before. No source file: what is tested is the whole command.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct FaultInjectionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// An executable with a benchmark that works, `good`, and one, `bad`, whose launches run a script.
  private func executable(bad script: String) throws -> String {
    try folder.script(
      #"""
      if [ "$1" = list ]; then printf 'benchmark\tbad\t\ttime\nbenchmark\tgood\t\ttime\n'; exit; fi
      printf 'gauge-launch\t1\n' >&3
      if [ "$3" = bad ]; then \#(script)
      fi
      printf 'metric\ttime\tns/op\tlower\tsampled\t1\t1\t2.5\ndone\n' >&3
      """#)
  }

  private func run(
    _ executable: String, output: String? = nil, prefix: String = "", limit: String = "20",
    launches: Int = 6
  ) throws -> ProcessRun {
    let command =
      "\(prefix) exec '\(GaugeExecutableTests.gauge)' run --executable '\(executable)' --output "
      + "'\(output ?? folder("f.csv"))' --launches \(launches) --seed 3 --time-limit \(limit) --color never"
    return try ProcessRun.capturing(Command(program: "/bin/sh", arguments: ["-c", command]), limit: .seconds(3600))
  }

  // MARK: Benchmarks that break

  @Test(arguments: [
    ("kill -KILL $$", "killed by signal 9 (Killed)"),
    ("kill -SEGV $$", "killed by signal 11 (Segmentation fault)"),
    ("kill -ABRT $$", "killed by signal 6 (Aborted)"),
    ("while :; do :; done", "did not end within "),
    ("while :; do echo 'and so on'; done", "did not end within "),
    ("while :; do echo 'and so on' >&3; done", "did not end within "),
    ("ulimit -v 40000; exec tail /dev/zero", "exited with code 1"),
    (
      "printf 'metric\\ttime\\tns/op\\tlower\\tsampled\\tmany\\t1\\t2.5\\ndone\\n' >&3; exit 0",
      "line 2 of its report is damaged: a field that is not a number in 'metric\ttime\tns/op\tlower\tsampled\tmany\t1\t2.5'"
    ),
    ("printf 'a\\nb\\n' >&3; exit 0", "line 2 of its report is damaged: an unknown record"),
    ("exit 0", "ended before its report was whole"),
  ])
  func `a benchmark that breaks is named, and the others are measured`(script: String, reason: String) throws {
    let isEndless = script.hasPrefix("while")
    // A busy machine may keep one of the others from ending within two seconds.
    var limits = isEndless ? ["2", "20", "200"] : ["600"]
    var limit = limits.removeFirst()
    func measure() throws -> ProcessRun {
      try? FileManager.default.removeItem(atPath: folder("f.csv"))
      return try self.run(try executable(bad: script), limit: limit)
    }
    var run = try measure()
    while isEndless, !limits.isEmpty, try ResultFile.read(folder("f.csv")).results.faults.count > 1 {
      limit = limits.removeFirst()
      run = try measure()
    }
    let reason = isEndless ? "\(reason)\(limit) s (--time-limit allows more)" : reason
    #expect(run.ending == .ended(.exited(3)), "\(run.output)")
    #expect(run.output.contains("bad: ") && run.output.contains(legible(reason)), "\(run.output)")
    let contents = try ResultFile.read(folder("f.csv"))
    #expect(contents.warnings.isEmpty)
    #expect(contents.results.faults.count == 1)
    let fault = try #require(contents.results.faults.first)
    #expect(fault.benchmark == "bad" && fault.reason.contains(reason), "\(fault)")
    #expect(fault.output.utf8.count <= 2100)
    #expect(contents.results.rows.map(\.benchmark) == Array(repeating: "good", count: 6))
  }

  @Test func `a process without memory says so`() throws {
    let run = try run(try executable(bad: "ulimit -v 40000; exec tail /dev/zero"))
    #expect(run.output.contains("memory exhausted"), "\(run.output)")
  }

  // MARK: Files that can't be written

  /// The rows of a file, whose last line may break off, but none before.
  private func wholeRows() throws -> Int { try ResultFile.read(folder("f.csv")).results.rows.count }

  @Test func `a file that may grow no more keeps its launches`() throws {
    let executable = try executable(bad: ":")
    #expect(try self.run(executable, launches: 40).ending == .ended(.exited(0)))
    let size = try #require(Files.stamp(of: folder("f.csv"))?.size)
    // Blocks of 512 bytes: half of the file, of which the head is a fifth.
    let run = try run(executable, prefix: "trap '' XFSZ; ulimit -f \(size / 1024);", launches: 40)
    #expect(run.ending == .ended(.exited(73)), "\(run.output)")
    // A row that fits in part is taken back, and told like a full disk.
    let reasons = ["File too large", "No space left on device"]
    #expect(
      reasons.contains { run.output.contains("f.csv: cannot be written: \($0)\n") }, "\(run.output)")
    let words = ["run", "--resume", "--executable", executable, "--output", folder("f.csv")]
    #expect(
      run.output.contains(
        "It keeps what was measured before. To go on from there: gauge \(words.joined(separator: " "))\n"),
      "\(run.output)")
    let kept = try wholeRows()
    #expect(kept > 0 && kept < 80)
    let resumed = try ProcessRun.capturing(Command(program: GaugeExecutableTests.gauge, arguments: words))
    #expect(resumed.ending == .ended(.exited(0)), "\(resumed.output)")
    #expect(try wholeRows() == 80)
  }

  @Test func `a full disk is named`() throws {
    let run = try run(try executable(bad: ":"), output: "/dev/full")
    #expect(run.ending == .ended(.exited(73)))
    #expect(run.output.contains("/dev/full: cannot be written: No space left on device"), "\(run.output)")
  }

  /// Runs gauge where files may not grow at all, and where they may.
  private func withoutRoom(_ arguments: String) throws -> (first: ProcessRun, second: ProcessRun) {
    let command = "cd '\(folder(""))'; exec '\(GaugeExecutableTests.gauge)' \(arguments) --color never"
    func run(_ prefix: String) throws -> ProcessRun {
      try ProcessRun.capturing(Command(program: "/bin/sh", arguments: ["-c", prefix + command]))
    }
    return (try run("trap '' XFSZ; ulimit -f 0; "), try run(""))
  }

  @Test func `what doesn't fit is not begun, and is in nobody's way afterwards`() throws {
    #expect(try run(try executable(bad: ":")).ending == .ended(.exited(0)))
    try folder.write("// swift-tools-version: 6.0\n", to: "Package.swift")
    for arguments in ["history add f.csv --history h.csv", "init"] {
      let (first, second) = try withoutRoom(arguments)
      #expect(first.ending == .ended(.exited(73)), "\(first.output)")
      #expect(first.output.contains("cannot be written: File too large\n\(Program.makeRoom)\n"), "\(first.output)")
      #expect(second.ending == .ended(.exited(0)), "\(second.output)")
    }
    #expect(try History(Files.contents(of: folder("h.csv")), path: "h.csv").runs.count == 1)
  }

  /// It was lost, with exit code 0.
  @Test(arguments: [
    "compare f.csv f.csv", "compare --format json f.csv f.csv", "report f.csv", "report --format text f.csv",
    "history show", "baseline list", "check --limits limits.csv f.csv", "completions bash",
    "list --executable ./benchmarks", "help", "help run", "run --help", "version",
  ])
  func `what can't be printed is told`(arguments: String) throws {
    #expect(try run(try executable(bad: ":")).ending == .ended(.exited(0)))
    try folder.write(CSV.record(CostLimit.columns) + "good,good,,,,1,time,1\n", to: "limits.csv")
    for preparing in ["history add f.csv", "baseline save main f.csv"] {
      let run = try sh("cd '\(folder.path)'; exec '\(GaugeExecutableTests.gauge)' \(preparing)")
      #expect(run.ending == .ended(.exited(0)), "\(run.output)")
    }
    let command = "cd '\(folder.path)'; exec '\(GaugeExecutableTests.gauge)' \(arguments)"
    #expect(!(try sh(command + " 2>/dev/null", reportOn: 1)).report.isEmpty)
    let run = try sh(command + " >/dev/full")
    #expect(run.ending == .ended(.exited(73)), "\(run.output)")
    #expect(
      run.output.hasSuffix("error: standard output cannot be written: No space left on device\n\(Program.makeRoom)\n"),
      "\(run.output)")
  }

  /// As other programs in a pipe whose end has seen enough.
  @Test func `who reads no more is told nothing`() throws {
    let command = "mkfifo p; exec 3<>p 4>p 3<&-; exec '\(GaugeExecutableTests.gauge)' help >&4"
    for (trap, ending) in [("trap '' PIPE; ", ProcessRun.Ending.ended(.exited(0))), ("", .ended(.signalled(SIGPIPE)))] {
      let run = try sh("cd '\(folder.path)'; rm -f p; " + trap + command)
      #expect(run.ending == ending && run.output.isEmpty, "\(run.output)")
    }
  }

  private func sh(_ command: String, reportOn descriptor: Int32 = 3) throws -> ProcessRun {
    try ProcessRun.capturing(Command(program: "/bin/sh", arguments: ["-c", command]), reportOn: descriptor)
  }

  @Test func `a folder that takes no file is named before anything is measured`() throws {
    // Not even the superuser can make a folder there.
    let run = try run(try executable(bad: "touch '\(folder("launched"))'"), output: "/proc/results/f.csv")
    #expect(run.ending == .ended(.exited(73)))
    #expect(run.output.contains("/proc/results/f.csv: cannot be written: "), "\(run.output)")
    #expect(Files.stamp(of: folder("launched")) == nil)
  }

  @Test func `what goes on with a run that was stopped names its file`() throws {
    let executable = try executable(bad: "kill -TERM $PPID; while :; do :; done")
    let run = try run(executable)
    #expect(run.ending == .ended(.exited(143)), "\(run.output)")
    #expect(
      run.output.contains(
        "to go on from there: gauge run --resume --executable \(executable) --output \(folder("f.csv"))\n"),
      "\(run.output)")
  }

  /// The file that it named was removed as it said so.
  @Test func `limits are judged by what was measured before a signal, and nobody is to go on with it`() throws {
    let executable = try executable(bad: "kill -TERM $PPID; while :; do :; done")
    try folder.write(
      CSV.record(CostLimit.columns) + "bad,bad,,,,1,time,1\n" + "gone,gone,,,,1,time,1\n", to: "limits.csv")
    let run = try ProcessRun.capturing(
      Command(
        program: GaugeExecutableTests.gauge,
        arguments: ["check", "--limits", folder("limits.csv"), "--executable", executable]), limit: .seconds(3600))
    #expect(run.ending == .ended(.exited(143)), "\(run.output)")
    #expect(run.output.contains("0 above, 2 missing, 0 within the limits of "), "\(run.output)")
    #expect(run.output.contains("the run is incomplete: 0 of "), "\(run.output)")
    #expect(!run.output.contains("--resume"), "\(run.output)")
  }

  // MARK: Two at once

  @Test func `a second run into the same folder is refused and names the first`() throws {
    let slow = try executable(bad: "touch '\(folder("started"))'; sleep 3600")
    let first = Process()
    first.executableURL = URL(fileURLWithPath: GaugeExecutableTests.gauge)
    first.arguments = ["run", "--executable", slow, "--output", folder("f.csv"), "--launches", "1", "--filter", "bad"]
    first.standardError = FileHandle.nullDevice
    first.standardOutput = FileHandle.nullDevice
    try first.run()
    defer {
      first.interrupt()
      first.waitUntilExit()
      #expect(first.terminationStatus == 130)
    }
    while Files.stamp(of: folder("started")) == nil, first.isRunning { usleep(1000) }
    let second = try run(slow)
    #expect(second.ending == .ended(.exited(73)))
    #expect(
      second.output.contains("another gauge is writing into \(folder.path), process \(first.processIdentifier)\n"),
      "\(second.output)")
  }

  // MARK: What must not be measured

  @Test func `a build for debugging is refused, unless it is asked for`() throws {
    let executable = try folder.script(
      #"""
      if [ "$1" = list ]; then printf 'suite\tflaw\tfor debugging\nbenchmark\ta\t\ttime\n'; exit; fi
      printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t2.5\ndone\n' >&3
      """#)
    let gauge = CapturedProgram()
    #expect(gauge("run", "--executable", executable, "--output", folder("f.csv")) == 3)
    #expect(gauge.error.contains("\(executable) was built for debugging: its times say nothing\n"))
    #expect(gauge.error.contains("--allow-debug measures it nevertheless."))
    #expect(gauge("run", "--executable", executable, "--output", folder("f.csv"), "--allow-debug") == 0)
  }

  // MARK: A clock that steps back

  static let clang = ["/usr/bin/clang", "/usr/bin/cc", "/usr/bin/gcc", "/opt/swift/usr/bin/clang"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test(
    .enabled(if: clang != nil && CallgrindTests.isInstalled),
    arguments: [
      ("gauge/empty", LaunchRequest.Pass.time), ("gauge/empty", .resources), ("gauge/groups", .time),
      ("gauge/groups", .resources),
    ])
  func `a clock that steps back breaks the benchmark by name`(name: String, pass: LaunchRequest.Pass) throws {
    try folder.write(
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <time.h>
      int clock_gettime(clockid_t clock, struct timespec *now) {
        static int (*next)(clockid_t, struct timespec *);
        static long calls;
        if (!next) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
        int result = next(clock, now);
        static long back;
        // Calibration, where there is any, reads the clock some 20 000 times. Each 11th reading from then on is five
        // seconds earlier than the one before: an odd number, so that one of two is the second reading around a batch.
        if (clock == CLOCK_MONOTONIC && ++calls > \(pass == .time ? 20_010 : 100) && calls % 11 == 0) back += 5;
        now->tv_sec -= back;
        return result;
      }
      """, to: "clock.c")
    let compiled = try ProcessRun.capturing(
      Command(
        program: Self.clang!, arguments: ["-shared", "-fPIC", "-o", folder("clock.so"), folder("clock.c"), "-ldl"]))
    try #require(compiled.succeeded, "\(compiled.output)")
    let request = PlannedLaunch(
      point: .sample(name), pass: pass, launch: 0, sequence: 0, budget: 300
    ).request
    let run = try ProcessRun.capturing(
      Command(
        program: CallgrindTests.benchmarks, arguments: request.arguments,
        environment: ["LD_PRELOAD": folder("clock.so")]), limit: .seconds(3600))
    #expect(run.ending == .ended(.exited(1)))
    #expect(run.report.contains("failed\tthe clock stepped back by "), "\(run.report)\(run.output)")
    #expect(!run.report.contains("metric\t"))
  }
}
