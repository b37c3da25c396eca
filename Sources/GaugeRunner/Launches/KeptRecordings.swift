// Recorded launches beside the kept builds: an executable that was recorded once is not run again for it.

import Foundation

/// The recorded launches that a package keeps, by the content of their executables.
struct KeptRecordings {
  /// The folder that they lie in.
  let folder: String
  /// The user's environment, of which launches get a part.
  let environment: [String: String]

  /// Recordings of one executable.
  struct Recordings: Hashable, Codable {
    /// Version of the format, and of what is recorded.
    static let version = 3

    var version = Recordings.version
    /// The system's libraries that were executed, with their sizes and times of change.
    var libraries: [String: String] = [:]
    /// Launches by title.
    var launches: [String: RecordedLaunch] = [:]
  }

  /// Executables whose recordings are kept, those that were used last.
  static let most = 16

  /// - Parameters:
  ///   - package: The package's folder.
  ///   - environment: The user's environment.
  init(package: String, environment: [String: String]) {
    folder = package + "/.gauge/recordings"
    self.environment = environment
  }

  /// What is kept of an executable; nothing where the system's libraries are others now.
  ///
  /// - Parameter content: The executable.
  func recordings(of content: [UInt8]) -> Recordings {
    guard let bytes = try? Files.plainContents(of: path(of: content), limit: 1 << 28),
      let kept = try? decoded(Recordings.self, fromJSON: bytes), kept.version == Recordings.version,
      kept.libraries.allSatisfy({ Self.stamp(of: $0.key) == $0.value })
    else { return Recordings() }
    return kept
  }

  /// Keeps recordings. Where that fails the next comparison takes longer, so that nothing is said about it.
  func keep(_ recordings: Recordings, of content: [UInt8]) {
    guard let data = try? JSONEncoder().encode(recordings) else { return }
    try? Files.makeFolder(folder)
    _ = try? Files.replace(path(of: content), with: Array(data))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let byAge = names.sorted {
      (Files.stamp(of: "\(folder)/\($0)")?.modified ?? 0, $0) > (Files.stamp(of: "\(folder)/\($1)")?.modified ?? 0, $1)
    }
    for name in byAge.dropFirst(Self.most) { Files.remove("\(folder)/\(name)") }
  }

  /// What says that a file is the same as before.
  static func stamp(of path: String) -> String {
    Files.stamp(of: path).map { "\($0.size) bytes, \($0.modified) ns" } ?? ""
  }

  /// What a launch executes depends on the executable, and on the variables that it gets.
  private func path(of content: [UInt8]) -> String {
    let variables = environment.filter { $0.key.hasPrefix("GAUGE_") || $0.key == "LD_LIBRARY_PATH" }
    let lines = variables.map { "\($0.key)=\($0.value)\n" }.sorted().joined()
    return "\(folder)/\(SHA256.hexadecimal(Array((SHA256.hexadecimal(content) + "\n" + lines).utf8))).json"
  }
}
