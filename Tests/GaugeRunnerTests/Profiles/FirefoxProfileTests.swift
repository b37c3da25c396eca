// The processed format of the Firefox Profiler, held to the types of its version 58.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct FirefoxProfileTests {
  private typealias Object = [String: Any]

  private func profile(_ timeline: Timeline) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(FirefoxProfile.text(timeline).utf8)) as? [String: Any])
  }

  /// The columns of a table that are not as long as it says.
  private func uneven(_ table: [String: Any]) -> [String] {
    let length = table["length"] as? Int ?? -1
    return table.compactMap { name, column in (column as? [Any]).flatMap { $0.count == length ? nil : name } }
  }

  @Test func `each column is as long as its table, and indices are of rows that are there`() throws {
    let profile = try profile(MadeTimeline.everything)
    let threads = try #require(profile["threads"] as? [Object])
    #expect(threads.map { $0["name"] as? String } == ["main", "thread 2"])
    let strings = try #require((profile["shared"] as? Object)?["stringArray"] as? [String])
    for thread in threads {
      func table(_ name: String) throws -> Object { try #require(thread[name] as? Object, "\(name)") }
      let tables = ["samples", "markers", "stackTable", "frameTable", "funcTable", "resourceTable", "nativeSymbols"]
      for name in tables { #expect(uneven(try table(name)).isEmpty, "\(name)") }
      func indices(_ name: String, _ column: String, below other: String) throws {
        let length = try #require(try table(other)["length"] as? Int)
        for value in try #require(try table(name)[column] as? [Any]) where !(value is NSNull) {
          #expect(0..<length ~= value as? Int ?? -1, "\(name).\(column)")
        }
      }
      try indices("samples", "stack", below: "stackTable")
      try indices("stackTable", "prefix", below: "stackTable")
      try indices("stackTable", "frame", below: "frameTable")
      try indices("frameTable", "func", below: "funcTable")
      for name in try #require(try table("funcTable")["name"] as? [Int]) { #expect(strings.indices.contains(name)) }
      for name in try #require(try table("markers")["name"] as? [Int]) { #expect(strings.indices.contains(name)) }
    }
  }

  @Test func `allocations and their frees add up to what is left`() throws {
    let profile = try profile(MadeTimeline.everything)
    let main = try #require((profile["threads"] as? [Object])?.first)
    let table = try #require(main["nativeAllocations"] as? Object)
    #expect(uneven(table).isEmpty)
    #expect(table["weight"] as? [Int] == [48, -48, 96, 16, -96, 0])
    #expect(table["memoryAddress"] as? [Int] == [1, 1, 1, 3, 1, 4])
    let counter = try #require((profile["counters"] as? [Object])?.first)
    let samples = try #require(counter["samples"] as? Object)
    #expect((samples["count"] as? [Int])?.reduce(0, +) == 16 && uneven(samples).isEmpty)
  }

  @Test func `markers have the schemas that they name, and waits last`() throws {
    let profile = try profile(MadeTimeline.everything)
    let meta = try #require(profile["meta"] as? Object)
    #expect(meta["preprocessedProfileVersion"] as? Int == 58)
    let schemas = Set(try #require(meta["markerSchema"] as? [Object]).compactMap { $0["name"] as? String })
    for thread in try #require(profile["threads"] as? [Object]) {
      let markers = try #require(thread["markers"] as? Object)
      for data in try #require(markers["data"] as? [Object]) {
        #expect(schemas.contains(data["type"] as? String ?? ""))
      }
    }
    let second = try #require((profile["threads"] as? [Object])?.last?["markers"] as? Object)
    #expect(second["startTime"] as? [Double] == [3e-5] && second["endTime"] as? [Double] == [8e-5])
    #expect(second["phase"] as? [Int] == [1])
  }

  @Test func `a timeline of nothing is a whole file`() throws {
    let profile = try profile(Timeline(title: "a"))
    #expect((profile["threads"] as? [Object])?.isEmpty ?? false && (profile["counters"] as? [Object])?.isEmpty ?? false)
  }
}
