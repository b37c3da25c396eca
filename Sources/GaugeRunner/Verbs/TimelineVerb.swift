// `gauge timeline`: what happens within one operation of a benchmark, event by event.

import Gauge

extension Verb {
  /// `gauge timeline`.
  static let timeline = Verb(
    name: "timeline", arguments: "[GLOB ...]",
    summary: "Shows one operation event by event: allocations, retains, waits.",
    description: """
      Runs each benchmark once, in a process of its own, and records single operations behind the warm-up: each
      allocation, reallocation and free with its size, each retain and release with the object's type, each wait with
      what it is for and who ended it, in the order in which they happened, with their call stacks. What stands before
      and behind an operation is left out, the harness's own allocations, too.

      Blocks have numbers in place of addresses, in the order of their first events. Without times (--format events) the
      allocations of a benchmark that does the same each time are the same in every launch: compare two listings with diff.

      Recording takes about a microsecond for each event, more where a stack is new: times show order and proportion,
      'gauge run' measures. Up to 262144 events are kept, and how many were beyond is told.

      Functions have names where the executable has symbols, and files, lines and inlined functions where it has debug
      information and llvm-symbolizer is there (it comes with Swift's toolchain).
      """,
    options: Program.choosingOptions + [
      OptionSyntax(
        name: "--kind", placeholder: "A,B",
        help: """
          What to record: alloc (calls of the heap), arc (retains and
          releases), waits. Default: all of it.
          """),
      OptionSyntax(
        name: "--operation", placeholder: "N",
        help: """
          The first operation to record, counted from 1 behind the
          warm-up. Default: 1.
          """),
      OptionSyntax(
        name: "--time-limit", placeholder: "SECONDS",
        help: "How long the operations before that may take. Default: 30."),
      OptionSyntax(
        name: "--operations", placeholder: "N", help: "How many operations to record, 1 to 1000. Default: 1."),
      OptionSyntax(
        name: "--format", placeholder: "A,B",
        help: """
          How to show it: table (the default), events (without times,
          to be compared), perfetto (ui.perfetto.dev, or Chrome's trace
          events), firefox (profiler.firefox.com), html (a page).
          """),
      OptionSyntax(
        name: "--output", placeholder: "DIR", help: "Write files into this folder instead of printing them."),
    ] + common,
    examples: [
      ("gauge timeline chain/map", "What one operation allocates, retains and waits for."),
      ("gauge timeline --kind alloc --format events chain/map", "The same text in every launch."),
      ("gauge timeline --format html,perfetto --output out 'queue/*'", "A page, and a file for Perfetto, of each."),
      ("gauge timeline --operation 100 --operations 3 buffer", "Three operations from the hundredth on."),
    ],
    exitCodes: [
      ("0", "recorded"), ("3", "a benchmark or a fixture broke, or the benchmarks can't be built"),
      ("6", "nothing could be recorded"), ("64", "the command line is wrong, or a filter fits no benchmark"),
      ("65", ".gauge is a link, or tracked by git"),
      ("66", "no package, no benchmarks in it, or no such executable"), ("73", "a file can't be written"),
      ("130", "interrupted (143: terminated)"),
    ],
    believesFolder: true,
    action: { program, arguments throws(CommandFailure) in try program.timeline(arguments) })
}

/// What `gauge timeline` can record.
enum TimelineEvents: String, CaseIterable {
  /// Calls of the heap.
  case alloc
  /// Retains and releases.
  case arc
  /// Waits of all threads.
  case waits

  /// What the launch is asked.
  var recorded: LaunchRequest.Profile.Timeline.Events {
    switch self {
    case .alloc: .allocations
    case .arc: .references
    case .waits: .waits
    }
  }
}

/// What the command line asks for.
struct TimelineOptions: Hashable {
  /// What to record.
  var timeline: LaunchRequest.Profile.Timeline
  /// How to show it.
  var formats: [TimelineFormat]
  /// The folder for files.
  var output: String?

