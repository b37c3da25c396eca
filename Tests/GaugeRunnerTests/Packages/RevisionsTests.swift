// Building revisions, with a real git and a scripted package manager.

import Foundation
import Testing

@testable import GaugeRunner

/// A package under git with two commits, whose build copies its source.
struct TwoRevisions {
  let folder: TemporaryFolder
  let package: BenchmarkPackage

  init() throws {
    folder = try TemporaryFolder()
    let swift = try folder.script(
      #"""
      [ "$1" = --version ] && { cat '\#(folder("version"))' 2>/dev/null || echo Swift; exit; }
      echo "$1" >> '\#(folder("calls"))'
      for last; do [ "$previous" = --scratch-path ] && scratch=$last; [ "$previous" = --package-path ] && source=$last
        previous=$last; done
      case "$1" in
        package) echo '{"targets":[{"name":"Fast","type":"executable","path":"Benchmarks/Fast"}]}' ;;
        build) mkdir -p "$scratch/release" && cp "$source/Fast" "$scratch/release/Fast" && chmod +x "$scratch/release/Fast" ;;
      esac
      """#, named: "swift")
    try folder.write("// manifest", to: "package/Package.swift")
    try folder.write(".gauge/\n", to: "package/.gitignore")
    for (number, time) in ["20", "30"].enumerated() {
      try folder.write(Self.executable(time: time), to: "package/Fast")
      if number == 0 { try Self.git(folder, ["init", "-q"]) }
      try Self.git(folder, ["add", "-A"])
      try Self.git(folder, ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "c\(number)"])
    }
    package = try BenchmarkPackage(around: folder("package"), swift: swift)
  }

  /// A benchmark executable that takes a fixed time.
  static func executable(time: String) -> String {
    """
    #!/bin/sh
    if [ "$1" = list ]; then printf 'benchmark\\ta\\t\\ttime\\n'; exit; fi
    printf 'gauge-launch\\t1\\nmetric\\ttime\\tns/op\\tlower\\tsampled\\t1\\t1\\t\(time)\\ndone\\n' >&3

