// Builds of two revisions of a package, both in one and the same folder, so that unchanged code gives the same binary.

import Foundation

/// The revisions of a package, and their benchmark executables.
///
/// A worktree under `.gauge/ab` is set to one revision after the other and built there; what was built is copied aside.
/// One place for both, as paths end up in binaries, and so that the second build only compiles what differs. A side
/// whose revision has been built before is taken as it is.
struct Revisions {
  /// The package, as it is checked out by its developer.
  let package: BenchmarkPackage

  /// A side that is built.
  struct Side: Hashable {
    /// The commit.
    var commit: String
    /// Paths of its benchmark executables.
    var executables: [String]
    /// Names of targets that don't compile.
    var uncompiled: [String] = []
  }

  /// What the toolchain that builds calls itself.
  var toolchain: String { Self.toolchain(package.swift) }

  /// What a toolchain calls itself.
  static func toolchain(_ swift: String) -> String {
    Fingerprint.firstLine(Command(program: swift, arguments: ["--version"])).description
  }

  private var folder: String { package.scratch + "/ab" }
  private var tree: String { folder + "/tree" }

  /// The commit that a revision names.
  ///
  /// - Throws: `PackageFailure.noCommit` where there is none, and `.toolFailed` where there is no repository.
  func commit(of revision: String) throws(PackageFailure) -> String {
    do throws(PackageFailure) {
      return try git(["-C", package.folder, "rev-parse", "--verify", "--end-of-options", revision + "^{commit}"])
    } catch {
      // Outside of a repository this fails, too, and says so.
      let isShallow = try isShallow
      throw .noCommit(revision: revision, isShallow: isShallow)
    }
  }

  /// Whether the clone has only the last commits.
  var isShallow: Bool {
    get throws(PackageFailure) {
      try git(["-C", package.folder, "rev-parse", "--is-shallow-repository"]) == "true"
    }
  }

  /// What names the content of a commit, apart from its history.
  func content(of commit: String) throws(PackageFailure) -> String {
    try git(["-C", package.folder, "rev-parse", "--verify", "--end-of-options", commit + "^{tree}"])
  }

  /// A commit as its history has it.
  struct Commit: Hashable {
    /// Its name in hexadecimal digits.
    var hash: String
    /// Those that it was made on, the one of its own branch first.
    var parents: [String]
    /// The first line of what it says of itself.
    var subject: String
  }

  /// The commits from one to a later one, each made on the one before: along the branch of the later one where that
  /// leads to the first, else through merged ones.
  ///
  /// - Parameters:
  ///   - good: The first.
  ///   - bad: The last.
  /// - Returns: Both and those between, one where they are the same; nothing where the later one was not made on the
  ///   first.
  func line(from good: String, to bad: String) throws(PackageFailure) -> [Commit] {
    func commits(_ arguments: [String]) throws(PackageFailure) -> [Commit] {
      let words = ["-C", package.folder, "log", "--no-show-signature", "--no-color", "--format=%H%x09%P%x09%s"]
      return try git(words + arguments, reportLimit: Self.logLimit).split(separator: "\n").compactMap { line in
        let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 3 else { return nil }
        return Commit(
          hash: fields[0], parents: fields[1].split(separator: " ").map(String.init), subject: fields[2])
      }
    }
    let known = Dictionary(
      try commits(["--ancestry-path", "\(good)..\(bad)"]).map { ($0.hash, $0) }, uniquingKeysWith: { first, _ in first }
    )
    guard let first = try commits(["-1", good]).first else { return [] }
    guard good != bad else { return [first] }
    guard var commit = known[bad] else { return [] }
    var line = [commit]
    while let parent = commit.parents.first(where: { $0 == good || known[$0] != nil }), parent != good {
      guard let next = known[parent] else { break }
      commit = next
      line.append(commit)
    }
    return [first] + line.reversed()
  }

  /// Bytes of what git tells of many commits: a cut list would be a shorter history.
  private static let logLimit = 1 << 28

  /// Whether a text is a commit's name in full, whoever has written it.
  static func isHash(_ text: String) -> Bool {
    [40, 64].contains(text.utf8.count) && text.utf8.allSatisfy("0123456789abcdef".utf8.contains)
  }

