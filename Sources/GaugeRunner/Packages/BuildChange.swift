// What is done otherwise where a package is built: another toolchain, options of the package manager, other versions of
// dependencies.

import Foundation

/// A change of how a package is built, its own sources left alone.
struct BuildChange: Hashable, Sendable {
  /// The package manager of another toolchain; `nil` for the one that everything is built with.
  var swift: String?
  /// Words that the package manager is given besides when it builds.
  var options: [String] = []
  /// Dependencies that are taken from elsewhere.
  var dependencies: [DependencyChange] = []

  /// The options as the package manager gets them.
  ///
  /// Gauge is compiled with strict checks of memory safety, and with warnings as errors. The compiler warns of these
  /// where it is to leave out checks, which is what was asked for.
  var words: [String] {
    options.contains("-Ounchecked")
      ? options + ["-Xswiftc", "-Wwarning", "-Xswiftc", "StrictMemorySafety"] : options
  }

  /// Whether nothing is changed.
  var isEmpty: Bool { self == BuildChange() }

  /// What tells a build from those of other changes; `nil` for none.
  ///
  /// A toolchain that was built anew is another one, also where it calls itself what it did.
  var key: String? {
    guard !isEmpty else { return nil }
    var facts = options.map { "option \($0)" } + dependencies.map { "dependency \($0)" }
    if let swift {
      let compiler = Files.folder(of: swift) + "/swift-frontend"
      let stamp = Files.stamp(of: compiler) ?? Files.stamp(of: swift)
      facts.append("toolchain \(swift), \(stamp?.size ?? 0) bytes, \(stamp?.modified ?? 0) ns")
    }
    return String(SHA256.hexadecimal(Array(facts.joined(separator: "\n").utf8)).prefix(12))
  }

  /// Whether what was built before may be measured again: nothing tells whether a folder is what it was.
  var isKeepable: Bool { dependencies.allSatisfy { $0.folder == nil } }

  /// Names of the package manager's options that decide what is built and where, with which nothing would be found.
  static let fixedOptions = [
    "--package-path", "--scratch-path", "--build-path", "--product", "--target", "--configuration", "-c",
    "--show-bin-path", "--build-tests", "--triple", "--swift-sdk", "--toolchain",
  ]
}
