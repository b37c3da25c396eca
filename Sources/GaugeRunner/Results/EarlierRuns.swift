// The folder of what earlier runs of a package are remembered by.

import Foundation

/// The earlier runs that are remembered: a file each, the newest of them.
struct EarlierRuns {
  /// The folder that they lie in.
  let folder: String

  /// Runs that are kept; the oldest beyond are removed.
  static let capacity = 60

  /// - Parameter package: The package's folder.
  static func path(in package: String) -> String { package + "/.gauge/earlier" }

  /// What tells a result file from others.
  static func hash(_ bytes: [UInt8]) -> String { String(SHA256.hexadecimal(bytes).prefix(16)) }

  /// Names of the files, the oldest first.
  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".csv") }.sorted()
  }

  /// Reads the newest of them, as many as are kept.
  ///
  /// - Throws: `ResultFile.Failure` for a file that is damaged or can't be read.
  func read() throws(ResultFile.Failure) -> [EarlierRun] { try read(Array(names.suffix(Self.capacity))) }

  /// Reads files of these names. One that is gone was among the oldest: a run that has ended meanwhile has removed it.
  func read(_ names: [String]) throws(ResultFile.Failure) -> [EarlierRun] {
    var runs: [EarlierRun] = []
    for path in names.map({ folder + "/" + $0 }) {
      do throws(ResultFile.Failure) {
        let bytes = try TableFile.contents(of: path, isTyped: false)
        // What other numbers were remembered by says nothing of these.
        if Self.isOf(EarlierRun.formerVersions, bytes) { continue }
        runs.append(try EarlierRun(bytes, path: path))
      } catch {
        guard case .missing = error else { throw error }
      }
    }
    return runs
  }

  private func isEarlierRun(_ name: String) -> Bool {
    guard let bytes = try? Files.contents(of: folder + "/" + name) else { return false }
    return Self.isOf([EarlierRun.version] + EarlierRun.formerVersions, bytes)
  }

  private static func isOf(_ versions: [String], _ file: [UInt8]) -> Bool {
    versions.contains { file.starts(with: ($0 + "\n").utf8) }
  }

  /// Remembers a run, once however often it is added.
  ///
  /// - Parameters:
  ///   - results: What it measured.
  ///   - hash: Hash of the result file.
  /// - Returns: Why it is not remembered; `nil` if it is, now or before.
  /// - Throws: `SystemError` where the file can't be written.
  @discardableResult
  func add(_ results: Results, hash: String) throws(SystemError) -> String? {
    let run = EarlierRun(results)
    if run.levels.isEmpty { return "it has no times" }
    if run.build.isEmpty { return "it doesn't say of which build it is" }
    // A part of a run teaches little, and would count as a run.
    if let part = results.incompleteness { return "it is incomplete: \(part)" }
    let date = (results.environment("date") ?? "").unicodeScalars.filter { scalar in
      scalar == "-" || scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }
    let path = "\(folder)/\(String(date).prefix(40))-\(hash).csv"
    guard Files.stamp(of: path) == nil else { return nil }
    try Files.makeFolder(folder)
    try Files.replace(path, with: Array(run.text.utf8))
    // What is not one of them stays.
    for name in names.dropLast(Self.capacity) where isEarlierRun(name) { Files.remove(folder + "/" + name) }
    return Files.stamp(of: path) == nil ? "the \(Self.capacity) that are kept are newer" : nil
  }
}
