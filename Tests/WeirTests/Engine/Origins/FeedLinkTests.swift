// Tests of a subscription that callbacks feed.

import TestKit
import Testing

@testable import Weir

@Suite struct FeedLinkTests {
  typealias Recorder = RecordingSubscriber<Int, Never>

  private let lifetimes = Lifetimes()

  private func link(to recorder: Recorder, stop: @escaping () -> Void = {}) -> FeedLink<Recorder> {
    let link = FeedLink(downstream: HeldSubscriber(recorder), name: "Feed")
    link.open(FeedLink<Recorder>.Source(stop: stop, children: { [("source", 7)] }))
    return link
  }

  @Test func valuesWithoutDemandAreDropped() {
    let recorder = Recorder(.max(1))
    recorder.demandPerValue = { $0 == 1 ? .max(1) : .none }
    let link = link(to: recorder)
    for value in 1...4 { link.send(value) }
    recorder.request(.none)
    recorder.request(.max(1))
    link.send(5)
    #expect(recorder.history == [.subscription("Feed"), .value(1), .value(2), .value(5)])
  }

  @Test func cancellingStopsTheSourceOnceAndLetsGoOfEverything() {
    let stopped = Counter()
    weak var weakRecorder: Recorder?
    let kept: any Subscription
    do {
      let tracked = lifetimes.track()
      let recorder = Recorder(.unlimited)
      weakRecorder = recorder
      kept = link(to: recorder) {
        tracked.touch()
        stopped.add()
      }
      recorder.forgetSubscriptions()
    }
    #expect(lifetimes.live == 1)
    #expect(weakRecorder != nil)
    kept.cancel()
    kept.cancel()
    kept.request(.max(1))
    #expect(stopped.value == 1)
    #expect(lifetimes.live == 0)
    #expect(weakRecorder == nil)
  }

  @Test func aLinkThatNobodyHoldsStopsItsSource() {
    let stopped = Counter()
    do {
      let recorder = Recorder(.unlimited)
      recorder.keepsSubscriptions = false
      _ = link(to: recorder) { stopped.add() }
    }
    #expect(stopped.value == 1)
  }

  @Test func acceptsValuesAndCancellationFromWithinADelivery() {
    let recorder = Recorder(.unlimited)
    let link = link(to: recorder)
    recorder.onValue = { value in
      if value < 3 { link.send(value + 1) } else { link.cancel() }
    }
    link.send(1)
    link.send(9)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func deliveriesOfSeveralThreadsDoNotOverlap() {
    let recorder = Recorder(.unlimited)
    let link = link(to: recorder)
    let inside = Counter()
    let overlaps = Counter()
    recorder.onValue = { _ in
      if inside.add() != 1 { overlaps.add() }
      inside.add(-1)
    }
    onThreads(3) { number in for value in 0..<2_000 { link.send(number * 10_000 + value) } }
    #expect(overlaps.value == 0)
    #expect(recorder.values.count == 6_000)
    for number in 0..<3 {
      #expect(recorder.values.filter { $0 / 10_000 == number } == (0..<2_000).map { number * 10_000 + $0 })
    }
  }

  @Test func showsItsSource() {
    let recorder = Recorder(.max(2))
    let link = link(to: recorder)
    #expect(Mirror(reflecting: link).children.map { "\($0.label!) \($0.value)" } == ["source 7", "demand max(2)"])
    link.cancel()
    #expect(Mirror(reflecting: link).children.map { $0.label! } == ["demand"])
  }
}
