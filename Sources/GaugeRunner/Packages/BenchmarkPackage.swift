// A Swift package with benchmarks: where it is, and which of its targets are benchmark executables.

import Foundation

/// A Swift package on disk.
struct BenchmarkPackage: Hashable {
  /// The folder of its `Package.swift`, absolute.
  let folder: String
  /// The package manager: a path, or a name that is looked for in `PATH`.
  let swift: String
  /// What is done otherwise where it is built.
  var change = BuildChange()

  /// Finds the package that a folder lies in.
  ///
  /// - Parameters:
  ///   - start: The folder, absolute or relative to the current one.
  ///   - swift: The package manager.
  ///   - change: What is done otherwise where it is built.
  /// - Throws: `PackageFailure.noPackage`.
  init(
    around start: String, swift: String = "swift", change: BuildChange = BuildChange()
  ) throws(PackageFailure) {
    var folder = URL(fileURLWithPath: start).standardizedFileURL.path
    while Files.stamp(of: folder + "/Package.swift") == nil {
      guard folder != "/", !folder.isEmpty else { throw .noPackage(folder: start) }
      folder = Files.folder(of: folder)
    }
    self.folder = folder
    self.swift = change.swift ?? swift
    self.change = change
  }

  /// Folder that holds what `gauge` makes: its own build, apart from `.build`, and its notes.
  var scratch: String { folder + "/.gauge" }

  /// Folder that it is built into: one for each change of how that is done.
  var buildFolder: String { scratch + "/build" + suffix }

  private var suffix: String { change.key.map { "-" + $0 } ?? "" }

  /// The targets of a package that matter here.
  struct Targets: Hashable, Codable {
    /// Names of the executable targets whose sources lie under `Benchmarks/`, sorted.
    var benchmarks: [String]
    /// Whether the hooks are a target of the package itself, so that building it builds them. Other packages have them
    /// as a product of a dependency, which is built only when asked for.
    var includeHooks: Bool
    /// The folders of sources that a benchmark target is made of, those of targets of the package that it depends on
    /// included, relative to the package.
    var sources: [String: [String]]

    /// The targets of a description.
    init(_ description: Description) {
      let known = Dictionary(description.targets.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      func reached(from name: String) -> Set<String> {
        var reached: Set<String> = []
        var coming = [name]
        while let next = coming.popLast() {
          guard let target = known[next], reached.insert(next).inserted else { continue }
          coming += target.target_dependencies ?? []
        }
        return reached
      }
      let chosen = description.targets.filter { $0.type == "executable" && $0.path.hasPrefix("Benchmarks/") }
      // No package has two targets of one name, but a description might.
      benchmarks = Set(chosen.map(\.name)).sorted()
      includeHooks = description.targets.contains { $0.name == CountingLibraries.hooksProduct }
      sources = Dictionary(
        uniqueKeysWithValues: benchmarks.map { ($0, reached(from: $0).compactMap { known[$0]?.path }.sorted()) })
    }
  }

  /// The targets of the package that matter here.
  ///
  /// Asking the package manager costs time, so that the answer is kept beside the build until the manifest changes.
  /// What the package depends on is fetched before, and what the package manager prints then goes to standard error.
  ///
  /// - Throws: `PackageFailure.toolFailed`, `.noBenchmarks`.
  func targets() throws(PackageFailure) -> Targets {
    let stamp = manifestStamp()
    if let kept = kept(), kept.manifest == stamp { return kept.targets }
    // First, as it tells how far it is: who asks for the targets waits for one answer.
    try PackageBuild.fetch(self)
    let targets = Targets(try describe())
    guard !targets.benchmarks.isEmpty else { throw .noBenchmarks(package: folder) }
    keep(Note(manifest: stamp, targets: targets))
    return targets
  }

  /// What the package manager tells of a package, as far as it is needed here.
  struct Description: Decodable {
    /// A target of the package.
    struct Target: Decodable {
      /// Its name, which is also the name of the executable that is built from it.
      var name: String
      /// `executable`, `library`, `test` and others.
      var type: String
      /// Folder of its sources, relative to the package.
      var path: String
      /// Names of the targets of the package that it depends on, under the name that the package manager gives them.
      var target_dependencies: [String]?
    }

    /// All targets, tests included.
    var targets: [Target]
  }

  private func describe() throws(PackageFailure) -> Description {
    let command = Command(
      program: swift,
      arguments: [
        "package", "--package-path", folder, "--scratch-path", buildFolder, "describe", "--type", "json",
      ])
    let run: ProcessRun
    do throws(SystemError) {
      run = try ProcessRun.capturing(command, reportOn: 1)
    } catch {
      throw .toolFailed(what: command.line, output: error.description)
    }
    guard run.succeeded else { throw .toolFailed(what: command.line, output: run.output) }
    do {
      return try decoded(Description.self, fromJSON: run.report.utf8)
    } catch {
      throw .toolFailed(what: command.line, output: "its answer is not what was expected: \(error)")
    }
  }

  /// The kept answer, and the manifest that it is the answer for.
  private struct Note: Codable {
    var manifest: String
    var targets: Targets
  }

  private var notePath: String { scratch + "/benchmark-targets\(suffix).json" }

  private func manifestStamp() -> String {
    let stamp = Files.stamp(of: folder + "/Package.swift")
    return "\(stamp?.size ?? 0) bytes, \(stamp?.modified ?? 0) ns"
  }

  private func kept() -> Note? {
    (try? Files.contents(of: notePath)).flatMap { try? decoded(Note.self, fromJSON: $0) }
  }

  /// Keeps an answer. Where that fails the next start only takes longer, so that nothing is said about it.
  private func keep(_ note: Note) {
    guard let data = try? JSONEncoder().encode(note) else { return }
    try? Files.makeFolder(scratch)
    _ = try? Files.replace(notePath, with: Array(data))
  }
}
