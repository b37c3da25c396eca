// Histories that runs were added to one by one.

@testable import GaugeRunner

extension History {
  /// The history of some runs, as it is read from its file.
  static func of(_ runs: [Results]) throws -> History {
    var text = ""
    for (number, results) in runs.enumerated() {
      let before = text.isEmpty ? History() : try History(Array(text.utf8), path: "h.csv")
      text += before.lines(adding: results, hash: "\(number)")
    }
    return try History(Array(text.utf8), path: "h.csv")
  }
}
