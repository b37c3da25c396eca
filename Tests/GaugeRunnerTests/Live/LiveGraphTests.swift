// The graph of live streams as it is read, from a program that tells the truth and from others.

import Testing

@testable import GaugeRunner

@Suite struct LiveGraphTests {
  private func read(_ text: String) throws -> LiveGraph { try decoded(LiveGraph.self, fromJSON: Array(text.utf8)) }

  @Test func `a graph is read with all that it has`() throws {
    #expect(try read(ShopLooks.texts[0]) == ShopLooks.first)
    #expect(try read(ShopLooks.texts[1]) == ShopLooks.second)
    let graph = try read(
      #"""
      {"time":5,"later":{"more":1},"subscriptions":[{"age":3,"delivered":2,"downstream":1,"dropped":4,"feeds":[6],
      "id":2,"isSubscriberHeld":true,"isSubscriptionHeld":false,"publisher":"Map","requested":7,"state":"active",
      "subscriber":"Sink","untaken":8,"waiting":9}]}
      """#)
    #expect(graph.time == 5)
    #expect(
      graph.subscriptions == [
        LiveGraph.Subscription(
          id: 2, publisher: "Map", subscriber: "Sink", downstream: nil, feeds: [6], state: "active", requested: 7,
          delivered: 2, waiting: 9, dropped: 4, untaken: 8, age: 3, isSubscriberHeld: true, isSubscriptionHeld: false)
      ])
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"time":1}"#, #"{"time":"1","subscriptions":[]}"#, #"{"time":1,"subscriptions":[{"id":1}]}"#,
    #"{"time":1e300,"subscriptions":[]}"#,
  ]) func `what is none is refused`(text: String) {
    #expect(throws: (any Error).self) { try read(text) }
  }

  @Test func `subscriptions that can't be are put right`() {
    let graph = LiveGraph.at(
      0, .init(3, "Map", to: 1), .init(1, "Just", to: 3), .init(3, "Filter"), .init(5, "Zip", to: 4))
    #expect(graph.subscriptions.map(\.id) == [1, 3, 5])
    #expect(graph.subscriptions.map(\.downstream) == [nil, 1, nil])
    #expect(graph[3]?.publisher == "Map")
    #expect(graph[2] == nil)
  }

  @Test func `a stream is all that leads to one end`() {
    let graph = ShopLooks.second
    #expect(graph.streams.mapValues { $0.map(\.id) } == [1: [1, 2], 3: [3, 4, 5], 9: [9]])
    #expect(graph.end(of: 5)?.id == 3)
    #expect(graph.end(of: 3)?.id == 3)
    #expect(graph.end(of: 6) == nil)
  }

  @Test func `demand is what may pass now, whatever the numbers are`() {
    #expect(LiveGraph.Subscription(1, "Map", requested: 5, delivered: 3).demand == 2)
    #expect(LiveGraph.Subscription(1, "Map", requested: 3, delivered: 5).demand == 0)
    #expect(LiveGraph.Subscription(1, "Map", requested: .min, delivered: .max).demand == 0)
    #expect(LiveGraph.Subscription(1, "Map", delivered: 5).demand == nil)
  }
}
