// Which benchmarks of a run have several threads, as its result file tells.

import Gauge

/// The benchmarks of a run that several threads take part in.
///
/// A run writes their titles into the environment line `several_threads` of its result file, whatever it measures.
/// Files without that line tell it by rows of `foreign_load`, which launches for time write.
enum SeveralThreads {
  /// Name of the environment line.
  static let field = "several_threads"

  /// The environment line; none where all benchmarks are of one thread. Names of benchmarks have no spaces.
  static func fields(of points: [BenchmarkPoint]) -> [(name: String, value: String)] {
    let titles = points.filter(\.hasThreads).map(\.title)
    return titles.isEmpty ? [] : [(name: field, value: titles.joined(separator: " "))]
  }

  /// The titles that a run tells.
  ///
  /// - Parameters:
  ///   - rows: Its rows.
  ///   - line: Its environment line, if it has one.
  static func titles(of rows: [ResultRow.Key: MeasuredRows], line: String? = nil) -> Set<String> {
    // Also where the system could not say what others did.
    Set(rows.keys.filter { $0.metric == Metric.foreignLoad.name }.map(\.title))
      .union((line ?? "").split(separator: " ").map(String.init))
  }
}

extension Results {
  /// Environment lines that list names of benchmarks, for which reports have no room.
  static let listingFields: Set<String> = [Limits.field, SeveralThreads.field]
}
