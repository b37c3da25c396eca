// What two looks at live streams show: rates, latencies, orders, and the tree of one stream.

import Testing

@testable import GaugeRunner

@Suite struct LiveStreamsTests {
  @Test func `a stream has its rate, what waits and was dropped, and its latency`() {
    let rows = ShopLooks.streams.ordered(by: .rate)
    #expect(
      rows == [
        LiveStream(
          id: 3, path: "PassthroughSubject -> Map -> Sink", rate: 220, waiting: nil, dropped: nil, latency: 2000,
          age: 34_000_000_000, findings: []),
        LiveStream(
          id: 9, path: "CurrentValueSubject -> Sink", rate: 1.5, waiting: nil, dropped: nil, latency: nil,
          age: 2_000_000_000, findings: []),
        LiveStream(
          id: 1, path: "PassthroughSubject -> Buffer -> eve", rate: 0, waiting: 500, dropped: 880, latency: nil,
          age: 64_000_000_000, findings: ["has 500 values, no demand from eve for 4 s"]),
      ])
  }

  @Test func `one look has no rates`() {
    var streams = LiveStreams()
    #expect(streams.ordered(by: .rate) == [])
    streams.take(ShopLooks.first)
    #expect(streams.ordered(by: .rate).map(\.rate) == [nil, nil])
    #expect(streams.ordered(by: .rate).map(\.id) == [1, 3])
  }

  @Test(
    arguments: [
      (.rate, [3, 9, 1]), (.waiting, [1, 3, 9]), (.dropped, [1, 3, 9]), (.age, [1, 3, 9]), (.latency, [3, 1, 9]),
    ] as [(LiveOrder, [Int])]) func `the most comes first, and what is unknown last`(order: LiveOrder, ids: [Int])
  {
    #expect(ShopLooks.streams.ordered(by: order).map(\.id) == ids)
  }

  @Test func `orders are a circle`() {
    #expect(LiveOrder.rate.next == .waiting)
    #expect(LiveOrder.latency.next == .rate)
  }

  @Test func `what is kept on both sides of a loop is added up, and no sum overflows`() {
    var streams = LiveStreams()
    streams.take(
      .at(
        0, .init(1, "Buffer", "Loop", waiting: 3, untaken: 4), .init(2, "ReceiveOn", to: 1, "Buffer", waiting: 5),
        .init(3, "Buffer", waiting: .max), .init(4, "Buffer", to: 3, "Buffer", waiting: .max)))
    #expect(streams.ordered(by: .waiting).map(\.waiting) == [.max, 12])
  }

  @Test func `clocks and counts that go back give no rate below 0`() {
    var streams = LiveStreams()
    streams.take(.at(5, .init(1, "Map", delivered: 9)))
    streams.take(.at(5, .init(1, "Map", delivered: 3)))
    #expect(streams.ordered(by: .rate).map(\.rate) == [nil])
    streams.take(.at(6, .init(1, "Map", delivered: .min)))
    #expect(streams.ordered(by: .rate).map(\.rate) == [0])
  }

  @Test func `a stream is shown from its end to its origins`() {
    let tree = [
      "Sink", "- Map 3: 220 /s, delivered 1880, demand unlimited",
      "  - Just 4: 0 /s, delivered 10, demand unlimited",
      "  - PassthroughSubject 5: 220 /s, delivered 1870, demand unlimited",
    ]
    #expect(ShopLooks.streams.tree(of: 3) == tree)
    #expect(ShopLooks.streams.tree(of: 5) == tree)
    #expect(
      ShopLooks.streams.tree(of: 1) == [
        "eve", "- Buffer 1: 0 /s, delivered 20, demand 0, waiting 500, dropped 880",
        "    has 500 values, no demand from eve for 4 s",
        "  - PassthroughSubject 2: 220 /s, delivered 1400, demand unlimited",
      ])
    #expect(ShopLooks.streams.tree(of: 8) == nil)
  }

  @Test func `lines of the program stand behind names`() {
    var map = LiveGraph.Subscription(1, "Map+Filter", delivered: 2)
    map.operators = [
      .init(site: .init(place: .init(file: "/shop/Orders.swift", line: 12))),
      .init(site: .init(place: .init(file: "Prices.swift", line: 7))), .init(site: .init()),
    ]
    map.attachment = .init(place: .init(file: "/shop/Orders.swift", line: 14))
    var streams = LiveStreams()
    streams.take(.at(0, map, .init(2, "Just", to: 1)))
    #expect(
      streams.tree(of: 2) == [
        "Sink (Orders.swift:14)",
        "- Map+Filter 1 (Orders.swift:12, Prices.swift:7): rate unavailable, delivered 2, demand unlimited",
        "  - Just 2: rate unavailable, delivered 0, demand unlimited",
      ])
  }

  @Test func `what feeds a subject stands below it, also in a circle`() {
    var streams = LiveStreams()
    streams.take(
      .at(
        0, .init(1, "PassthroughSubject", "Sink"), .init(2, "Just", "Subject", feeding: [1], state: "finished"),
        .init(3, "PassthroughSubject", "Subject", feeding: [3])))
    #expect(
      streams.tree(of: 1) == [
        "Sink", "- PassthroughSubject 1: rate unavailable, delivered 0, demand unlimited",
        "  - Just 2: finished, rate unavailable, delivered 0, demand unlimited",
      ])
    #expect(streams.tree(of: 3)?.count == 2)
  }
}
