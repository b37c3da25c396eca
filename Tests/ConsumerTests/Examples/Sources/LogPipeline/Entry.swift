// Lines of a log, and what they say.

/// How bad it is.
enum Level: String, CaseIterable, Comparable, Sendable {
  case debug, info, warning, error

  static func < (lhs: Level, rhs: Level) -> Bool { lhs.rank < rhs.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self)! }
}

/// Why a line is not an entry.
enum LineError: Error, Equatable {
  case noLevel(String)
  case noService(String)
}

/// What a line says.
struct Entry: Equatable, Sendable {
  var level: Level
  var service: String
  var message: String

  init(level: Level, service: String, message: String) {
    (self.level, self.service, self.message) = (level, service, message)
  }

  /// Reads a line such as `error billing: no connection`.
  init(line: String) throws(LineError) {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard let level = words.first.flatMap({ Level(rawValue: String($0)) }) else { throw .noLevel(line) }
    guard words.count > 1, words[1].hasSuffix(":"), words[1].count > 1 else { throw .noService(line) }
    self.init(level: level, service: String(words[1].dropLast()), message: words.count > 2 ? String(words[2]) : "")
  }
}

/// Entries that are stored together.
struct Batch: Equatable, Sendable {
  /// Counts from 1; a number that is missing was lost.
  var number: Int
  var entries: [Entry]
}
