// Building a package's benchmarks the way they are measured: release mode, standard library linked statically.

/// The build of a package's benchmark executables.
enum PackageBuild {
  /// Builds everything of the package in a scratch path of its own, so that `.build` and its lock are left alone. What the
  /// package manager prints goes to standard error as it comes.
  ///
  /// - Parameter package: The package.
  /// - Returns: Paths of its benchmark executables.
  /// - Throws: `PackageFailure`.
  static func build(_ package: BenchmarkPackage) throws(PackageFailure) -> [String] {
    let targets = try package.benchmarkTargets()
    let command = command(for: package)
    let ending: ChildEnding
    do throws(SystemError) {
      ending = try ProcessRun.streaming(command)
    } catch {
      throw .toolFailed(what: command.line, output: error.description)
    }
    guard ending == .exited(0) else { throw .buildFailed(command: command.line) }
    return try targets.map { target throws(PackageFailure) in
      let path = "\(package.scratch)/build/release/\(target)"
      guard Files.stamp(of: path) != nil else { throw .missingExecutable(path: path) }
      return path
    }
  }

  /// The command that builds a package.
  static func command(for package: BenchmarkPackage) -> Command {
    var arguments = ["build", "--package-path", package.folder, "-c", "release"]
    #if os(Linux)
      // With the shared library the cost of an allocation depends on the layout that the linker happens to choose.
      arguments.append("--static-swift-stdlib")
    #endif
    return Command(program: package.swift, arguments: arguments + ["--scratch-path", package.scratch + "/build"])
  }
}
