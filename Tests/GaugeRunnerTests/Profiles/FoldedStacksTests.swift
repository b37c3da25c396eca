// Stacks as flame graph tools read them, one a line.

import Testing

@testable import GaugeRunner

@Suite struct FoldedStacksTests {
  @Test func `stacks are lines, added up without source lines and sorted`() {
    func frame(_ name: String, _ line: Int? = nil) -> ProfileFrame {
      ProfileFrame(function: name, object: "o", file: "f", line: line)
    }
    var profile = Profile(.cpu, operations: 1)
    profile.add(3, at: [frame("root"), frame("b c", 1)])
    profile.add(4, at: [frame("root"), frame("b c", 2)])
    profile.add(5, at: [frame("root"), frame("a;\nb")])
    profile.add(6, at: [frame("root"), frame("c\u{600};d;\u{301}\r\ne")])
    profile.add(0, at: [frame("nothing")])
    #expect(FoldedStacks.text(profile) == "root;a: b 5\nroot;b c 7\nroot;c\u{600}:d:\u{301} e 6\n")
    #expect(FoldedStacks.text(Profile(.cpu, operations: 1)) == "")
  }
}
