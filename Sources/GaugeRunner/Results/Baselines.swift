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
  /// - Returns: `nil` for a name that is none: other than letters, digits, `-`, `_` and `.`, or with `.` in front.
  func path(of name: String) -> String? {
    let isName =
      !name.isEmpty && name.first != "."
      && name.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0))
      }
    return isName ? "\(folder)/\(name).csv" : nil
  }

  /// Names of all baselines, sorted.
  var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".csv") }.map { String($0.dropLast(4)) }.sorted()
  }
}
