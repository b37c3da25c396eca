// `gauge history backfill`: commits of the past that are built, measured, and put into a history where they belong.

import Foundation
import Gauge

/// What measures commits for a history.
final class Backfill {
  /// Why a commit is left out.
  private struct Obstacle {
    /// In words.
    var reason: String
    /// Whether it may be another tool's, or a full disk's, and not the commit's: then it is tried again.
    var mayPass = false
  }

  /// The commits that could not be measured, kept in a file so that the same command doesn't try them again.
  private struct LeftOut: Codable {
    /// What they were tried with: the toolchain, and patterns of benchmarks.
    var terms: [String]
    /// Why, by the commit's name.
    var reasons: [String: String] = [:]
  }

  private let program: Program
  private let home: String
  private let builds: CommitBuilds
  private let options: RunOptions
  private let path: String
  private let isTyped: Bool
  private let measured: Set<String>
  private let order: [String: Int]
  private let signals: PendingSignals
  private let scratch = Program.scratchPath()
  private var leftOut: LeftOut
  private var interruption: Int32?

  /// Name of the environment line that says by which options a commit was measured.
  static let field = "backfill"

  private static func note(in home: String) -> String { home + "/.gauge/backfill.json" }

  /// - Parameters:
  ///   - program: What is around.
  ///   - home: The package's folder.
  ///   - builds: What builds the commits.
  ///   - newest: The newest of the commits.
  ///   - options: What is measured of each.
  ///   - path: The history.
  ///   - isTyped: Whether somebody has named it.
  ///   - triesAgain: Whether commits are tried that could not be measured before.
  /// - Throws: `CommandFailure` for a history that can't be read, and where git doesn't tell the order of its commits.
  init(
    _ program: Program, home: String, builds: CommitBuilds, newest: String, options: RunOptions, path: String,
    isTyped: Bool, triesAgain: Bool
  ) throws(CommandFailure) {
    self.program = program
    self.home = home
    self.builds = builds
    self.options = options
    self.path = path
    self.isTyped = isTyped
    let history = try program.readHistory(path, isTyped: isTyped, mayBeMissing: true)
    let words = Backfill.words(options)
    // Of a file that breaks off the last run is there in part, if at all.
    measured = Set(
      history.runs.dropLast(history.brokenLine == nil ? 0 : 1).filter { run in
        run.environment["dirty"] != "yes" && run.environment[Backfill.field] ?? words == words
      }.compactMap { $0.environment["commit"] })
    do throws(PackageFailure) {
      order = try builds.revisions.order(of: [newest] + history.runs.compactMap { $0.environment["commit"] })
    } catch {
      throw CommandFailure(error)
    }
    signals = program.blockSignals()
    let terms = [builds.toolchain, words] + options.filters
    let kept = (try? Files.plainContents(of: Backfill.note(in: home), limit: 1 << 26)).flatMap {
      try? decoded(LeftOut.self, fromJSON: $0)
    }
    leftOut = kept.flatMap { $0.terms == terms && !triesAgain ? $0 : nil } ?? LeftOut(terms: terms)
  }

  /// The options as a result file and a history say them.
  private static func words(_ options: RunOptions) -> String { options.words.isEmpty ? "everything" : options.words }

  /// Measures commits, and tells what became of them.
  ///
  /// - Parameter commits: The commits, in the order that they are measured in.
  /// - Returns: The exit code.
  /// - Throws: `CommandFailure` where the history or a result file can't be written.
  func measure(_ commits: [Revisions.Commit]) throws(CommandFailure) -> Int32 {
    // Where that fails the system clears its folder for temporary files.
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    var (added, known) = (0, 0)
    var left: [(commit: Revisions.Commit, reason: String)] = []
    for (index, commit) in commits.enumerated() {
      if measured.contains(commit.hash) {
        known += 1
        continue
      }
      if let reason = leftOut.reasons[commit.hash] {
        left.append((commit, reason))
        continue
      }
      program.console.error.line(
        "gauge: commit \(index + 1) of \(commits.count): \(commit.hash.prefix(12)) \(excerpt(of: commit.subject))")
      let obstacle = try measure(commit)
      builds.clear()
      if let interruption { return program.stopped(by: interruption) }
      if let obstacle {
        program.console.error.line("gauge: \(commit.hash.prefix(12)) is left out: \(obstacle.reason)")
        left.append((commit, obstacle.reason))
        if !obstacle.mayPass { try note(obstacle.reason, of: commit) }
      } else {
        added += 1
      }
    }
    program.console.output.line("\(path): \(added) commits measured, \(known) were there, \(left.count) left out")
    for (commit, reason) in left {
      program.console.output.line("  \(commit.hash.prefix(12))  \(reason)  (\(excerpt(of: commit.subject)))")
    }
    return (added + known > 0 ? ExitCode.same : .broke).rawValue
  }

