// The page of a run.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct ResultsHTMLTests {
  @Test func `a family has its table, its scaling and its launches`() {
    var results = Results.run()
    var noise = Noise(seed: 1)
    for n in [1.0, 10, 100, 1000] {
      results.add(.time, noise.launches(10, around: 5 * n), to: "subject/send", parameters: "sinks=\(Int(n));kind=a")
    }
    results.faults = [reportedFault]
    let page = resultsHTML(results, title: "latest")
    #expect(page.contains("<h2>subject</h2>"))
    #expect(page.contains("subject/send[kind=a] over sinks: time grows as n: 5.0"))
    #expect(page.components(separatedBy: "<svg").count - 1 == 1 + 2 * 4)
    #expect(page.contains("broke: queue/push[n=2]"))
  }

  @Test func `an empty run says so`() {
    #expect(resultsHTML(Results(), title: "t").contains("<p>No measurements.</p>"))
  }

  /// Each family looked through all benchmarks, and each benchmark through all rows for its limit.
  @Test func `a run of many families takes no longer than one of few`() {
    expectUnderAMinute {
      var results = Results.run()
      let names = (0..<10_000).map { "f\($0)/a" }
      results.environment.append((Limits.field, names.map { "\($0)=f0/a" }.joined(separator: ";")))
      for name in names { results.add(.time, [2], to: name) }
      let page = resultsHTML(results, title: "latest")
      #expect(page.components(separatedBy: "<h2>").count - 1 == names.count)
      #expect(page.components(separatedBy: "×1.00 f0/a").count - 1 == names.count)
    }
  }
}
