// `gauge baseline`: named result files to compare with, and the executables that they were measured with.

import Foundation

extension Verb {
  /// `gauge baseline`.
  static let baseline = Verb(
    name: "baseline", arguments: "save|accept|list|show|remove [NAME] [FILE.csv]",
    summary: "Keeps named result files to compare with, and their executables.",
    description: """
      A baseline is a result file in results/baselines/ of the package: text, to be reviewed and committed like sources.
      'gauge compare' takes its name in place of a path. 'save' takes results/latest.csv where no file is given, and
      refuses one with broken benchmarks.

      'save' also keeps what the run was measured with, in .gauge/kept: executables (debug information apart), hooks,
      resources and libraries of the package, each content once, so that 'gauge ab --base NAME' can measure the baseline
      beside today's build. What a result file names is kept only from .gauge and .build, and where it is what was measured;
      others are named by --executable. Files that benchmarks read by other paths are not kept: make them resources. Where the
      executables are gone or built anew since the run, the results alone are saved, and that is said: what was kept of
      a baseline that they replace goes. A run that is incomplete is saved, and that is said, too. The folder can be
      cached as it is; it is not for git. Within the limit of space, files that no baseline refers to stay, and go oldest
      first; what a baseline refers to goes only with 'remove'. Content is held against its hash before it runs, and no
      link is followed.

      'accept' makes a run this machine's own baseline, 'accepted', which is in .gauge/kept alone; 'scripts/bench' and the
      like judge against it, and nothing but 'accept' moves it.
      """,
    options: [
      OptionSyntax(name: "--force", help: "Replace a baseline of the same name."),
      OptionSyntax(
        name: "--executable", placeholder: "PATH",
        help: """
          Keep this executable, where the run was measured with others
          than those in .gauge and .build; may be repeated.
          """),
      OptionSyntax(
        name: "--space", placeholder: "MEGABYTES",
        help: "What all kept executables may take, beyond which a new one is\nrefused. Default: 2048."),
    ] + common,
    examples: [
      ("gauge baseline save main", "Keep results/latest.csv and its executables as 'main'."),
      ("gauge baseline accept", "Judge this machine's next runs against this one."),
      ("gauge baseline list", "What there is, with date, commit, processor and size."),
    ],
    exitCodes: [
      ("0", "done"), ("3", "a benchmark of the file broke"), ("64", "the command line is wrong"),
      ("65", "a file is not of its format, or damaged"),
      ("66", "there is no such file or baseline, or accept: its executables are gone"),
      ("73", "it can't be written, has no room, or is there and --force isn't given"),
    ],
    believesFolder: true,
    action: { program, arguments throws(CommandFailure) in try program.baseline(arguments) })
}

extension Program {
  /// Actions of `gauge baseline`.
  private enum BaselineAction: String, CaseIterable {
    case save, accept, list, show, remove
  }

  /// Runs `gauge baseline`.
  func baseline(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let action = try arguments.action(as: BaselineAction.self)
    let baselines = Baselines(results: resultsFolder)
    let kept = KeptBuilds(package: resultsHome)
    if let impostor = baselines.impostor {
      console.error.line(
        "gauge: warning: \(impostor) is ignored: '\(KeptBuilds.accepted)' is this machine's own baseline, kept in .gauge"
      )
    }
    switch action {
    case .list:
      try arguments.expect(plain: 1...1, usage: "gauge baseline list")
      return try list(baselines, kept)
    case .accept:
      try arguments.expect(plain: 1...2, usage: "gauge baseline accept [FILE.csv]")
      return try accept(arguments.plain.count > 1 ? arguments.plain[1] : nil, kept, arguments)
    case .save, .show, .remove:
      try arguments.expect(
        plain: action == .save ? 2...3 : 2...2,
        usage: "gauge baseline \(action.rawValue) NAME" + (action == .save ? " [FILE.csv]" : ""))
    }
    let name = arguments.plain[1]
    guard Baselines.isName(name) else {
      throw .usage(
        "'\(name)' is no name of a baseline: letters, digits, '-', '_' and '.' are, with no '-' or '.' in front")
    }
    let path = baselines.path(of: name)
    switch action {
    case .save:
      guard let path else { throw .usage("'\(name)' is this machine's own baseline: gauge baseline accept") }
      try save(name, at: path, kept, arguments)
    case .show: try show(name, at: path, baselines, kept)
    case .remove: try remove(name, at: path, baselines, kept)
    case .list, .accept: preconditionFailure("handled above")
    }
    return ExitCode.same.rawValue
  }

