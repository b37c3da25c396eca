// Tests of the places of operators; how they are found is tested where inspection is built in.

import Foundation
import Testing
import WeirExtras

@Suite struct StreamGraphPlacesTests {
  private let place = StreamGraph.Place(file: "/shop/Orders.swift", line: 12, function: "open()")

  private func subscription(_ operators: [StreamGraph.Operator]) -> StreamGraph.Subscription {
    StreamGraph.Subscription(
      id: 1, publisher: operators.map(\.name).joined(separator: "+"), subscriber: "Sink", downstream: nil, feeds: [],
      state: .active, requested: 0, delivered: 0, waiting: nil, dropped: nil, untaken: nil, age: 0,
      isSubscriberHeld: true, isSubscriptionHeld: true, operators: operators,
      attachment: StreamGraph.Site(place: place))
  }

  @Test func placesAreShownBehindNames() {
    let filter = StreamGraph.Place(file: "Prices.swift", line: 7, function: "")
    let graph = StreamGraph(
      time: 0,
      subscriptions: [
        subscription([
          StreamGraph.Operator(name: "Map", site: StreamGraph.Site(place: place)),
          StreamGraph.Operator(name: "Filter", site: StreamGraph.Site(place: filter)),
        ])
      ])
    #expect(
      graph.description == """
        Sink (Orders.swift:12)
        - Map+Filter 1 (Orders.swift:12, Prices.swift:7): active, demand 0, delivered 0, 0 ms
        """)
  }

  @Test func placesAndFramesAreWrittenAndRead() throws {
    let known = StreamGraph.Site(place: place, frames: ["/bin/shop+0x10"])
    let unknown = StreamGraph.Site(place: nil, frames: ["/bin/shop+0x10"])
    let graph = StreamGraph(
      time: 3,
      subscriptions: [subscription([.init(name: "Map", site: known), .init(name: "Map", site: unknown)])])
    let read = try JSONDecoder().decode(StreamGraph.self, from: Data(try graph.json().utf8))
    let sites = try #require(read.subscriptions.first).operators.map(\.site)
    #expect(sites.map(\.place) == [place, nil])
    #expect(sites.map(\.frames) == [[], ["/bin/shop+0x10"]])
  }

  @Test func sitesInOneLineAreEqual() {
    let (here, there) = (StreamGraph.Site(place: place, frames: ["/bin/shop+0x10"]), StreamGraph.Site(place: place))
    #expect(here == there && here.hashValue == there.hashValue)
    #expect(StreamGraph.Site(place: nil, frames: ["/bin/shop+0x10"]) != StreamGraph.Site(place: nil))
    #expect(StreamGraph.Site([]) == StreamGraph.Site(place: nil))
  }

  @Test func whatHasNoAddressHasNoPlace() {
    #expect(StreamGraph.Site([]).place == nil)
    #expect(StreamGraph.Site([]).frames == [])
  }
}
