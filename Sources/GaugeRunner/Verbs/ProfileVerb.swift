// `gauge profile`: where a benchmark's time, allocations and reference counting come from, by call stack.

import Foundation
import Gauge

/// What `gauge profile` can weigh.
enum ProfileKind: String, CaseIterable {
  /// CPU time, by sampling.
  case cpu
  /// Calls and bytes of the heap, and what is there at the end.
  case alloc
  /// Retains and releases.
  case arc
  /// Waits of all threads: how long, for what, and due to whom.
  case waits
  /// Instructions under valgrind, with allocations, retains and releases, all of it exact.
  case instructions

  /// What the launch is asked; `nil` where the launch is one under valgrind.
  var recorded: LaunchRequest.Profile.Kind? {
    switch self {
    case .cpu: .cpu
    case .alloc: .allocations
    case .arc: .references
    case .waits: .waits
    case .instructions: nil
    }
  }
}

extension Verb {
  /// `gauge profile`.
  static let profile = Verb(
    name: "profile", arguments: "[GLOB ...]",
    summary: "Says where time, waits, allocations and reference counting come from.",
    description: """
      Runs each benchmark once for each kind, in a process of its own, and shows the call stacks of what is measured: set-up,
      warm-up and the harness are left out, and the root of every stack is the benchmark.

      CPU time is sampled in every thread as it uses it, so that a thread that waits weighs nothing; no special permission
      is needed. New threads are looked for a hundred times a second: what one does that ends sooner is in no profile of
      CPU time. Allocations, retains and releases are recorded at every call, as many as 'gauge run' counts.

      Waits are timed at every call of the C library that blocks: mutex, condition, rwlock, semaphore, futex (locks of
      Synchronization), sleep, I/O, join, barrier, process, signal, and DispatchQueue.sync. The report says what the
      thread that measures waited for: where a thread waits for another one that waits itself, that is told first,
      with the chain of waits that it lengthens. A table adds up each thread's time: running, ready without a
      processor, waiting.

      Functions have names where the executable has symbols, and files, lines and inlined functions where it has debug
      information and llvm-symbolizer is there (it comes with Swift's toolchain). What is missing is said below the table.
      Builds for debugging can be profiled, too, but say little about those for release.
      """,
    options: Program.choosingOptions + [
      OptionSyntax(
        name: "--kind", placeholder: "A,B",
        help: """
          What to weigh: cpu (the default), alloc (calls and bytes of
          the heap, and what is there at the end), arc (retains and
          releases), waits (of all threads: how long, for what, and who
          ended them), instructions (exact, under valgrind, with
          allocations, retains and releases).
          """),
      OptionSyntax(
        name: "--against", placeholder: "WHAT",
        help: """
          Compare with another executable or another benchmark. An
          executable is given by its path (may be repeated), a benchmark
          by its name as 'gauge list' prints it: says which functions
          account for the difference, and colours flame graphs by it.
          """),
      OptionSyntax(
        name: "--rate", placeholder: "N", help: "Samples per second of CPU time, 1 to 10000. Default: 1000."),
      OptionSyntax(
        name: "--seconds", placeholder: "N",
        help: "Time to sample, or to follow waits, 0.1 to 600. Default: 2."),
      OptionSyntax(
        name: "--format", placeholder: "A,B",
        help: """
          How to show it: table (the default; the functions that weigh
          most), html (flame graphs, to search and to zoom), folded
          (stacks, for flame graph tools), speedscope, pprof.
          """),
      OptionSyntax(
        name: "--output", placeholder: "DIR", help: "Write files into this folder instead of printing them."),
      OptionSyntax(
        name: "--read", placeholder: "FILE",
        help: "Show what GaugeRecorder has written in a running program."),
      OptionSyntax(
        name: "--symbols", placeholder: "FILE",
        help: "With --read: a file's copy with symbols; may be repeated."),
    ] + common,
    examples: [
      ("gauge profile 'chain/map*'", "Where these benchmarks spend their time."),
      ("gauge profile --kind alloc,arc flatmap/inner", "Who allocates, and who retains."),
      ("gauge profile --kind instructions --format html --output out subject/send", "An exact flame graph."),
      ("gauge profile --read server-4711-1.gauge", "What a running program did, and where it hangs."),
    ],
    exitCodes: [
      ("0", "profiled"), ("3", "a benchmark or a fixture broke, or the benchmarks can't be built"),
      ("6", "nothing could be recorded"), ("64", "the command line is wrong, or a filter fits no benchmark"),
      ("65", ".gauge is a link, or tracked by git; or the file is no recording"),
      ("66", "no package, no benchmarks in it, or no such executable or recording"), ("73", "a file can't be written"),
      ("130", "interrupted (143: terminated)"),
    ],
    believesFolder: true,
    action: { program, arguments throws(CommandFailure) in try program.profile(arguments) })
}

