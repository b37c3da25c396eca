// Tests of the figures of measured streams as text.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct OpenMetricsTests {
  private let clock: HandClock
  private let metrics: StreamMetrics

  init() {
    let clock = HandClock()
    self.clock = clock
    metrics = StreamMetrics(clock: clock.now)
  }

  private func lines(_ family: String) -> [String] {
    metrics.openMetrics().split(separator: "\n").map(String.init).filter { $0.contains("weir_stream_\(family)") }
  }

  @Test func withoutStreamsThereIsTheEndAlone() {
    #expect(metrics.openMetrics() == "# EOF\n")
    #expect(StreamMetrics.openMetricsContentType.hasPrefix("application/openmetrics-text; version=1.0.0"))
  }

  @Test func countersGaugeAndHistogram() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let numbers = subject.measured("numbers", in: metrics)
    let first = numbers.sink(receiveCompletion: { _ in }, receiveValue: { [clock] in clock.move(by: $0) })
    subject.send(1_500)
    subject.send(1)
    #expect(lines("active_subscriptions").last == #"weir_stream_active_subscriptions{stream="numbers"} 1"#)
    let other = numbers.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    other.cancel()
    subject.send(completion: .failure(.first))
    #expect(
      lines("values") == [
        "# TYPE weir_stream_values counter", "# HELP weir_stream_values Values that were passed on.",
        #"weir_stream_values_total{stream="numbers"} 2"#,
      ])
    let samples = metrics.openMetrics().split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.contains("_bucket") }
    #expect(
      samples == [
        #"weir_stream_subscriptions_total{stream="numbers"} 2"#, #"weir_stream_values_total{stream="numbers"} 2"#,
        #"weir_stream_drops_total{stream="numbers"} 0"#, #"weir_stream_completions_total{stream="numbers"} 0"#,
        #"weir_stream_failures_total{stream="numbers"} 1"#, #"weir_stream_cancellations_total{stream="numbers"} 1"#,
        #"weir_stream_active_subscriptions{stream="numbers"} 0"#,
        #"weir_stream_handling_seconds_count{stream="numbers"} 1"#,
        #"weir_stream_handling_seconds_sum{stream="numbers"} 1.5e-06"#,
      ])
    withExtendedLifetime(first) {}
  }

  @Test func bucketsAreCumulativeAndEndWithAll() {
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.measured("numbers", in: metrics).sink { [clock] in clock.move(by: $0) }
    // Of each 64 the first is measured.
    for time in [100, 129, 1_024, 1 << 40] { for number in 0..<64 { subject.send(number == 0 ? time : 0) } }
    sink.cancel()
    let buckets = lines("handling_seconds_bucket")
    #expect(buckets.count == 29)
    #expect(buckets[0] == #"weir_stream_handling_seconds_bucket{stream="numbers",le="1.28e-07"} 1"#)
    #expect(buckets[1] == #"weir_stream_handling_seconds_bucket{stream="numbers",le="2.56e-07"} 2"#)
    #expect(buckets[3] == #"weir_stream_handling_seconds_bucket{stream="numbers",le="1.024e-06"} 3"#)
    #expect(buckets[27] == #"weir_stream_handling_seconds_bucket{stream="numbers",le="17.179869184"} 3"#)
    #expect(buckets[28] == #"weir_stream_handling_seconds_bucket{stream="numbers",le="+Inf"} 4"#)
    #expect(
      lines("handling_seconds").prefix(3) == [
        "# TYPE weir_stream_handling_seconds histogram", "# UNIT weir_stream_handling_seconds seconds",
        "# HELP weir_stream_handling_seconds How long values took downstream, of one in 64.",
      ])
  }

  @Test func labelsAreInOrderAndEscaped() {
    let sink = Just(1).measured("a\\b\"c\nd", labels: ["zone": "1", "part": "\"x\""], in: metrics).sink { _ in }
    #expect(
      lines("values").last
        == #"weir_stream_values_total{stream="a\\b\"c\nd",part="\"x\"",zone="1"} 1"#)
    sink.cancel()
  }

  @Test func aLabelWithoutAValueIsNone() {
    for labels in [[:], ["part": ""]] {
      let sink = Just(1).measured("numbers", labels: labels, in: metrics).sink { _ in }
      sink.cancel()
    }
    #expect(lines("values").dropFirst(2) == [#"weir_stream_values_total{stream="numbers"} 2"#])
    #expect(metrics["numbers", labels: ["part": ""]]?.values == 2)
    #expect(metrics["numbers"]?.labels == [:])
  }

  @Test func aFamilyStandsTogetherAndTheEndComesOnce() {
    for name in ["a", "b"] {
      let sink = Just(1).measured(name, in: metrics).sink { _ in }
      sink.cancel()
    }
    let text = metrics.openMetrics()
    #expect(text.hasSuffix("\n# EOF\n"))
    #expect(text.split(separator: "\n").filter { $0 == "# EOF" }.count == 1)
    #expect(
      lines("drops") == [
        "# TYPE weir_stream_drops counter",
        "# HELP weir_stream_drops Values that came when their subscription had ended.",
        #"weir_stream_drops_total{stream="a"} 0"#, #"weir_stream_drops_total{stream="b"} 0"#,
      ])
  }
}
