// Finding a package and its benchmark executables.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct BenchmarkPackageTests {
  @Test func `the nearest manifest upwards is the package`() throws {
    let folder = try TemporaryFolder()
    #expect(try folder.package().folder == folder("package"))
  }

  @Test func `without a manifest there is no package`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: PackageFailure.noPackage(folder: folder.path)) { try BenchmarkPackage(around: folder.path) }
    #expect("\(PackageFailure.noPackage(folder: "/a"))".hasPrefix("there is no Package.swift in /a or a folder above"))
  }

  @Test func `executables under Benchmarks are the benchmarks`() throws {
    let json = """
      {"name": "p", "targets": [
        {"name": "Slow", "type": "executable", "path": "Benchmarks/Slow", "sources": []},
        {"name": "Tool", "type": "executable", "path": "Sources/Tool"},
        {"name": "Fast", "type": "executable", "path": "Benchmarks/Fast"},
        {"name": "Support", "type": "library", "path": "Benchmarks/Support"}]}
      """
    let description = try JSONDecoder().decode(BenchmarkPackage.Description.self, from: Data(json.utf8))
    let targets = BenchmarkPackage.Targets(description)
    #expect(targets.benchmarks == ["Fast", "Slow"])
    #expect(!targets.includeHooks)
    let hooks = BenchmarkPackage.Description.Target(name: "GaugeHooks", type: "library", path: "Sources/GaugeHooks")
    #expect(BenchmarkPackage.Targets(BenchmarkPackage.Description(targets: [hooks])).includeHooks)
  }

  @Test func `a target that is described twice is one`() {
    let target = BenchmarkPackage.Description.Target(name: "Fast", type: "executable", path: "Benchmarks/Fast")
    let targets = BenchmarkPackage.Targets(BenchmarkPackage.Description(targets: [target, target]))
    #expect(targets.benchmarks == ["Fast"] && targets.sources == ["Fast": ["Benchmarks/Fast"]])
  }

  @Test func `the package manager is asked once, and again when the manifest changes`() throws {
    let folder = try TemporaryFolder()
    let package = try folder.package()
    func calls() throws -> Int { try folder.read("calls").split(separator: "\n").count }
    for _ in 0..<3 { #expect(try package.targets().benchmarks == ["Fast"]) }
    let call = "package --package-path \(package.folder) --scratch-path \(package.folder)/.gauge/build "
    // What is fetched is fetched where it is shown.
    #expect(try folder.read("calls") == "\(call)resolve\n\(call)describe --type json\n")
    try folder.write("// another manifest", to: "package/Package.swift")
    #expect(try package.targets().benchmarks == ["Fast"])
    #expect(try calls() == 4)
    try folder.write("damaged", to: "package/.gauge/benchmark-targets.json")
    #expect(try package.targets().benchmarks == ["Fast"])
    #expect(try calls() == 6)
  }

  @Test func `a package without benchmarks, and a manifest that doesn't compile, are told`() throws {
    let folder = try TemporaryFolder()
    let empty = try folder.package(describe: "echo '{\"targets\":[]}'")
    #expect(throws: PackageFailure.noBenchmarks(package: empty.folder)) { try empty.targets() }

    let unfetched = try folder.package(describe: "echo 'error: no such dependency' >&2; exit 1")
    let told = #expect(throws: PackageFailure.self) { try unfetched.targets() }
    #expect(told?.description.hasSuffix("resolve failed:\n(see above)") == true)

    let broken = try folder.package(
      describe: "case \"$*\" in *resolve) ;; *) echo 'error: manifest' >&2; exit 1 ;; esac")
    let error = #expect(throws: PackageFailure.self) { try broken.targets() }
    #expect(error?.description.hasSuffix("describe --type json failed:\nerror: manifest\n") == true)

    let odd = try folder.package(describe: "echo hello")
    guard
      case .toolFailed(_, let output)? = #expect(
        throws: PackageFailure.self, performing: { try odd.targets() })
    else { return }
    #expect(output.hasPrefix("its answer is not what was expected"))
  }
}
