// What benchmark executables need beside them to run: the hooks, resources, and libraries of the package.

import Foundation

/// The files of a build that its executables can't do without.
struct BuiltFiles {
  /// One of them.
  struct File: Hashable {
    /// Where it has to lie, relative to the executables.
    var path: String
    /// Where it is.
    var source: String
  }

  /// All of them, the executables first.
  private(set) var files: [File] = []
  /// File names of the executables.
  let executables: [String]

  /// Finds what executables need beside them.
  ///
  /// - Parameter executables: Their paths.
  /// - Throws: `PackageFailure.missingExecutable`, and `.toolFailed` where two files would have the same name.
  init(of executables: [String]) throws(PackageFailure) {
    self.executables = executables.map { ($0 as NSString).lastPathComponent }
    for (path, name) in zip(executables, self.executables) {
      guard Files.stamp(of: path) != nil else { throw .missingExecutable(path: path) }
      try add(name, path)
    }
    for path in executables { try addLibraries(of: path) }
    for folder in Set(executables.map { ($0 as NSString).deletingLastPathComponent }).sorted() {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? [] {
        let path = "\(folder)/\(name)"
        if name.hasSuffix(".resources") || name.hasSuffix(".bundle") {
          for part in (try? FileManager.default.subpathsOfDirectory(atPath: path))?.sorted() ?? [] {
            try add("\(name)/\(part)", "\(path)/\(part)")
          }
        } else if name == CountingLibraries.hooksName || name == GaugeSources.noteName || name.hasSuffix(".dylib") {
          try add(name, path)
        }
      }
    }
  }

  /// Adds a file; a folder is known by the files in it.
  private mutating func add(_ path: String, _ source: String) throws(PackageFailure) {
    guard Files.stamp(of: source) != nil, Files.kind(of: source + "/.") == nil else { return }
    if let known = files.first(where: { $0.path == path }) {
      guard known.source != source else { return }
      throw .toolFailed(
        what: "putting a build together", output: "two of its files are named \(path): \(known.source) and \(source)")
    }
    files.append(File(path: path, source: source))
  }

  /// Adds the libraries that lie beside a file and that the loader has to find for it, and those that they need.
  private mutating func addLibraries(of path: String) throws(PackageFailure) {
    guard let bytes = try? Files.contents(of: path), let elf = ElfFile(bytes) else { return }
    let folder = Files.folder(of: path)
    for name in elf.neededLibraries where !name.contains("/") && !files.contains(where: { $0.path == name }) {
      let library = "\(folder)/\(name)"
      guard Files.stamp(of: library) != nil else { continue }
      try add(name, library)
      try addLibraries(of: library)
    }
  }

  /// Copies them into a folder in place of what was in it.
  ///
  /// - Parameters:
  ///   - folder: The folder, absolute.
  ///   - root: The folder above it below which nothing may be a link.
  ///   - stripper: What takes debug information out of executables and libraries; `nil` leaves it in them.
  /// - Returns: Paths of the executables there.
  /// - Throws: `PackageFailure.toolFailed` where a file can't be copied.
  func copy(
    to folder: String, below root: String, stripper: DebugStripper? = nil
  ) throws(PackageFailure) -> [String] {
    let failure = "copying the build to \(folder)"
    do {
      try? FileManager.default.removeItem(atPath: folder)
      for file in files {
        let target = "\(folder)/\(file.path)"
        try Files.makeFolder(
          String(Files.folder(of: target).dropFirst(root.count + 1)), below: root)
        // A child process writes it: this one may be starting another child meanwhile, which would hold the file open.
        let run = try ProcessRun.capturing(Command(program: "cp", arguments: ["--", file.source, target]))
        guard run.succeeded else { throw PackageFailure.toolFailed(what: failure, output: run.output) }
        if let stripper, !file.path.contains("/") { _ = stripper.strip(target) }
      }
    } catch let error as PackageFailure {
      throw error
    } catch {
      throw .toolFailed(what: failure, output: "\(error)")
    }
    return executables.map { "\(folder)/\($0)" }
  }
}
