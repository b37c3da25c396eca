// The verbs of a benchmark executable: one launch, the list for a runner, and everything else by way of `gauge`.

/// What a benchmark executable does with its arguments.
struct SuiteCommand {
  let benchmarks: [Benchmark]
  /// What has to stand during a run.
  var runFixture: Fixture?
  /// What of the build makes its times worthless.
  var flaw = SuiteList.flaw
  /// What has to stand in each launch.
  var launchFixture: Fixture?
  /// Where text goes: 1 is standard output, 2 standard error.
  var print: (_ text: String, _ descriptor: Int32) -> Void = { text, descriptor in
    _ = System.write(text, to: descriptor)
  }
  /// Makes the writer of a launch report.
  var makeReport: (_ descriptor: Int32) -> ReportWriter = ReportWriter.init(descriptor:)
  /// Ties this process to the one that reads its report; returns whether that one is still there.
  var follow: (_ descriptor: Int32) -> Bool = System.dieWithReader
  /// Makes what the benchmark prints survive its process.
  var keepPrinted: () -> Void = System.bufferOutputByLine
  /// Forks a process for each request of a batch; returns the request there, and `nil` here once there is none left.
  var nextRequest: () -> String? = {
    System.forkPerLine(from: 0, reportingTo: LaunchBatch.reportDescriptor)
  }
  /// Path of this executable.
  var executablePath = System.executablePath
  /// Becomes another program; returns an error number where that fails.
  var execute: (_ path: String, _ arguments: [String]) -> Int32 = System.execute

  /// Runs a verb.
  ///
  /// - Parameter arguments: The arguments behind the executable's name.
  /// - Returns: The exit code.
  func run(_ arguments: [String]) -> Int32 {
    if arguments.first == LaunchRequest.verb { return launch(arguments.dropFirst()) }
    if arguments == LaunchBatch.arguments {
      guard follow(LaunchBatch.reportDescriptor) else { return ExitStatus.cannotWrite }
      guard let line = nextRequest() else { return ExitStatus.success }
      return launch((LaunchBatch.arguments(of: line) ?? []).dropFirst())
    }
    if arguments == ["list", "--machine"] { return list() }
    if arguments.count == 2, arguments[0] == Self.fixtureVerb, let part = FixturePart(rawValue: arguments[1]) {
      return fixture(part)
    }
    return becomeGauge(arguments)
  }

  private func launch(_ arguments: ArraySlice<String>) -> Int32 {
    guard let request = LaunchRequest(arguments: arguments) else {
      print(
        """
        error: expected launch --benchmark NAME --parameters NAME=VALUE;... \
        --pass \(LaunchRequest.Pass.allCases.map(\.rawValue).joined(separator: "|")) \
        --budget MILLISECONDS --report-descriptor FD \
        [--kind \(LaunchRequest.Profile.Kind.allCases.map(\.rawValue).joined(separator: "|")) --rate N --file PATH \
        [--events A,B --operation N --operations N [--time-limit SECONDS]]], found: \(arguments.joined(separator: " "))

        """, 2)
      return ExitStatus.usage
    }
    guard follow(request.reportDescriptor) else { return ExitStatus.cannotWrite }
    keepPrinted()
    let launch = Launch(
      benchmarks: benchmarks, request: request, report: makeReport(request.reportDescriptor), fixture: launchFixture)
    switch launch.run() {
    case .done, .skipped: return ExitStatus.success
    case .failed: return ExitStatus.failure
    }
  }

  private func list() -> Int32 {
    if let fault = Suite.fault(in: benchmarks) {
      print("error: \(fault)\n", 2)
      return ExitStatus.usage
    }
    if let flaw { print(SuiteList.flawed + flaw + "\n", 1) }
    if runFixture != nil { print(SuiteList.runFixture + "\n", 1) }
    for benchmark in benchmarks {
      let passes = LaunchRequest.Pass.allCases.filter(benchmark.passes.contains).map(\.rawValue)
      for point in GridPoint.grid(benchmark.axes) {
        var fields = [
          "benchmark", benchmark.name, point.text, passes.joined(separator: ","), benchmark.limit ?? "",
          benchmark.tags.joined(separator: ","), benchmark.threads == .several ? SuiteList.severalThreads : "",
        ]
        while fields.last == "" && fields.count > 4 { fields.removeLast() }
        print(fields.map(FieldText.escape).joined(separator: "\t") + "\n", 1)
      }
    }
    return ExitStatus.success
  }

  /// The hidden verb that runs a part of the run fixture.
  static let fixtureVerb = "fixture"

  private func fixture(_ part: FixturePart) -> Int32 {
    do {
      switch part {
      case .setUp: try runFixture?.setUp()
      case .tearDown: try runFixture?.tearDown()
      }
      return ExitStatus.success
    } catch {
      print("error: the run fixture threw: \(error)\n", 2)
      return ExitStatus.failure
    }
  }

  /// Hands the verb to `gauge`; returns only where that fails.
  private func becomeGauge(_ arguments: [String]) -> Int32 {
    let own = executablePath()
    let folder = own.lastIndex(of: "/").map { own[...$0] } ?? ""
    let gauge = folder + "gauge"
    var handed = arguments
    if let verb = arguments.first, ["run", "list", "profile"].contains(verb) {
      handed.insert(contentsOf: ["--executable", own], at: 1)
    }
    let error = execute(String(gauge), handed)
    print(
      """
      error: can't run \(gauge): \(System.describe(errorNumber: error)). It is built beside the benchmarks: run \
      'swift build -c release --product gauge' with the options and the scratch path of this executable, or use only the \
      verbs 'launch' and 'list --machine'.

      """, 2)
    return ExitStatus.missingFile
  }
}

/// The two parts of a run fixture.
public enum FixturePart: String, Sendable {
  /// Before the first launch.
  case setUp = "set-up"
  /// After the last.
  case tearDown = "tear-down"

  /// What a benchmark executable is asked.
  public var arguments: [String] { [SuiteCommand.fixtureVerb, rawValue] }
}

/// Words of a suite's machine-readable list.
public enum SuiteList {
  /// The suite has a run fixture.
  public static let runFixture = "suite\trun-fixture"
  /// What of the build makes its times worthless stands behind this.
  public static let flawed = "suite\tflaw\t"

  /// The last field of a benchmark of several threads.
  public static let severalThreads = "threads"

  /// What of this build makes its times worthless, in words that fit behind `was built `; `nil` where nothing does.
  static var flaw: String? {
    if System.isSanitized { return "with a sanitizer" }
    #if DEBUG
      return "for debugging"
    #else
      return nil
    #endif
  }
}
