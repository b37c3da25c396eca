// Building benchmark executables, with a script as package manager.

import Testing

@testable import GaugeRunner

@Suite struct PackageBuildTests {
  @Test func `a build gives the paths of the executables`() throws {
    let folder = try TemporaryFolder()
    let package = try folder.package()
    #expect(try PackageBuild.build(package) == ["\(package.folder)/.gauge/build/release/Fast"])
    #expect(
      try folder.read("calls").split(separator: "\n").last
        == "build --package-path \(package.folder) -c release --static-swift-stdlib --scratch-path \(package.scratch)/build"
    )
  }

  @Test func `a build that fails is told with its command`() throws {
    let folder = try TemporaryFolder()
    let package = try folder.package(build: "exit 1")
    #expect(throws: PackageFailure.buildFailed(command: PackageBuild.command(for: package).line)) {
      try PackageBuild.build(package)
    }
  }

  @Test func `an executable that the build didn't make is told`() throws {
    let folder = try TemporaryFolder()
    let package = try folder.package(build: ":")
    #expect(throws: PackageFailure.missingExecutable(path: "\(package.folder)/.gauge/build/release/Fast")) {
      try PackageBuild.build(package)
    }
  }

  @Test func `a missing package manager is told`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "Package.swift")
    let package = try BenchmarkPackage(around: folder.path, swift: "/nowhere/swift")
    guard
      case .toolFailed(_, let output)? = #expect(
        throws: PackageFailure.self, performing: { try PackageBuild.build(package) })
    else { return }
    #expect(output == "cannot start /nowhere/swift: No such file or directory")
  }
}
