// Building a package's benchmarks the way they are measured: release mode, standard library linked statically.

/// The build of a package's benchmark executables.
enum PackageBuild {
  /// Builds the benchmarks of the package in a scratch path of its own, so that `.build` and its lock are left alone. What the
  /// package manager prints goes to standard error as it comes.
  ///
  /// - Parameter package: The package.
  /// - Returns: Paths of its benchmark executables.
  /// - Throws: `PackageFailure`.
  static func build(_ package: BenchmarkPackage) throws(PackageFailure) -> [String] {
    let targets = try package.targets()
    // Once a product of a dependency has been asked for by name, the package manager takes all of that dependency's
    // executables for a part of the whole: `gauge` would be compiled beside benchmarks that don't need it. So in a package
    // that doesn't have the hooks itself each executable is asked for by name.
    for product in targets.includeHooks ? [nil] : targets.benchmarks.map(Optional.some) {
      let command = command(for: package, product: product)
      guard try run(command) == .exited(0) else { throw .buildFailed(command: command.line) }
    }
    if !targets.includeHooks {
      // Where this fails the compiler has said why, and counting launches report their counts as unavailable.
      _ = try run(self.command(for: package, product: CountingLibraries.hooksProduct))
    }
    return try targets.benchmarks.map { target throws(PackageFailure) in
      let path = "\(package.scratch)/build/release/\(target)"
      guard Files.stamp(of: path) != nil else { throw .missingExecutable(path: path) }
      return path
    }
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
  ///   - product: A product of the package or of one of its dependencies; `nil` builds all targets of the package itself.
  static func command(for package: BenchmarkPackage, product: String? = nil) -> Command {
    var arguments = ["build", "--package-path", package.folder, "-c", "release"]
    #if os(Linux)
      // With the shared library the cost of an allocation depends on the layout that the linker happens to choose.
      arguments.append("--static-swift-stdlib")
    #endif
    arguments += ["--scratch-path", package.scratch + "/build"]
    if let product { arguments += ["--product", product] }
    return Command(program: package.swift, arguments: arguments)
  }
}