    """
  }

  @discardableResult
  static func git(_ folder: TemporaryFolder, _ arguments: [String]) throws -> String {
    let run = try ProcessRun.capturing(
      Command(program: "git", arguments: ["-C", folder("package")] + arguments), reportOn: 1)
    precondition(run.succeeded, run.output)
    return run.report
  }

  @discardableResult
  func git(_ arguments: String...) throws -> String {
    try Self.git(folder, arguments)
  }
}

@Suite struct RevisionsTests {
  let fixture: TwoRevisions
  let revisions: Revisions

  init() throws {
    fixture = try TwoRevisions()
    revisions = Revisions(package: fixture.package)
  }

  @Test func `each side is built of its revision, once`() throws {
    let commits = (try revisions.commit(of: "HEAD~1"), try revisions.commit(of: "HEAD"))
    let base = try revisions.build(commits.0, as: "base")
    let new = try revisions.build(commits.1, as: "new")
    #expect(Files.text(of: base.executables[0]) == TwoRevisions.executable(time: "20"))
    #expect(Files.text(of: new.executables[0]) == TwoRevisions.executable(time: "30"))
    #expect(try revisions.build(commits.0, as: "base") == base)
    let calls = try fixture.folder.read("calls").split(separator: "\n")
    // The hooks are a product of their own where the package has no such target.
    #expect(calls.count { $0 == "build" } == 4)
  }

  @Test func `what another toolchain has built is built again`() throws {
    let commit = try revisions.commit(of: "HEAD")
    let new = try revisions.build(commit, as: "new")
    try fixture.folder.write("Swift 7\n", to: "version")
    #expect(revisions.toolchain == "Swift 7")
    try fixture.folder.write("", to: "calls")
    #expect(try revisions.build(commit, as: "new") == new)
    #expect(try fixture.folder.read("calls").contains("build"))
  }

  @Test func `a worktree that a cache brought into another clone is made one of it, and its build stays`() throws {
    _ = try revisions.build(revisions.commit(of: "HEAD~1"), as: "base")
    try fixture.folder.write("built", to: "package/.gauge/ab/tree/.gauge/build/object")
    try FileManager.default.removeItem(atPath: fixture.folder("package/.git/worktrees"))
    let new = try revisions.build(revisions.commit(of: "HEAD"), as: "new")
    #expect(Files.text(of: new.executables[0]) == TwoRevisions.executable(time: "30"))
    #expect(try fixture.folder.read("package/.gauge/ab/tree/.gauge/build/object") == "built")
    #expect(try fixture.git("status", "--porcelain") == "")
  }

  @Test func `a side that is not what was kept, or names what lies elsewhere, is built again`() throws {
    let commit = try revisions.commit(of: "HEAD")
    let new = try revisions.build(commit, as: "new")
    let record = "package/.gauge/ab/new/side.json"
    let kept = try fixture.folder.read(record)
    try fixture.folder.write(TwoRevisions.executable(time: "1"), to: "package/.gauge/ab/new/Fast")
    #expect(
      Files.text(of: try revisions.build(commit, as: "new").executables[0]) == TwoRevisions.executable(time: "30"))
    _ = try fixture.folder.script("echo evil", named: "evil.sh")
    let hash = SHA256.hexadecimal(try Files.contents(of: fixture.folder("evil.sh")))
    for path in ["../../../../evil.sh", fixture.folder("evil.sh")] {
      let named = kept.replacingOccurrences(of: "\"Fast\"", with: "\"\(path)\"")
        .replacingOccurrences(of: SHA256.hexadecimal(Array(TwoRevisions.executable(time: "30").utf8)), with: hash)
      #expect(named != kept)
      try fixture.folder.write(named, to: record)
      #expect(try revisions.build(commit, as: "new") == new)
    }
  }

  /// A commit was measured with the versions of dependencies that another one's build had chosen.
  @Test func `what a build leaves in the tree is gone for the next commit`() throws {
    _ = try revisions.build(revisions.commit(of: "HEAD~1"), as: "base")
    let tree = "package/.gauge/ab/tree"
    try fixture.folder.write("pinned", to: tree + "/Package.resolved")
    try fixture.folder.write("left", to: tree + "/more/file")
    try fixture.folder.write("built", to: tree + "/.gauge/build/object")
    _ = try revisions.build(revisions.commit(of: "HEAD"), as: "new")
    #expect(Files.kind(of: fixture.folder(tree + "/Package.resolved")) == nil)
    #expect(Files.kind(of: fixture.folder(tree + "/more")) == nil)
    #expect(try fixture.folder.read(tree + "/.gauge/build/object") == "built")
  }

  @Test func `a hook of the repository that fails stops nothing`() throws {
    let hook = try fixture.folder.script("exit 1", named: "hook")
    try FileManager.default.createDirectory(
      atPath: fixture.folder("package/.git/hooks"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: hook, toPath: fixture.folder("package/.git/hooks/post-checkout"))
    let new = try revisions.build(revisions.commit(of: "HEAD~1"), as: "base")
    #expect(Files.text(of: new.executables[0]) == TwoRevisions.executable(time: "20"))
  }

  @Test func `a commit that brings gauge's own files is refused`() throws {
    try fixture.folder.write("{}", to: "package/.gauge/ab/base/side.json")
    try fixture.git("add", "-f", ".gauge")
    try fixture.git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "evil")
    let commit = try revisions.commit(of: "HEAD")
    #expect(
      throws: PackageFailure.foreign(
        path: ".gauge", reason: "commit \(commit.prefix(12)) has it in git")
    ) {
      try revisions.build(commit, as: "new")
    }
  }

  @Test func `a commit without a package is not taken for the package around its worktree`() throws {
    try fixture.git("rm", "-q", "Package.swift")
    try fixture.git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "no package")
    let commit = try revisions.commit(of: "HEAD")
    try fixture.folder.write("// manifest", to: "package/Package.swift")
    for name in ["base", "commit"] {
      #expect(throws: PackageFailure.noPackageYet(commit: commit)) { try revisions.build(commit, as: name) }
    }
    #expect(
      "\(PackageFailure.noPackageYet(commit: commit))"
        == "commit \(commit.prefix(12)) has no Package.swift where this package has it, or in a folder above")
    let gauge = CapturedProgram(in: fixture.folder("package"), swift: fixture.package.swift)
    #expect(gauge("ab", "--base", commit) == 66, "\(gauge.output)")
    #expect(gauge("run", "--affected-since", commit, "--metrics", "time") == 66, "\(gauge.output)")
    #expect(gauge.error.contains("has no Package.swift"), "\(gauge.error)")
  }

  @Test func `the working tree is taken with its changes, and left alone`() throws {
    #expect(try revisions.workingTree() == revisions.commit(of: "HEAD"))
    try fixture.folder.write(TwoRevisions.executable(time: "40"), to: "package/Fast")
    let new = try revisions.build(revisions.workingTree(), as: "new")
    #expect(Files.text(of: new.executables[0]) == TwoRevisions.executable(time: "40"))
    #expect(try fixture.git("status", "--porcelain") == " M Fast\n")
    #expect(try fixture.git("stash", "list") == "")
  }

  @Test func `files that git doesn't know are told, and another time is no change`() throws {
    #expect(try revisions.unknownFiles() == [])
    try fixture.folder.write("", to: "package/New.swift")
    #expect(try revisions.unknownFiles() == ["New.swift"])
    let file = fixture.folder("package/Fast")
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: file)
    #expect(try revisions.workingTree() == revisions.commit(of: "HEAD"))
  }

  /// Commits with nothing in them.
  func commit(_ subjects: String...) throws {
    for subject in subjects {
      try fixture.git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-m", subject)
    }
  }

  @Test func `the line between two commits follows the branch of the later one`() throws {
    let good = try revisions.commit(of: "HEAD")
    try commit("one")
    try fixture.git("checkout", "-qb", "side", good)
    try commit("aside\twith a tabulator")
    try fixture.git("checkout", "-q", "-")
    try fixture.git("-c", "user.name=t", "-c", "user.email=t@t", "merge", "-q", "--no-ff", "-m", "merged", "side")
    try commit("two")
    let bad = try revisions.commit(of: "HEAD")
    let line = try revisions.line(from: good, to: bad)
    #expect(line.map(\.subject) == ["c1", "one", "merged", "two"])
    #expect(line.map(\.hash).first == good && line.map(\.hash).last == bad)
    #expect(line[2].parents == [line[1].hash, try revisions.commit(of: "side")])
    // What is only on the merged branch is reached by it.
    let side = try revisions.line(from: revisions.commit(of: "side"), to: bad)
    #expect(side.map(\.subject) == ["aside\twith a tabulator", "merged", "two"])
    #expect(try revisions.line(from: bad, to: good).isEmpty)
    #expect(try revisions.line(from: good, to: good).map(\.hash) == [good])
  }

  /// What git told of them was cut, and the line was shorter.
  @Test func `a line of which git has much to tell is whole`() throws {
    let good = try revisions.commit(of: "HEAD")
    for number in 1...3 {
      try fixture.folder.write("\(number)" + String(repeating: "x", count: 2_000_000), to: "message")
      try fixture.git(
        "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-F", fixture.folder("message"))
    }
    let line = try revisions.line(from: good, to: revisions.commit(of: "HEAD"))
    #expect(line.map { $0.subject.prefix(1) } == ["c", "1", "2", "3"])
  }

  @Test func `a commit that isn't there is named, and so is a clone that lacks it`() throws {
    #expect { try revisions.commit(of: "nowhere") } throws: { "\($0)" == "there is no commit 'nowhere'" }
    try fixture.git("clone", "-q", "--depth", "1", "file://" + fixture.folder("package"), fixture.folder("clone"))
    let clone = Revisions(package: try BenchmarkPackage(around: fixture.folder("clone"), swift: fixture.package.swift))
    #expect { try clone.commit(of: "HEAD~1") } throws: {
      "\($0)"
        == "there is no commit 'HEAD~1': this clone has only its last commits, and 'git fetch --unshallow' brings the others"
    }
    let folder = try TemporaryFolder()
    try folder.write("// manifest", to: "Package.swift")
    let outside = Revisions(package: try BenchmarkPackage(around: folder.path, swift: fixture.package.swift))
    #expect { try outside.commit(of: "HEAD") } throws: { "\($0)".contains("not a git repository") }
  }

  @Test func `commits come behind those that they were made on`() throws {
    let good = try revisions.commit(of: "HEAD")
    try fixture.git("checkout", "-qb", "side", good)
    try commit("aside")
    try fixture.git("checkout", "-q", "-")
    try commit("one")
    let (side, main) = (try revisions.commit(of: "side"), try revisions.commit(of: "HEAD"))
    let none = String(repeating: "0", count: 40)
    let order = try revisions.order(of: [side, main, none, "--version", "HEAD"])
    #expect(order.count == 4 && order[none] == nil)
    let places = try [revisions.commit(of: "HEAD~2"), good, main].map { order[$0] ?? -1 }
    #expect(places == places.sorted() && places[0] == 0)
    #expect(order[side] ?? -1 > order[good] ?? 9)
    #expect(try revisions.order(of: ["HEAD", ""]).isEmpty)
    #expect(!Revisions.isHash(none + "0") && !Revisions.isHash(String(repeating: "g", count: 40)))
  }

  @Test func `an unknown revision is a failure of git`() {
    #expect(throws: PackageFailure.self) { try revisions.commit(of: "nowhere") }
    #expect(throws: PackageFailure.self) { try revisions.commit(of: "--version") }
  }

  @Test(arguments: [".Gauge/x", ".GAUGE"])
  func `gauge's own folder is refused in any letters`(path: String) throws {
    try fixture.folder.write("{}", to: "package/" + path)
    try fixture.git("add", "-f", path)
    try fixture.git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "evil")
    let commit = try revisions.commit(of: "HEAD")
    #expect(throws: PackageFailure.self) { try revisions.build(commit, as: "new") }
  }
}
