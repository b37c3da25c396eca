// What `gauge ab` measures on either side: a revision, a baseline's kept build, today's build, or given executables.

import Foundation

/// Both sides of `gauge ab`, or the base and one of several new sides.
struct AbSides {
  /// What is compared with.
  var base: Revisions.Side
  /// What is judged.
  var new: Revisions.Side
  /// The folder that results belong to.
  var home: String
  /// The run that the base's kept build was measured by; `nil` for another base.
  var accepted: KeptBuild?
  /// What the new side has otherwise, as `--vary` says it; `nil` for a change of the sources.
  var variant: Variant?
  /// The place of the variant among those that were asked for, from 1 on.
  var number = 1

  /// What launches of the new side have otherwise.
  var launchChange: LaunchChange { variant?.launch ?? LaunchChange() }
}

/// What `--base` has been found to name.
enum AbFoundBase {
  /// What is kept of a baseline, laid out.
  case kept(AbKeptSide)
  /// A commit.
  case revision(String)
}

/// The executables that are kept for a baseline, and what they were kept as.
struct AbKeptSide {
  /// What they were kept as.
  var build: KeptBuild
  /// The executables.
  var side: Revisions.Side
}

/// What `--base` names.
enum AbBase: Hashable {
  /// A baseline's kept build.
  case baseline(String)
  /// A revision of the package.
  case revision(String)
  /// The first of both that there is.
  case either(String)

  /// Reads the option: `baseline:NAME`, `revision:REV`, or a name of either.
  init(_ text: String) {
    if text.hasPrefix(Self.baselinePrefix) {
      self = .baseline(String(text.dropFirst(Self.baselinePrefix.count)))
    } else if text.hasPrefix(Self.revisionPrefix) {
      self = .revision(String(text.dropFirst(Self.revisionPrefix.count)))
    } else {
      self = .either(text)
    }
  }

  // Neither can be a revision: a colon stands behind a revision only where a path follows, and a path is no commit.
  static let baselinePrefix = "baseline:"
  static let revisionPrefix = "revision:"
}

extension Program {
  /// The folder that `gauge ab` writes into: the package's, or the current one where executables are given.
  ///
  /// - Throws: `CommandFailure` for a command line that names no two sides, and where there is no package.
  func abHome(_ arguments: Arguments) throws(CommandFailure) -> String {
    if arguments.has("--base-executable") || arguments.has("--executable") {
      let bases = ["--base", "--base-executable"].count(where: arguments.has)
      // What is varied is measured beside itself.
      guard arguments.has("--executable"), bases == 1 || bases == 0 && arguments.has(Variant.option.name) else {
        throw .usage("--executable needs what to compare it with: either --base BASELINE or --base-executable PATH")
      }
      guard !arguments.has("--new") else {
        throw .usage("either --new REV or --executable PATH")
      }
      return folder
    }
    guard arguments.has("--base") || arguments.has(Variant.option.name) else {
      throw .usage("against which baseline or revision? --base NAME; or --vary SETTING")
    }
    return try home(arguments)
  }

  /// Builds both revisions, or takes what is kept or named.
  ///
  /// - Parameters:
  ///   - arguments: A command line that `abHome` has looked at.
  ///   - home: The folder that it has told.
  func sides(_ arguments: Arguments, home: String) throws(CommandFailure) -> AbSides {
    func side(_ option: String) -> Revisions.Side {
      Revisions.Side(
        commit: "",
        executables: arguments.all(option).map { URL(fileURLWithPath: $0).standardizedFileURL.path })
    }
    guard let word = arguments.last("--base") else {
      let base = arguments.has("--base-executable") ? "--base-executable" : "--executable"
      return AbSides(base: side(base), new: side("--executable"), home: home)
    }
    if arguments.has("--executable") {
      let base: AbKeptSide
      switch AbBase(word) {
      case .baseline(let name), .either(let name): base = try keptSide(name, home: home)
      case .revision:
        throw .usage("a revision is compared with what the package builds: --base baseline:NAME beside --executable")
      }
      let new = side("--executable")
      tellGaugeVersions(base.side, new)
      return AbSides(base: base.side, new: new, home: home, accepted: base.build)
    }
    let package: BenchmarkPackage
    do throws(PackageFailure) {
      package = try BenchmarkPackage(around: home, swift: swift)
    } catch {
      throw CommandFailure(error)
    }
    let filters = arguments.all("--filter") + arguments.plain
    switch try foundBase(word, package) {
    case .kept(let kept): return try sides(kept, package, arguments, filters)
    case .revision(let commit): return try sides(commit, package, arguments, filters)
    }
  }

