// Which version of Gauge's own code benchmark executables were built with: two sides of a comparison may differ in it.

import Foundation

/// A note beside built executables that names the version of Gauge in them.
enum GaugeSources {
  /// File name of the note.
  static let noteName = "gauge-sources"

  /// Writes the note beside executables that were just built; without it nothing is said of the version.
  ///
  /// - Parameter folder: The folder of the built executables.
  static func note(in folder: String) {
    let text = hash(builtIn: folder).map { $0 + "\n" } ?? ""
    guard Files.text(of: "\(folder)/\(noteName)") ?? "" != text else { return }
    _ = try? Files.replace("\(folder)/\(noteName)", with: Array(text.utf8))
  }

  /// The version beside an executable; `nil` where no note tells it.
  static func version(beside executable: String) -> String? {
    let text = Files.text(of: Files.folder(of: executable) + "/" + noteName)
    return text?.split(separator: "\n").first.map(String.init)
  }

  /// The modules that are linked into a benchmark executable.
  private static let modules = ["Gauge", "GaugeStatistics", "CProbes", "CMachine"]

  /// A hash of the sources that a build has compiled; `nil` where it doesn't say where these are.
  private static func hash(builtIn folder: String) -> String? {
    // The list of sources that the package manager hands to the compiler.
    guard let first = Files.text(of: "\(folder)/Gauge.build/sources")?.split(separator: "\n").first,
      let end = first.range(of: "/Sources/Gauge/")
    else { return nil }
    let root = first[..<end.lowerBound] + "/Sources"
    return FolderHash(modules.map { "\(root)/\($0)" }).hexadecimal
  }
}

/// A hash of all files below some folders: of their names and contents.
struct FolderHash {
  private var parts: [String] = []

  /// - Parameter folders: The folders; one that isn't there counts as empty.
  init(_ folders: [String]) {
    for folder in folders { add(folder) }
  }

  /// Adds the files below a folder, articles of the documentation left out.
  private mutating func add(_ folder: String) {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() where !name.contains(".docc/") {
      add(file: "\(folder)/\(name)", as: (folder as NSString).lastPathComponent + "/" + name)
    }
  }

  /// Adds a file; one that can't be read counts as missing.
  mutating func add(file: String, as name: String) {
    guard Files.kind(of: file) == .file, let bytes = try? Files.contents(of: file) else { return }
    add(fact: "\(name)\t\(SHA256.hexadecimal(bytes))")
  }

  /// Adds a fact that isn't in a file.
  mutating func add(fact: String) { parts.append(fact) }

  /// The hash, as 64 hexadecimal digits.
  var hexadecimal: String { SHA256.hexadecimal(Array(parts.joined(separator: "\n").utf8)) }
}
