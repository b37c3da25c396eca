// Building only what filters need, by lists of earlier builds.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct ChosenBuildTests {
  let folder: TemporaryFolder
  let package: BenchmarkPackage

  /// A package of two executables, each of which lists what its source says.
  /// A source that says `broken` doesn't compile.
  init() throws {
    folder = try TemporaryFolder()
    let targets = ["Fast", "Slow"].map {
      #"{"name":"\#($0)","type":"executable","path":"Benchmarks/\#($0)","target_dependencies":["Kit"]}"#
    }
    let kit = #"{"name":"Kit","type":"library","path":"Sources/Kit"}"#
    package = try folder.package(
      describe: "echo '{\"targets\":[\((targets + [kit]).joined(separator: ","))]}'",
      build: #"""
        for last; do :; done
        source='\#(folder("package/Benchmarks"))'/$last/list
        [ -e "$source" ] || exit 0
        if grep -q broken "$source"; then exit 1; fi
        { echo '#!/bin/sh'; echo "cat '$source'"; } > $built/$last; chmod +x $built/$last
        """#)
    try write("Fast", ["a/one", "a/two"])
    try write("Slow", ["b/one"], tag: "smoke")
    try folder.write("", to: "package/Sources/Kit/Kit.swift")
  }

  private func write(_ target: String, _ names: [String], tag: String = "quick") throws {
    try folder.write(
      names.map { "benchmark\t\($0)\t\ttime\t\t\(tag)\n" }.joined(), to: "package/Benchmarks/\(target)/list")
  }

  /// Names of the executables that filters have built.
  private func built(_ filters: String..., tags: [String] = []) throws -> [String] {
    try ChosenBuild(package, filters: filters, tags: tags).executables.map { ($0 as NSString).lastPathComponent }
  }

  @Test func `what no list is known of is built`() throws {
    #expect(try built("a/*") == ["Fast", "Slow"])
    #expect(try built("a/*") == ["Fast"])
    #expect(try built() == ["Fast", "Slow"])
    #expect(try ChosenBuild(package, filters: ["b/*"]).unneeded == ["Fast"])
  }

  @Test func `filters and tags that fit nothing known build everything`() throws {
    _ = try built()
    #expect(try built("c/*") == ["Fast", "Slow"])
    #expect(try built("a/one", "c/*") == ["Fast", "Slow"])
    #expect(try built(tags: ["smoke"]) == ["Slow"])
    #expect(try built("a/*", tags: ["smoke"]) == ["Fast", "Slow"])
    #expect(try built(tags: ["smoke", "other"]) == ["Fast", "Slow"])
  }

  @Test func `a changed source makes its list unknown, and so does one that it depends on`() throws {
    _ = try built()
    #expect(try built("a/one") == ["Fast"])
    try write("Slow", ["a/three"])
    #expect(try built("a/one") == ["Fast", "Slow"])
    #expect(try built("a/one") == ["Fast"])
    #expect(try built("a/*") == ["Fast", "Slow"])
    try folder.write("changed", to: "package/Sources/Kit/Kit.swift")
    #expect(try built("a/one") == ["Fast", "Slow"])
  }

  @Test func `lists that are damaged are none`() throws {
    _ = try built()
    let lists = folder("package/.gauge/lists")
    for name in try FileManager.default.contentsOfDirectory(atPath: lists) {
      try folder.write("damaged\n", to: "package/.gauge/lists/" + name)
    }
    #expect(try built("a/one") == ["Fast", "Slow"])
  }

  @Test func `who has a list isn't asked again`() throws {
    _ = try built()
    let lists = folder("package/.gauge/lists")
    let names = try FileManager.default.contentsOfDirectory(atPath: lists)
    for name in names where name.hasPrefix("Fast-") {
      try folder.write("c/one\t\t\n", to: "package/.gauge/lists/" + name)
    }
    _ = try built()
    #expect(try built("c/one") == ["Fast"])
  }

  @Test func `few lists of a target are kept`() throws {
    for number in 0..<12 {
      try write("Fast", ["a/\(number)"])
      _ = try built()
    }
    let lists = try FileManager.default.contentsOfDirectory(atPath: folder("package/.gauge/lists"))
    #expect(lists.count { $0.hasPrefix("Fast-") } == 9)
  }

  @Test func `what doesn't compile is left out of a list, and a run ends as one with a broken benchmark`() throws {
    try write("Slow", ["broken"])
    let gauge = CapturedProgram(in: package.folder, swift: package.swift)
    #expect(gauge("list") == 0)
    #expect(gauge.output.hasPrefix("a/one  time  #quick\n"))
    #expect(gauge.error == "gauge: warning: Slow doesn't compile (above), and is left out\n")
    #expect(gauge("run", "--metrics", "time", "a/one") == 3)
    #expect(gauge.error.contains("gauge: warning: Slow doesn't compile (above), and is left out\n"))
    try write("Fast", ["broken"])
    #expect(gauge("list") == 3)
    #expect(gauge.error.hasPrefix("gauge list: error: the build of the benchmarks failed: "))
  }
}