  /// Reads a command line.
  ///
  /// - Throws: `CommandFailure` with code `usage`.
  init(_ arguments: Arguments) throws(CommandFailure) {
    typealias Asked = LaunchRequest.Profile.Timeline
    let events = try arguments.words("--kind", as: TimelineEvents.self)
    let operation = try arguments.number(
      "--operation", in: 1...Asked.lastOperation, expected: "a number from 1 to \(Asked.lastOperation)")
    let operations = try arguments.number(
      "--operations", in: 1...Asked.mostOperations, expected: "a number from 1 to \(Asked.mostOperations)")
    let seconds = try arguments.number(
      "--time-limit", in: 1...Asked.highestTimeLimit, expected: "seconds from 1 to \(Asked.highestTimeLimit)")
    timeline = Asked(
      Set((events.isEmpty ? TimelineEvents.allCases : events).map(\.recorded)), operation: operation ?? 1,
      operations: operations ?? 1, timeLimit: seconds ?? Asked.usualTimeLimit)
    var seen: Set<TimelineFormat> = []
    let formats = try arguments.words("--format", as: TimelineFormat.self).filter { seen.insert($0).inserted }
    self.formats = formats.isEmpty ? [.table] : formats
    output = arguments.last("--output")
  }
}

extension Program {
  /// Runs `gauge timeline`.
  func timeline(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let options = try TimelineOptions(arguments)
    let choice = try choose(arguments)
    try check(options.formats, files: { choice.points.count * $0 }, folder: options.output)
    return try recording(choice.points) { (place) throws(CommandFailure) in
      try TimelineSession(options: options, points: choice.points, place: place, console: console).run()
    }
  }
}

/// One run of `gauge timeline` over its benchmarks.
struct TimelineSession {
  let options: TimelineOptions
  let points: [BenchmarkPoint]
  let place: RecordingPlace
  let console: Console

  /// Records everything.
  ///
  /// - Returns: The exit code.
  func run() throws(CommandFailure) -> Int32 {
    let output = ProfileOutput(
      formats: [], folder: options.output, console: console, names: UnlikeNames.ofFiles(for: points.map(\.title)))
    let libraries = Dictionary(
      uniqueKeysWithValues: Set(points.map(\.executable)).map { ($0, CountingLibraries(beside: $0)) })
    var (recorded, broken, files) = (0, 0, [String]())
    for (number, point) in points.enumerated() {
      console.error.passing("\(number + 1)/\(points.count)  \(point.title)")
      let outcome = record(point, libraries[point.executable])
      console.error.passing(nil)
      switch outcome {
      case .recorded(let timeline, let counts):
        recorded += 1
        var timeline = timeline
        timeline.firstOperation = options.timeline.operation
        timeline.notes += Self.absences(counts)
        files += try output.write(timeline, as: options.formats)
      case .unavailable(let reason): console.error.line("gauge: \(point.title): unavailable: \(reason)")
      case .skipped(let reason): console.error.line("gauge: \(point.title): skipped: \(reason)")
      case .broken(let reason, let printed):
        broken += 1
        console.tellBroken(point.title, reason, printed: printed)
      case .interrupted(let signal): return console.tellStopped(by: signal)
      }
    }
    for file in files { console.error.line("gauge: wrote \(file)") }
    if broken > 0 { return ExitCode.broke.rawValue }
    return (recorded > 0 ? ExitCode.same : .incomparable).rawValue
  }

  private func record(_ point: BenchmarkPoint, _ libraries: CountingLibraries?) -> ProfileLaunch.Came<Timeline> {
    let launch = ProfileLaunch(
      point: point, kind: .timeline, budget: 1000, libraries: libraries, environment: place.environment,
      file: place.scratch + "/events", timeline: options.timeline)
    return launch.record(stoppingOn: place.signals) { (file, _) throws(SampleFile.FormatError) in
      let timeline = TimelineStacks.timeline(
        file, title: point.title, executable: point.executable, symboliser: place.symboliser)
      guard let timeline else { throw SampleFile.FormatError(description: "a file without events") }
      return timeline
    }
  }

  /// What there is none of, with the reason.
  static func absences(_ counts: [Measurement]) -> [String] {
    let reasons = counts.compactMap { count -> String? in
      guard case .unavailable(let reason) = count.outcome else { return nil }
      return reason
    }
    return reasons.first.map { ["retains and releases: unavailable: \($0)"] } ?? []
  }
}
