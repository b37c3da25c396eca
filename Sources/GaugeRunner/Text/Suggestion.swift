// The word that somebody meant: nearest by optimal string alignment (Damerau-Levenshtein with adjacent swaps). Ours, as
// the package manager exports none of its own.

/// Suggestions for mistyped words.
enum Suggestion {
  /// The known word that somebody meant, or `nil` where none is near enough: one letter wrong, or up to a third of the
  /// letters, or the beginning of a word.
  static func nearest(to word: String, among known: [String]) -> String? {
    guard !word.isEmpty else { return nil }
    let ranked = known.map { (word: $0, distance: distance(word, $0)) }
    guard let best = ranked.min(by: { ($0.distance, $0.word) < ($1.distance, $1.word) }) else { return nil }
    if best.distance <= max(1, best.word.count / 3), best.distance < best.word.count { return best.word }
    return known.filter { $0.hasPrefix(word) }.min { ($0.count, $0) < ($1.count, $1) }
  }

  /// Letters to insert, remove, change or swap with their neighbour to make one word of the other.
  ///
  /// - Complexity: The product of both lengths.
  static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first.lowercased()), Array(second.lowercased()))
    var beforeLast = [Int](repeating: 0, count: second.count + 1)
    var last = Array(0...second.count)
    for row in first.indices {
      var current = [row + 1]
      for column in second.indices {
        let change = last[column] + (first[row] == second[column] ? 0 : 1)
        var best = min(change, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[second.count]
  }
}
