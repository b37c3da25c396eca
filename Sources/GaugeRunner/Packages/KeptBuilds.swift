// The builds that baselines keep on this machine, so that a baseline can be measured anew beside today's build.

import Foundation

/// The kept builds of a package, in `.gauge/kept`: a record per baseline, and every file once,
/// under its content's hash.
///
/// The folder needs nothing outside of itself, so that a cache can carry it from one clone to the next. Nothing in it
/// is run before its content was held against its hash.
struct KeptBuilds {
  /// Why a build can't be kept or had.
  enum Failure: Error, Hashable {
    /// A file isn't what it should be.
    case damaged(path: String, reason: String)
    /// A file can't be written.
    case unwritable(path: String, reason: String)
    /// The limit of space would be exceeded.
    case full(needed: Int, taken: [Taken], limit: Int)
  }

  /// What a baseline's files take.
  struct Taken: Hashable {
    /// Name of the baseline.
    var name: String
    /// Bytes, those included that it shares with others.
    var size: Int
  }

  /// Folder of the package, absolute.
  let package: String

  /// Where everything is kept, relative to the package.
  var place = ".gauge/kept"
  /// The folder of everything that is kept.
  var folder: String { "\(package)/\(place)" }
  private var objects: String { folder + "/objects" }

  /// Bytes that kept builds may take where nothing else is said.
  static let usualLimit = 2048 * 1_048_576

  /// Name of the baseline that `gauge baseline accept` moves: this machine's own.
  static let accepted = "accepted"

