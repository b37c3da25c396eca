// Tests of the file for speedscope.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct SpeedscopeTests {
  @Test func `stacks are indices of shared frames, heaviest first`() throws {
    let main = ProfileFrame(function: "main", object: "o", file: "Main.swift", line: 3)
    let send = ProfileFrame(function: "send", object: "o")
    var time = Profile(.cpu, operations: 10)
    time.add(5, at: [main])
    time.add(30, at: [main, send])
    var allocations = Profile(.allocations, operations: 10)
    allocations.add(7, at: [send])
    let text = Speedscope.text([time, allocations], title: "a/b")
    let file = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(file["$schema"] as? String == "https://www.speedscope.app/file-format-schema.json")
    let shared = try #require(file["shared"] as? [String: [[String: Any]]])
    #expect(shared["frames"]?.map { $0["name"] as? String } == ["main", "send"])
    #expect(shared["frames"]?[0]["line"] as? Int == 3)
    let profiles = try #require(file["profiles"] as? [[String: Any]])
    #expect(profiles.map { $0["name"] as? String } == ["a/b: cpu", "a/b: allocations"])
    #expect(profiles.map { $0["unit"] as? String } == ["nanoseconds", "none"])
    #expect(profiles.map { $0["endValue"] as? Int } == [35, 7])
    #expect(profiles[0]["samples"] as? [[Int]] == [[0, 1], [0]])
    #expect(profiles[0]["weights"] as? [Int] == [30, 5])
    #expect(profiles[1]["samples"] as? [[Int]] == [[1]])
  }
}
