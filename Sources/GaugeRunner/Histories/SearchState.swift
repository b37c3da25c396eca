// A search for a commit as it is kept in a file, so that an interrupted one goes on where it stopped.

import Foundation

/// What a search is about, and the answers that it has had.
struct SearchState: Codable {
  /// What a search is about: one of the same terms is the same search.
  struct Terms: Hashable, Codable {
    /// The commits, the good one first.
    var commits: [String]
    /// What the toolchain that builds them calls itself.
    var toolchain: String
    /// The benchmark, as the command line names it.
    var benchmark: String
    /// The metric.
    var metric: String
    /// Relative change that doesn't matter, and difference in the metric's unit, where the project says so.
    var threshold, resolution: Double?
    /// Chance of a wrong answer.
    var error: Double
  }

  /// The benchmark, as the commits have it.
  struct Subject: Hashable, Codable {
    /// Its name, without parameters, and these.
    var benchmark, parameters: String
    /// Whether a launch counts the metric, so that one tells it.
    var isExact: Bool

    /// What it is compared by.
    func row(of metric: String) -> ResultRow.Key {
      ResultRow.Key(benchmark: benchmark, parameters: parameters, metric: metric)
    }
  }

  /// What it is about.
  var terms: Terms
  /// The benchmark.
  var subject: Subject
  /// The answers, in their order.
  var answers: [CommitSearch.Answer] = []

  /// The benchmark's name with parameters.
  var title: String { subject.row(of: terms.metric).title }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - terms: The terms of the search that is to go on, as its benchmark has them.
  /// - Returns: `nil` where it is missing, is something else, or is of a search with other terms.
  init?(_ path: String, of terms: (Subject) -> Terms) {
    guard let bytes = try? Files.plainContents(of: path, limit: 1 << 26),
      let state = try? decoded(SearchState.self, fromJSON: bytes), state.terms == terms(state.subject)
    else { return nil }
    self = state
  }

  /// Begins a search.
  init(of terms: Terms, _ subject: Subject) {
    self.terms = terms
    self.subject = subject
  }

  /// Writes it into a file.
  ///
  /// - Throws: `SystemError` where that can't be done.
  func write(to path: String) throws(SystemError) {
    guard let bytes = try? JSONEncoder().encode(self) else { preconditionFailure("plain fields can be encoded") }
    try Files.makeFolder(Files.folder(of: path))
    try Files.replace(path, with: Array(bytes))
  }

  /// The search with as many of the answers as fit its questions.
  func search(_ rules: SearchRules) -> CommitSearch {
    var search = CommitSearch(rules: rules, last: terms.commits.count - 1)
    for answer in answers {
      guard search.takes(answer) else { break }
      search.take(answer)
    }
    return search
  }
}
