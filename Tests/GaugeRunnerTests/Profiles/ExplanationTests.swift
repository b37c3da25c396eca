// Tests of explanations as people and scripts read them.

import Testing

@testable import GaugeRunner

@Suite struct ExplanationTests {
  private static func profile(_ dump: String) throws -> InstructionProfile {
    InstructionProfile(try #require(CallgrindGraph(dump))) { _, address in
      switch address {
      case 0x1000..<0x2000:
        [ProfileFrame(function: "tally(_:)", object: "b", file: "Objects.swift", line: Int(address - 0x1000))]
      default: []
      }
    }
  }

  private static func dump(_ own: Int, retains: Int) -> String {
    """
    desc: Trigger: Client Request: gauge operation 10
    ob=(1) /bin/b
    fn=(1) tally
    0x1005 \(own)
    cfn=(2) swift_retain
    calls=\(retains) 0x5000
    0x1007 \(retains * 5)
    fn=(2)
    0x5000 \(retains * 5)

    """
  }

  @Test func `a retain more is explained by its function`() throws {
    let explanation = Explanation(
      base: try Self.profile(Self.dump(100, retains: 10)), new: try Self.profile(Self.dump(120, retains: 20)))
    #expect(explanation.leading == .instructions)
    #expect(
      explanation.lines == [
        "why: +7 instructions, +1 retain by operation",
        "1. tally(_:) (Objects.swift:7): 100 % of the change, +7 instructions, +1 retain: swift_retain +5 (+1 call), own "
          + "code +2",
      ])
    let json = explanation.json(title: "a/b").text()
    #expect(json.contains("\"function\": \"tally(_:)\""))
    #expect(json.contains("\"retains\": 1"))
  }

  @Test func `where nothing that is counted grew it says so`() throws {
    let profile = try Self.profile(Self.dump(100, retains: 10))
    let explanation = Explanation(base: profile, new: profile)
    #expect(explanation.leading == nil)
    #expect(explanation.sites.isEmpty)
    #expect(explanation.lines.count == 1)
    #expect(explanation.lines[0].hasPrefix("as many instructions, allocations, retains and releases as before"))
  }

  @Test func `notes of both sides are kept once`() throws {
    var base = try Self.profile(Self.dump(100, retains: 10))
    var new = try Self.profile(Self.dump(900, retains: 10))
    base.instructions.notes = ["a", "b"]
    new.instructions.notes = ["b"]
    #expect(Explanation(base: base, new: new).notes == ["b", "a"])
    #expect(Explanation(unavailable: "no valgrind").lines == ["not explained: no valgrind"])
  }

  @Test func `numbers have signs, and a digit behind the point where it matters`() {
    #expect([1, -2, 0.25, 1.04, 123.4].map(Explanation.signed) == ["+1", "-2", "+0.3", "+1", "+123"])
  }
}
