// Predictions in words, in columns and as a document.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct WhatifTextTests {
  private static func function(
    _ name: String, rounds: Int = 10, noise: Double = 0.02, gain: Double
  ) -> VirtualSpeedUp {
    VirtualSpeedUp(
      function: name, share: 0.25,
      launches: (1...3).map { seed in
        VirtualSpeedUpTests.experiments(rounds: rounds, noise: noise, seed: seed) { $0 * gain }
      })
  }

  private let report: WhatifReport = {
    var report = WhatifReport(
      title: "b[n=1]",
      functions: [
        WhatifTextTests.function("idle()", gain: 0), WhatifTextTests.function("Cache.refresh()", gain: 0.4),
      ],
      notes: ["no thread was seen in 'g'"])
    report.sort()
    return report
  }()

  @Test func `a table has a line for each function, the one that gains most first`() throws {
    let lines = WhatifText(report: report).text(width: 100, colour: false)
    #expect(lines[1].hasPrefix("  function"), "\(lines)")
    for title in ["its share", "20 % less", "50 % less", "100 % less"] { #expect(lines[1].contains(title)) }
    #expect(lines[2].hasPrefix("  Cache.refresh()") && lines[2].contains("25 %") && lines[2].contains("20 % ("))
    #expect(lines[3].hasPrefix("  idle()") && lines[3].contains("no gain"))
    #expect(lines.last == "  note: no thread was seen in 'g'")
    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  @Test func `what is not known is marked, and says how much is missing`() throws {
    let noisy = WhatifReport(title: "b", functions: [Self.function("f()", rounds: 8, noise: 2, gain: 0.5)])
    let lines = WhatifText(report: noisy).text(width: 200, colour: false)
    #expect(lines.contains { $0.contains(") ?") } && lines.last?.contains("s more: --seconds ") == true, "\(lines)")
    let few = WhatifReport(title: "b", functions: [Self.function("f()", rounds: 1, gain: 0.5)])
    #expect(WhatifText(report: few).text(width: 200, colour: false).contains { $0.contains("not enough") })
  }

  @Test func `scripts get all numbers`() throws {
    let text = WhatifText(report: report)
    let lines = (WhatifText.head + text.csv).split(separator: "\n")
    #expect(lines.count == 7 && lines[1].hasPrefix("b[n=1],Cache.refresh(),0.25,0.2,"))
    #expect(lines[1].hasSuffix(",gain,3,30") && lines[6].hasSuffix(",no gain,3,30"), "\(lines)")
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(WhatifText.document([report]).utf8)) as? [String: Any])
    #expect(document["format"] as? String == "gauge-whatif")
    let benchmark = try #require((document["benchmarks"] as? [[String: Any]])?.first)
    let functions = try #require(benchmark["functions"] as? [[String: Any]])
    #expect(functions.map { $0["function"] as? String } == ["Cache.refresh()", "idle()"])
    #expect((functions[0]["gains"] as? [[String: Any]])?.count == 3)
  }
}
