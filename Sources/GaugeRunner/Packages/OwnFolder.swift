// The folder of gauge's own files in a package, of which nothing may be a stranger's.

/// The folder `.gauge`: builds, kept executables, what earlier runs are remembered by. What is found there is run and
/// believed.
enum OwnFolder {
  /// Its name.
  static let name = ".gauge"
  /// The folders that have what was built here: this one, and the package manager's.
  static let builds = [name, ".build"]

  /// Refuses the folder where a change may have brought it along: as a link to elsewhere,
  /// or with files that git tracks.
  ///
  /// - Parameters:
  ///   - package: The folder that it lies in.
  ///   - name: Its name, or that of another folder that only this machine may have filled.
  /// - Throws: `PackageFailure.foreign`.
  static func check(in package: String, named name: String = OwnFolder.name) throws(PackageFailure) {
    let folder = "\(package)/\(name)"
    switch Files.kind(of: folder) {
    case nil: return
    case .folder: break
    case .link: throw .foreign(path: folder, reason: "it is a link")
    case .file, .pipe, .other: throw .foreign(path: folder, reason: "it is no folder")
    }
    // In capital or small letters, as some file systems don't tell them apart. Outside of git nothing is tracked.
    let command = Command.git(
      ["-C", package, "-c", "core.fsmonitor=false", "ls-files", "-z", "--", ":(icase)\(name)"])
    guard let run = try? ProcessRun.capturing(command, reportOn: 1), run.succeeded,
      let file = run.report.split(separator: "\0").first
    else { return }
    throw .foreign(path: "\(package)/\(file)", reason: "git tracks it")
  }
}
