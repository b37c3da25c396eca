// What tells builds from each other that are made otherwise.

import Testing

@testable import GaugeRunner

@Suite struct BuildChangeTests {
  @Test func `a build of each change has a folder of its own`() throws {
    let folder = try TemporaryFolder()
    try folder.write("// manifest", to: "package/Package.swift")
    func place(_ change: BuildChange) throws -> String {
      let path = try BenchmarkPackage(around: folder("package"), swift: "swift", change: change).buildFolder
      return String(path.dropFirst(folder("package").count))
    }
    #expect(try place(BuildChange()) == "/.gauge/build")
    let swift = try folder.script("", named: "swift")
    var changes = [
      BuildChange(swift: swift), BuildChange(options: ["-v"]), BuildChange(options: ["-q"]),
      BuildChange(dependencies: [DependencyChange(name: "a", version: "1.0.0")]),
      BuildChange(dependencies: [DependencyChange(name: "a", folder: "/a")]),
    ]
    changes.append(BuildChange(swift: swift, options: ["-v"]))
    let places = try changes.map(place)
    #expect(Set(places).count == changes.count && places.allSatisfy { $0.hasPrefix("/.gauge/build-") }, "\(places)")
    #expect(try changes.map(place) == places)
    // A toolchain that was built anew is another one.
    try folder.write("new", to: "swift-frontend")
    #expect(try place(changes[0]) != places[0])
  }

  @Test func `it is in the command, and another package manager carries it out`() throws {
    let folder = try TemporaryFolder()
    let change = BuildChange(swift: "/other/swift", options: ["-Xswiftc", "-Ounchecked"])
    try folder.write("// manifest", to: "Package.swift")
    let package = try BenchmarkPackage(around: folder.path, swift: "swift", change: change)
    let command = PackageBuild.command(for: package, product: "Fast")
    #expect(command.program == "/other/swift")
    // Gauge's own sources compile with it, too.
    let options = ["-Xswiftc", "-Ounchecked", "-Xswiftc", "-Wwarning", "-Xswiftc", "StrictMemorySafety"]
    let end = ["--scratch-path", package.buildFolder] + options + ["--product", "Fast"]
    #expect(command.arguments.suffix(end.count) == end[...])
    #expect(BuildChange(options: ["-v"]).words == ["-v"])
  }

  @Test func `a folder may change from one build to the next`() {
    #expect(BuildChange(options: ["-v"]).isKeepable)
    #expect(BuildChange(dependencies: [DependencyChange(name: "a", version: "1.0.0")]).isKeepable)
    #expect(!BuildChange(dependencies: [DependencyChange(name: "a", folder: "/a")]).isKeepable)
  }
}
