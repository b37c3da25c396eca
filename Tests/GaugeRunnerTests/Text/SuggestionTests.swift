// Distances between words, and the word that was meant.

import Testing

@testable import GaugeRunner

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1), ("abc", "ab", 1),
    ("ca", "abc", 3), ("kitten", "sitting", 3), ("RUN", "run", 0),
  ])
  func `letters to change`(first: String, second: String, distance: Int) {
    #expect(Suggestion.distance(first, second) == distance)
    #expect(Suggestion.distance(second, first) == distance)
  }

  @Test(arguments: [
    ("lits", "list"), ("rnu", "run"), ("comapre", "compare"), ("rep", "report"), ("xyzzy", nil), ("", nil),
    ("improve", nil),
  ])
  func `the nearest word, if it is near`(word: String, meant: String?) {
    #expect(Suggestion.nearest(to: word, among: ["list", "run", "compare", "report"]) == meant)
  }

  @Test func `nothing is near nothing`() {
    #expect(Suggestion.nearest(to: "run", among: []) == nil)
  }
}
