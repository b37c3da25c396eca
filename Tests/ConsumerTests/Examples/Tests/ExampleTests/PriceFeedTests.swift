// Tests of the price feed, in virtual time.

import Combine
import Testing
import WeirTesting

@testable import PriceFeed

struct PriceFeedTests {
  private let clock = TestScheduler()
  private let venue = MockPublisher<Quote, VenueError>()
  private let feed: PriceFeed<TestScheduler<VirtualTime, Never>>

  init() { feed = PriceFeed(clock: clock) { [venue] in venue } }

  private func quote(_ symbol: String, _ price: Int, _ sequence: Int) {
    venue.send(Quote(symbol: symbol, price: price, sequence: sequence))
  }

  @Test func aSlowReaderGetsTheNewestAndEachOnce() {
    let reader = Reader<Board, VenueError>()
    feed.newest.subscribe(reader)
    for sequence in 1...100 { quote("A", sequence, sequence) }
    quote("B", 7, 1)
    reader.next()
    #expect(reader.values.last?.quotes.mapValues(\.price) == ["A": 100, "B": 7])
    reader.next()
    #expect(reader.values.count == 1)
    quote("A", 101, 101)
    #expect(reader.values.last?.quotes.mapValues(\.price) == ["A": 101, "B": 7])
    #expect(reader.values.count == 2)
  }

  @Test func quotesThatComeLateOrAgainChangeNothing() {
    let boards = feed.boards.record()
    quote("A", 10, 2)
    quote("A", 9, 1)
    quote("A", 10, 2)
    #expect(boards.values.map { $0.quotes["A"]?.price } == [10])
  }

  @Test func aScreenIsToldOfChangesOncePerInterval() {
    let changes = feed.changes(every: .milliseconds(100)).record()
    quote("A", 1, 1)
    clock.advance()
    for sequence in 2...9 { quote("A", sequence, sequence) }
    quote("B", 5, 1)
    clock.advance(by: .milliseconds(100))
    quote("B", 6, 2)
    clock.advance(by: .milliseconds(100))
    clock.advance(by: .milliseconds(100))
    #expect(changes.values.map { $0.map { "\($0.symbol)\($0.price)" } } == [["A1"], ["A9", "B5"], ["B6"]])
  }

  @Test func aSymbolThatFallsSilentIsToldOf() {
    let alerts = feed.alerts(for: ["A", "B"], silence: .seconds(5)).record()
    quote("A", 1, 1)
    quote("B", 1, 1)
    clock.advance(by: .seconds(3))
    quote("A", 2, 2)
    clock.advance(by: .seconds(3))
    alerts.expect(values: [.stale("B")])
    quote("B", 2, 2)
    quote("B", 3, 3)
    clock.advance(by: .seconds(10))
    alerts.expect(values: [.stale("B"), .live("B"), .stale("A"), .stale("B")])
  }

  @Test func allReadersShareOneConnectionWhichGoesWithTheLast() {
    let boards = feed.boards.record()
    let changes = feed.changes(every: .seconds(1)).record()
    #expect(venue.subscriberCount == 1)
    boards.cancel()
    #expect(venue.subscriberCount == 1)
    changes.cancel()
    #expect(venue.subscriberCount == 0)
  }

  @Test func aLostConnectionIsMadeAgainAfterPausesThatDouble() {
    var connections: [(at: Int, subject: PassthroughSubject<Quote, VenueError>)] = []
    let feed = PriceFeed(clock: clock) { [clock] in
      Deferred {
        let subject = PassthroughSubject<Quote, VenueError>()
        connections.append((clock.now.nanoseconds / 1_000_000, subject))
        return subject
      }
    }
    let boards = feed.boards.record()
    for _ in 1...3 {
      connections.last?.subject.send(completion: .failure(.disconnected))
      clock.advance(by: .seconds(4))
    }
    #expect(connections.map(\.at) == [0, 500, 5000, 10_000])
    connections.last?.subject.send(Quote(symbol: "A", price: 1, sequence: 1))
    connections.last?.subject.send(completion: .failure(.refused))
    #expect(boards.values.count == 1)
    boards.expectFailure(.refused)
    #expect(clock.scheduledCount == 0)
  }

  @Test func theBestOfTwoVenues() {
    let other = MockPublisher<Quote, VenueError>()
    let best = best(of: "A", at: feed, and: PriceFeed(clock: clock) { other }).record()
    quote("A", 10, 1)
    best.expect(values: [])
    other.send(Quote(symbol: "A", price: 12, sequence: 1))
    other.send(Quote(symbol: "A", price: 9, sequence: 2))
    quote("A", 11, 2)
    best.expect(values: [10, 9])
    other.send(completion: .failure(.refused))
    best.expectFailure(.refused)
    #expect(venue.subscriberCount == 0)
  }
}
