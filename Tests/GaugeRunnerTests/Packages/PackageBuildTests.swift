// Building benchmark executables, with a script as package manager.

import Testing

@testable import GaugeRunner

@Suite struct PackageBuildTests {
  @Test func `a build gives the paths of the executables`() throws {
    let folder = try TemporaryFolder()
    let package = try folder.package()
    #expect(try PackageBuild.build(package).executables == ["\(package.folder)/.gauge/build/release/Fast"])
    let build =
      "build --package-path \(package.folder) -c release --static-swift-stdlib --scratch-path \(package.scratch)/build"
    // The hooks belong to a dependency, so that they are asked for by name, and so is the executable then.
    #expect(
      try folder.read("calls").split(separator: "\n").suffix(2) == [
        "\(build) --product Fast", "\(build) --product GaugeHooks",
      ])
  }

  @Test func `hooks that are the package's own are built with it, and others may be missing`() throws {
    let folder = try TemporaryFolder()
    let fast = #"{"name":"Fast","type":"executable","path":"Benchmarks/Fast"}"#
    let hooks = #"{"name":"GaugeHooks","type":"library","path":"Sources/GaugeHooks"}"#
    let own = try folder.package(describe: "echo '{\"targets\":[\(fast),\(hooks)]}'")
    _ = try PackageBuild.build(own)
    #expect(try !folder.read("calls").contains("--product"))

    let without = try TemporaryFolder()
    let other = try without.package(build: "case \"$*\" in *GaugeHooks) exit 1 ;; *) printf '' > $built/Fast ;; esac")
    #expect(try PackageBuild.build(other).executables.count == 1)
  }

  @Test func `a build that fails is told with its command`() throws {
    let folder = try TemporaryFolder()
    let package = try folder.package(build: "exit 1")
    #expect(throws: PackageFailure.buildFailed(command: PackageBuild.command(for: package, product: "Fast").line)) {
      try PackageBuild.build(package)
    }
  }

  @Test func `what doesn't compile is named, and the others are built`() throws {
    let folder = try TemporaryFolder()
    let targets = ["Fast", "Slow"].map { #"{"name":"\#($0)","type":"executable","path":"Benchmarks/\#($0)"}"# }
    let hooks = #"{"name":"GaugeHooks","type":"library","path":"Sources/GaugeHooks"}"#
    for more in [[], [hooks]] {
      let package = try folder.package(
        describe: "echo '{\"targets\":[\((targets + more).joined(separator: ","))]}'",
        build: "case \"$*\" in *'--product Fast'|*GaugeHooks) printf '' > $built/Fast ;; *) exit 1 ;; esac")
      let outcome = try PackageBuild.build(package)
      #expect(outcome.executables == ["\(package.folder)/.gauge/build/release/Fast"])
      #expect(outcome.uncompiled == ["Slow"])
      try folder.write("// \(more.count)", to: "package/Package.swift")
    }
  }

  @Test func `only what is chosen is built`() throws {
    let folder = try TemporaryFolder()
    let targets = ["Fast", "Slow"].map { #"{"name":"\#($0)","type":"executable","path":"Benchmarks/\#($0)"}"# }
    let package = try folder.package(
      describe: "echo '{\"targets\":[\(targets.joined(separator: ","))]}'",
      build: "for last; do :; done; printf '' > $built/$last")
    #expect(try PackageBuild.build(package, ["Slow"]).executables == ["\(package.folder)/.gauge/build/release/Slow"])
    #expect(try !folder.read("calls").contains("Fast"))
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
