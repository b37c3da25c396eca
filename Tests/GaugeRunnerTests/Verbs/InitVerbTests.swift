// `gauge init`: what it writes, what it prints, and what it leaves alone.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct InitVerbTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let manifest = """
    // swift-tools-version: 6.2
    let package = Package(
      name: "p",
      targets: [
        .target(name: "Parser")
      ])

    """

  @Test func `a benchmark is written, and the target is printed`() throws {
    try folder.write(manifest, to: "my-parser/Package.swift")
    let gauge = CapturedProgram(in: folder("my-parser"))
    #expect(gauge("init") == 0, "\(gauge.error)")
    let source = try folder.read("my-parser/Benchmarks/MyParserBenchmarks/MyParserBenchmarks.swift")
    #expect(source.contains("import Gauge\n\n@main struct MyParserBenchmarks: BenchmarkSuite {\n"))
    #expect(
      gauge.error == "gauge: wrote \(folder("my-parser"))/Benchmarks/MyParserBenchmarks/MyParserBenchmarks.swift\n")
    #expect(
      gauge.output.hasPrefix(
        """

        Add to the targets of Package.swift:

            .executableTarget(
              name: "MyParserBenchmarks",
              dependencies: [.product(name: "Gauge", package: "weir")],
              path: "Benchmarks/MyParserBenchmarks"),

        """), "\(gauge.output)")
    #expect(try folder.read("my-parser/Package.swift") == manifest)
  }

  @Test func `what exists stays as it is`() throws {
    try folder.write(manifest, to: "p/Package.swift")
    try folder.write("mine", to: "p/Benchmarks/Fast/Fast.swift")
    let gauge = CapturedProgram(in: folder("p"))
    #expect(gauge("init", "Fast", "--edit") == 73)
    #expect(gauge.error.hasPrefix("gauge init: error: Benchmarks/Fast exists\nGive another name"))
    #expect(try folder.read("p/Benchmarks/Fast/Fast.swift") == "mine")
    #expect(try folder.read("p/Package.swift") == manifest)
  }

  @Test func `the manifest is edited when asked for, and that is said`() throws {
    let package = try folder.package()
    try folder.write(manifest, to: "package/Package.swift")
    let gauge = CapturedProgram(in: package.folder, swift: package.swift)
    #expect(gauge("init", "Fast", "--import", "Parser", "--edit") == 0, "\(gauge.error)")
    #expect(gauge.output.contains("Edited Package.swift, added to its targets:"))
    #expect(gauge.error.contains("gauge: asking the package manager about the new target; at first it fetches "))
    #expect(
      try folder.read("package/Package.swift") == """
        // swift-tools-version: 6.2
        let package = Package(
          name: "p",
          targets: [
            .executableTarget(
              name: "Fast",
              dependencies: ["Parser", .product(name: "Gauge", package: "weir")],
              path: "Benchmarks/Fast"),
            .target(name: "Parser")
          ])

        """)
    #expect(try folder.read("package/Benchmarks/Fast/Fast.swift").contains("import Gauge\nimport Parser\n\n@main"))
  }

  /// The minutes in which it fetches dependencies were silent.
  @Test func `what the package manager says while it fetches is shown`() throws {
    let package = try folder.package(
      describe: #"""
        case "$*" in
          *resolve) echo 'Fetching one'; echo 'Fetching two' >&2 ;;
          *) echo '{"targets":[{"name":"Fast","type":"executable","path":"Benchmarks/Fast"}]}' ;;
        esac
        """#)
    try folder.write(manifest, to: "package/Package.swift")
    let swift = (package.swift as NSString).deletingLastPathComponent
    // The built command, as what is shown at once goes to the process's own standard error.
    let run = try ProcessRun.capturing(
      Command(
        program: "/bin/sh",
        arguments: [
          "-c", #"cd "$1" && PATH="$2:/usr/bin:/bin" exec "$3" init Fast --edit"#, "sh", package.folder, swift,
          GaugeExecutableTests.gauge,
        ]))
    #expect(run.succeeded, "\(run.output)")
    let lines = run.output.split(separator: "\n")
    let asked = try #require(lines.firstIndex { $0.hasPrefix("gauge: asking the package manager about") })
    #expect(lines.dropFirst(asked + 1).prefix(2) == ["Fetching one", "Fetching two"], "\(run.output)")
    let calls = try folder.read("calls").split(separator: "\n")
    #expect(
      calls.count == 2 && calls[0].hasSuffix(" resolve") && calls[1].hasSuffix(" describe --type json"), "\(calls)")
  }

  @Test(arguments: ["echo no such dependency >&2; exit 1", "echo '{\"targets\":[]}'"])
  func `a manifest that the package manager refuses is put back`(describe: String) throws {
    let package = try folder.package(describe: describe)
    try folder.write(manifest, to: "package/Package.swift")
    let gauge = CapturedProgram(in: package.folder, swift: package.swift)
    #expect(gauge("init", "Fast", "--edit") == 65)
    #expect(gauge.error.contains("as the package manager refuses the new target: "))
    #expect(gauge.error.contains("Benchmarks/Fast was taken back. Without --edit it stays; then add to its targets:"))
    #expect(try folder.read("package/Package.swift") == manifest)
    #expect(Files.kind(of: folder("package/Benchmarks/Fast")) == nil)
    // The next try was told that it exists.
    #expect(gauge("init", "Fast", "--edit") == 65)
  }

  @Test func `where the targets begin must be clear`() throws {
    let new = NewBenchmarks(name: "Fast", modules: [])
    #expect(new.added(to: "targets: []") == nil)
    #expect(new.added(to: "targets: [\n]\n  targets: [\n]") == nil)
    let package = try folder.package()
    let gauge = CapturedProgram(in: package.folder, swift: package.swift)
    #expect(gauge("init", "Fast", "--edit") == 65)
    #expect(gauge.error.contains("has not just one line 'targets: ['"))
    #expect(gauge("init", "Fast") == 0, "\(gauge.error)")
  }

  @Test(arguments: ["1st", "a-b", "ä b", ""]) func `names that no module can have are refused`(name: String) throws {
    try folder.write(manifest, to: "p/Package.swift")
    let gauge = CapturedProgram(in: folder("p"))
    #expect(gauge("init", name) == 64)
    #expect(gauge("init", "Fast", "--import", "a-b") == 64)
    #expect(gauge.error.contains("'a-b' can't be the name of a module"))
  }

  @Test(arguments: [
    ("parser", "ParserBenchmarks"), ("my-fast_parser.swift", "MyFastParserSwiftBenchmarks"), ("7zip", "Benchmarks"),
    ("", "Benchmarks"),
  ])
  func `a name is made of the folder`(folder: String, name: String) {
    #expect(NewBenchmarks.name(for: folder) == name)
  }

  @Test func `outside of a package there is nothing to make`() {
    #expect(CapturedProgram(in: folder.path)("init") == 66)
  }
}
