// One run as a page.

import Gauge
import GaugeRunner
import Testing

@Suite struct ResultsMarkdownTests {
  private func page(_ fill: (inout Results) -> Void) -> String {
    var results = Results.run()
    fill(&results)
    return resultsMarkdown(results, title: "Suite")
  }

  @Test func hasATablePerFamilyWithItsColumns() {
    let text = page { results in
      results.add(.time, [12.34, 12.34], to: "subject/send", parameters: "sinks=10")
      results.add(.time, [5, 5], to: "subject/send", parameters: "sinks=9")
      results.add(.timePerElement, [1.234, 1.234], to: "subject/send", parameters: "sinks=10")
      results.add(.throughput, [8.1e7, 8.1e7], to: "subject/send", parameters: "sinks=9")
      results.add(.latency(percentile: "99.9"), [1500], to: "chain/map")
      results.add(.allocatedBytes, [48], to: "chain/map")
    }
    #expect(
      text.hasPrefix(
        """
        # Suite

        ## chain

        | benchmark | p99.9 | bytes |
        | --- | ---: | ---: |
        | `chain/map` | 1.50 µs | 48 B |

        ## subject

        | benchmark | time | per element | throughput |
        | --- | ---: | ---: | ---: |
        | `subject/send[sinks=9]` | 5.00 ns | – | 81.0 M/s |
        | `subject/send[sinks=10]` | 12.3 ns | 1.23 ns | – |

        | environment |  |
        | --- | --- |
        | date | `2025-01-01` |
        """))
    #expect(text.hasSuffix("| libc | `glibc 2.39` |\n"))
  }

  @Test func timesHaveIntervalsAndCountsRangesOnlyWhereTheyDiffer() {
    let text = page { results in
      results.add(.time, [10, 11, 12, 13, 14])
      results.add(.allocations, [2, 2, 2])
      results.add(.frees, [1, 2, 3])
    }
    #expect(text.contains("| `a/b` | 12.0 ns (10.0 ns to 14.0 ns) | 2 | 2 (1 to 3) |"))
  }

  @Test func unavailableIsNeverANumber() {
    let text = page { $0.add(.allocations, unavailable: "no | hooks") }
    #expect(text.contains("| `a/b` | [1] |"))
    #expect(text.contains("\n\n[1] unavailable: no | hooks\n\n"))
  }

  @Test func authorsOwnMetricsHaveColumnsAndTheMachinesHaveNone() {
    let text = page { results in
      results.add(Metric("retains", unit: "1/op", kind: .exact), [3])
      for metric in Metric.machine { results.add(metric, [1]) }
      results.add(.latencyMaximum, [1])
    }
    #expect(text.contains("| benchmark | retains |\n"))
    #expect(text.contains("| `a/b` | 3 |"))
  }

  @Test func distancesToLimitsHaveAColumnWhereThereAreAny() {
    let text = page { results in
      results.environment.append(("limits", "a/b=limit/x;a/c=limit/y"))
      results.add(.time, [20, 20], to: "a/b")
      results.add(.time, [20, 20], to: "a/c")
      results.add(.time, [2, 2], to: "limit/x")
    }
    #expect(text.contains("| benchmark | time | times its limit |\n| --- | ---: | ---: |\n"))
    #expect(text.contains("| `a/b` | 20.0 ns | ×10.0 limit/x |\n| `a/c` | 20.0 ns | – |\n"))
    #expect(text.contains("## limit\n\n| benchmark | time |\n"))
    #expect(!text.contains("| limits |"))
  }

  @Test func openAndClosedLoopHaveColumnsOfTheirOwn() {
    let text = page { results in
      results.add(.latency(percentile: "99"), [40])
      results.add(.openLatency(percentile: "99"), [60])
      results.add(.openLatencyMaximum, [600])
      results.add(.openLoopRate, [100_000])
    }
    #expect(text.contains("| benchmark | p99 | open p99 | open rate |\n"))
    #expect(text.contains("| `a/b` | 40.0 ns | 60.0 ns | 100 k/s |"))
  }

  @Test func faultsComeOnTop() {
    let text = page { $0.faults = [reportedFault] }
    #expect(text.hasPrefix("# Suite\n\n- **broke**: queue/push[n=2]: killed by signal 4"))
    #expect(text.contains("No measurements."))
  }
}
