// `gauge run`: measures benchmarks and writes a result file, or goes on with one.

import Foundation
import Gauge

extension Verb {
  /// `gauge run`.
  static let run = Verb(
    name: "run", arguments: "[GLOB ...]",
    summary: "Measures benchmarks and writes a result file.",
    description: """
      Every benchmark runs in fresh processes, many short ones, in random order over the whole run. Time, latency and
      allocations are measured in launches of their own. A table of the results is printed at the end.

      Rows are written as each launch ends: a kill at any moment loses at most the launch in flight, or the sixteen of
      them that share a process of valgrind. A benchmark that crashes, hangs or throws is reported with what it printed,
      and the others go on. An existing result file is replaced, unless --resume goes on with it. One run at a time
      measures into a folder: a second one is refused. One in another folder of the machine, by whomever, is warned of. An
      executable that doesn't compile is left out, and counts as a broken benchmark.

      Launches for time that a neighbour on the same core disturbed are made once more at the end, up to twice as many of
      a benchmark in all; with --launches never.

      Before measuring time it warns of load and of a frequency that varies, and afterwards of time that the hypervisor
      took and of a machine that became slower or faster, each with what to do. What this machine can't measure reads
      'unavailable' with the reason, and is never a number.

      With --counts, every benchmark of a single thread is run under valgrind, and the instructions of its operation are
      counted, less those of an empty one. The hash seed, the environment, the stack and the C library's choice among its
      functions are pinned: the same build counts the same in every run, whatever else the machine does. Of the
      environment, only variables whose names begin with GAUGE_ are handed on. The operations are counted over
      'countedOperations' runs (1000 unless the author says otherwise); a benchmark whose row takes more than 2 seconds
      should lower it.
      """,
    options: Program.choosingOptions + [
      OptionSyntax(
        name: "--quick",
        help: """
          A look: fewer and shorter launches, within 90 seconds for
          25 benchmarks, or two minutes beside a noisy neighbour.
          """),
      OptionSyntax(name: "--full", help: "More and longer launches, for the finest differences."),
      OptionSyntax(
        name: "--metrics", placeholder: "A,B",
        help: """
          Take only these passes or metrics (such as throughput,
          latency_p99, frees, instructions). The passes: time, latency,
          open_latency, allocations and custom, which are the default;
          resources (CPU time, page faults, context switches, memory),
          system_calls, references (retains, releases, objects),
          allocator (jemalloc's state), hardware (the core's counters),
          single_shot (the first operation of a process), counts
          (instructions under valgrind). 'all' is all but counts.
          """),
      OptionSyntax(
        name: "--counts",
        help: """
          Take what repeats exactly: instructions, and allocations; alone,
          or beside what --metrics asks for. Needs valgrind.
          """),
      OptionSyntax(
        name: "--allow-debug",
        help: """
          Measure benchmarks that were built for debugging or with a
          sanitizer: refused otherwise, as their times are worthless.
          """),
      OptionSyntax(
        name: "--resume",
        help: """
          Go on with the result file of an interrupted run: its options
          are taken from the file, launches that are there are left out.
          Refused where the machine or the executables have changed; a
          machine that was started anew counts as another.
          """),
      Program.affectedSinceOption,
      Program.earlierOption,
      OptionSyntax(
        name: "--output", placeholder: "FILE", help: "The result file. Default: results/latest.csv in the package."),
      OptionSyntax(
        name: "--launches", placeholder: "N",
        help: """
          Launches of each benchmark for time and for latency, and at
          least so many of counts that vary. Without it, benchmarks
          whose times differed much between earlier runs get up to
          three times the launches of others for time.
          """),
      Program.timeLimitOption,
      OptionSyntax(
        name: "--shard", placeholder: "I/N", help: "Measure only the I-th of N parts; 'gauge merge' puts them together."
      ),
      OptionSyntax(
        name: "--seed", placeholder: "N", help: "What the order of the launches is drawn from. Default: random."),
    ] + common,
    examples: [
      ("gauge run", "Everything, into results/latest.csv."),
      ("gauge run --quick 'subject/*' 'flatmap/*'", "A look at two families."),
      ("gauge run --counts --output counts.csv", "What repeats exactly: instructions, allocations, frees, bytes."),
      ("gauge run --resume", "The rest of a run that was interrupted."),
    ],
    exitCodes: [
      ("0", "everything was measured"),
      ("3", "a benchmark, a fixture or a build broke, or a build is for debugging, or there is no such revision"),
      ("64", "the command line is wrong, or a filter fits no benchmark"),
      ("65", "--resume: the file is damaged, or from another machine or build; or .gauge is a link, or tracked by git"),
      ("66", "no package (or none at the revision), no benchmarks in it, no such executable, or no file to resume"),
      ("73", "the result file can't be written, or another gauge writes into its folder or compares in the package"),
      ("130", "interrupted (143: terminated); the result file holds every finished launch"),
    ],
    believesFolder: true,
    action: { program, arguments throws(CommandFailure) in try program.measure(arguments) })
}

extension Program {
  /// Runs `gauge run`.
  ///
  /// - Parameters:
  ///   - arguments: The command line.
  ///   - isKept: Whether the result file stays, so that an interrupted run can be gone on with.
  func measure(_ arguments: Arguments, isKept: Bool = true) throws(CommandFailure) -> Int32 {
    if arguments.has("--resume") { return try resume(arguments) }
    let options = try RunOptions(arguments)
    let output = try outputPath(arguments)
    do throws(ResultFile.Failure) {
      try ResultFileWriter.check(output)
    } catch {
      throw CommandFailure(error)
    }
    let run = try PlannedRun(self, arguments, options)
    if run.options.affectedSince != nil, run.choice.points.isEmpty {
      return try endUnaffected(run, output)
    }
    guard !run.plan.launches.isEmpty else {
      throw .usage(
        "none of the \(run.choice.points.count) benchmarks takes part in a pass that '--metrics' asks for")
    }
    let lock = try lock(folderOf: output)
    defer { lock?.hold() }
    let more = run.needed.launches.count
    if more > 0 {
      console.error.line(
        "gauge: \((more == 1 ? "a benchmark" : "\(more) benchmarks")) whose times differed much between earlier runs "
          + (more == 1 ? "gets" : "get") + " more launches")
    }
    if Files.stamp(of: output) != nil { console.error.line("gauge: replacing \(output)") }
    let resuming = isKept ? Self.resuming(arguments) : nil
    return try carryOut(run, RunHistory(), into: output, resuming: resuming) { () throws(ResultFile.Failure) in
      try ResultFileWriter.replacing(output, environment: run.environment)
    }
  }

  /// Ends a run in which no benchmark runs other code. A shard leaves a file without rows, which is merged with the
  /// others: what an earlier run left there would be taken for this one's.
  private func endUnaffected(_ run: PlannedRun, _ output: String) throws(CommandFailure) -> Int32 {
    if run.options.shard != nil {
      let lock = try lock(folderOf: output)
      defer { lock?.hold() }
      if Files.stamp(of: output) != nil { console.error.line("gauge: replacing \(output)") }
      do throws(ResultFile.Failure) {
        try ResultFileWriter.replacing(output, environment: run.environment).end(after: 0)
      } catch {
        throw CommandFailure(error)
      }
    }
    console.output.line(
      "nothing is measured, as no benchmark runs other code; "
        + (run.options.shard == nil ? "\(output) is left as it is" : "\(output) has no rows"))
    return run.choice.uncompiled.isEmpty ? ExitCode.same.rawValue : ExitCode.broke.rawValue
  }
}
