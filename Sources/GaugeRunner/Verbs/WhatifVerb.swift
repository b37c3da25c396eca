// `gauge whatif`: by how much an operation would be faster if one of its functions were.

import Gauge

extension Verb {
  /// `gauge whatif`.
  static let whatif = Verb(
    name: "whatif", arguments: "[GLOB ...]",
    summary: "Predicts what an operation gains if a function gets faster.",
    description: """
      A profile says where threads spend their time, not what the operation would gain there: work that nobody waits for
      may cost much and gain nothing, and a short piece of it under a lock may hold up everybody. So a function is sped
      up virtually: each time a thread is found in it, all others are delayed by the part of the time that it would have
      saved. What the operations take then, without the delays, is what they would take with the faster function.

      In each benchmark a first launch finds the functions of the program in which its threads spend most time, with
      what these call. For each of them launches try none, 20 %, 50 % and 100 % of its time less in turns, in an order
      that looks random, until each gain is known to 10 points of a hundred (with 95 % confidence) or the time is used.

      No permission is needed and the program is not changed: the library that counts allocations stands in front of the
      calls that may block. Threads that wait for each other by other means, as spinning does, are delayed all the same.
      A function whose code the compiler has put into its callers has none of its own: name a caller.
      """,
    options: Program.choosingOptions + [
      OptionSyntax(
        name: "--function", placeholder: "NAME",
        help: """
          Try this function, named as 'gauge profile' shows it, or by the
          beginning of that; may be repeated. Default: those that take
          most time.
          """),
      OptionSyntax(
        name: "--top", placeholder: "N", help: "How many functions to try where none is named, 1 to 50. Default: 5."),
      OptionSyntax(
        name: "--seconds", placeholder: "N",
        help: "Most time for the experiments of a function, 1 to 3600. Default: 20."),
      OptionSyntax(
        name: "--format", placeholder: "WORD", help: "How to show it: table (the default), csv, json.",
        words: WhatifFormat.allCases.map(\.rawValue)),
    ] + common,
    examples: [
      ("gauge whatif orders/place", "What is worth being made faster there."),
      ("gauge whatif --function 'Cache.refresh()' 'orders/*'", "What one function would gain."),
      ("gauge whatif --top 10 --format csv queue/send >gains.csv", "More functions, for a script."),
    ],
    exitCodes: [
      ("0", "predicted"), ("3", "a benchmark or a fixture broke, or the benchmarks can't be built"),
      ("6", "nothing could be predicted"), ("7", "some gains are not known to 10 points: more time is needed"),
      ("64", "the command line is wrong, or a filter fits no benchmark"), ("65", ".gauge is a link, or tracked by git"),
      ("66", "no package, no benchmarks in it, or no such executable"), ("73", "standard output can't be written"),
      ("130", "interrupted (143: terminated)"),
    ],
    believesFolder: true,
    action: { program, arguments throws(CommandFailure) in try program.whatif(arguments) })
}

/// A form that predictions are shown in.
enum WhatifFormat: String, CaseIterable {
  /// On the terminal.
  case table
  /// For scripts.
  case csv, json
}

/// What the command line asks for.
struct WhatifOptions: Hashable {
  /// The functions to try; empty for those that take most time.
  var functions: [String]
  /// How many these are.
  var top: Int
  /// Most seconds for the experiments of a function.
  var seconds: Double
  /// How to show it.
  var format: WhatifFormat

  /// Reads a command line.
  ///
  /// - Throws: `CommandFailure` with code `usage`.
  init(_ arguments: Arguments) throws(CommandFailure) {
    functions = arguments.all("--function")
    if functions.contains("") { throw .usage("option '--function' needs a name") }
    top = try arguments.number("--top", in: 1...50, expected: "a number from 1 to 50") ?? 5
    seconds = try arguments.number("--seconds", in: 1.0...3600.0, expected: "seconds from 1 to 3600") ?? 20
    format = try arguments.words("--format", as: WhatifFormat.self).last ?? .table
  }

  /// Measuring time of a launch for experiments, in milliseconds: some launches fit into all of the time.
  var launchBudget: Int { Int(min(2, seconds / Double(VirtualSpeedUp.fewestLaunches + 1)) * 1000) }
  /// Measuring time of the launch that finds functions, in milliseconds.
  static let surveyBudget = 1000
}

extension Program {
  /// Runs `gauge whatif`.
  func whatif(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let options = try WhatifOptions(arguments)
    let choice = try choose(arguments)
    return try recording(choice.points) { (place) throws(CommandFailure) in
      WhatifSession(options: options, points: choice.points, place: place, console: console).run()
    }
  }
}

/// One run of `gauge whatif` over its benchmarks.
struct WhatifSession {
  let options: WhatifOptions
  let points: [BenchmarkPoint]
  let place: RecordingPlace
  let console: Console

