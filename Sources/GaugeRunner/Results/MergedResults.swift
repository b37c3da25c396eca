// Several result files of one build as one: the shards of a suite that was split over machines.

/// The union of result files.
struct MergedResults {
  /// The rows and faults of all files, in the order of the files.
  private(set) var results = Results()

  /// Why files don't belong together.
  struct Conflict: Error, Hashable {
    /// The file that doesn't fit what came before.
    var path: String
    /// What is odd, in words.
    var message: String
  }

  /// Merges files.
  ///
  /// Launches keep their numbers, so that no two files may have the same launch of a benchmark; their positions in the
  /// run follow each other. Environment fields in which the files differ list all values. Where the machines are
  /// unlike, the machine of the whole is unknown, so that its times are compared with nothing.
  ///
  /// - Parameter files: Paths and contents, not empty.
  /// - Throws: `Conflict` for another commit or build, for a metric that is described otherwise, and for a launch that
  ///   is there twice.
  init(_ files: [(path: String, results: Results)]) throws(Conflict) {
    var owners: [Launch: String] = [:]
    var offset = 0
    for (path, part) in files {
      for field in ["commit", "dirty"] {
        guard let first = files[0].results.environment(field), let now = part.environment(field), first != now else {
          continue
        }
        throw Conflict(path: path, message: "\(field) is '\(now)', that of \(files[0].path) is '\(first)'")
      }
      for (key, first) in part.firsts.sorted(by: { $0.value.line < $1.value.line }) {
        if let (column, expected) = results.firsts[key]?.difference(from: first.metric) {
          throw Conflict(
            path: path, message: "\(column) of \(key.metric) of \(key.title) is not \(expected), as before")
        }
        results.firsts[key] = first
      }
      for row in part.rows {
        let launch = Launch(key: row.key, launch: row.launch)
        if let owner = owners.updateValue(path, forKey: launch) {
          throw Conflict(
            path: path, message: "launch \(row.launch) of \(row.metric.name) of \(row.key.title) is in \(owner) too")
        }
        var moved = row
        moved.sequence += offset
        results.rows.append(moved)
      }
      for fault in part.faults {
        var moved = fault
        moved.sequence += offset
        results.faults.append(moved)
      }
      offset += Self.positions(of: part)
      guard offset <= ResultFormat.largestCount else {
        throw Conflict(
          path: path, message: "its launches are numbered up to \(offset - 1), which is beyond all numbers")
      }
    }
    results.environment = try Self.environment(files)
    results.hasEnd = files.allSatisfy { $0.results.hasEnd || $0.results.incompleteness == nil }
  }

  /// Positions of a run up to its last launch.
  private static func positions(of run: Results) -> Int {
    1 + max(run.rows.map(\.sequence).max() ?? -1, run.faults.map(\.sequence).max() ?? -1)
  }

  private struct Launch: Hashable {
    var key: ResultRow.Key
    var launch: Int
  }

  private static func environment(
    _ files: [(path: String, results: Results)]
  ) throws(Conflict) -> [(name: String, value: String)] {
    var environment = files[0].results.environment
    for (_, part) in files.dropFirst() {
      for field in part.environment where !environment.contains(where: { $0.name == field.name }) {
        environment.append(field)
      }
    }
    for index in environment.indices {
      let name = environment[index].name
      let values = files.compactMap { $0.results.environment(name) }
      let distinct = values.indices.filter { values.firstIndex(of: values[$0]) == $0 }.map { values[$0] }
      switch name {
      case "executables": environment[index].value = try executables(files)
      case Limits.field:
        environment[index].value = Set(values.flatMap { $0.split(separator: ";") }).sorted().joined(separator: ";")
      case SeveralThreads.field:
        environment[index].value = Set(values.flatMap { $0.split(separator: " ") }).sorted().joined(separator: " ")
      case Results.plannedField:
        // Launches that were made once more have positions, too.
        let planned = files.reduce(0) { sum, file in
          let planned = file.results.environment(name).flatMap { ResultFormat.count($0) }
          return planned.map { boundedSum(sum, max($0, positions(of: file.results))) } ?? sum
        }
        environment[index].value = "\(min(planned, ResultFormat.largestCount))"
      case _ where distinct.count > 1: environment[index].value = distinct.joined(separator: " | ")
      default: break
      }
    }
    let unlike = files.dropFirst().flatMap { Likeness.differences(files[0].results, $0.results) }
    if !unlike.isEmpty, let index = environment.firstIndex(where: { $0.name == "machine_id" }) {
      environment[index].value = "unavailable: merged from unlike machines: \(environment[index].value)"
    }
    return environment
  }

  /// The executables of all files, each with its hash.
  private static func executables(_ files: [(path: String, results: Results)]) throws(Conflict) -> String {
    var hashes: [String: String] = [:]
    for (path, part) in files {
      for pair in (part.environment("executables") ?? "").split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { continue }
        if let before = hashes.updateValue(String(parts[1]), forKey: String(parts[0])), before != parts[1] {
          throw Conflict(path: path, message: "\(parts[0]) is another build than before: \(parts[1]), not \(before)")
        }
      }
    }
    return hashes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
  }
}
