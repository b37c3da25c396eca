// A build that a baseline keeps: which files it is made of, and what they ask of the machine that runs them.

import Foundation

/// The record of a kept build. It may come from a stranger, as by a cache: what it says is checked before it is used.
struct KeptBuild: Hashable, Codable {
  /// Version of the record's format.
  static let version = 1

  /// A file of the build.
  struct File: Hashable, Codable {
    /// Where it lies relative to the executables.
    var path: String
    /// SHA-256 of its contents in hexadecimal digits, which it is kept under.
    var hash: String
    /// Its bytes.
    var size: Int
    /// Whether it can be started.
    var isExecutable: Bool
  }

  /// Version of the format.
  var version = KeptBuild.version
  /// When it was kept, after ISO 8601.
  var saved: String
  /// The commit that the run was measured at, as its results say.
  var commit: String
  /// What it asks of the machine.
  var terms: BuildTerms
  /// The run's result file.
  var results: File
  /// File names of the benchmark executables.
  var executables: [String]
  /// Everything that they need, themselves included.
  var files: [File]

  /// Bytes of its files.
  var size: Int { ([results] + files).reduce(0) { boundedSum($0, $1.size) } }

  /// Reads a record.
  ///
  /// - Throws: `KeptBuilds.Failure.damaged` where it is of another format, or names files outside of its folder.
  init(_ bytes: [UInt8], path: String) throws(KeptBuilds.Failure) {
    do {
      self = try decoded(KeptBuild.self, fromJSON: bytes)
    } catch {
      throw .damaged(path: path, reason: "it is no record of a kept build: \(Self.words(for: error))")
    }
    guard version == Self.version else {
      throw .damaged(path: path, reason: "field 'version': expected \(Self.version), found \(version)")
    }
    for file in [results] + files {
      guard Self.isPlain(file.path) else {
        throw .damaged(path: path, reason: "field 'path': '\(file.path)' is no path below a folder")
      }
      guard Self.isHash(file.hash) else {
        throw .damaged(path: path, reason: "field 'hash' of \(file.path): expected 64 hexadecimal digits")
      }
      guard file.size >= 0 else { throw .damaged(path: path, reason: "field 'size' of \(file.path): below 0") }
      guard file.size <= ResultFormat.largestCount else {
        throw .damaged(path: path, reason: "field 'size' of \(file.path): above \(ResultFormat.largestCount)")
      }
    }
    guard Set(files.map(\.path)).count == files.count else {
      throw .damaged(path: path, reason: "field 'files': a path is there twice")
    }
    for name in executables where !files.contains(where: { $0.path == name && $0.isExecutable }) {
      throw .damaged(path: path, reason: "field 'executables': there is no executable file '\(name)'")
    }
    guard !executables.isEmpty else { throw .damaged(path: path, reason: "field 'executables': none is named") }
  }

  /// Makes a record.
  init(
    saved: String, commit: String, terms: BuildTerms, results: File, executables: [String], files: [File]
  ) {
    self.saved = saved
    self.commit = commit
    self.terms = terms
    self.results = results
    self.executables = executables
    self.files = files
  }

  /// The record as it is kept.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { preconditionFailure("plain fields can always be encoded") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// Whether a path leads to a place below the folder that it is relative to.
  static func isPlain(_ path: String) -> Bool {
    guard !path.isEmpty, !path.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
      return false
    }
    return path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0 != "." && $0 != ".."
    }
  }

  private static func isHash(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func words(for error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    func field(_ path: [any CodingKey], _ last: (any CodingKey)? = nil) -> String {
      "field '" + (path + [last].compactMap { $0 }).map(\.stringValue).joined(separator: ".") + "'"
    }
    switch error {
    case .keyNotFound(let key, let context): return field(context.codingPath, key) + " is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return field(context.codingPath) + ": \(context.debugDescription)"
    case .dataCorrupted(let context): return context.debugDescription
    @unknown default: return "\(error)"
    }
  }
}
