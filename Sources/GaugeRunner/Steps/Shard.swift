// A part of a suite: every n-th benchmark, so that several machines measure one suite.

/// The i-th of n parts of a suite.
struct Shard: Hashable {
  /// 1-based number of the part.
  var index: Int
  /// Number of parts.
  var count: Int

  /// Reads `i/n`.
  ///
  /// - Returns: `nil` for another text, and where `i` is not between 1 and `n`.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]), count >= 1, 1...count ~= index else {
      return nil
    }
    self.index = index
    self.count = count
  }

  /// The shard that a command line asks for; `nil` where it asks for the whole.
  ///
  /// - Throws: `CommandFailure` with code `usage`.
  init?(_ arguments: Arguments) throws(CommandFailure) {
    guard let text = arguments.last("--shard") else { return nil }
    guard let shard = Shard(text) else { throw .usage("option '--shard' needs I/N with I from 1 to N, not '\(text)'") }
    self = shard
  }

  /// The points of this part. Points are dealt out by name, so that neither the order of executables nor the machine
  /// matters.
  func points(_ points: [BenchmarkPoint]) -> [BenchmarkPoint] {
    let mine = Set(
      points.map(\.title).sorted().enumerated().filter { $0.offset % count == index - 1 }.map(\.element))
    return points.filter { mine.contains($0.title) }
  }
}