  /// The places of commits in an order in which each comes behind those that it was made on.
  ///
  /// - Parameter commits: Some commits, by what may be their names; one that there isn't is left out.
  /// - Returns: The places of these and of all that led to them.
  func order(of commits: [String]) throws(PackageFailure) -> [String: Int] {
    let names = Set(commits.filter(Self.isHash))
    guard !names.isEmpty else { return [:] }
    let words = ["-C", package.folder, "rev-list", "--topo-order", "--reverse", "--ignore-missing"]
    let lines = try git(words + names.sorted(), reportLimit: Self.logLimit).split(separator: "\n")
    return Dictionary(
      lines.enumerated().map { (String($0.element), $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  /// The files and folders of the package that git neither knows nor ignores.
  func unknownFiles() throws(PackageFailure) -> [String] {
    try git(["-C", package.folder, "status", "--porcelain", "--untracked-files=normal", "--", "."])
      .split(separator: "\n").filter { $0.hasPrefix("?? ") }.map { String($0.dropFirst(3)) }
  }

  /// A commit of what lies in the developer's folder: changes to tracked files included,
  /// files that git doesn't know not.
  ///
  /// Nothing of the folder or its branch is touched.
  func workingTree() throws(PackageFailure) -> String {
    // Where a file has another time and the same content, `stash` fails until somebody has looked at it.
    _ = try git(["-C", package.folder, "status", "--porcelain"])
    let stash = try git([
      "-C", package.folder, "-c", "user.name=gauge", "-c", "user.email=gauge@localhost", "stash", "create",
    ])
    return try stash.isEmpty ? commit(of: "HEAD") : stash
  }

  /// Builds a commit, or takes what the same toolchain has built of it before.
  ///
  /// - Parameters:
  ///   - commit: The commit.
  ///   - name: The folder that it is copied to, such as `base` or `new`.
  ///   - filters: Patterns of benchmarks; executables that they don't need may be left out.
  ///   - change: What is done otherwise than where the package is built usually.
  func build(
    _ commit: String, as name: String, filters: [String] = [], change: BuildChange = BuildChange()
  ) throws(PackageFailure) -> Side {
    let place = "\(folder)/\(name)"
    let toolchain = change.swift.map(Self.toolchain) ?? toolchain
    if change.isKeepable, let kept = kept(in: place), kept.commit == commit, kept.toolchain == toolchain,
      kept.change == change.key, kept.isWhole || kept.filters == filters
    {
      return kept.side(in: place)
    }
    let checkedOut = try checkedOut(commit, change)
    let built = try DependencyChange.with(change.dependencies, in: checkedOut) { () throws(PackageFailure) in
      try ChosenBuild(checkedOut, filters: filters, lists: package.scratch + "/lists")
    }
    let files = try BuiltFiles(of: built.executables)
    _ = try files.copy(to: place, below: package.folder)
    do {
      let hashes = try files.files.map {
        ($0.path, SHA256.hexadecimal(try Files.plainContents(of: "\(place)/\($0.path)")))
      }
      let note = Kept(
        commit: commit, toolchain: toolchain, change: change.key, executables: files.executables,
        hashes: Dictionary(uniqueKeysWithValues: hashes), uncompiled: built.uncompiled,
        isWhole: built.unneeded.isEmpty, filters: filters)
      // Last, so that a side that was copied in part is built again.
      try Files.replace(place + "/side.json", with: Array(JSONEncoder().encode(note)))
      return note.side(in: place)
    } catch {
      throw .toolFailed(what: "copying the build to \(place)", output: "\(error)")
    }
  }

  /// Makes sure that a commit's package has the dependencies that a change names, and builds nothing.
  ///
  /// - Throws: `PackageFailure.noDependency` where it hasn't.
  func expectDependencies(of change: BuildChange, in commit: String) throws(PackageFailure) {
    guard !change.dependencies.isEmpty else { return }
    try DependencyChange.identities(of: change.dependencies, in: checkedOut(commit, change))
  }

  /// Checks a commit out.
  ///
  /// - Returns: Its package. Above the worktree lies the developer's own one, which is another one than the commit's.
  private func checkedOut(_ commit: String, _ change: BuildChange) throws(PackageFailure) -> BenchmarkPackage {
    // In capital or small letters, as some file systems don't tell them apart.
    let tracked = try git(["-C", package.folder, "ls-tree", "-z", "--name-only", commit])
    if let file = tracked.split(separator: "\0").first(where: { $0.lowercased() == OwnFolder.name }) {
      throw .foreign(path: String(file), reason: "commit \(commit.prefix(12)) has it in git")
    }
    let prefix = try git(["-C", package.folder, "rev-parse", "--show-prefix"])
    try checkOut(commit, keeping: prefix + ".gauge")
    let found = try? BenchmarkPackage(around: "\(tree)/\(prefix)", swift: package.swift, change: change)
    guard let found, found.folder == tree || found.folder.hasPrefix(tree + "/") else {
      throw .noPackageYet(commit: commit)
    }
    return found
  }

  /// What a side's folder holds.
  private struct Kept: Codable {
    var commit: String
    /// What the toolchain that built it calls itself.
    var toolchain: String
    /// What was done otherwise than usually; `nil` for nothing.
    var change: String?
    /// File names of the executables.
    var executables: [String]
    /// SHA-256 of every file by its path in the folder.
    var hashes: [String: String]
    var uncompiled: [String]
    /// Whether every executable was built, whatever the filters.
    var isWhole: Bool
    var filters: [String]

    func side(in place: String) -> Side {
      Side(commit: commit, executables: executables.map { "\(place)/\($0)" }, uncompiled: uncompiled)
    }
  }

  /// What is kept in a folder, where every file lies below it and is what it was when it was kept.
  private func kept(in place: String) -> Kept? {
    guard Files.kind(of: folder) == .folder, Files.kind(of: place) == .folder,
      let bytes = try? Files.plainContents(of: place + "/side.json", limit: 1 << 24),
      let kept = try? decoded(Kept.self, fromJSON: bytes),
      kept.executables.allSatisfy({ kept.hashes[$0] != nil }),
      kept.hashes.allSatisfy({ path, hash in
        let content = KeptBuild.isPlain(path) ? try? Files.plainContents(of: "\(place)/\(path)") : nil
        return content.map(SHA256.hexadecimal) == hash
      })
    else { return nil }
    return kept
  }

  /// Sets the worktree to a commit.
  ///
  /// A cache of continuous integration brings the folder into a clone that knows of no such worktree: it is made anew
  /// then, and what was built in it stays.
  ///
  /// - Parameters:
  ///   - commit: The commit.
  ///   - scratch: What was built, relative to the worktree.
  private func checkOut(_ commit: String, keeping scratch: String) throws(PackageFailure) {
    if Files.stamp(of: tree + "/.git") != nil,
      (try? git(["-C", tree, "checkout", "--force", "--detach", commit])) != nil
    {
      // What another commit's build has left, as versions of dependencies that git doesn't track, is none of this one.
      _ = try git(["-C", tree, "clean", "-ffdxq", "--exclude=/\(scratch)"])
      return
    }
    let kept = folder + "/kept"
    let manager = FileManager.default
    // What isn't there can't be moved or removed, and git says what stands in its way.
    try? manager.removeItem(atPath: kept)
    try? manager.moveItem(atPath: "\(tree)/\(scratch)", toPath: kept)
    try? manager.removeItem(atPath: tree)
    _ = try git(["-C", package.folder, "worktree", "prune"])
    _ = try git(["-C", package.folder, "worktree", "add", "--force", "--detach", tree, commit])
    try? manager.moveItem(atPath: kept, toPath: "\(tree)/\(scratch)")
  }

  /// Runs git.
  ///
  /// - Parameters:
  ///   - arguments: Its arguments.
  ///   - reportLimit: Most bytes of what it prints.
  /// - Returns: What it prints, without the last line feed.
  private func git(
    _ arguments: [String], reportLimit: Int = ProcessRun.reportLimit
  ) throws(PackageFailure) -> String {
    let command = Command.git(arguments)
    let run: ProcessRun
    do throws(SystemError) {
      run = try ProcessRun.capturing(command, reportOn: 1, reportLimit: reportLimit)
    } catch {
      throw .toolFailed(what: command.line, output: error.description)
    }
    guard run.succeeded else { throw .toolFailed(what: command.line, output: run.output) }
    return run.report.trimmingCharacters(in: .newlines)
  }
}
