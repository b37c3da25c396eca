// Tests of what the rules find in successive graphs.

import Testing

@testable import WeirExtras

@Suite struct RuleWatchTests {
  @Test func aLeakIsToldAfterFiveSeconds() {
    var report = RuleReport()
    let subscription = StreamGraph.Subscription(1, "Map", state: .finished)
    for second in 0..<5 { #expect(report.take(StreamGraph(second, subscription)) == []) }
    #expect(report.take(StreamGraph(5, subscription)) == ["leak: Map -> Sink: heldAfterItsEnd, 1"])
    #expect(report.take(StreamGraph(6, subscription)) == [])
  }

  @Test func aStallIsToldAfterTwoSeconds() {
    var report = RuleReport()
    let subscription = StreamGraph.Subscription(1, "Buffer", requested: 0, waiting: 3)
    #expect(report.take(StreamGraph(0, subscription)) == [])
    #expect(report.take(StreamGraph(1, subscription)) == [])
    #expect(report.take(StreamGraph(2, subscription)) == ["stall: Buffer -> Sink: 3 values wait for Sink"])
    #expect(report.take(StreamGraph(3, subscription)) == [])
  }

  @Test func whatIsDelayedIsToldWhenItIsLate() {
    var report = RuleReport()
    func take(_ second: Int, delivered: Int) -> [String] {
      report.take(
        StreamGraph(second, .init(1, "Delay", delivered: delivered, waiting: 1, delay: 9_000_000_000)))
    }
    for second in 0..<10 { #expect(take(second, delivered: 0) == []) }
    for second in 10..<21 { #expect(take(second, delivered: 1) == []) }
    #expect(take(21, delivered: 1) == ["stall: Delay -> Sink: 1 values wait for Delay"])
    #expect(take(22, delivered: 1) == [])
  }

  @Test func whatGrowsIsSeenFromMinuteToMinute() {
    var report = RuleReport()
    var told: [String] = []
    for second in 0...125 {
      let subscriptions = (0...(second / 10)).map { StreamGraph.Subscription($0, "Map") }
      told += report.take(StreamGraph(time: second * 1_000_000_000, subscriptions: subscriptions))
    }
    #expect(told == ["leak: Map -> Sink: growing, 13"])
  }

  @Test func placesAreTold() {
    let place = StreamGraph.Place(file: "/shop/Orders.swift", line: 12, function: "open()")
    var report = RuleReport()
    let subscription = StreamGraph.Subscription(
      id: 1, publisher: "Map", subscriber: "Sink", downstream: nil, feeds: [], state: .finished, requested: nil,
      delivered: 0, waiting: nil, dropped: nil, untaken: nil, age: 0, isSubscriberHeld: true, isSubscriptionHeld: true,
      attachment: StreamGraph.Site(place: place))
    _ = report.take(StreamGraph(0, subscription))
    #expect(
      report.take(StreamGraph(5, subscription)) == ["leak: Map -> Sink: heldAfterItsEnd, 1 (Orders.swift:12)"])
  }
}