  private func save(
    _ name: String, at path: String, _ kept: KeptBuilds, _ arguments: Arguments
  ) throws(CommandFailure) {
    let (results, bytes) = try sound(arguments.plain.count > 2 ? arguments.plain[2] : nil)
    guard Files.kind(of: path) == nil || arguments.has("--force") else {
      throw CommandFailure(code: .cannotWrite, message: "\(path) exists", advice: "--force replaces it.")
    }
    guard Files.kind(of: path) != .folder else {
      throw CommandFailure(code: .cannotWrite, message: "\(path) is a folder", advice: "Remove it, or name another.")
    }
    let limit = try space(arguments)
    // Under another name until the executables are kept: both halves are of one run, or what was there stays.
    let new = "\(path).\(UUID().uuidString).new"
    defer { Files.remove(new) }
    do throws(SystemError) {
      try Files.makeFolder("results/baselines", below: resultsHome)
      try Files.replace(new, with: bytes)
    } catch {
      throw CommandFailure(code: .cannotWrite, message: "\(error)")
    }
    let build = try keep(name, results, bytes, kept, arguments, limit: limit) { reason in
      console.error.line(
        "gauge: warning: no executables are kept: \(reason); 'gauge compare' can use the baseline, 'gauge ab' can't")
    }
    if build == nil {
      do throws(KeptBuilds.Failure) {
        _ = try kept.remove(name)
      } catch {
        throw CommandFailure(error)
      }
    }
    do throws(SystemError) {
      try Files.rename(new, to: path)
    } catch {
      throw CommandFailure(code: .cannotWrite, message: "\(error)")
    }
    console.output.line("saved \(name): \(summary(of: results))" + Self.summary(of: build))
  }

  /// Makes a run this machine's own baseline.
  private func accept(
    _ file: String?, _ kept: KeptBuilds, _ arguments: Arguments
  ) throws(CommandFailure) -> Int32 {
    let (results, bytes) = try sound(file)
    var failure: String?
    let build = try keep(KeptBuilds.accepted, results, bytes, kept, arguments, limit: space(arguments)) { failure = $0 }
    guard let build else {
      throw CommandFailure(code: .missingFile, message: "its executables can't be kept: \(failure ?? "")")
    }
    console.output.line("accepted: \(summary(of: results))" + Self.summary(of: build))
    return ExitCode.same.rawValue
  }

  /// A run that can be a baseline: of a file, or the latest.
  private func sound(_ file: String?) throws(CommandFailure) -> (results: Results, bytes: [UInt8]) {
    let source = file ?? resultsFolder + "/latest.csv"
    let (results, bytes) = try readAll(source, isTyped: file != nil)
    guard results.faults.isEmpty else {
      throw CommandFailure(
        code: .broke, message: "\(source): \(results.faults.count) of its benchmarks broke: that is no baseline")
    }
    if let incompleteness = results.incompleteness {
      console.error.line("gauge: warning: \(source) is incomplete: \(incompleteness); what it lacks is never compared")
    }
    return (results, bytes)
  }

  /// The limit of space, in bytes.
  private func space(_ arguments: Arguments) throws(CommandFailure) -> Int {
    let megabytes: Int? = try arguments.number(
      "--space", in: 1...1_000_000_000, expected: "a whole number of megabytes from 1")
    return megabytes.map { $0 * 1_048_576 } ?? KeptBuilds.usualLimit
  }

  /// Keeps the executables that a run was measured with.
  ///
  /// - Parameter tell: Is told why there are none that could be kept.
  private func keep(
    _ name: String, _ results: Results, _ bytes: [UInt8], _ kept: KeptBuilds, _ arguments: Arguments, limit: Int,
    tell: (String) -> Void
  ) throws(CommandFailure) -> KeptBuild? {
    let paths: [String]
    switch executables(
      of: results, given: arguments.all("--executable"), side: "the run",
      advice: "build as it was, run and save again, with 'gauge run' in between, or name it by --executable")
    {
    case .success(let found):
      let hashes = Self.executableHashes(of: results)
      for path in found {
        guard let bytes = try? Files.contents(of: path),
          Fingerprint.hash(bytes) == hashes[(path as NSString).lastPathComponent]
        else {
          tell("\(path) is not what the run was measured with")
          return nil
        }
      }
      paths = found
    case .failure(let reason):
      tell(reason.text)
      return nil
    }
    let source = KeptBuilds.Source(
      results: bytes, commit: results.environment("commit").flatMap { $0.hasPrefix("unavailable") ? nil : $0 } ?? "",
      executables: paths,
      terms: BuildTerms(of: paths) {
        Fingerprint.firstLine(Command(program: swift, arguments: ["--version"])).description
      }, date: Date())
    do throws(KeptBuilds.Failure) {
      return try kept.keep(
        name, source, stripper: DebugStripper(besides: swift, path: environment["PATH"] ?? ""), limit: limit)
    } catch {
      throw CommandFailure(error)
    }
  }

