// Tests of the subscriptions that were alive at a moment, as values; and of the inspector where it isn't built in.

import TestKit
import Testing
import Weir
import WeirExtras

extension StreamGraph {
  /// A graph of subscriptions, made a second after another one.
  init(_ seconds: Int = 0, _ subscriptions: Subscription...) {
    self.init(time: seconds * 1_000_000_000, subscriptions: subscriptions)
  }
}

extension StreamGraph.Subscription {
  init(
    _ id: Int, _ publisher: String, to downstream: Int? = nil, _ subscriber: String = "Sink",
    feeding feeds: [Int] = [], state: StreamGraph.State = .active, requested: Int? = nil, delivered: Int = 0,
    isDelivering: Bool = false, waiting: Int? = nil, delay: Int? = nil, dropped: Int? = nil, untaken: Int? = nil,
    isSubscriberHeld: Bool = true,
    isSubscriptionHeld: Bool = true, latency: StreamGraph.Latency? = nil
  ) {
    self.init(
      id: id, publisher: publisher, subscriber: subscriber, downstream: downstream, feeds: feeds, state: state,
      requested: requested, delivered: delivered, isDelivering: isDelivering, waiting: waiting, delay: delay,
      dropped: dropped, untaken: untaken, age: 5_000_000, isSubscriberHeld: isSubscriberHeld,
      isSubscriptionHeld: isSubscriptionHeld, latency: latency)
  }
}

@Suite struct StreamGraphTests {
  @Test func subscriptionsAreFoundByTheirNumbers() {
    let graph = StreamGraph(0, .init(2, "Map"), .init(5, "Just", to: 2), .init(9, "Filter"))
    #expect([1, 2, 3, 5, 9, 10].map { graph[$0]?.publisher } == [nil, "Map", nil, "Just", "Filter", nil])
  }

  @Test func aWayLeadsToTheEndOfTheStream() {
    let graph = StreamGraph(0, .init(1, "Map"), .init(2, "Filter", to: 1, "Map"), .init(3, "Just", to: 2, "Filter"))
    #expect(graph.way(from: 3).map(\.id) == [3, 2, 1])
    #expect(graph.path(from: 3) == "Just -> Filter -> Map -> Sink")
    #expect(graph.path(from: 4) == "")
  }

  @Test func demandIsWhatMayPassNow() {
    #expect(StreamGraph.Subscription(1, "Map", requested: 5, delivered: 3).demand == 2)
    #expect(StreamGraph.Subscription(1, "Map", requested: 1, delivered: 3).demand == 0)
    #expect(StreamGraph.Subscription(1, "Map", delivered: 3).demand == nil)
  }

  @Test func endsAreOver() {
    let over = [StreamGraph.State.awaiting, .active, .finished, .failed, .cancelled].map {
      StreamGraph.Subscription(1, "Map", state: $0).isOver
    }
    #expect(over == [false, false, true, true, true])
  }

  /// The tests of the whole package are built without the trait, unless somebody asks for it.
  @Test(.enabled(if: !WeirInspector.isBuiltIn)) func withoutTheTraitNothingIsSeen() {
    WeirInspector.isOn = true
    #expect(!WeirInspector.isOn)
    WeirInspector.tellsFailures = true
    #expect(!WeirInspector.tellsFailures)
    let sink = PassthroughSubject<Int, Never>().sink { _ in }
    #expect(WeirInspector.snapshot().subscriptions.isEmpty)
    sink.cancel()
  }

  @Test func publishersHaveShortNames() {
    #expect(operatorName(of: PassthroughSubject<Int, Never>.self) == "PassthroughSubject")
    #expect(operatorName(of: Publishers.Map<Just<Int>, (Int) -> Int>.self) == "Map")
    #expect(operatorName(of: Optional<Int>.Publisher.self) == "Optional.Publisher")
  }

  @Test func namesHaveNoAddresses() {
    #expect(nameWithoutAddresses("Sink") == "Sink")
    #expect(nameWithoutAddresses("Shop.(unknown context at $55d0).Client") == "Shop.Client")
    #expect(
      nameWithoutAddresses("Shop.(unknown context at $55d0).Box<Shop.(unknown context at $1).Item>")
        == "Shop.Box<Shop.Item>")
  }
}