  /// Names of baselines that have a kept build, sorted.
  var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.filter(Baselines.isName).sorted()
  }

  private func record(of name: String) -> String { "\(folder)/\(name).json" }
  private func object(_ file: KeptBuild.File) -> String { "\(objects)/\(file.hash)" }

  /// The kept build of a baseline; `nil` where it has none.
  ///
  /// - Throws: `Failure.damaged` where its record is.
  func build(named name: String) throws(Failure) -> KeptBuild? {
    guard Baselines.isName(name), Files.kind(of: record(of: name)) != nil else { return nil }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.plainContents(of: record(of: name), limit: 1 << 24)
    } catch {
      throw .damaged(path: record(of: name), reason: error.reason)
    }
    return try KeptBuild(bytes, path: record(of: name))
  }

  /// What a build that is to be kept comes from.
  struct Source {
    /// The run's result file; nothing of a build that belongs to no run.
    var results: [UInt8]
    /// The commit that the results name, or that it was built of.
    var commit: String
    /// The executables that it was measured with.
    var executables: [String]
    /// Their conditions.
    var terms: BuildTerms
    /// The moment.
    var date: Date
  }

  /// Keeps a build for a baseline, in place of the one that it had.
  ///
  /// - Parameters:
  ///   - name: Name of the baseline.
  ///   - source: The build.
  ///   - stripper: What takes debug information apart.
  ///   - limit: Bytes that all kept builds may take; files that no baseline refers to make room, oldest first.
  /// - Returns: The record.
  /// - Throws: `Failure`, and `PackageFailure` of the build's files as `damaged`; what was kept before stays then.
  func keep(
    _ name: String, _ source: Source, stripper: DebugStripper?, limit: Int
  ) throws(Failure) -> KeptBuild {
    let incoming = "\(folder)/incoming"
    do throws(SystemError) {
      try Files.makeFolder(place + "/objects", below: package)
    } catch {
      throw .unwritable(path: folder, reason: "\(error)")
    }
    let lock = try lock()
    defer {
      try? FileManager.default.removeItem(atPath: incoming)
      lock?.hold()
    }
    do throws(PackageFailure) {
      _ = try BuiltFiles(of: source.executables).copy(to: incoming, below: package, stripper: stripper)
    } catch {
      throw .damaged(path: incoming, reason: "\(error)")
    }
    let results = KeptBuild.File(
      path: "results.csv", hash: SHA256.hexadecimal(source.results), size: source.results.count, isExecutable: false)
    var files: [KeptBuild.File] = []
    for path in ((try? FileManager.default.subpathsOfDirectory(atPath: incoming)) ?? []).sorted()
    where Files.kind(of: "\(incoming)/\(path)") == .file {
      let bytes = try contents("\(incoming)/\(path)")
      files.append(
        KeptBuild.File(
          path: path, hash: SHA256.hexadecimal(bytes), size: bytes.count,
          isExecutable: FileManager.default.isExecutableFile(atPath: "\(incoming)/\(path)")))
    }
    let build = KeptBuild(
      saved: source.date.formatted(.iso8601), commit: source.commit, terms: source.terms, results: results,
      executables: source.executables.map { ($0 as NSString).lastPathComponent }, files: files)
    try makeRoom(for: build, replacing: name, limit: limit)
    do throws(SystemError) {
      if !isKept(results) { try Files.replace(object(results), with: source.results) }
      for file in files where !isKept(file) { try Files.rename("\(incoming)/\(file.path)", to: object(file)) }
      // Last, so that a record never names what isn't there yet.
      try Files.replace(record(of: name), with: Array(build.text.utf8))
    } catch {
      throw .unwritable(path: folder, reason: "\(error)")
    }
    return build
  }

  /// Whether a file is there with its content; it becomes young again then.
  private func isKept(_ file: KeptBuild.File) -> Bool {
    guard let bytes = try? Files.plainContents(of: object(file)), SHA256.hexadecimal(bytes) == file.hash else {
      return false
    }
    Files.touch(object(file))
    return true
  }

  /// Locks the folder for this process, and makes sure that it is none that a link leads to.
  private func lock() throws(Failure) -> FolderLock? {
    for path in ["\(package)/.gauge", folder, objects] where Files.kind(of: path) == .link {
      throw .unwritable(path: path, reason: "it is a link")
    }
    do throws(FolderLock.Taken) {
      return try FolderLock.take(folder)
    } catch {
      throw .unwritable(
        path: folder, reason: "another gauge is at work there" + (error.process.map { ", process \($0)" } ?? ""))
    }
  }

  private func contents(_ path: String) throws(Failure) -> [UInt8] {
    do throws(SystemError) {
      return try Files.plainContents(of: path)
    } catch {
      throw .damaged(path: path, reason: error.reason)
    }
  }

  /// A file that is kept, and what is known of it.
  private struct Object {
    var hash: String
    var size: Int
    var modified: Int
  }

  private func kept() -> [Object] {
    ((try? FileManager.default.contentsOfDirectory(atPath: objects)) ?? []).compactMap { hash in
      Files.stamp(of: "\(objects)/\(hash)").map { Object(hash: hash, size: $0.size, modified: $0.modified) }
    }
  }

  /// Hashes that baselines refer to, less those of one that is about to change.
  private func referred(except name: String? = nil) throws(Failure) -> [String: Set<String>] {
    var referred: [String: Set<String>] = [:]
    for other in names where other != name {
      guard let build = try build(named: other) else { continue }
      referred[other] = Set(([build.results] + build.files).map(\.hash))
    }
    return referred
  }

  /// Removes what no baseline refers to, oldest first, until a build fits.
  private func makeRoom(for build: KeptBuild, replacing name: String, limit: Int) throws(Failure) {
    let objects = kept()
    let sizes = Dictionary(uniqueKeysWithValues: objects.map { ($0.hash, $0.size) })
    let files = Dictionary(([build.results] + build.files).map { ($0.hash, $0.size) }) { first, _ in first }
    let referred = try referred(except: name)
    let bound = Set(referred.values.joined())
    let needed =
      bound.subtracting(files.keys).reduce(0) { $0 + (sizes[$1] ?? 0) } + files.values.reduce(0, +)
    guard needed <= limit else {
      let taken = referred.sorted { $0.key < $1.key }.map { name, hashes in
        Taken(name: name, size: hashes.reduce(0) { $0 + (sizes[$1] ?? 0) })
      }
      throw .full(needed: needed, taken: taken, limit: limit)
    }
    let free = objects.filter { !bound.contains($0.hash) && files[$0.hash] == nil }
    var total = needed + free.reduce(0) { $0 + $1.size }
    for object in free.sorted(by: { $0.modified < $1.modified }) where total > limit {
      Files.remove("\(self.objects)/\(object.hash)")
      total -= object.size
    }
  }

  /// Removes a baseline's kept build, and those of its files that no other refers to.
  ///
  /// - Returns: Bytes that this frees.
  /// - Throws: `Failure`.
  func remove(_ name: String) throws(Failure) -> Int {
    guard Baselines.isName(name), Files.kind(of: record(of: name)) != nil else { return 0 }
    let lock = try lock()
    defer { lock?.hold() }
    // A damaged record names nothing that could be removed with it.
    let build = try? build(named: name)
    let others = Set(try referred(except: name).values.joined())
    Files.remove(record(of: name))
    guard Files.kind(of: record(of: name)) == nil else {
      throw .unwritable(path: record(of: name), reason: "it cannot be removed")
    }
    let own = Set((build.map { [$0.results] + $0.files } ?? []).map(\.hash)).subtracting(others)
    return kept().filter { own.contains($0.hash) }.reduce(0) { freed, object in
      Files.remove("\(objects)/\(object.hash)")
      return freed + object.size
    }
  }

  /// What the kept builds take.
  struct Usage: Hashable {
    /// Bytes of all files.
    var bytes = 0
    /// Number of files.
    var files = 0
    /// Bytes of files that no baseline refers to.
    var unreferred = 0
  }

  /// What the kept builds take.
  ///
  /// - Throws: `Failure.damaged` where a record is.
  func usage() throws(Failure) -> Usage {
    let bound = Set(try referred().values.joined())
    return kept().reduce(into: Usage()) { usage, object in
      usage.bytes += object.size
      usage.files += 1
      if !bound.contains(object.hash) { usage.unreferred += object.size }
    }
  }

  /// The content of a kept file, held against its hash.
  ///
  /// - Throws: `Failure.damaged`.
  func contents(of file: KeptBuild.File) throws(Failure) -> [UInt8] {
    let bytes = try contents(object(file))
    guard SHA256.hexadecimal(bytes) == file.hash else {
      throw .damaged(path: object(file), reason: "its content is another than its name says (\(file.path))")
    }
    return bytes
  }

  /// Lays a build out in a folder, in place of what was in it, every file held against its hash where it lies then.
  ///
  /// - Parameters:
  ///   - build: The build.
  ///   - place: The folder, relative to the package.
  /// - Returns: Paths of its executables.
  /// - Throws: `Failure`.
  func layOut(_ build: KeptBuild, in place: String) throws(Failure) -> [String] {
    let target = "\(package)/\(place)"
    let lock = try lock()
    defer { lock?.hold() }
    try? FileManager.default.removeItem(atPath: target)
    for file in build.files {
      let path = "\(target)/\(file.path)"
      guard Files.kind(of: object(file)) == .file else {
        throw .damaged(
          path: object(file),
          reason: (Files.kind(of: object(file)) == nil ? "it is gone" : "it is no file") + " (\(file.path))")
      }
      do throws(SystemError) {
        let folder = Files.folder(of: path)
        try Files.makeFolder(String(folder.dropFirst(package.count + 1)), below: package)
        // A child process writes it: this one may be starting another child meanwhile, which would hold the file open.
        let run = try ProcessRun.capturing(
          Command(
            program: "install", arguments: ["-m", file.isExecutable ? "755" : "644", "--", object(file), path]))
        guard run.succeeded else { throw SystemError("copy \(object(file)) to \(path): \(run.output)", code: 5) }
      } catch {
        throw .unwritable(path: path, reason: "\(error)")
      }
      guard SHA256.hexadecimal(try contents(path)) == file.hash else {
        Files.remove(path)
        throw .damaged(path: object(file), reason: "its content is another than its name says (\(file.path))")
      }
    }
    return build.executables.map { "\(target)/\($0)" }
  }
}