extension Program {
  /// Runs `gauge profile`.
  func profile(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let options = try ProfileOptions(arguments)
    if let path = arguments.last("--read") { return try showRecording(path, arguments, options) }
    if arguments.has("--symbols") { throw .usage("option '--symbols' goes with '--read FILE'") }
    let choice = try choose(arguments)
    try check(
      options.formats, files: { choice.points.count * options.kinds.count * max(1, $0) }, folder: options.output)
    let base = try base(of: choice, against: arguments.all("--against"))
    return try recording(choice.points) { (place) throws(CommandFailure) in
      try ProfileSession(
        options: options, choice: choice, base: base, scratch: place.scratch, environment: place.environment,
        console: console, signals: place.signals, symboliser: place.symboliser
      ).run()
    }
  }

  /// What benchmarks are compared with.
  ///
  /// - Parameter against: Paths of executables, of which the benchmarks of the same titles are taken, or a title.
  /// - Returns: By title of what is compared; empty where nothing was asked.
  private func base(of choice: BenchmarkChoice, against: [String]) throws(CommandFailure) -> [String: BenchmarkPoint] {
    var base: [String: BenchmarkPoint] = [:]
    for word in against {
      let isPath = Files.stamp(of: word) != nil
      let others: [BenchmarkPoint]
      do throws(PackageFailure) {
        others = try BenchmarkList.points(
          of: isPath ? [URL(fileURLWithPath: word).standardizedFileURL.path] : choice.executables)
      } catch {
        throw CommandFailure(error)
      }
      if !isPath, !others.contains(where: { $0.title == word }) {
        throw .usage(
          "option '--against' needs an executable or a benchmark, and '\(word)' is neither", unknown: word,
          known: others.map(\.title))
      }
      for point in choice.points where base[point.title] == nil {
        base[point.title] = others.first { $0.title == (isPath ? point.title : word) }
      }
    }
    for point in choice.points where !against.isEmpty && base[point.title] == nil {
      console.error.line(
        "gauge: \(point.title): nothing to compare with: it is not in \(against.joined(separator: ", "))")
    }
    return base
  }
}

/// What the command line asks for.
struct ProfileOptions: Hashable {
  /// What to weigh, in the order of the command line.
  var kinds: [ProfileKind]
  /// Samples per second of CPU time.
  var rate: Int
  /// Measuring time of a launch in milliseconds.
  var budget: Int
  /// How to show it.
  var formats: [ProfileFormat]
  /// The folder for files.
  var output: String?

  /// Reads a command line.
  ///
  /// - Throws: `CommandFailure` with code `usage`.
  init(_ arguments: Arguments) throws(CommandFailure) {
    let kinds = try arguments.words("--kind", as: ProfileKind.self)
    self.kinds = kinds.isEmpty ? [.cpu] : Self.once(kinds)
    rate = try arguments.number("--rate", in: 1...10_000, expected: "a number from 1 to 10000") ?? 1000
    let seconds = try arguments.number("--seconds", in: 0.1...600.0, expected: "seconds from 0.1 to 600") ?? 2
    budget = Int(seconds * 1000)
    let formats = try arguments.words("--format", as: ProfileFormat.self)
    self.formats = formats.isEmpty ? [.table] : Self.once(formats)
    output = arguments.last("--output")
    if output == nil, self.formats.contains(.pprof) { throw ProfileOutput.unprintable }
  }

  private static func once<Word: Hashable>(_ words: [Word]) -> [Word] {
    var seen: Set<Word> = []
    return words.filter { seen.insert($0).inserted }
  }
}

/// One run of `gauge profile` over its benchmarks.
struct ProfileSession {
  let options: ProfileOptions
  let choice: BenchmarkChoice
  /// What benchmarks are compared with, by title.
  var base: [String: BenchmarkPoint] = [:]
  /// A folder for files of the launches.
  let scratch: String
  let environment: [String: String]
  let console: Console
  let signals: PendingSignals?
  let symboliser: Symboliser

