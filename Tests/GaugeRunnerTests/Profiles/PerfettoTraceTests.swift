// The JSON of trace events, held to what its documentation asks of each phase ("Trace Event Format").

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct PerfettoTraceTests {
  private func events(_ timeline: Timeline) throws -> [[String: Any]] {
    let text = PerfettoTrace.text(timeline)
    let file = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(file["displayTimeUnit"] as? String == "ns")
    return try #require(file["traceEvents"] as? [[String: Any]])
  }

  /// What an event lacks that its phase must have.
  private func fault(_ event: [String: Any]) -> String? {
    guard let phase = event["ph"] as? String, event["name"] is String, event["pid"] is Int, event["tid"] is Int else {
      return "no phase, name, process or thread"
    }
    if phase == "M" { return (event["args"] as? [String: Any])?["name"] is String ? nil : "no name" }
    guard let time = event["ts"] as? Double, time >= 0, event["cat"] is String else { return "no time or category" }
    switch phase {
    case "X": return (event["dur"] as? Double).map { $0 >= 0 } ?? false ? nil : "no duration"
    case "i": return event["s"] as? String == "t" ? nil : "no scope"
    case "b", "e": return (event["id2"] as? [String: Any])?["local"] is String ? nil : "no identifier"
    case "C": return (event["args"] as? [String: Any])?.values.allSatisfy { $0 is Int } ?? false ? nil : "no number"
    default: return "an unknown phase"
    }
  }

  @Test func `each event has what its phase asks for`() throws {
    let timeline = MadeTimeline.everything
    let events = try events(timeline)
    for event in events { #expect(fault(event) == nil, "\(event)") }
    func count(_ phase: String) -> Int { events.count { $0["ph"] as? String == phase } }
    #expect(count("i") == timeline.events.count)
    #expect(count("X") == timeline.operations.count + timeline.waits.count)
    // The life of each block but of the object that was there before, and stays.
    #expect(count("b") == 3 && count("e") == 3)
    #expect(count("C") == timeline.liveBytes.count + 1)
    #expect(count("M") == 3)
  }

  @Test func `lives end where blocks do, and say where they don't`() throws {
    let events = try events(MadeTimeline.everything)
    func arguments(_ phase: String, _ name: String) throws -> [String: Any] {
      let event = try #require(
        events.first { $0["ph"] as? String == phase && ($0["name"] as? String)?.hasPrefix(name) ?? false })
      return event["args"] as? [String: Any] ?? [:]
    }
    #expect(try arguments("b", "block 1 Box")["bytes"] as? Int == 96)
    #expect(try arguments("e", "block 1 Box").isEmpty)
    #expect(try arguments("e", "block 3")["end"] as? String == "after the operation")
    #expect(try arguments("b", "block 4")["begin"] as? String == "before the operation")
    let wait = try arguments("X", "wait: mutex 1")
    #expect(wait["ended by"] as? String == "thread 1: A.swift:3 f()")
    let retain = try arguments("i", "retain")
    #expect(retain["stack"] as? [String] == ["append(_:)", "f()", "bench"] && retain["times"] as? Int == 1)
  }

  @Test func `a timeline of nothing is a whole file`() throws {
    #expect(try events(Timeline(title: "a \"quoted\" name")).count == 2)
  }
}
