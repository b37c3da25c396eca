// `--explain`: looks into benchmarks that got worse, where both executables are there.

import Foundation

extension Program {
  /// The option of `gauge compare` and `gauge ab`.
  static let explainOption = OptionSyntax(
    name: "--explain",
    help: """
      Say of what got worse which functions account for it: runs those
      benchmarks of both builds under valgrind, some seconds each, and
      where counts don't tell why one takes longer, samples both.
      """)

  /// Whose executables are explained.
  static let explainedExecutables = [
    OptionSyntax(
      name: "--base-executable", placeholder: "PATH",
      help: "Explain with this executable for BASE; may be repeated. Default:\nthe one that BASE was measured with."),
    OptionSyntax(
      name: "--new-executable", placeholder: "PATH", help: "The same for NEW; may be repeated."),
  ]

  /// Explains what is worse.
  ///
  /// - Parameters:
  ///   - comparison: Takes the explanations.
  ///   - base: The base's executables, or why there are none.
  ///   - new: The same of the new side.
  func explain(
    _ comparison: inout Comparison, base: Result<[String], Unexplained>, new: Result<[String], Unexplained>
  ) throws(CommandFailure) {
    let titles = comparison.ranked(.worse).map(\.key.title)
    guard !titles.isEmpty else { return }
    let missing = [base, new].compactMap { if case .failure(let reason) = $0 { reason.text } else { nil } }
    guard missing.isEmpty, let old = try? base.get(), let now = try? new.get() else {
      for title in titles {
        comparison.explanations[title] = Explanation(unavailable: missing.joined(separator: "; "))
      }
      return
    }
    let (before, after): ([BenchmarkPoint], [BenchmarkPoint])
    do throws(PackageFailure) {
      before = try BenchmarkList.points(of: old)
      after = try BenchmarkList.points(of: now)
    } catch {
      throw CommandFailure(error)
    }
    var pairs: [(base: BenchmarkPoint, new: BenchmarkPoint)] = []
    for title in Set(titles).sorted() {
      if let first = before.first(where: { $0.title == title }), let last = after.first(where: { $0.title == title }) {
        pairs.append((first, last))
      } else {
        comparison.explanations[title] = Explanation(unavailable: "the executables do not both have it")
      }
    }
    let scratch = Self.scratchPath()
    // Where that fails the system clears its folder for temporary files.
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let signals = blockSignals()
    let fixtures = try setUpFixtures(of: pairs.map(\.new), in: scratch, stoppingOn: signals)
    defer { tell(fixtures.tearDown()) }
    let path = environment["PATH"] ?? ""
    let symboliser = Symboliser(lines: SourceLines(besides: swift, path: path), scratch: scratch + "/addresses")
    let explainer = Explainer(
      callgrind: Callgrind(folder: scratch, path: path), symboliser: symboliser, environment: fixtures.environment,
      signals: signals)
    comparison.explanations.merge(explainer.explanations(pairs)) { $1 }
    let sampler = SampledExplainer(
      symboliser: symboliser, environment: fixtures.environment, scratch: scratch, signals: signals,
      tell: { console.error.line("gauge: " + $0) })
    let slower = Set(comparison.ranked(.worse).filter(\.metric.isTime).map(\.key.title))
    for pair in pairs where slower.contains(pair.new.title) {
      guard let counted = comparison.explanations[pair.new.title], counted.leading == nil else { continue }
      // What can be counted is of one thread.
      comparison.explanations[pair.new.title] = sampler.explanation(
        base: pair.base, new: pair.new, after: counted, mayWait: counted.quantities.isEmpty)
    }
  }

  /// What to do where a side's executable is gone.
  static func naming(_ option: String) -> String {
    "name it by \(option), or run 'gauge ab --explain', which builds both sides"
  }

  /// Why a side can't be explained.
  struct Unexplained: Error, Hashable {
    /// The reason, and what to do about it.
    var text: String
  }

  /// The executables that a result file was measured with, where they are still there as they were.
  ///
  /// A file may be a stranger's, and name what it likes. What it names is taken only where Gauge or the package manager
  /// has built it here.
  ///
  /// - Parameters:
  ///   - results: The file.
  ///   - given: Paths on the command line, which are taken as they are.
  ///   - side: What the side is called, for messages.
  ///   - advice: What to do where they are not.
  func executables(
    of results: Results, given: [String], side: String, advice: String
  ) -> Result<[String], Unexplained> {
    guard given.isEmpty else { return .success(given.map { URL(fileURLWithPath: $0).standardizedFileURL.path }) }
    guard let recorded = results.environment("executable_paths"), !recorded.isEmpty else {
      return .failure(Unexplained(text: "\(side) does not say where its executable is: \(advice)"))
    }
    let hashes = Self.executableHashes(of: results)
    let home = (try? BenchmarkPackage(around: folder, swift: swift).folder) ?? folder
    var paths: [String] = []
    for path in recorded.split(separator: ";").map(String.init) {
      guard KeptBuild.isPlain(path), let builds = OwnFolder.builds.first(where: { path.hasPrefix($0 + "/") }) else {
        return .failure(
          Unexplained(text: "\(path), as \(side) names its executable, is not what was built here: \(advice)"))
      }
      var found: [UInt8]?
      for root in folder == home ? [home] : [folder, home] where found == nil {
        do throws(PackageFailure) {
          try OwnFolder.check(in: root, named: builds)
        } catch {
          guard case .foreign(let place, let reason) = error else { preconditionFailure("there is no other") }
          return .failure(Unexplained(text: "\(path) may be a stranger's, as \(place): \(reason): \(advice)"))
        }
        found = try? Files.contents(of: "\(root)/\(path)")
        if found != nil { paths.append("\(root)/\(path)") }
      }
      guard let content = found else {
        return .failure(Unexplained(text: "the executable of \(side), \(path), is gone: \(advice)"))
      }
      guard Fingerprint.hash(content) == hashes[(path as NSString).lastPathComponent] else {
        return .failure(Unexplained(text: "\(path) is another build than \(side) was measured with: \(advice)"))
      }
    }
    return .success(paths)
  }

  /// The hashes of the executables that a result file was measured with, by their names.
  static func executableHashes(of results: Results) -> [String: String] {
    let names = (results.environment("executables") ?? "").split(separator: ";").map { $0.split(separator: "=") }
    return Dictionary(
      names.compactMap { $0.count == 2 ? (String($0[0]), String($0[1])) : nil }, uniquingKeysWith: { first, _ in first }
    )
  }
}
