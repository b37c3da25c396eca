// Names that are given out once.

import Testing

@testable import GaugeRunner

@Suite struct UnlikeNamesTests {
  @Test func `each name is given once, however often it is asked for`() {
    var names = UnlikeNames { $0.lowercased() }
    #expect(["a", "A", "a_2", "b", "a"].map { names.give($0) } == ["a", "A_2", "a_2_2", "b", "a_3"])
  }

  @Test func `many of one name take no longer than others`() {
    var names = UnlikeNames()
    let given = (0..<100_000).map { _ in names.give("k") }
    #expect(Set(given).count == 100_000 && given.last == "k_100000")
  }

  @Test func `a member of an object hides no other`() {
    #expect(
      JSONText.object([("real_time", 1), ("real_time", 2)]).text() == "{\n  \"real_time\": 1,\n  \"real_time_2\": 2\n}")
  }

  @Test func `no title's file is another's`() {
    let names = UnlikeNames.ofFiles(for: ["a/b", "a-b", "A b", "..", "a/b", "--"])
    #expect(names == ["a/b": "a-b", "a-b": "a-b_2", "A b": "A-b_3", "..": "--", "--": "--_2"])
  }
}
