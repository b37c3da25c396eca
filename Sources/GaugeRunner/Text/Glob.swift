// Patterns that choose benchmarks: `*` stands for any text, slashes included, and `?` for one character. Ours, as
// fnmatch takes brackets for sets, which stand in the names of benchmarks with parameters, and begins anew at each
// star.

/// A pattern for whole names. Everything but `*` and `?` stands for itself, brackets too, as they belong to the names
/// of benchmarks with parameters.
struct Glob: Hashable, Sendable {
  /// The pattern as it was written.
  let text: String
  /// What any name that fits begins with.
  private let beginning: String
  /// The characters behind the beginning, without the stars.
  private let characters: Int
  /// Which of these each character may be, a bit for each place.
  private let places: [Character: [UInt64]]
  /// Which of these any character may be.
  private let anywhere: [UInt64]
  /// Before which of these, and behind the last, a star stands.
  private let stars: [UInt64]

  /// Creates a pattern from its text.
  init(_ text: String) {
    self.text = text
    beginning = String(text.prefix { $0 != "*" && $0 != "?" })
    let pattern = text.dropFirst(beginning.count)
    characters = pattern.count { $0 != "*" }
    let none = [UInt64](repeating: 0, count: characters / 64 + 1)
    var (places, anywhere, stars) = ([Character: [UInt64]](), none, none)
    var place = 0
    for character in pattern {
      let (word, bit) = (place / 64, UInt64(1) << UInt64(place % 64))
      switch character {
      case "*": stars[word] |= bit
      case "?": anywhere[word] |= bit
      default: places[character, default: none][word] |= bit
      }
      if character != "*" { place += 1 }
    }
    (self.places, self.anywhere, self.stars) = (places, anywhere, stars)
  }

  /// Whether the pattern fits a whole name.
  ///
  /// All ways to lay the pattern over the name are followed at once (Baeza-Yates and Gonnet 1992), so that no name
  /// makes it begin again.
  ///
  /// - Complexity: O(length of the name · (1 + length of the pattern / 64)).
  func matches(_ name: String) -> Bool {
    guard name.hasPrefix(beginning) else { return false }
    // How much of the pattern may be used up by what has been read of the name, a bit for each number of characters.
    var used = [UInt64](repeating: 0, count: stars.count)
    used[0] = 1
    for character in name.dropFirst(beginning.count) {
      if isUsedUp(used), isSet(stars, characters) { return true }
      let fitting = places[character]
      var carry: UInt64 = 0
      var isDead = true
      for word in used.indices {
        let taken = used[word] & (anywhere[word] | (fitting?[word] ?? 0))
        let next = taken << 1 | carry | used[word] & stars[word]
        carry = taken >> 63
        used[word] = next
        isDead = isDead && next == 0
      }
      if isDead { return false }
    }
    return isUsedUp(used)
  }

  /// Whether the whole pattern may be used up.
  private func isUsedUp(_ used: [UInt64]) -> Bool { isSet(used, characters) }

  private func isSet(_ bits: [UInt64], _ place: Int) -> Bool { bits[place / 64] >> UInt64(place % 64) & 1 == 1 }
}
