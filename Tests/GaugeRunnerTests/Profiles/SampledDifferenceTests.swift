// Tests of what sampled launches in pairs say about a change: who accounts for it, how surely, and what is left.

import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct SampledDifferenceTests {
  private func frame(_ function: String, line: Int = 1, isLibrary: Bool = false) -> ProfileFrame {
    ProfileFrame(function: function, object: "b", file: isLibrary ? nil : "B.swift", line: line, isLibrary: isLibrary)
  }

  /// A launch of ten operations, in which functions take so many nanoseconds an operation, and a few more by chance.
  private func launch(
    _ times: [String: Int], kind: Profile.Kind = .cpu, number: Int, callee: String? = nil, line: Int = 1
  ) -> Profile {
    var profile = Profile(kind, operations: 10)
    for (function, time) in times {
      var stack = [frame("bench/mark"), frame("body()"), frame(function, line: line)]
      if let callee { stack.append(frame(callee, isLibrary: true)) }
      profile.add(time * 10 + number % 3, at: stack)
    }
    return profile
  }

  private func launches(
    _ times: [String: Int], count: Int = 12, kind: Profile.Kind = .cpu, from first: Int = 0, callee: String? = nil,
    line: Int = 1
  ) -> [Profile.Kind: [Profile]] {
    [kind: (0..<count).map { launch(times, kind: kind, number: $0 + first, callee: callee, line: line) }]
  }

  @Test func `the function that takes longer accounts for the change`() throws {
    let difference = SampledDifference(
      base: launches(["a()": 100, "closure #1 in b()": 50]),
      new: launches(["a()": 100, "closure #2 in b()": 80], from: 1, callee: "memmove", line: 7))
    #expect(difference.isLonger)
    #expect(difference.pairs == 12)
    let site = try #require(difference.sites.first)
    #expect(difference.sites.count == 1)
    #expect(site.function == "closure #2 in b()")
    #expect(site.place == "B.swift:7")
    #expect(abs(difference.share(of: site) - 1) < 0.05)
    #expect(difference.shares(of: site).contains(difference.share(of: site)))
    #expect(difference.unexplained < 0.05)
    #expect(site.causes == ["memmove +80.1 ns", "own code -50.1 ns"])
  }

  @Test func `launches that don't differ explain nothing`() {
    let difference = SampledDifference(base: launches(["a()": 100]), new: launches(["a()": 100], from: 1))
    #expect(!difference.isLonger)
    #expect(difference.sites.isEmpty)
    let explanation = Explanation(difference, profiles: [], after: Explanation(unavailable: "no counts"))
    #expect(explanation.leading == nil)
    #expect(
      explanation.lines == [
        "no counts", "not explained: 12 pairs of launches were sampled, which show no certain difference",
      ])
  }

  @Test func `too few pairs say nothing, however large the difference`() {
    let difference = SampledDifference(
      base: launches(["a()": 100], count: 4), new: launches(["a()": 900], count: 4))
    #expect(!difference.isLonger)
    #expect(difference.sites.isEmpty)
    #expect(difference.change.interval == .unbounded)
  }

  @Test func `what is spread over many functions is left unexplained`() {
    let base = Dictionary(uniqueKeysWithValues: (0..<20).map { ("f\($0)()", 10) })
    let new = Dictionary(uniqueKeysWithValues: (0..<20).map { ("f\($0)()", $0 == 0 ? 30 : 12) })
    let difference = SampledDifference(base: launches(base), new: launches(new))
    let explanation = Explanation(difference, profiles: [], after: Explanation(unavailable: "no counts"))
    #expect(explanation.sites.map(\.function) == ["f0()"])
    // 20 of 58 nanoseconds.
    #expect(abs(explanation.sites[0].share - 20.0 / 58) < 0.02)
    #expect(explanation.notes.contains("not explained: 66 % of the change"), "\(explanation.notes)")
  }

  @Test func `time on a processor and waiting are told apart, and are one change`() throws {
    var base = launches(["a()": 100])
    base.merge(launches(["lock()": 10], kind: .waits)) { $1 }
    var new = launches(["a()": 110], from: 1)
    new.merge(launches(["lock()": 50], kind: .waits, from: 1, callee: "waiting: lock")) { $1 }
    let difference = SampledDifference(base: base, new: new)
    #expect(difference.sites.map(\.function) == ["lock()", "a()"])
    let explanation = Explanation(difference, profiles: [], after: Explanation(unavailable: "no counts"))
    #expect(explanation.leading == .waits)
    #expect(explanation.lines.first == "why: +10 ns on a processor, +40 ns of waiting by operation")
    #expect(explanation.lines[1].hasPrefix("1. lock() (B.swift:1): 80 % of the change (80 to 80 %), +40 ns of waiting"))
    let json = explanation.json(title: "a").text()
    #expect(json.contains("\"shares\": ["))
  }
}
