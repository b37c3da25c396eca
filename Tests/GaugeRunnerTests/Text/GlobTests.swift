// Which names a pattern fits.

import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct GlobTests {
  @Test(arguments: [
    ("subject/*", "subject/passthrough/send", true), ("subject/*", "subjects", false), ("*", "", true),
    ("*send", "subject/send", true), ("*send", "subject/sender", false), ("a*b*c", "a-b-b-c", true),
    ("a*b*c", "a-c-b", false), ("a?c", "abc", true), ("a?c", "ac", false), ("", "", true), ("", "a", false),
    ("a[n=1]", "a[n=1]", true), ("a[n=1]", "an", false), ("*[n=1*", "a/b[n=10;m=2]", true), ("a**", "a", true),
    ("*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false), ("é?", "éü", true), ("*", "a", true),
    ("?*?", "a", false), ("?*?", "ab", true), ("a*", "a\u{301}b", false),
  ])
  func `a pattern fits whole names`(pattern: String, name: String, fits: Bool) {
    #expect(Glob(pattern).matches(name) == fits)
  }

  /// Patterns and names of few characters, long enough for several words of bits, against the definition itself.
  @Test func `a pattern fits what its definition says`() {
    func fits(_ pattern: [Character], _ name: [Character]) -> Bool {
      // Whether the pattern so far fits so many characters of the name.
      var fitting = [true] + [Bool](repeating: false, count: name.count)
      for place in pattern {
        var next = [fitting[0] && place == "*"]
        for (index, character) in name.enumerated() {
          next.append(
            place == "*" ? fitting[index + 1] || next[index] : fitting[index] && (place == "?" || place == character))
        }
        fitting = next
      }
      return fitting[name.count]
    }
    var random = Xoshiro256(seed: 23)
    func text(_ characters: [Character], atMost count: Int) -> String {
      String((0..<Int.random(in: 0...count, using: &random)).map { _ in characters.randomElement(using: &random)! })
    }
    var found = [false: 0, true: 0]
    for round in 0..<1200 {
      // A long beginning of question marks moves the rest into the second and third word.
      let (marks, letters) = (round % 4 * 50, String(repeating: "b", count: round % 4 * 50))
      let pattern = text(["a", "b", "*", "?", "é"], atMost: 6) + String(repeating: "?", count: marks)
      let (whole, name) = (pattern + text(["a", "*", "b"], atMost: 5), letters + text(["a", "b", "é"], atMost: 8))
      let expected = fits(Array(whole), Array(name))
      #expect(Glob(whole).matches(name) == expected, "\(whole) \(name)")
      found[expected, default: 0] += 1
    }
    #expect(found[true, default: 0] > 60 && found[false, default: 0] > 60, "\(found)")
  }

  /// A pattern that was tried anew at each place of a name took minutes for this.
  @Test func `the longest name of a result file is held against the longest pattern`() {
    expectUnderAMinute {
      let letters = String(repeating: "a", count: 498)
      let name = String(repeating: "a", count: 1 << 20)
      #expect(!Glob("*\(letters)b").matches(name))
      #expect(Glob("*\(letters)b").matches(String(repeating: "a", count: 1 << 16) + "b"))
      #expect(!Glob(String(repeating: "*a", count: 240) + "*b").matches(String(repeating: "a", count: 1 << 16)))
    }
  }
}