  /// Profiles everything.
  ///
  /// - Returns: The exit code.
  func run() throws(CommandFailure) -> Int32 {
    let output = ProfileOutput(
      formats: options.formats, folder: options.output, console: console,
      names: UnlikeNames.ofFiles(for: choice.points.map(\.title)))
    let libraries = Dictionary(
      uniqueKeysWithValues: Set(choice.points.map(\.executable)).map { ($0, CountingLibraries(beside: $0)) })
    var recorded = 0
    var broken = 0
    var files: [String] = []
    let count = choice.points.count * options.kinds.count
    for (number, point) in choice.points.enumerated() {
      for (place, kind) in options.kinds.enumerated() {
        console.error.passing("\(number * options.kinds.count + place + 1)/\(count)  \(point.title) (\(kind.rawValue))")
        let outcome = outcome(kind, of: point, libraries[point.executable])
        var before: [Profile] = []
        if case .recorded = outcome, let old = base[point.title] {
          console.error.passing("\(old.title) (\(kind.rawValue)), to compare with")
          switch self.outcome(kind, of: old, CountingLibraries(beside: old.executable), title: point.title) {
          case .recorded(let profiles, _, _, _): before = profiles
          case .unavailable(let reason), .skipped(let reason), .broken(let reason, _):
            console.error.passing(nil)
            console.error.line("gauge: \(old.title): \(kind.rawValue): nothing to compare with: \(reason)")
          case .interrupted: break
          }
        }
        console.error.passing(nil)
        switch outcome {
        case .recorded(let profiles, let types, let waits, let summary):
          recorded += 1
          if let summary { console.error.line("gauge: \(point.title): \(kind.rawValue): \(summary)") }
          files += try output.write(profiles, against: before, types: types, waits: waits, title: point.title)
        case .unavailable(let reason):
          console.error.line("gauge: \(point.title): \(kind.rawValue): unavailable: \(reason)")
        case .skipped(let reason): console.error.line("gauge: \(point.title): skipped: \(reason)")
        case .broken(let reason, let printed):
          broken += 1
          console.tellBroken(point.title, reason, printed: printed)
        case .interrupted(let signal): return console.tellStopped(by: signal)
        }
      }
    }
    for file in files { console.error.line("gauge: wrote \(file)") }
    if broken > 0 { return ExitCode.broke.rawValue }
    return (recorded > 0 ? ExitCode.same : .incomparable).rawValue
  }

  /// What became of a launch.
  private enum Outcome {
    /// Its profiles, what was counted by function and by name of the type, what waits come to, and how many stacks
    /// that is.
    case recorded([Profile], types: [String: [String: Int]], waits: WaitReport? = nil, summary: String? = nil)
    case unavailable(String)
    case skipped(String)
    case broken(reason: String, printed: String)
    case interrupted(Int32)
  }

  private func outcome(
    _ kind: ProfileKind, of point: BenchmarkPoint, _ libraries: CountingLibraries?, title: String? = nil
  ) -> Outcome {
    guard let recorded = kind.recorded else { return instructions(of: point) }
    let launch = ProfileLaunch(
      point: point, title: title, kind: recorded, rate: options.rate, budget: options.budget, libraries: libraries,
      environment: environment, file: scratch + "/stacks")
    switch launch.run(symboliser, stoppingOn: signals) {
    case .recorded(let stacks, _):
      guard stacks.count > 0, stacks.all > 0 else {
        return .recorded(Array(stacks.worthShowing), types: stacks.types, waits: stacks.waits)
      }
      let share = ProfileTable.percent(stacks.whole, of: stacks.all)
      let what = kind == .waits ? "waits" : "stacks"
      return .recorded(
        Array(stacks.worthShowing), types: stacks.types, waits: stacks.waits,
        summary: "\(stacks.count) \(what), \(share) of them whole")
    case .unavailable(let reason): return .unavailable(reason)
    case .skipped(let reason): return .skipped(reason)
    case .broken(let reason, let printed): return .broken(reason: reason, printed: printed)
    case .interrupted(let signal): return .interrupted(signal)
    }
  }

  /// A launch under valgrind.
  private func instructions(of point: BenchmarkPoint) -> Outcome {
    let explainer = Explainer(
      callgrind: Callgrind(folder: scratch + "/callgrind", path: environment["PATH"] ?? ""), symboliser: symboliser,
      environment: environment, signals: signals)
    switch explainer.profiles([point])[point.title] {
    case .profile(let profile): return .recorded(profile.profiles.filter { $0.total > 0 }, types: [:])
    case .unavailable(let reason): return .unavailable(reason)
    case nil: return signals?.first.map { .interrupted($0) } ?? .unavailable("it was not run")
    }
  }
}