  /// Why a benchmark has no report.
  private enum Stop: Error {
    case broken(String, output: String)
    case told(String)
    case interrupted(Int32)
  }

  /// Predicts everything.
  ///
  /// - Returns: The exit code.
  func run() -> Int32 {
    let libraries = Dictionary(
      uniqueKeysWithValues: Set(points.map(\.executable)).map { ($0, CountingLibraries(beside: $0)) })
    var reports: [WhatifReport] = []
    var broken = 0
    if options.format == .csv { console.output.file(WhatifText.head) }
    for (number, point) in points.enumerated() {
      do throws(Stop) {
        let report = try predict(point, libraries[point.executable], "\(number + 1)/\(points.count)  \(point.title)")
        console.error.passing(nil)
        reports.append(report)
        show(report)
      } catch {
        console.error.passing(nil)
        switch error {
        case .told(let reason): console.error.line("gauge: \(point.title): \(reason)")
        case .broken(let reason, let printed):
          broken += 1
          console.tellBroken(point.title, reason, printed: printed)
        case .interrupted(let signal): return console.tellStopped(by: signal)
        }
      }
    }
    if options.format == .json { console.output.file(WhatifText.document(reports)) }
    if broken > 0 { return ExitCode.broke.rawValue }
    let functions = reports.flatMap(\.functions)
    if functions.isEmpty { return ExitCode.incomparable.rawValue }
    let areKnown = functions.allSatisfy { $0.gains.allSatisfy(\.isKnown) }
    return (areKnown ? ExitCode.same : .notEnoughData).rawValue
  }

  private func show(_ report: WhatifReport) {
    let text = WhatifText(report: report)
    switch options.format {
    case .table:
      console.output.line(marked: console.output.bold(report.title))
      console.output.marked(text.text(width: console.output.columns ?? 120, colour: console.output.colour))
      console.output.line()
    case .csv:
      console.output.file(text.csv)
      for note in report.notes { console.error.line("gauge: \(report.title): \(note)") }
    case .json: break
    }
  }

  /// Predicts the gains of a benchmark.
  private func predict(
    _ point: BenchmarkPoint, _ libraries: CountingLibraries?, _ progress: String
  ) throws(Stop) -> WhatifReport {
    console.error.passing("\(progress): looks for functions")
    let survey = try launch(point, libraries, faster: [], budget: WhatifOptions.surveyBudget) { file in
      WhatifSurvey(file, executable: point.executable, symboliser: place.symboliser)
    }
    var report = WhatifReport(title: point.title)
    var chosen: [WhatifSurvey.Function] = []
    for name in options.functions {
      do throws(WhatifSurvey.Unknown) {
        let function = try survey.function(name)
        if !chosen.contains(function) { chosen.append(function) }
      } catch {
        report.notes.append("\(error)")
      }
    }
    if options.functions.isEmpty { chosen = survey.candidates(options.top) }
    if chosen.isEmpty {
      throw .told(
        report.notes.first
          ?? "no function of the program took a hundredth of its threads' time: name one by --function NAME")
    }
    for (number, function) in chosen.enumerated() {
      var speedUp = VirtualSpeedUp(function: function.name, share: survey.share(of: function))
      let progress = "\(progress): \(number + 1)/\(chosen.count) \(function.name)"
      while !speedUp.isDone, speedUp.seconds < options.seconds {
        console.error.passing("\(progress), launch \(speedUp.launches.count + 1)")
        let record = try launch(point, libraries, faster: function.code, budget: options.launchBudget) {
          $0.experiments
        }
        guard let record, !record.experiments.isEmpty else { break }
        speedUp.add(record)
      }
      if speedUp.gains.isEmpty {
        report.notes.append("\(function.name): unavailable: no round of experiments came to its end")
      } else {
        report.functions.append(speedUp)
      }
    }
    report.sort()
    return report
  }

  /// Runs a launch, and reads its file.
  private func launch<Read>(
    _ point: BenchmarkPoint, _ libraries: CountingLibraries?, faster: [Range<UInt64>], budget: Int,
    _ read: (SampleFile) -> Read
  ) throws(Stop) -> Read {
    let launch = ProfileLaunch(
      point: point, kind: .experiments, budget: budget, libraries: libraries, environment: place.environment,
      file: place.scratch + "/experiments", faster: faster)
    switch launch.record(stoppingOn: place.signals, { file, _ in read(file) }) {
    case .recorded(let result, _): return result
    case .unavailable(let reason): throw .told("unavailable: \(reason)")
    case .skipped(let reason): throw .told("skipped: \(reason)")
    case .broken(let reason, let output): throw .broken(reason, output: output)
    case .interrupted(let signal): throw .interrupted(signal)
    }
  }
}
