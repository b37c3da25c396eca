// `--affected` and `--affected-since`: leave out benchmarks that a change can't have touched, as all that they execute
// is the same on both sides.

import Foundation

extension Program {
  /// The option of `gauge ab`.
  static let affectedOption = OptionSyntax(
    name: "--affected",
    help: """
      Leave out benchmarks that run the same code on both sides.
      A launch of the base is recorded for that, under valgrind.
      """)

  /// The option of `gauge run`.
  static let affectedSinceOption = OptionSyntax(
    name: "--affected-since", placeholder: "REV",
    help: """
      Leave out benchmarks that run the same code as at this revision,
      which is built for that; a launch of it is recorded, under
      valgrind.
      """)

  /// What a change can't have touched, and why the rest has to be measured.
  struct Unaffected {
    /// Rows that are left out.
    var rows: Set<InterleavedRun.Row> = []
    /// Rows of which something that they execute has changed, for certain.
    var changed: Set<InterleavedRun.Row> = []
    /// Why each of the others is not, by title.
    var reasons: [String: String] = [:]
  }

  /// Finds the rows that needn't be measured.
  ///
  /// - Parameters:
  ///   - rows: Benchmarks that both sides have.
  ///   - sides: Both sides.
  ///   - option: What asked for it.
  /// - Throws: `CommandFailure` where an executable is damaged or of a kind whose code isn't read, or a fixture breaks.
  func unaffected(
    _ rows: [InterleavedRun.Row], _ sides: AbSides, option: OptionSyntax = affectedOption
  ) throws(CommandFailure) -> Unaffected {
    var unaffected = Unaffected()
    let path = environment["PATH"] ?? ""
    let scratch = Self.scratchPath()
    // Where that fails the system clears its folder for temporary files.
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    guard Callgrind(folder: scratch, path: path) != nil else {
      for row in rows { unaffected.reasons[row.new.title] = Callgrind.absence }
      return unaffected
    }
    let identical = Self.identical(rows)
    var open: [InterleavedRun.Row] = []
    for row in rows where !identical.contains(row) {
      if let reason = Self.obstacle(to: row) { unaffected.reasons[row.new.title] = reason } else { open.append(row) }
    }
    guard !open.isEmpty else { return unaffected }
    let signals = blockSignals()
    let fixtures = try setUpFixtures(of: open.map(\.base), in: scratch, stoppingOn: signals)
    defer { tell(fixtures.tearDown()) }
    let kept = KeptRecordings(package: sides.home, environment: environment)
    let pairs = Dictionary(grouping: open) { [$0.base.executable, $0.new.executable] }
    for (executables, members) in pairs.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      if let reason = Self.differingCompanions(executables[0], executables[1]) {
        for row in members { unaffected.reasons[row.new.title] = reason }
        continue
      }
      let comparison: CodeComparison
      do throws(ExecutableFlaw) {
        comparison = CodeComparison(
          base: try ProgramImage(path: executables[0]), new: try ProgramImage(path: executables[1]))
      } catch {
        throw CommandFailure(
          code: .badFile, message: "\(error)", advice: "Without \(option.name) everything is measured.")
      }
      let outcomes = recordings(
        of: members.map(\.base), comparison.base, kept, scratch: scratch, environment: fixtures.environment,
        stoppingOn: signals)
      for row in members {
        let reason = Self.reason(outcomes[row.base.title], comparison)
        unaffected.reasons[row.new.title] = reason
        if reason == nil { unaffected.rows.insert(row) }
        if case .recorded(let launch, _) = outcomes[row.base.title], launch.chances.isEmpty, reason != nil {
          unaffected.changed.insert(row)
        }
      }
    }
    return unaffected
  }

  /// The commit that `--affected-since` names.
  ///
  /// - Throws: `CommandFailure` where there is none, or no package.
  func commit(affectedSince name: String) throws(CommandFailure) -> String {
    do throws(PackageFailure) {
      return try Revisions(package: try BenchmarkPackage(around: folder, swift: swift)).commit(of: name)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Benchmarks that run the same code as at a commit; what is left out, and what is not, is told.
  ///
  /// - Parameters:
  ///   - choice: Benchmarks of the package as it lies there, built.
  ///   - commit: The commit.
  ///   - filters: Patterns of the benchmarks; none takes all.
  /// - Returns: Their titles.
  /// - Throws: `CommandFailure` where one of the two can't be built or looked at, or a comparison is at work.
  func unaffected(
    _ choice: BenchmarkChoice, since commit: String, filters: [String]
  ) throws(CommandFailure) -> Set<String> {
    // A comparison would use the same folders.
    let lock = try lock(folderOf: choice.folder + "/results/ab/new.csv")
    defer { lock?.hold() }
    let base: Revisions.Side
    let old: [BenchmarkPoint]
    do throws(PackageFailure) {
      let revisions = Revisions(package: try BenchmarkPackage(around: folder, swift: swift))
      base = try revisions.build(commit, as: "base", filters: filters)
      old = try BenchmarkList.points(of: base.executables)
    } catch {
      throw CommandFailure(error)
    }
    for target in base.uncompiled {
      console.error.line(
        "gauge: warning: \(target) doesn't compile at \(commit.prefix(12)) (above): its benchmarks are measured")
    }
    let known = Dictionary(old.map { ($0.title, $0) }, uniquingKeysWith: { first, _ in first })
    let rows = choice.points.compactMap { point in
      known[point.title].map { InterleavedRun.Row(base: $0, new: point) }
    }
    let new = Revisions.Side(commit: "", executables: choice.executables)
    var unaffected = try unaffected(
      rows, AbSides(base: base, new: new, home: choice.folder), option: Self.affectedSinceOption)
    for row in Self.identical(rows) {
      unaffected.rows.insert(row)
      unaffected.reasons[row.new.title] = nil
    }
    for point in choice.points where known[point.title] == nil {
      unaffected.reasons[point.title] = "it isn't in the revision"
    }
    let lines = Self.affectedText(unaffected, of: choice.points.count, option: Self.affectedSinceOption)
    for line in lines { console.error.line(line) }
    return Set(unaffected.rows.map(\.new.title))
  }

  /// Why a row is measured, as far as its declarations tell.
  private static func obstacle(to row: InterleavedRun.Row) -> String? {
    if row.base.hasThreads || row.new.hasThreads { return "it has threads" }
    if row.base.hasRunFixture || row.new.hasRunFixture { return "what its executable sets up for a run isn't recorded" }
    guard row.base.passes.contains(.counts) else { return "its launches can't be recorded: it takes no part in counts" }
    guard row.base.passes == row.new.passes, row.base.limit == row.new.limit else {
      return "its declaration has changed"
    }
    return nil
  }

  /// Why a row is measured whose launch was recorded; `nil` where it needn't be.
  private static func reason(_ outcome: RecordedOutcome?, _ comparison: CodeComparison) -> String? {
    switch outcome {
    case .recorded(let launch, _):
      launch.chances.isEmpty
        ? comparison.change(inExecuted: launch.functions) : launch.chances.joined(separator: ", ")
    case .unavailable(let reason): reason
    case nil: "stopped"
    }
  }

  /// What of the files beside two executables differs,
  /// such as resources or a library of the package; `nil` for nothing.
  static func differingCompanions(_ base: String, _ new: String) -> String? {
    func companions(_ path: String) -> [String: String]? {
      guard let files = try? BuiltFiles(of: [path]).files else { return nil }
      let others = files.dropFirst().filter {
        $0.path != GaugeSources.noteName && $0.path != CountingLibraries.hooksName
      }
      return Dictionary(others.map { ($0.path, $0.source) }, uniquingKeysWith: { first, _ in first })
    }
    guard let mine = companions(base), let others = companions(new) else {
      return "what lies beside its executables can't be told"
    }
    let names = Set(mine.keys).union(others.keys).sorted()
    let changed = names.first { name in
      guard let one = mine[name], let other = others[name], let content = try? Files.contents(of: one) else {
        return true
      }
      return (try? Files.contents(of: other)) != content
    }
    return changed.map { "the file \($0) beside its executable has changed" }
  }

  /// The recorded launches of one executable: those that are kept, and new ones.
  private func recordings(
    of points: [BenchmarkPoint], _ image: ProgramImage, _ kept: KeptRecordings, scratch: String,
    environment: [String: String], stoppingOn signals: PendingSignals
  ) -> [String: RecordedOutcome] {
    let content = image.elf.file.bytes
    var known = kept.recordings(of: content)
    let missing = points.filter { known.launches[$0.title] == nil }
    var outcomes = known.launches.mapValues { RecordedOutcome.recorded($0, libraries: []) }
    guard !missing.isEmpty else { return outcomes }
    console.error.line("gauge: recording a launch of \(missing.count) benchmarks of the base")
    let callgrind = Callgrind(folder: scratch + "/recording", path: self.environment["PATH"] ?? "")
    let new = callgrind?.recordings(of: missing, image, environment: environment, stoppingOn: signals) ?? [:]
    for (title, outcome) in new {
      outcomes[title] = outcome
      guard case .recorded(let launch, let libraries) = outcome else { continue }
      known.launches[title] = launch
      for library in libraries { known.libraries[library] = KeptRecordings.stamp(of: library) }
    }
    kept.keep(known, of: content)
    return outcomes
  }

  /// What was left out, and what was not, for people.
  ///
  /// - Parameters:
  ///   - unaffected: What was found.
  ///   - count: How many could be left out.
  ///   - option: What asked for it.
  static func affectedText(
    _ unaffected: Unaffected, of count: Int, option: OptionSyntax = affectedOption
  ) -> [String] {
    let titles = unaffected.rows.map(\.new.title).sorted()
    var lines = [
      "\(option.name): \(titles.count) of \(count) benchmarks skipped, as all that they execute is the same on both sides"
        + (titles.isEmpty ? "" : " (where it lies in memory is not compared): " + titles.joined(separator: ", "))
    ]
    let reasons = Dictionary(grouping: unaffected.reasons.keys) { unaffected.reasons[$0, default: ""] }
    for (reason, titles) in reasons.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
      lines.append("  not skipped, \(reason): \(titles.sorted().joined(separator: ", "))")
    }
    return lines
  }
}
