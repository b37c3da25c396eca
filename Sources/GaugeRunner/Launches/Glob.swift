// Patterns that choose benchmarks: `*` stands for any text, slashes included, and `?` for one character.

/// A pattern for whole names. Everything but `*` and `?` stands for itself, brackets too, as they belong to the names of
/// benchmarks with parameters.
struct Glob: Hashable, Sendable {
  /// The pattern as it was written.
  let text: String
  private let pattern: [Character]
  /// What any name that fits begins with.
  private let beginning: String

  /// Creates a pattern from its text.
  init(_ text: String) {
    self.text = text
    pattern = Array(text)
    beginning = String(text.prefix { $0 != "*" && $0 != "?" })
  }

  /// Whether the pattern fits a whole name.
  ///
  /// - Complexity: The product of both lengths at worst, in constant space: only the last `*` is ever tried again.
  func matches(_ name: String) -> Bool {
    guard name.hasPrefix(beginning) else { return false }
    if beginning == text { return name == text }
    let name = Array(name)
    var (place, position) = (0, 0)
    var retry: (place: Int, position: Int)?
    while position < name.count {
      if place < pattern.count, pattern[place] == "*" {
        retry = (place, position)
        place += 1
      } else if place < pattern.count, pattern[place] == "?" || pattern[place] == name[position] {
        place += 1
        position += 1
      } else if let last = retry {
        retry = (last.place, last.position + 1)
        (place, position) = (last.place + 1, last.position + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }

  /// Whether the pattern fits a benchmark: its name alone, or its name with parameters.
  func matches(_ point: BenchmarkPoint) -> Bool {
    matches(point.benchmark) || matches(point.title)
  }
}
