// Building a package's benchmarks the way they are measured: release mode, standard library linked statically.

/// The build of a package's benchmark executables.
enum PackageBuild {
  /// What a build has made.
  struct Outcome: Hashable {
    /// Paths of the executables.
    var executables: [String]
    /// Names of targets that don't compile.
    var uncompiled: [String] = []
  }

  /// Builds benchmarks of the package in a scratch path of its own, so that `.build` and its lock are left alone. What
  /// the package manager prints goes to standard error as it comes. What doesn't compile keeps nothing else from being
  /// built.
  ///
  /// - Parameters:
  ///   - package: The package.
  ///   - chosen: Names of the targets that are needed; `nil` is all of them.
  /// - Throws: `PackageFailure`; `.buildFailed` where none of them compiles.
  static func build(_ package: BenchmarkPackage, _ chosen: [String]? = nil) throws(PackageFailure) -> Outcome {
    let targets = try package.targets()
    let needed = chosen ?? targets.benchmarks
    var uncompiled: [String] = []
    var builtAll = false
    if chosen == nil, targets.includeHooks { builtAll = try run(command(for: package)) == .exited(0) }
    if !builtAll {
      // Once a product of a dependency has been asked for by name, the package manager takes all of that dependency's
      // executables for a part of the whole: `gauge` would be compiled beside benchmarks that don't need it. So in a
      // package that doesn't have the hooks itself each executable is asked for by name.
      for target in needed where try run(command(for: package, product: target)) != .exited(0) {
        uncompiled.append(target)
      }
      guard uncompiled.count < needed.count else {
        throw .buildFailed(command: command(for: package, product: needed[0]).line)
      }
      // Where this fails the compiler has said why, and counting launches report their counts as unavailable.
      _ = try run(command(for: package, product: CountingLibraries.hooksProduct))
    }
    let built = package.buildFolder + "/release"
    GaugeSources.note(in: built)
    let executables = try needed.filter { !uncompiled.contains($0) }.map { target throws(PackageFailure) in
      let path = "\(built)/\(target)"
      guard Files.stamp(of: path) != nil else { throw .missingExecutable(path: path) }
      return path
    }
    return Outcome(executables: executables, uncompiled: uncompiled)
  }

  /// Fetches what the package depends on. What the package manager prints goes to standard error as it comes, as it
  /// does where it builds.
  ///
  /// - Throws: `PackageFailure.toolFailed`.
  static func fetch(_ package: BenchmarkPackage) throws(PackageFailure) {
    let command = Command(
      program: package.swift,
      arguments: [
        "package", "--package-path", package.folder, "--scratch-path", package.buildFolder, "resolve",
      ])
    guard try run(command) == .exited(0) else { throw .toolFailed(what: command.line, output: "(see above)") }
  }

  private static func run(_ command: Command) throws(PackageFailure) -> ChildEnding {
    do throws(SystemError) {
      return try ProcessRun.streaming(command)
    } catch {
      throw .toolFailed(what: command.line, output: error.description)
    }
  }

  /// The command that builds a package.
  ///
  /// - Parameters:
  ///   - package: The package.
  ///   - product: A product of the package or of one of its dependencies; `nil` builds all targets of the package
  ///     itself.
  static func command(for package: BenchmarkPackage, product: String? = nil) -> Command {
    var arguments = ["build", "--package-path", package.folder, "-c", "release"]
    #if os(Linux)
      // With the shared library the cost of an allocation depends on the layout that the linker happens to choose.
      arguments.append("--static-swift-stdlib")
    #endif
    arguments += ["--scratch-path", package.buildFolder] + package.change.words
    if let product { arguments += ["--product", product] }
    return Command(program: package.swift, arguments: arguments)
  }
}