  /// What `--base` names.
  ///
  /// - Throws: `CommandFailure` where it names nothing, or what is kept can't be measured here.
  func foundBase(_ word: String, _ package: BenchmarkPackage) throws(CommandFailure) -> AbFoundBase {
    func revision(_ name: String) throws(CommandFailure) -> AbFoundBase {
      do throws(PackageFailure) {
        return .revision(try Revisions(package: package).commit(of: name))
      } catch {
        throw CommandFailure(error)
      }
    }
    switch AbBase(word) {
    case .baseline(let name): return .kept(try keptSide(name, home: package.folder))
    case .revision(let name): return try revision(name)
    case .either(let name):
      if try keptBuild(name, in: KeptBuilds(package: package.folder)) != nil {
        if (try? Revisions(package: package).commit(of: name)) != nil {
          console.error.line(
            "gauge: '\(name)' is taken for the baseline; the revision is --base \(AbBase.revisionPrefix)\(name)")
        }
        return .kept(try keptSide(name, home: package.folder))
      }
      do throws(CommandFailure) {
        return try revision(name)
      } catch {
        var failure = error
        if let path = Baselines(results: package.folder + "/results").path(of: name), Files.stamp(of: path) != nil {
          failure = CommandFailure(
            code: .missingFile,
            message: "the baseline '\(name)' has no kept executables on this machine, and there is no such revision",
            advice: "'gauge compare \(name) results/latest.csv' compares its results.")
        }
        throw failure
      }
    }
  }

  /// Lays out what is kept for a baseline in a folder.
  ///
  /// - Throws: `CommandFailure` where nothing is kept, or what is kept can't be measured here.
  private func keptSide(_ name: String, home: String) throws(CommandFailure) -> AbKeptSide {
    let kept = KeptBuilds(package: home)
    guard let build = try keptBuild(name, in: kept) else {
      throw CommandFailure(
        code: .missingFile, message: "no executables are kept for a baseline '\(name)' on this machine",
        advice: kept.names.isEmpty
          ? "'gauge baseline save NAME' keeps those of a run." : "There are: \(kept.names.joined(separator: ", ")).")
    }
    if let path = Baselines(results: home + "/results").path(of: name), Files.kind(of: path) != nil,
      (try? Files.plainContents(of: path)).map(SHA256.hexadecimal) != build.results.hash
    {
      throw CommandFailure(
        code: .badFile, message: "the executables kept for '\(name)' belong to another run than \(path)",
        advice: "Save the baseline again, or compare the files: gauge compare \(name) results/latest.csv")
    }
    let toolchain = { Fingerprint.firstLine(Command(program: swift, arguments: ["--version"])).description }
    let refusals = build.terms.refusals(here: BuildTerms(of: [], toolchain: toolchain), toolchain: toolchain)
    guard refusals.isEmpty else {
      throw CommandFailure(
        code: .incomparable,
        message: "the executables kept for '\(name)' can't be measured here: \(refusals.joined(separator: "; "))",
        advice: "A revision is built anew: gauge ab --base \(AbBase.revisionPrefix)REV")
    }
    let base: Revisions.Side
    do throws(KeptBuilds.Failure) {
      base = Revisions.Side(commit: build.commit, executables: try kept.layOut(build, in: ".gauge/ab/baseline"))
    } catch {
      throw CommandFailure(error)
    }
    console.error.line(
      "gauge: base is the baseline '\(name)' as it was built, kept \(build.saved)"
        + (build.commit.isEmpty ? "" : ", of commit \(build.commit.prefix(12))"))
    return AbKeptSide(build: build, side: base)
  }

