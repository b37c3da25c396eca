// Tests of what a graph of live subscriptions says beside another one.

import Testing
import WeirExtras

@Suite struct StreamGraphFindingsTests {
  @Test func changesAreWhatHasBegunGoneAndPassed() {
    let earlier = StreamGraph(0, .init(1, "Map", delivered: 2), .init(2, "Just"), .init(3, "Filter", delivered: 1))
    let now = StreamGraph(
      1, .init(1, "Map", delivered: 7), .init(3, "Filter", delivered: 1), .init(4, "Scan", delivered: 3))
    let changes = now.changes(since: earlier)
    #expect(changes.begun.map(\.id) == [4])
    #expect(changes.gone.map(\.id) == [2])
    #expect(changes.delivered == [1: 5, 4: 3])
    #expect(now.changes(since: now).begun.isEmpty)
    #expect(now.changes(since: now).delivered.isEmpty)
  }

  /// They trapped without a word.
  @Test func numbersThatNoSnapshotHasAreCompared() {
    let earlier = StreamGraph(time: -1, subscriptions: [.init(1, "Map", delivered: -1)])
    let now = StreamGraph(time: .max, subscriptions: [.init(1, "Map", delivered: .max)])
    #expect(now.changes(since: earlier).delivered.isEmpty)
    #expect(now.stalls(since: earlier).isEmpty)
    #expect(StreamGraph(0, .init(1, "Map", requested: 5, delivered: .min)).description.contains("Map"))
  }

  // MARK: Leaks

  @Test func whatIsHeldAfterItsEndLeaks() {
    let graph = StreamGraph(
      0, .init(1, "Map", state: .finished), .init(2, "Just", state: .finished, isSubscriberHeld: false),
      .init(3, "Map", state: .cancelled),
      .init(4, "Filter"))
    let leaks = graph.leaks()
    #expect(leaks.map(\.reason) == [.heldAfterItsEnd])
    #expect(leaks.map(\.path) == ["Map -> Sink"])
    #expect(leaks.map(\.subscriptions) == [[1, 3]])
    #expect(leaks.first?.description == "Map -> Sink: heldAfterItsEnd, 2")
  }

  @Test func aStreamThatIsHeldIsOneLeakWithItsOrigin() {
    let graph = StreamGraph(
      0, .init(1, "Sequence", to: 2, "Map", state: .finished), .init(2, "Map", state: .finished))
    #expect(graph.leaks().map(\.subscriptions) == [[1]])
  }

  @Test func aStreamThatItsEndHasLostIsOneLeakWithTheLast() {
    let graph = StreamGraph(
      0, .init(1, "Subject", to: 2, "Map", isSubscriptionHeld: false),
      .init(2, "Map", isSubscriptionHeld: false))
    #expect(graph.leaks().map(\.subscriptions) == [[2]])
  }

  @Test func whatNobodyCanCancelLeaks() {
    let graph = StreamGraph(
      0, .init(1, "Map", isSubscriptionHeld: false), .init(2, "Just", state: .awaiting, isSubscriptionHeld: false))
    #expect(graph.leaks().map(\.reason) == [.notCancellable])
    #expect(graph.leaks().map(\.subscriptions) == [[1]])
  }

  @Test func whatOnlyEndsLooksLikeALeakForAMomentOnly() {
    let before = StreamGraph(0, .init(1, "Map"))
    let now = StreamGraph(1, .init(1, "Map", state: .finished))
    #expect(now.leaks(after: [before]).isEmpty)
    #expect(now.leaks(after: [now]).count == 1)
  }

  @Test func whatGrowsInEachGraphLeaks() {
    let graphs = (1...3).map { count in
      StreamGraph(
        time: count,
        subscriptions: (1...count).map { .init($0, "Map") } + [
          .init(90, "Just"), .init(91, "PassthroughSubject", to: 90),
        ])
    }
    let leaks = graphs[2].leaks(after: Array(graphs[0..<2]))
    #expect(leaks.map(\.reason) == [.growing])
    #expect(leaks.map(\.path) == ["Map -> Sink"])
    #expect(leaks.map(\.subscriptions) == [[1, 2, 3]])
    #expect(graphs[2].leaks(after: [graphs[1]]).isEmpty)
    #expect(graphs[2].leaks(after: [graphs[1], graphs[1]]).isEmpty)
  }

  // MARK: Stalls

  /// A buffer whose values wait, behind two operators.
  private func graph(_ seconds: Int, delivered: Int = 2, asked: [Int?], waiting: Int? = 3) -> StreamGraph {
    StreamGraph(
      seconds, .init(1, "Filter", "AnySubscriber", requested: asked[0]),
      .init(2, "Map", to: 1, "Filter", requested: asked[1]),
      .init(3, "Buffer", to: 2, "Map", requested: asked[2], delivered: delivered, waiting: waiting))
  }

