// Building no more than some filters need, as far as lists of benchmarks from earlier builds tell.

import Foundation

/// The benchmark executables that filters may need, built.
struct ChosenBuild {
  /// Paths of the executables.
  let executables: [String]
  /// Names of targets that don't compile, and are left out.
  let uncompiled: [String]
  /// Names of targets that the filters don't need, and that weren't built.
  let unneeded: [String]

  /// Builds.
  ///
  /// A target is left out where its sources are those of an earlier list, and nothing on that list fits. Where a filter
  /// fits nothing on any list, all are built.
  ///
  /// - Parameters:
  ///   - package: The package.
  ///   - filters: Patterns; without any everything is built.
  ///   - tags: Tags of which a benchmark must have one.
  ///   - lists: Folder of the lists; that of the package where none is given.
  /// - Throws: `PackageFailure` where nothing can be built.
  init(
    _ package: BenchmarkPackage, filters: [String], tags: [String] = [], lists: String? = nil
  ) throws(PackageFailure) {
    let targets = try package.targets()
    let known = KnownLists(package, targets, folder: lists ?? package.scratch + "/lists")
    let needed = known.targets(fitting: filters, tags: tags)
    let built = try PackageBuild.build(package, needed)
    executables = built.executables
    uncompiled = built.uncompiled
    unneeded = targets.benchmarks.filter { !(needed ?? targets.benchmarks).contains($0) }
    for path in executables {
      let target = (path as NSString).lastPathComponent
      // Who asks for the list again is told what is wrong with it.
      if known.list(of: target) == nil, let points = try? BenchmarkList.points(of: [path]) {
        known.keep(points, of: target)
      }
    }
  }
}

/// Lists of benchmarks by the sources that they were made from.
struct KnownLists {
  private let folder: String
  private let targets: [String]
  private let keys: [String: String]

  /// - Parameters:
  ///   - package: The package.
  ///   - targets: Its targets.
  ///   - folder: Where the lists are kept.
  init(_ package: BenchmarkPackage, _ targets: BenchmarkPackage.Targets, folder: String) {
    self.folder = folder
    self.targets = targets.benchmarks
    let hashes = Dictionary(
      uniqueKeysWithValues: Set(targets.sources.values.joined()).map { folder in
        (folder, FolderHash(["\(package.folder)/\(folder)"]).hexadecimal)
      })
    keys = Dictionary(
      uniqueKeysWithValues: Set(targets.benchmarks).compactMap { target in
        guard let folders = targets.sources[target] else { return nil }
        var hash = FolderHash([])
        for folder in folders { hash.add(fact: "\(folder) \(hashes[folder] ?? "")") }
        for name in ["Package.swift", "Package.resolved"] { hash.add(file: "\(package.folder)/\(name)", as: name) }
        // Grids may go by the number of processors.
        hash.add(fact: "\(ProcessInfo.processInfo.activeProcessorCount) processors")
        return (target, "\(target)-\(hash.hexadecimal)")
      })
  }

  /// The targets that filters need; `nil` where that is all of them.
  func targets(fitting filters: [String], tags: [String]) -> [String]? {
    guard !filters.isEmpty || !tags.isEmpty else { return nil }
    let globs = filters.map(Glob.init)
    var needed: Set<String> = []
    var missing = (globs: Set(globs), tags: Set(tags))
    var hasUnknown = false
    for target in targets {
      guard let points = list(of: target) else {
        hasUnknown = true
        needed.insert(target)
        continue
      }
      for point in points where tags.isEmpty || tags.contains(where: point.tags.contains) {
        let matching = globs.filter { $0.matches(point) }
        guard globs.isEmpty || !matching.isEmpty else { continue }
        missing.globs.subtract(matching)
        missing.tags.subtract(point.tags)
        needed.insert(target)
      }
    }
    // What fits nothing on any list may be new in spite of what the sources say, and is told of by all.
    guard hasUnknown || missing.globs.isEmpty && missing.tags.isEmpty, needed.count < targets.count else { return nil }
    return targets.filter(needed.contains)
  }

  /// Keeps a target's list. Where that fails the next command builds more than it needs, so that nothing is said.
  func keep(_ points: [BenchmarkPoint], of target: String) {
    guard let key = keys[target] else { return }
    let lines = points.map { "\($0.benchmark)\t\($0.parameters)\t\($0.tags.joined(separator: ","))\n" }
    try? Files.makeFolder(folder)
    let older = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    // Of each target the lists of both sides of a comparison, and those of a few earlier ones.
    let own = older.filter { $0.hasPrefix(target + "-") && $0 != key }.sorted {
      (Files.stamp(of: "\(folder)/\($0)")?.modified ?? 0) > (Files.stamp(of: "\(folder)/\($1)")?.modified ?? 0)
    }
    for name in own.dropFirst(8) { Files.remove("\(folder)/\(name)") }
    _ = try? Files.replace("\(folder)/\(key)", with: Array(lines.joined().utf8))
  }

  /// The list that was made from a target's present sources; `nil` where none was.
  func list(of target: String) -> [BenchmarkPoint]? {
    guard let key = keys[target], let text = Files.text(of: "\(folder)/\(key)"), !text.isEmpty else { return nil }
    return text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 3 else { return nil }
      return BenchmarkPoint(
        executable: target, benchmark: fields[0], parameters: fields[1], passes: [],
        tags: fields[2].split(separator: ",").map(String.init))
    }
  }
}