  /// A kept build, and today's or a revision's.
  private func sides(
    _ base: AbKeptSide, _ package: BenchmarkPackage, _ arguments: Arguments, _ filters: [String]
  ) throws(CommandFailure) -> AbSides {
    let new: Revisions.Side
    do throws(PackageFailure) {
      if let revision = arguments.last("--new") {
        let revisions = Revisions(package: package)
        new = try revisions.build(try revisions.commit(of: revision), as: "new", filters: filters)
      } else {
        let choice = try ChosenBuild(package, filters: filters)
        warn(uncompiled: choice.uncompiled)
        // As the base was kept, so that what is the same is the same byte for byte.
        let stripper = DebugStripper(besides: swift, path: environment["PATH"] ?? "")
        new = Revisions.Side(
          commit: "",
          executables: try BuiltFiles(of: choice.executables).copy(
            to: package.folder + "/.gauge/ab/today", below: package.folder, stripper: stripper),
          uncompiled: choice.uncompiled)
      }
    } catch {
      throw CommandFailure(error)
    }
    tellGaugeVersions(base.side, new)
    return AbSides(base: base.side, new: new, home: package.folder, accepted: base.build)
  }

  /// The commit of the new side: the one that is named, or one of the folder as it is.
  func newCommit(_ arguments: Arguments, _ revisions: Revisions) throws(PackageFailure) -> String {
    if let name = arguments.last("--new") { return try revisions.commit(of: name) }
    let unknown = try revisions.unknownFiles()
    if let first = unknown.first {
      let others = unknown.count == 1 ? "" : " and \(unknown.count - 1) more"
      console.error.line(
        "gauge: warning: git doesn't know \(first)\(others), which is left out: 'git add' has it built")
    }
    return try revisions.workingTree()
  }

  /// Two commits, built in one and the same folder.
  private func sides(
    _ before: String, _ package: BenchmarkPackage, _ arguments: Arguments, _ filters: [String]
  ) throws(CommandFailure) -> AbSides {
    do throws(PackageFailure) {
      let revisions = Revisions(package: package)
      let after = try newCommit(arguments, revisions)
      let sides = AbSides(
        base: try revisions.build(before, as: "base", filters: filters),
        new: try revisions.build(after, as: "new", filters: filters), home: package.folder)
      for side in [sides.base, sides.new] { warn(uncompiled: side.uncompiled) }
      tellGaugeVersions(sides.base, sides.new)
      return sides
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Tells where the two sides were built with unlike versions of Gauge: a difference may be the instrument's.
  func tellGaugeVersions(_ base: Revisions.Side, _ new: Revisions.Side) {
    let versions = [base, new].map { side in side.executables.first.flatMap { GaugeSources.version(beside: $0) } }
    guard versions[0] != versions[1] else { return }
    console.error.line(
      "gauge: warning: "
        + (versions.contains(nil)
          ? "it isn't known whether both sides were built with the same version of Gauge"
          : "the sides were built with unlike versions of Gauge")
        + ": a change may be one of how is measured")
  }

  /// Names executables that don't compile and are left out.
  func warn(uncompiled targets: [String]) {
    for target in targets {
      console.error.line("gauge: warning: \(target) doesn't compile (above), and is left out")
    }
  }

  /// Rows whose executables are the same, byte for byte, and what lies beside these: their resources and libraries.
  static func identical(_ rows: [InterleavedRun.Row]) -> Set<InterleavedRun.Row> {
    let pairs = Dictionary(grouping: rows) { [$0.base.executable, $0.new.executable] }
    return Set(
      pairs.filter { paths, _ in
        guard let base = try? Files.contents(of: paths[0]), let new = try? Files.contents(of: paths[1]) else {
          return false
        }
        return base == new && differingCompanions(paths[0], paths[1]) == nil
      }.values.joined())
  }

  /// The machine and the build of a side, for the head of its file.
  ///
  /// - Parameters:
  ///   - side: The side.
  ///   - home: The package's folder.
  ///   - options: What it is measured by.
  ///   - variant: What it has otherwise than the base; `nil` for the sources alone.
  func environment(
    of side: Revisions.Side, _ home: String, options: String, variant: Variant? = nil
  ) -> [(name: String, value: String)] {
    let launch = variant?.launch ?? LaunchChange()
    let fields = Fingerprint().fields(
      folder: home, executables: side.executables, options: options,
      allocator: side.executables.first.map { launch.libraries(beside: $0).description } ?? ""
    ).map { name, value in
      if name == "toolchain", let swift = variant?.build.swift { return (name, Revisions.toolchain(swift)) }
      guard !side.commit.isEmpty else { return (name, value) }
      return (name, name == "commit" ? side.commit : name == "dirty" ? "no" : value)
    }
    return fields + (variant.map { [("varied", $0.text)] } ?? [])
  }

  /// Measuring time of a launch that counts, in milliseconds: it says how many operations are counted.
  static let countingBudget = 10
}