  private func show(
    _ name: String, at path: String?, _ baselines: Baselines, _ kept: KeptBuilds
  ) throws(CommandFailure) {
    guard let (results, build) = try contents(of: name, at: path, kept) else { throw missing(name, baselines, kept) }
    console.output.line("\(name): \(summary(of: results))" + Self.summary(of: build))
    for (field, value) in results.environment where !Results.listingFields.contains(field) {
      console.output.line("  \(field): \(value)")
    }
    guard let build else { return }
    console.output.line("  kept: \(build.saved), for \(build.terms.architecture), \(build.terms.launchProtocol)")
    for file in build.files { console.output.line("  file: \(file.path), \(CommandFailure.megabytes(file.size))") }
  }

  private func remove(
    _ name: String, at path: String?, _ baselines: Baselines, _ kept: KeptBuilds
  ) throws(CommandFailure) {
    let file = path.flatMap { Files.kind(of: $0) == nil ? nil : $0 }
    guard file != nil || kept.names.contains(name) else { throw missing(name, baselines, kept) }
    if let file {
      do throws(SystemError) {
        try Files.makeFolder("results/baselines", below: resultsHome)
      } catch {
        throw CommandFailure(code: .cannotWrite, message: "\(file): cannot be removed: \(error.reason)")
      }
    }
    let freed: Int
    do throws(KeptBuilds.Failure) {
      freed = try kept.remove(name)
    } catch {
      throw CommandFailure(error)
    }
    if let file {
      Files.remove(file)
      guard Files.kind(of: file) == nil else {
        throw CommandFailure(code: .cannotWrite, message: "\(file): cannot be removed")
      }
    }
    console.output.line(
      "removed \(name)" + (freed > 0 ? ", with \(CommandFailure.megabytes(freed)) of executables" : ""))
  }

  private func list(_ baselines: Baselines, _ kept: KeptBuilds) throws(CommandFailure) -> Int32 {
    let names = Set(baselines.names + kept.names).sorted()
    let width = names.map(\.count).max() ?? 0
    var code = ExitCode.same.rawValue
    for name in names {
      do throws(CommandFailure) {
        // Gone by now.
        guard let (results, build) = try contents(of: name, at: baselines.path(of: name), kept) else { continue }
        console.output.line("\(padded(name, to: width))  \(summary(of: results))" + Self.summary(of: build))
      } catch {
        var failure = error
        failure.message = "'\(name)': \(error.message)"
        code = tell(failure, verb: "baseline")
      }
    }
    if names.isEmpty { console.error.line("gauge: no baselines in \(baselines.folder)") }
    let usage: KeptBuilds.Usage
    do throws(KeptBuilds.Failure) {
      usage = try kept.usage()
    } catch {
      throw CommandFailure(error)
    }
    if usage.files > 0 {
      let free = usage.unreferred
      console.output.line(
        "\(usage.files) kept files in \(kept.folder) take \(CommandFailure.megabytes(usage.bytes))"
          + (free > 0 ? "; no baseline refers to \(CommandFailure.megabytes(free)) of it" : ""))
    }
    return code
  }

  /// What there is of a baseline; `nil` where there is neither a file nor a kept build.
  private func contents(
    of name: String, at path: String?, _ kept: KeptBuilds
  ) throws(CommandFailure) -> (results: Results, build: KeptBuild?)? {
    let build = try keptBuild(name, in: kept)
    if let path, Files.kind(of: path) != nil { return (try read(path, isTyped: false), build) }
    guard let build else { return nil }
    return (try results(of: build, in: kept), build)
  }

  private func missing(_ name: String, _ baselines: Baselines, _ kept: KeptBuilds) -> CommandFailure {
    let nearest = Suggestion.nearest(to: name, among: baselines.names + kept.names)
    return CommandFailure(
      code: .missingFile, message: "there is no baseline '\(name)'",
      advice: nearest.map { "Did you mean '\($0)'?" } ?? "")
  }

  /// What is kept of a baseline, behind its summary.
  private static func summary(of build: KeptBuild?) -> String {
    build.map { ", executables kept: \(CommandFailure.megabytes($0.size))" } ?? ""
  }

  /// A run in a line.
  private func summary(of results: Results) -> String {
    let benchmarks = Set(results.rows.map(\.key.title)).count
    let facts = ["date", "commit", "cpu_model"].compactMap { name in
      results.environment(name).flatMap { $0.hasPrefix("unavailable") ? nil : $0 }.map {
        name == "commit" ? String($0.prefix(12)) : $0
      }
    }
    return (["\(benchmarks) benchmarks"] + facts).joined(separator: ", ")
  }
}
