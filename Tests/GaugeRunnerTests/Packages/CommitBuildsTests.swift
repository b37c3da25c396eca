// Builds of commits, with a real git and a scripted package manager.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct CommitBuildsTests {
  let fixture: TwoRevisions
  let builds: CommitBuilds

  init() throws {
    fixture = try TwoRevisions()
    builds = CommitBuilds(revisions: Revisions(package: fixture.package), stripper: nil, toolchain: "Swift")
  }

  func calls() throws -> Int { try fixture.folder.read("calls").split(separator: "\n").count { $0 == "build" } }

  @Test func `a commit is built once, also after others and where nothing is laid out any more`() throws {
    let revisions = Revisions(package: fixture.package)
    let commits = (try revisions.commit(of: "HEAD~1"), try revisions.commit(of: "HEAD"))
    let first = try builds.build(commits.0, filters: ["a"])
    let second = try builds.build(commits.1, filters: ["a"])
    #expect(first.commit == commits.0 && first.executables != second.executables)
    let count = try calls()
    #expect(try builds.build(commits.0, filters: ["a"]) == first)
    builds.clear()
    #expect(Files.kind(of: first.executables[0]) == nil)
    #expect(try builds.build(commits.0, filters: ["a"]) == first)
    #expect(try builds.build(commits.1, filters: ["a"]) == second)
    #expect(try calls() == count)
    #expect(Files.text(of: first.executables[0]) == TwoRevisions.executable(time: "20"))
    #expect(Files.text(of: second.executables[0]) == TwoRevisions.executable(time: "30"))
  }

  @Test func `a commit that takes another back is not built`() throws {
    let revisions = Revisions(package: fixture.package)
    let first = try builds.build(revisions.commit(of: "HEAD~1"), filters: ["a"])
    _ = try builds.build(revisions.commit(of: "HEAD"), filters: ["a"])
    try fixture.git("-c", "user.name=t", "-c", "user.email=t@t", "revert", "--no-edit", "HEAD")
    let count = try calls()
    let again = try builds.build(revisions.commit(of: "HEAD"), filters: ["a"])
    #expect(again.commit == (try revisions.commit(of: "HEAD")) && again.executables != first.executables)
    #expect(Files.text(of: again.executables[0]) == TwoRevisions.executable(time: "20"))
    #expect(try calls() == count)
    _ = try builds.build(revisions.commit(of: "HEAD"), filters: ["b"])
    #expect(try calls() > count)
  }

  /// The standard library is linked into the executables, so that nothing else would tell.
  @Test func `what another toolchain has built is not measured beside today's`() throws {
    let revisions = Revisions(package: fixture.package)
    let commit = try revisions.commit(of: "HEAD")
    _ = try builds.build(commit, filters: [])
    let count = try calls()
    try fixture.folder.write("Swift 7\n", to: "version")
    let today = CommitBuilds(revisions: revisions, stripper: nil, toolchain: revisions.toolchain)
    _ = try today.build(commit, filters: [])
    #expect(try calls() > count)
  }

  @Test func `what was damaged is built again`() throws {
    let commit = try Revisions(package: fixture.package).commit(of: "HEAD")
    let built = try builds.build(commit, filters: [])
    let count = try calls()
    let objects = fixture.folder("package/.gauge/bisect/objects")
    for name in try FileManager.default.contentsOfDirectory(atPath: objects) {
      try fixture.folder.write("damaged", to: "package/.gauge/bisect/objects/" + name)
    }
    try FileManager.default.removeItem(atPath: fixture.folder("package/.gauge/ab/commit"))
    #expect(try builds.build(commit, filters: []) == built)
    #expect(try calls() > count)
    #expect(Files.text(of: built.executables[0]) == TwoRevisions.executable(time: "30"))
  }

  @Test func `baselines are apart from them`() throws {
    _ = try builds.build(Revisions(package: fixture.package).commit(of: "HEAD"), filters: [])
    #expect(KeptBuilds(package: fixture.package.folder).names.isEmpty)
  }
}
