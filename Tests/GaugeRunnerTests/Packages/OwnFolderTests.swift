// What of gauge's own folder is refused.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct OwnFolderTests {
  let fixture: TwoRevisions

  init() throws { fixture = try TwoRevisions() }

  func check() throws(PackageFailure) { try OwnFolder.check(in: fixture.folder("package")) }

  @Test func `a folder of one's own is taken, and so is none`() throws {
    try check()
    try fixture.folder.write("x", to: "package/.gauge/earlier/x.csv")
    try check()
    try OwnFolder.check(in: fixture.folder.path)
  }

  @Test(arguments: [".gauge/kept/accepted.json", ".Gauge/x", ".gauge/é\nx"])
  func `files that git tracks are refused`(path: String) throws {
    try fixture.folder.write("{}", to: "package/" + path)
    try Files.makeFolder(fixture.folder("package/.gauge"))
    try fixture.git("add", "-f", path)
    #expect(
      throws: PackageFailure.foreign(path: fixture.folder("package/" + path), reason: "git tracks it")
    ) { try check() }
  }

  @Test func `links and files are refused`() throws {
    try fixture.folder.write("x", to: "outside/x")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder("package/.gauge"), withDestinationPath: fixture.folder("outside"))
    #expect(throws: PackageFailure.self) { try check() }
    Files.remove(fixture.folder("package/.gauge"))
    try fixture.folder.write("x", to: "package/.gauge")
    #expect(throws: PackageFailure.self) { try check() }
  }

  @Test func `commands that would believe it end with what to do`() throws {
    try fixture.folder.write("{}", to: "package/.gauge/kept/accepted.json")
    try fixture.git("add", "-f", ".gauge")
    let gauge = CapturedProgram(in: fixture.folder("package"), swift: fixture.package.swift)
    for verb in [["ab", "--base", "HEAD~1"], ["list"], ["baseline", "list"], ["history", "show"]] {
      #expect(gauge(arguments: verb) == 65, "\(verb)")
      #expect(gauge.error.contains("git rm -r --cached .gauge"), "\(verb)")
    }
  }
}
