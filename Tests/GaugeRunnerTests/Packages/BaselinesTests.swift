// Names of baselines, and what is in their folder.

import Testing

@testable import GaugeRunner

@Suite struct BaselinesTests {
  @Test(arguments: [
    ("main", true), ("v1.2-rc_3", true), ("1.0", true), ("_x", true), ("", false), (".x", false), ("-x", false),
    ("a/b", false), ("ä", false),
  ])
  func `names are plain`(name: String, isName: Bool) {
    #expect((Baselines(results: "r").path(of: name) != nil) == isName)
  }

  @Test func `only tables are baselines`() throws {
    let folder = try TemporaryFolder()
    #expect(Baselines(results: folder.path).names == [])
    for name in ["b.csv", "a.csv", "a.txt"] { try folder.write("", to: "baselines/" + name) }
    #expect(Baselines(results: folder.path).names == ["a", "b"])
    #expect(Baselines(results: "r").path(of: "a") == "r/baselines/a.csv")
  }
}
