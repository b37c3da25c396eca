// `--vary` of `gauge ab`: whether there is what it names, what it can't go with, and the sides that it makes.

import Foundation

/// The sides of `gauge ab --vary`.
struct VariedSides {
  /// The base, and each variant that could be built.
  var sides: [AbSides] = []
  /// Variants that could not, and why.
  var failed: [(number: Int, variant: Variant, reason: String)] = []
}

extension Program {
  /// The variants that a command line asks for.
  ///
  /// - Parameters:
  ///   - arguments: The command line.
  ///   - formats: What is to be printed or written.
  /// - Throws: `CommandFailure` with code `usage` for a setting that is none or of which there isn't what it names, and
  ///   for an option that can't go with it.
  func variants(_ arguments: Arguments, _ formats: [ReportFormat]) throws(CommandFailure) -> [Variant] {
    var variants: [Variant] = []
    for text in arguments.all(Variant.option.name) {
      let variant = try checked(Variant(text))
      if let other = variants.first(where: variant.isSame) {
        throw Variant.failure(text, "it is the same as '\(other.text)'")
      }
      variants.append(variant)
    }
    guard !variants.isEmpty else { return [] }
    for (option, reason) in [
      ("--suspects", "it chooses from a run of today's build, which no variant is"),
      (Self.affectedOption.name, "it compares code, and what varies may be no code"),
    ] where arguments.has(option) {
      throw .usage("'--vary' can't go with '\(option)': \(reason)")
    }
    if arguments.has(Self.explainOption.name) {
      guard variants.count == 1, variants[0].launch.isEmpty else {
        throw .usage(
          "'--vary' can't go with '--explain' for "
            + (variants.count > 1
              ? "more than one variant: ask about one"
              : "variables and preloaded libraries: it runs "
                + "both sides without them"))
      }
    }
    if arguments.has("--executable"), let variant = variants.first(where: { !$0.build.isEmpty }) {
      throw Variant.failure(variant.text, "an executable that is given is not built; --new REV names sources")
    }
    if variants.count > 1, let format = formats.first(where: { !$0.showsMatrix }) {
      throw .usage(
        "format '\(format.rawValue)' can't show several variants; those that can: "
          + ReportFormat.allCases.filter(\.showsMatrix).map(\.rawValue).joined(separator: ", "))
    }
    return variants
  }

  /// A variant of which there is what it names.
  private func checked(_ variant: Variant) throws(CommandFailure) -> Variant {
    var variant = variant
    if let path = variant.build.swift { variant.build.swift = try packageManager(of: path, variant) }
    for change in variant.build.dependencies {
      if let folder = change.folder, Files.stamp(of: folder + "/Package.swift") == nil {
        throw Variant.failure(variant.text, "there is no Package.swift in \(folder)")
      }
    }
    for library in variant.launch.preloads { try expectLoadable(library, variant) }
    return variant
  }

  /// The package manager of a toolchain that is named by it or by a folder.
  private func packageManager(of path: String, _ variant: Variant) throws(CommandFailure) -> String {
    let candidates = [path, path + "/usr/bin/swift", path + "/bin/swift", path + "/swift"]
    guard
      let swift = candidates.first(where: {
        Files.kind(of: $0 + "/.") == nil && FileManager.default.isExecutableFile(atPath: $0)
      })
    else {
      throw Variant.failure(variant.text, "there is no toolchain: no program 'swift' in \(path), its bin or usr/bin")
    }
    let version = Fingerprint.firstLine(Command(program: swift, arguments: ["--version"]))
    guard case .known(let line) = version, line.contains("Swift") else {
      throw Variant.failure(variant.text, "\(swift) is no Swift: '\(swift) --version' says '\(version)'")
    }
    return swift
  }

  /// Refuses a library that the loader doesn't take, as it would go on without it.
  private func expectLoadable(_ library: String, _ variant: Variant) throws(CommandFailure) {
    guard Files.stamp(of: library) != nil, Files.kind(of: library + "/.") == nil else {
      throw Variant.failure(variant.text, "there is no library \(library)")
    }
    let launch = LaunchChange(preloads: [library])
    let command = Command(program: "/bin/true", arguments: [], environment: launch.environment(from: [:]))
    let reason: String?
    do throws(SystemError) {
      let run = try ProcessRun.capturing(command, limit: .seconds(10))
      let isLoaded = run.succeeded && !run.output.contains("cannot be preloaded") && !run.output.contains("Error load")
      reason = isLoaded ? nil : legibleLines(run.output).first ?? "a program that does nothing fails with it"
    } catch {
      reason = "\(error)"
    }
    if let reason { throw Variant.failure(variant.text, "the library can't be loaded here: \(reason)") }
  }

