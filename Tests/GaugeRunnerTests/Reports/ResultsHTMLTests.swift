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
}
