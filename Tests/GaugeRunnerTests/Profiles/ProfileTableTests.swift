// Profiles on a terminal.

import Testing

@testable import GaugeRunner

@Suite struct ProfileTableTests {
  private static func frame(_ name: String, _ line: Int? = nil) -> ProfileFrame {
    ProfileFrame(function: name, object: "program", file: line == nil ? nil : "File.swift", line: line)
  }

  private static var profile: Profile {
    var profile = Profile(.retains, operations: 100)
    profile.add(100, at: [frame("bench"), frame("body()", 1)])
    profile.add(250, at: [frame("bench"), frame("body()", 2), frame("leaf()", 7)])
    profile.add(50, at: [frame("bench"), frame("body()", 2), frame("leaf()", 9)])
    profile.notes = ["something is missing"]
    return profile
  }

  @Test func `functions are sorted by their own weight`() {
    let text = ProfileTable(profile: Self.profile, types: ["leaf()": ["A": 1, "B": 299]]).text(width: 80, colour: false)
    #expect(
      text == [
        "retains: 4 retains by operation, 100 operations",
        "     own  with calls  by operation  function  where",
        "  75.0 %      75.0 %             3  leaf()    File.swift:7",
        "      of B, A",
        "  25.0 %     100.0 %             1  body()    File.swift:1",
        "  retains  line          of the program",
        "      2.5  File.swift:7  leaf()",
        "        1  File.swift:1  body()",
        "      0.5  File.swift:9  leaf()",
        "  note: something is missing",
      ])
  }

  @Test func `what a library allocates is told by the line of the program that called it`() {
    var profile = Profile(.allocations, operations: 100)
    var library = Self.frame("Array.append(_:)")
    library.isLibrary = true
    profile.add(300, at: [Self.frame("bench"), Self.frame("body()", 12), library])
    profile.add(100, at: [Self.frame("bench"), Self.frame("body()", 20), library])
    let text = ProfileTable(profile: profile).text(width: 80, colour: false)
    #expect(text.contains { $0.hasSuffix("  body()            File.swift:12") }, "\(text)")
    #expect(
      text.suffix(3) == [
        "  allocations  line           of the program",
        "            3  File.swift:12  body()",
        "            1  File.swift:20  body()",
      ])
    #expect(!ProfileTable(profile: Self.cpu).text(width: 80, colour: false).joined().contains("of the program"))
  }

  @Test func `weights may be by a part of what an operation is`() {
    var profile = Profile(.cpu, operations: 300)
    (profile.per, profile.partsOfOperation) = ("second", 1000)
    profile.add(150_000_000, at: [Self.frame("bench"), Self.frame("body()", 1)])
    let text = ProfileTable(profile: profile).text(width: 100, colour: false)
    #expect(text.first == "cpu: 500000000 nanoseconds by second, 0.3 seconds")
  }

  @Test func `parts may outweigh the whole`() {
    var profile = Profile(.liveBytes, operations: 1)
    profile.add(-1 << 59, at: [Self.frame("bench")])
    profile.add(1 << 59 | 1, at: [Self.frame("bench"), Self.frame("body()", 1)])
    #expect(profile.total == 1)
    let text = ProfileTable(profile: profile).text(width: 100, colour: false)
    // As much as is told: 2^61 tenths of a per cent.
    #expect(text.contains { $0.contains("230584300921369395.2 %") }, "\(text)")
  }

  private static var cpu: Profile {
    var profile = Profile(.cpu, operations: 1)
    profile.add(1, at: [frame("bench"), frame("body()", 1)])
    return profile
  }

  @Test func `few functions are shown of many, and nothing of nothing`() {
    var table = ProfileTable(profile: Self.profile)
    table.limit = 1
    #expect(table.text(width: 80, colour: false).contains("  and 1 more functions"))
    #expect(
      ProfileTable(profile: Profile(.cpu, operations: 5)).text(width: 80, colour: false) == [
        "cpu: 0 nanoseconds by operation, 5 operations", "  nothing",
      ])
  }

  @Test func `numbers have three digits that count`() {
    #expect(
      [1234.4, 12.34, 1.234, 0.1234, 7, 0].map(ProfileTable.quantity) == ["1234", "12.3", "1.23", "0.123", "7", "0"])
    #expect(ProfileTable.percent(1, of: 3) == "33.3 %" && ProfileTable.percent(0, of: 0) == "0.0 %")
  }
}