  /// Builds the base and the variants.
  ///
  /// - Parameters:
  ///   - variants: The variants.
  ///   - arguments: A command line that `abHome` has looked at.
  ///   - home: The folder that it has told.
  /// - Throws: `CommandFailure` where the base can't be had, or the package lacks a dependency that a variant names.
  func sides(_ variants: [Variant], _ arguments: Arguments, home: String) throws(CommandFailure) -> VariedSides {
    if arguments.has("--executable") {
      let given = try sides(arguments, home: home)
      return VariedSides(
        sides: variants.enumerated().map { index, variant in
          AbSides(
            base: given.base, new: given.new, home: home, accepted: given.accepted, variant: variant,
            number: index + 1)
        })
    }
    let package = try packageFailures { () throws(PackageFailure) in try BenchmarkPackage(around: home, swift: swift) }
    let revisions = Revisions(package: package)
    let filters = arguments.all("--filter") + arguments.plain
    var found: AbFoundBase?
    if let word = arguments.last("--base") { found = try foundBase(word, package) }
    let commit = try packageFailures { () throws(PackageFailure) in try newCommit(arguments, revisions) }
    // Before anything is built, which may take long.
    for variant in variants {
      do throws(PackageFailure) {
        try revisions.expectDependencies(of: variant.build, in: commit)
      } catch {
        // Of what else is wrong with the package, the build tells more.
        if case .noDependency(let name, let known) = error { throw Self.failure(error, name, known, variant) }
      }
    }
    var accepted: KeptBuild?
    var unchanged: Revisions.Side?
    func built(_ commit: String, as name: String) throws(CommandFailure) -> Revisions.Side {
      let side = try packageFailures { () throws(PackageFailure) in
        try revisions.build(commit, as: name, filters: filters)
      }
      warn(uncompiled: side.uncompiled)
      return side
    }
    let base: Revisions.Side
    switch found {
    case .kept(let kept): (base, accepted) = (kept.side, kept.build)
    case .revision(let commit): base = try built(commit, as: "base")
    case nil:
      base = try built(commit, as: "base")
      unchanged = base
    }
    var sides = VariedSides()
    for (index, variant) in variants.enumerated() {
      let new: Revisions.Side
      if variant.build.isEmpty {
        new = if let unchanged { unchanged } else { try built(commit, as: "new") }
        unchanged = new
      } else {
        console.error.line("gauge: building '\(variant.text)'")
        do throws(PackageFailure) {
          new = try revisions.build(commit, as: "variant-\(index + 1)", filters: filters, change: variant.build)
        } catch {
          let reason = CommitBench.words(for: error)
          console.error.line("gauge: '\(variant.text)' can't be built: \(reason)")
          sides.failed.append((index + 1, variant, reason))
          continue
        }
        warn(uncompiled: new.uncompiled.filter { !base.uncompiled.contains($0) })
      }
      tellGaugeVersions(base, new)
      sides.sides.append(
        AbSides(
          base: base, new: new, home: package.folder, accepted: accepted, variant: variant, number: index + 1))
    }
    guard !sides.sides.isEmpty else {
      throw CommandFailure(
        code: .broke, message: "nothing that --vary names can be built, and nothing was measured",
        advice: "The messages above say what is wrong.")
    }
    return sides
  }

  /// A variant that names a dependency which the package hasn't.
  private static func failure(
    _ failure: PackageFailure, _ name: String, _ known: [String], _ variant: Variant
  ) -> CommandFailure {
    var command = CommandFailure.usage("", unknown: name, known: known)
    command.message = Variant.failure(variant.text, "\(failure)").message
    return command
  }

  /// Does what may fail for a package.
  private func packageFailures<Value>(
    _ body: () throws(PackageFailure) -> Value
  ) throws(CommandFailure) -> Value {
    do throws(PackageFailure) {
      return try body()
    } catch {
      throw CommandFailure(error)
    }
  }
}