  @Test func theEndHoldsWhatItHasNotAskedFor() {
    let (before, now) = (graph(0, asked: [0, 0, 2]), graph(2, asked: [0, 0, 2]))
    let stalls = now.stalls(since: before)
    #expect(stalls.map(\.subscription) == [3])
    #expect(stalls.map(\.waiting) == [3])
    #expect(stalls.map(\.holder) == ["AnySubscriber"])
    #expect(stalls.first?.description == "Buffer -> Map -> Filter -> AnySubscriber: 3 values wait for AnySubscriber")
  }

  @Test func anOperatorHoldsWhatItWasAskedForAndDoesNotAskFor() {
    let (before, now) = (graph(0, asked: [4, 0, 2]), graph(2, asked: [4, 0, 2]))
    #expect(now.stalls(since: before).map(\.holder) == ["Filter"])
  }

  @Test func aSchedulerThatDoesNotRunHoldsWhatWasAskedFor() {
    let (before, now) = (graph(0, asked: [nil, nil, nil]), graph(2, asked: [nil, nil, nil]))
    #expect(now.stalls(since: before).map(\.holder) == ["Buffer"])
  }

  @Test func whoHasBeenGivenAValueAndNotReturnedHoldsTheOthers() {
    func graph(_ seconds: Int, busy: Bool) -> StreamGraph {
      StreamGraph(
        seconds, .init(1, "Map", isDelivering: busy),
        .init(2, "ReceiveOn", to: 1, "Map", isDelivering: true, waiting: 2))
    }
    let before = graph(0, busy: true)
    #expect(graph(2, busy: true).stalls(since: before).map(\.holder) == ["Sink"])
    #expect(graph(2, busy: false).stalls(since: before).map(\.holder) == ["Map"])
    let idle = StreamGraph(0, .init(2, "ReceiveOn", waiting: 2))
    let busy = StreamGraph(2, .init(2, "ReceiveOn", isDelivering: true, waiting: 2))
    #expect(busy.stalls(since: idle).map(\.holder) == ["ReceiveOn"])
  }

  @Test func whatIsDelayedMayWaitThatLong() {
    func graph(_ seconds: Int) -> StreamGraph {
      StreamGraph(seconds, .init(1, "Delay", waiting: 2, delay: 4_000_000_000))
    }
    #expect(graph(5).stalls(since: graph(0)).isEmpty)
    #expect(graph(6).stalls(since: graph(0)).map(\.holder) == ["Delay"])
    #expect(StreamGraph(9, .init(1, "Delay", waiting: 2, delay: .max)).stalls(since: graph(0)).isEmpty)
  }

  @Test func whatMovesOrIsNewIsNoStall() {
    let before = graph(0, asked: [0, 0, 2])
    #expect(graph(1, asked: [0, 0, 2]).stalls(since: before).isEmpty)
    #expect(graph(1, asked: [0, 0, 2]).stalls(since: before, lasting: 1_000_000_000).count == 1)
    #expect(graph(2, delivered: 3, asked: [0, 0, 3]).stalls(since: before).isEmpty)
    #expect(graph(2, asked: [0, 0, 3]).stalls(since: before).isEmpty)
    #expect(graph(2, asked: [0, 0, 2], waiting: 0).stalls(since: before).isEmpty)
    #expect(graph(2, asked: [0, 0, 2]).stalls(since: graph(0, asked: [0, 0, 2], waiting: nil)).isEmpty)
  }

  @Test func aLoopThatTakesNothingHoldsWhatItHas() {
    let graphs = [0, 2].map {
      StreamGraph($0, .init(1, "PassthroughSubject", "AsyncPublisher", delivered: 4, untaken: 4))
    }
    #expect(graphs[1].stalls(since: graphs[0]).map(\.holder) == ["AsyncPublisher"])
    #expect(graphs[1].stalls(since: graphs[0]).map(\.waiting) == [4])
  }

  /// A loop over `values(buffering: .unbounded)`, for which everything was asked at once.
  private func loop(_ seconds: Int, delivered: Int, untaken: Int) -> StreamGraph {
    StreamGraph(seconds, .init(1, "Sequence", "AsyncPublisher", delivered: delivered, untaken: untaken))
  }

  @Test func aLoopThatTakesWhatItHasIsNoStall() {
    let before = loop(0, delivered: 100, untaken: 100)
    #expect(loop(2, delivered: 100, untaken: 60).stalls(since: before).isEmpty)
    #expect(loop(2, delivered: 130, untaken: 110).stalls(since: before).isEmpty)
    // It has dropped some, perhaps.
    #expect(loop(2, delivered: 130, untaken: 100).stalls(since: before).isEmpty)
  }

  @Test func aLoopThatTakesNothingHoldsUpWhatComesMeanwhileToo() {
    let stalls = loop(2, delivered: 110, untaken: 20).stalls(since: loop(0, delivered: 100, untaken: 10))
    #expect(stalls.map(\.holder) == ["AsyncPublisher"])
    #expect(stalls.map(\.waiting) == [20])
  }
}
