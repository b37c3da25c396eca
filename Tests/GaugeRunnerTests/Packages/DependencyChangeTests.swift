// Dependencies that are taken from elsewhere, with a scripted package manager and a real one.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct DependencyChangeTests {
  let folder: TemporaryFolder
  let package: BenchmarkPackage

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("// manifest", to: "package/Package.swift")
    let swift = try folder.script(
      #"""
      shift 5
      echo "$*" >> '\#(folder("calls"))'
      case "$1" in
        show-dependencies) echo 'Fetching'; echo '{"identity":"root","name":"root","dependencies":[
          {"identity":"swift-log","name":"Logging","dependencies":[{"identity":"deep","name":"deep","dependencies":[]}]}]}' ;;
        edit) [ "$4" != /broken ] || { echo 'no package in it' >&2; exit 1; } ;;
        resolve) echo pinned > '\#(folder("package/Package.resolved"))' ;;
      esac
      """#, named: "swift")
    package = try BenchmarkPackage(around: folder("package"), swift: swift)
  }

  private var calls: [String] {
    get throws { try folder.read("calls").split(separator: "\n").map(String.init) }
  }

  @Test func `a folder is taken for the time of a build`() throws {
    let change = DependencyChange(name: "logging", folder: "/log")
    #expect(try DependencyChange.with([change], in: package) { () throws(PackageFailure) in "built" } == "built")
    let show = "show-dependencies --format json"
    let unedit = "unedit --force swift-log"
    #expect(try calls == [show, unedit, "edit swift-log --path /log", unedit])
    #expect(Files.kind(of: folder("package/Package.resolved")) == nil)
  }

  @Test func `a version is pinned for the time of a build`() throws {
    try folder.write("as before", to: "package/Package.resolved")
    let change = DependencyChange(name: "deep", version: "1.2.3")
    let during = try DependencyChange.with([change], in: package) { () throws(PackageFailure) in
      Files.text(of: folder("package/Package.resolved"))
    }
    #expect(during == "pinned\n")
    #expect(try folder.read("package/Package.resolved") == "as before")
    #expect(try calls.last == "resolve deep --version 1.2.3")
  }

  @Test func `one that the package lacks is told with those that it has`() throws {
    let change = DependencyChange(name: "swift-lag", version: "1.0.0")
    #expect(throws: PackageFailure.noDependency(name: "swift-lag", known: ["deep", "swift-log"])) {
      try DependencyChange.with([change], in: package) {}
    }
    #expect(
      "\(PackageFailure.noDependency(name: "x", known: ["deep", "log"]))"
        == "the package does not depend on 'x', but on deep, log")
    #expect("\(PackageFailure.noDependency(name: "x", known: []))".hasSuffix("but on nothing"))
  }

  @Test func `a package manager that refuses is quoted, and nothing stays`() throws {
    let change = DependencyChange(name: "deep", folder: "/broken")
    let failure = try #require(throws: PackageFailure.self) { try DependencyChange.with([change], in: package) {} }
    #expect("\(failure)".hasPrefix("'swift package edit deep --path /broken' failed:\nno package in it"), "\(failure)")
    #expect(try calls.last == "unedit --force deep")
  }

  @Test func `without a change nothing is asked`() throws {
    #expect(try DependencyChange.with([], in: package) { () throws(PackageFailure) in 1 } == 1)
    #expect(Files.kind(of: folder("calls")) == nil)
  }

  /// The real package manager, with a package under git that a tree depends on.
  @Test func `Swift's own package manager takes a version and a folder`() throws {
    func git(_ arguments: String...) throws {
      let run = try ProcessRun.capturing(
        Command(
          program: "git",
          arguments: ["-C", folder("value"), "-c", "user.name=t", "-c", "user.email=t@t"] + arguments), reportOn: 1)
      try #require(run.succeeded, "\(run.output)")
    }
    func manifest(_ name: String, _ rest: String) -> String {
      "// swift-tools-version: 5.9\nimport PackageDescription\nlet package = Package(name: \"\(name)\", \(rest))\n"
    }
    let products = "products: [.library(name: \"Value\", targets: [\"Value\"])], targets: [.target(name: \"Value\")]"
    try folder.write(manifest("value", products), to: "value/Package.swift")
    for (number, version) in ["1.0.0", "1.1.0"].enumerated() {
      try folder.write("public let value = \(number)\n", to: "value/Sources/Value/Value.swift")
      if number == 0 { try git("init", "-q") }
      try git("add", "-A")
      try git("commit", "-qm", version)
      try git("tag", version)
    }
    let dependency =
      "dependencies: [.package(url: \"file://\(folder("value"))\", from: \"1.0.0\")], "
      + "targets: [.executableTarget(name: \"B\", dependencies: [.product(name: \"Value\", package: \"value\")])]"
    try folder.write(manifest("tree", dependency), to: "tree/Package.swift")
    try folder.write("import Value\nprint(value)\n", to: "tree/Sources/B/main.swift")
    try folder.write(manifest("value", products), to: "mine/value/Package.swift")
    try folder.write("public let value = 2\n", to: "mine/value/Sources/Value/Value.swift")
    func sources(_ change: DependencyChange) throws -> String? {
      let package = try BenchmarkPackage(
        around: folder("tree"), change: BuildChange(dependencies: [change]))
      return try DependencyChange.with([change], in: package) { () throws(PackageFailure) in
        try PackageBuild.fetch(package)
        return ["\(package.buildFolder)/checkouts/value", folder("tree/Packages/value")].compactMap {
          Files.text(of: $0 + "/Sources/Value/Value.swift")
        }.last
      }
    }
    #expect(try sources(DependencyChange(name: "value", version: "1.0.0")) == "public let value = 0\n")
    #expect(try sources(DependencyChange(name: "Value", folder: folder("mine/value"))) == "public let value = 2\n")
    // Once more, as after the first time.
    #expect(try sources(DependencyChange(name: "value", version: "1.1.0")) == "public let value = 1\n")
    #expect(try sources(DependencyChange(name: "value", folder: folder("mine/value"))) == "public let value = 2\n")
    #expect(Files.kind(of: folder("tree/Package.resolved")) == nil)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder("tree")).sorted()
    #expect(left.filter { $0 != ".gauge" } == ["Package.swift", "Sources"], "\(left)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder("mine/value")).sorted() == [
        "Package.swift", "Sources",
      ])
  }
}