  /// Notes why a commit is left out.
  private func note(_ reason: String, of commit: Revisions.Commit) throws(CommandFailure) {
    leftOut.reasons[commit.hash] = reason
    guard let bytes = try? JSONEncoder().encode(leftOut) else { preconditionFailure("plain fields can be encoded") }
    do throws(ResultFile.Failure) {
      try program.replace(Self.note(in: home), with: Array(bytes))
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Measures a commit, or takes the whole result file that an interrupted command has left of it.
  ///
  /// - Returns: Why it is left out; `nil` where it is in the history now, or a signal came.
  private func measure(_ commit: Revisions.Commit) throws(CommandFailure) -> Obstacle? {
    let file = "\(home)/results/backfill/\(commit.hash.prefix(12)).csv"
    if let kept = try? ResultFile.read(file).results, kept.hasEnd, kept.environment("commit") == commit.hash,
      kept.environment(Self.field) == Self.words(options)
    {
      return try add(file, of: commit)
    }
    let build: Revisions.Side
    let points: [BenchmarkPoint]
    do throws(PackageFailure) {
      build = try builds.build(commit.hash, filters: options.filters)
      points = try BenchmarkList.points(of: build.executables)
    } catch {
      // The package manager has had the signal, too.
      interruption = signals.first
      var obstacle = Obstacle(reason: CommitBench.words(for: error))
      if case .toolFailed = error { obstacle.mayPass = true }
      return obstacle
    }
    interruption = signals.first
    guard interruption == nil else { return nil }
    program.warn(uncompiled: build.uncompiled)
    let globs = options.filters.map(Glob.init)
    let fitting = points.filter { point in globs.isEmpty || globs.contains { $0.matches(point) } }
    guard !fitting.isEmpty else {
      return Obstacle(
        reason: build.uncompiled.isEmpty
          ? "it has no such benchmark" : "\(build.uncompiled.joined(separator: ", ")) doesn't build")
    }
    return try launch(fitting, of: build, commit, into: file)
  }

  /// Makes the launches of a commit.
  ///
  /// - Returns: Why it is left out; `nil` where it is in the history now, or a signal came.
  private func launch(
    _ points: [BenchmarkPoint], of build: Revisions.Side, _ commit: Revisions.Commit, into file: String
  ) throws(CommandFailure) -> Obstacle? {
    let plan = try PlannedRun.plan(points, options, AbSide.libraries(of: points))
    guard !plan.launches.isEmpty else { return Obstacle(reason: "its benchmarks don't measure what is asked for") }
    let facts = [
      (name: Self.field, value: Self.words(options)), (name: History.subjectField, value: commit.subject),
      (name: Results.plannedField, value: "\(plan.launches.count)"),
    ]
    let side: AbSide
    do throws(ResultFile.Failure) {
      side = try AbSide(
        file,
        head: program.environment(of: build, home, options: options.text) + facts + Limits(of: points).fields
          + SeveralThreads.fields(of: points),
        points: points, scratch: "\(scratch)/\(commit.hash.prefix(12))", environment: program.environment,
        timeLimit: options.timeLimit, signals: signals)
    } catch {
      throw CommandFailure(error)
    }
    do throws(CommandFailure) {
      try side.setUp()
    } catch {
      return Obstacle(reason: legibleLines(error.message).first ?? "")
    }
    defer { program.tell(side.tearDown()) }
    do throws(ResultFile.Failure) {
      let summary = try side.carryOut(plan, keeping: options.selection)
      interruption = summary.interruption
      guard interruption == nil else { return nil }
      try side.end(after: plan.launches.count)
    } catch {
      throw CommandFailure(error)
    }
    return try add(file, of: commit)
  }

  /// Puts the launches of a commit into the history.
  ///
  /// - Returns: Why it is left out; `nil` where it is in the history now.
  private func add(_ file: String, of commit: Revisions.Commit) throws(CommandFailure) -> Obstacle? {
    let (results, bytes) = try program.readAll(file, isTyped: false)
    program.tell(results.faults)
    let isMeasured = results.rows.contains { if case .value = $0.outcome { true } else { false } }
    guard isMeasured else { return Obstacle(reason: "nothing of it could be measured") }
    _ = try program.add(results, hash: EarlierRuns.hash(bytes), to: path, isTyped: isTyped) { [order] history in
      history.place(of: commit.hash, in: order)
    }
    return nil
  }
}

extension Program {
  /// Puts a run into a history, once however often. One that is there in part is made whole.
  ///
  /// - Parameters:
  ///   - results: The run.
  ///   - hash: Hash of its file.
  ///   - path: The history.
  ///   - isTyped: Whether somebody has named it.
  ///   - place: How many runs stand before it; all where not given.
  /// - Returns: The run's number, and whether it is new.
  /// - Throws: `CommandFailure` where the history can't be read or written, or is full.
  func add(
    _ results: Results, hash: String, to path: String, isTyped: Bool,
    at place: (History) -> Int = { $0.runs.count }
  ) throws(CommandFailure) -> (number: Int, isNew: Bool) {
    // Another one that adds meanwhile would take the same number.
    let lock = try lock(folderOf: path)
    defer { lock?.hold() }
    var history = try readHistory(path, isTyped: isTyped, mayBeMissing: true)
    let broken = history.run(of: hash)
    if let broken {
      guard history.lacksRecords(broken, of: results) else { return (broken.number, false) }
      history = history.removing(broken)
    }
    let lines = Array(history.lines(adding: results, hash: hash).utf8)
    if let obstacle = history.obstacle(toAdding: lines, behind: Files.stamp(of: path)?.size ?? 0) {
      throw CommandFailure(
        code: .cannotWrite, message: "\(path): the history would have \(obstacle), and could not be read any more",
        advice: "Move it away, or name another one by --history FILE: that begins anew.")
    }
    let before = broken.map { run in history.runs.count { $0.number < run.number } } ?? place(history)
    do throws(SystemError) {
      if before < history.runs.count || broken != nil {
        try Files.replace(path, with: Array(history.text(inserting: results, hash: hash, at: before).utf8))
      } else if Files.kind(of: path) == nil {
        // All of it or nothing: an empty file would be no history.
        try Files.replace(path, with: lines)
      } else {
        let file = try Descriptor.appending(to: path, emptied: false)
        // What a killed write has left of a line is cut off, so that every line stays whole.
        if let length = history.wholeLength { try file.cut(to: length) }
        try file.append(lines)
      }
    } catch {
      throw CommandFailure(code: .cannotWrite, message: "\(path): cannot be written: \(error.reason)")
    }
    return (before + 1, true)
  }
}
