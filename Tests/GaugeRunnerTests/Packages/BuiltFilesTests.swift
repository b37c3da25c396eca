// What executables need beside them, found and copied.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct BuiltFilesTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.script("exit 0", named: "Fast")
    try folder.write("hooks", to: CountingLibraries.hooksName)
    try folder.write("data", to: "p_Fast.resources/deep/data.json")
    try folder.write("no part of it", to: "Fast.build/a.o")
    try folder.write("no part of it", to: "other.txt")
  }

  @Test func `hooks and resources go with the executables`() throws {
    let built = try BuiltFiles(of: [folder("Fast")])
    #expect(
      built.files.map(\.path) == ["Fast", CountingLibraries.hooksName, "p_Fast.resources/deep/data.json"])
    try folder.write("old", to: "root/place/old")
    #expect(try built.copy(to: folder("root/place"), below: folder("root")) == [folder("root/place/Fast")])
    #expect(try folder.read("root/place/p_Fast.resources/deep/data.json") == "data")
    #expect(FileManager.default.isExecutableFile(atPath: folder("root/place/Fast")))
    #expect(Files.kind(of: folder("root/place/old")) == nil)
  }

  #if os(Linux)
    @Test func `libraries that lie beside it and that the loader needs go with it`() throws {
      let gauge = try #require(ElfFile(Files.contents(of: GaugeExecutableTests.gauge)))
      let library = try #require(gauge.neededLibraries.first { $0.hasPrefix("libc.so") })
      let copied = try ProcessRun.capturing(
        Command(program: "cp", arguments: [GaugeExecutableTests.gauge, folder("gauge")]))
      try #require(copied.succeeded)
      try folder.write("the package's own", to: library)
      #expect(try BuiltFiles(of: [folder("gauge")]).files.map(\.path).prefix(2) == ["gauge", library])
    }
  #endif

  @Test func `two files of one name are refused`() throws {
    _ = try folder.write("", to: "other/file")
    _ = try folder.script("exit 1", named: "other/Fast")
    #expect(throws: PackageFailure.self) { try BuiltFiles(of: [folder("Fast"), folder("other/Fast")]) }
  }

  @Test func `nothing is copied through a link`() throws {
    try folder.write("", to: "root/file")
    try folder.write("", to: "outside/file")
    try FileManager.default.createSymbolicLink(atPath: folder("root/link"), withDestinationPath: folder("outside"))
    let built = try BuiltFiles(of: [folder("Fast")])
    #expect(throws: PackageFailure.self) { try built.copy(to: folder("root/link/place"), below: folder("root")) }
    #expect(Files.kind(of: folder("outside/place")) == nil)
  }
}
