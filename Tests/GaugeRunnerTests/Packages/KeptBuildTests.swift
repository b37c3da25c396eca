// Records of kept builds, which may come from strangers.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct KeptBuildTests {
  static let build = KeptBuild(
    saved: "2026-01-02T03:04:05Z", commit: "abc", terms: BuildTerms(of: [], toolchain: { "" }),
    results: KeptBuild.File(
      path: "results.csv", hash: String(repeating: "a", count: 64), size: 1, isExecutable: false),
    executables: ["Fast"],
    files: [
      KeptBuild.File(path: "Fast", hash: String(repeating: "0", count: 64), size: 2, isExecutable: true),
      KeptBuild.File(
        path: "p.resources/a b.json", hash: String(repeating: "1", count: 64), size: 3, isExecutable: false),
    ])

  @Test func `a record is read as it was written`() throws {
    #expect(try KeptBuild(Array(Self.build.text.utf8), path: "f") == Self.build)
    #expect(Self.build.size == 6)
  }

  @Test(arguments: [
    ("\"version\" : 1", "\"version\" : 2", "field 'version': expected 1, found 2"),
    ("\"Fast\"\n", "\"Slow\"\n", "field 'executables': there is no executable file 'Slow'"),
    ("a b.json", "../../../b", "is no path below a folder"),
    ("\"p.resources/a b.json\"", "\"/etc/passwd\"", "is no path below a folder"),
    ("\"p.resources/a b.json\"", "\"a\\u0000b\"", "is no path below a folder"),
    ("\"p.resources/a b.json\"", "\"Fast\"", "field 'files': a path is there twice"),
    ("\"111", "\"../", "field 'hash' of p.resources/a b.json: expected 64 hexadecimal digits"),
    ("\"111", "\"1A1", "field 'hash' of p.resources/a b.json: expected 64 hexadecimal digits"),
    ("\"size\" : 3", "\"size\" : -3", "field 'size' of p.resources/a b.json: below 0"),
    (
      "\"size\" : 3", "\"size\" : 140737488355329", "field 'size' of p.resources/a b.json: above 140737488355328"
    ),
    ("\"size\" : 3", "\"size\" : \"x\"", "it is no record of a kept build: field 'files.Index 1.size'"),
    ("\"saved\"", "\"served\"", "it is no record of a kept build: field 'saved' is missing"),
    ("{", "", "it is no record of a kept build: "),
  ])
  func `a record that is wrong is refused with its field`(what: String, with: String, complaint: String) throws {
    let text = Self.build.text
    let range = try #require(text.range(of: what))
    let changed = text.replacingCharacters(in: range, with: with)
    let failure = #expect(throws: KeptBuilds.Failure.self) { try KeptBuild(Array(changed.utf8), path: "f") }
    guard case .damaged("f", let reason)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(reason.contains(complaint), "\(reason)")
  }

  @Test(arguments: [
    ("a", true), ("a/b c", true), ("", false), ("/a", false), ("a/", false), ("a//b", false), ("..", false),
    ("a/../b", false),
    ("./a", false), ("a\nb", false), ("a\u{7f}", false),
  ])
  func `paths lead below the folder`(path: String, isPlain: Bool) {
    #expect(KeptBuild.isPlain(path) == isPlain)
  }
}
