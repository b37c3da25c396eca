// `gauge baseline`: named result files to compare with.

import Foundation

extension Program {
  /// Actions of `gauge baseline`.
  private enum BaselineAction: String, CaseIterable {
    case save, list, show, remove
  }

  /// The folder of results: the package's, or the one in the current folder where that lies in no package.
  var resultsFolder: String {
    (package?.folder ?? folder) + "/results"
  }

  /// Runs `gauge baseline`.
  func baseline(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let action = try action(arguments, as: BaselineAction.self)
    let baselines = Baselines(results: resultsFolder)
    if action == .list {
      try expect(arguments, plain: 1...1, usage: "gauge baseline list")
      return try list(baselines)
    }
    try expect(
      arguments, plain: action == .save ? 2...3 : 2...2,
      usage: "gauge baseline \(action.rawValue) NAME" + (action == .save ? " [FILE.csv]" : ""))
    let name = arguments.plain[1]
    guard let path = baselines.path(of: name) else {
      throw .usage("'\(name)' is no name of a baseline: letters, digits, '-', '_' and '.' are")
    }
    switch action {
    case .save:
      let source = arguments.plain.count > 2 ? arguments.plain[2] : resultsFolder + "/latest.csv"
      let results = try read(source)
      guard results.faults.isEmpty else {
        throw CommandFailure(
          code: .broke, message: "\(source): \(results.faults.count) of its benchmarks broke: that is no baseline")
      }
      guard Files.stamp(of: path) == nil || arguments.has("--force") else {
        throw CommandFailure(code: .cannotWrite, message: "\(path) exists", advice: "--force replaces it.")
      }
      do throws(ResultFile.Failure) {
        try replace(path, with: TableFile.contents(of: source))
      } catch {
        throw CommandFailure(error)
      }
      console.output.line("saved \(name): \(summary(of: results))")
    case .show:
      try expectBaseline(name, at: path, of: baselines)
      let results = try read(path)
      console.output.line("\(name): \(summary(of: results))")
      for (field, value) in results.environment where field != Limits.field {
        console.output.line("  \(field): \(value)")
      }
    case .remove:
      try expectBaseline(name, at: path, of: baselines)
      Files.remove(path)
      guard Files.stamp(of: path) == nil else {
        throw CommandFailure(code: .cannotWrite, message: "\(path): cannot be removed")
      }
      console.output.line("removed \(name)")
    case .list: preconditionFailure("handled above")
    }
    return ExitCode.same.rawValue
  }

  private func list(_ baselines: Baselines) throws(CommandFailure) -> Int32 {
    let width = baselines.names.map(\.count).max() ?? 0
    for name in baselines.names {
      guard let path = baselines.path(of: name) else { continue }
      console.output.line("\(VerbSyntax.pad(name, to: width))  \(summary(of: try read(path)))")
    }
    if baselines.names.isEmpty { console.error.line("gauge: no baselines in \(baselines.folder)") }
    return ExitCode.same.rawValue
  }

  private func expectBaseline(_ name: String, at path: String, of baselines: Baselines) throws(CommandFailure) {
    guard Files.stamp(of: path) == nil else { return }
    let nearest = Suggestion.nearest(to: name, among: baselines.names)
    throw CommandFailure(
      code: .missingFile, message: "there is no baseline '\(name)'",
      advice: nearest.map { "Did you mean '\($0)'?" } ?? "")
  }

  /// A run in a line.
  private func summary(of results: Results) -> String {
    let benchmarks = Set(results.rows.map(\.key.title)).count
    let facts = ["date", "commit", "cpu_model"].compactMap { name in
      results.environment(name).map { name == "commit" ? String($0.prefix(12)) : $0 }
    }
    return (["\(benchmarks) benchmarks"] + facts).joined(separator: ", ")
  }

  /// A file to compare with: a path, or the name of a baseline.
  func comparedFile(_ argument: String) -> String {
    guard Files.stamp(of: argument) == nil, let path = Baselines(results: resultsFolder).path(of: argument),
      Files.stamp(of: path) != nil
    else { return argument }
    return path
  }

  /// The action that a verb is asked for by its first plain argument.
  func action<Action: RawRepresentable & CaseIterable>(
    _ arguments: Arguments, as type: Action.Type
  ) throws(CommandFailure) -> Action where Action.RawValue == String {
    let known = Action.allCases.map(\.rawValue)
    guard let word = arguments.plain.first else { throw .usage("what? one of " + known.joined(separator: ", ")) }
    guard let action = Action(rawValue: word) else {
      throw .usage("'\(word)' is none of \(known.joined(separator: ", "))", unknown: word, known: known)
    }
    return action
  }

  /// Refuses another number of plain arguments.
  func expect(_ arguments: Arguments, plain range: ClosedRange<Int>, usage: String) throws(CommandFailure) {
    guard range.contains(arguments.plain.count) else {
      throw .usage("expected \(usage), found \(arguments.plain.count) arguments")
    }
  }

  /// Writes a file in place of what stood there, which stays as it was until the new one is whole.
  func replace(_ path: String, with bytes: [UInt8]) throws(ResultFile.Failure) {
    do throws(SystemError) {
      try Files.makeFolder((path as NSString).deletingLastPathComponent)
      try Descriptor.appending(to: path + ".new", emptied: true).append(bytes)
      try Files.rename(path + ".new", to: path)
    } catch {
      Files.remove(path + ".new")
      throw .unwritable(path: path, reason: error.reason)
    }
  }
}
