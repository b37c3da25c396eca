// Named baselines: result files in the package's results, to be reviewed and committed like its sources.

import Foundation

/// The baselines of a package.
struct Baselines {
  /// The folder that they lie in.
  let folder: String

  /// - Parameter results: The package's folder of results.
  init(results: String) { folder = results + "/baselines" }

  /// Path of a baseline.
  ///
  /// - Returns: `nil` for a name that is none, and for this machine's own baseline,
  ///   which no file of the package stands for.
  func path(of name: String) -> String? {
    Self.isName(name) && name != KeptBuilds.accepted ? "\(folder)/\(name).csv" : nil
  }

  /// A file that looks like this machine's own baseline, as a change may bring one along; `nil` where there is none.
  var impostor: String? {
    let path = "\(folder)/\(KeptBuilds.accepted).csv"
    return Files.kind(of: path) == nil ? nil : path
  }

  /// Whether a baseline can have this name: letters, digits, `-`, `_` and `.`, with no `.` or `-` in front.
  static func isName(_ name: String) -> Bool {
    guard let first = name.first, first != ".", first != "-" else { return false }
    return name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0))
    }
  }

  /// Names of all baselines, sorted.
  var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".csv") }.map { String($0.dropLast(4)) }
      .filter { $0 != KeptBuilds.accepted }.sorted()
  }
}
