// What is fuzzed: a reader, small files of its format to begin with, and words that the format has.

import HostileFiles

/// A reader of files that may come from a stranger.
struct Reader: Sendable {
  /// Its name on the command line.
  var name: String
  /// Valid files, made by what writes them.
  var originals: [[UInt8]]
  /// Words of the format.
  var words: [String] = []
  /// Whether its files have fields and lines, rather than numbers of fixed size.
  var isText = true
  /// Reads a file, and makes of it what would be made of any: reports and verdicts, where there are some. What is
  /// refused is as good as what is read; what is refused in another way than is promised ends the process with a
  /// message.
  var read: @Sendable ([UInt8]) -> Void

  /// All readers.
  static let all =
    [results, limits, thresholds, history, earlierRun, package, keptBuild, list, report]
    + [stacks, recordings, elf, frames, lines, callgrind, symbols]

  /// Files to damage: its own, and those of a folder.
  func mutations(adding others: [[UInt8]], seed: UInt64) -> Mutations {
    Mutations(of: originals + others, words: words, isText: isText, seed: seed)
  }
}
