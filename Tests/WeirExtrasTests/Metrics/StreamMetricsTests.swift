// Tests of where the figures of measured streams are.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct StreamMetricsTests {
  private let metrics = StreamMetrics()

  private func pass(_ count: Int, _ name: String, _ labels: [String: String] = [:]) {
    let sink = (0..<count).publisher.measured(name, labels: labels, in: metrics).sink { _ in }
    sink.cancel()
  }

  @Test func whatIsMeasuredNowhereHasNoReading() {
    pass(1, "a")
    #expect(metrics["b"] == nil)
    #expect(metrics["a", labels: ["part": "x"]] == nil)
    #expect(StreamMetrics().readings == [])
  }

  @Test func readingsAreInTheOrderOfNamesAndLabels() {
    pass(1, "b")
    pass(2, "a", ["part": "y"])
    pass(3, "a", ["part": "x", "zone": "1"])
    pass(4, "a")
    #expect(metrics.readings.map(\.values) == [4, 3, 2, 1])
    #expect(metrics.readings.map(\.labels) == [[:], ["part": "x", "zone": "1"], ["part": "y"], [:]])
  }

  @Test func theSharedOneIsTakenIfNotToldOtherwise() {
    let name = "StreamMetricsTests.theSharedOneIsTakenIfNotToldOtherwise"
    let sink = [1, 2].publisher.measured(name).sink { _ in }
    #expect(StreamMetrics.shared[name]?.values == 2)
    #expect(metrics[name] == nil)
    sink.cancel()
  }

  @Test func aReadingIsAValue() throws {
    pass(3, "a")
    let before = try #require(metrics["a"])
    #expect(before == metrics["a"])
    pass(1, "a")
    #expect(before.values == 3)
    #expect(before != metrics["a"])
  }

  /// The system's clock, of which no more is known than that it doesn't go back.
  @Test(arguments: [(0, Int.max, Int.max), (Int.min, 5, .max), (5, .min, 0), (.max, 0, 0)])
  func aClockThatLeapsDoesNotStopTheProgram(start: Int, end: Int, sum: Int) throws {
    let readings = Shared(0)
    let metrics = StreamMetrics {
      readings.value += 1
      return readings.value % 2 == 1 ? start : end
    }
    let subject = PassthroughSubject<Int, Never>()
    let token = subject.measured("a", in: metrics).sink { _ in }
    for value in 0...64 { subject.send(value) }
    let handling = try #require(metrics["a"]).handling
    #expect(handling.count == 2)
    #expect(handling.sum == .nanoseconds(sum))
    token.cancel()
  }

  @Test func timesAreNotNegative() throws {
    pass(1_000, "a")
    let handling = try #require(metrics["a"]).handling
    #expect(handling.count == 16)
    #expect(handling.sum >= .zero)
  }

  @Test(arguments: ["a", "_a", "A1", "a_b", "_1"])
  func otherLabelsAreFine(label: String) {
    pass(1, "a", [label: "x"])
    #expect(metrics["a", labels: [label: "x"]]?.values == 1)
  }
}
