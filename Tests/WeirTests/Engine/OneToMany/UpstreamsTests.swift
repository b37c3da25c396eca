// Tests of a subject's upstreams.

import TestKit
import Testing

@testable import Weir

@Suite struct UpstreamsTests {
  @Test func waitForTheFirstDemand() {
    let upstreams = Upstreams(isOpen: false)
    let first = RecordingSubscription()
    let second = RecordingSubscription()
    upstreams.add(first)
    upstreams.add(second)
    #expect(first.history == [])
    upstreams.open()
    upstreams.open()
    #expect(first.history == [.requested(.unlimited)])
    #expect(second.history == [.requested(.unlimited)])
  }

  @Test func areAskedAtOnceWhenOpen() {
    let upstreams = Upstreams(isOpen: false)
    upstreams.open()
    let subscription = RecordingSubscription()
    upstreams.add(subscription)
    #expect(subscription.history == [.requested(.unlimited)])
  }

  @Test func areCancelledInOrderAndOnce() {
    let upstreams = Upstreams(isOpen: false)
    var order: [Int] = []
    for number in 0..<3 {
      let subscription = RecordingSubscription()
      subscription.onCancel = { order.append(number) }
      upstreams.add(subscription)
    }
    upstreams.cancel()
    upstreams.cancel()
    #expect(order == [0, 1, 2])
  }

  @Test func mayBeOpenedAndExtendedFromWithinARequest() {
    let upstreams = Upstreams(isOpen: false)
    let inner = RecordingSubscription()
    let outer = RecordingSubscription()
    outer.onRequest = { _ in
      upstreams.open()
      upstreams.add(inner)
    }
    upstreams.add(outer)
    upstreams.open()
    #expect(outer.history == [.requested(.unlimited)])
    #expect(inner.history == [.requested(.unlimited)])
  }

  @Test func eachIsAskedOnceHoweverThreadsMeet() {
    for _ in 0..<200 {
      let upstreams = Upstreams(isOpen: false)
      let subscriptions = (0..<4).map { _ in RecordingSubscription() }
      upstreams.add(subscriptions[0])
      onThreads(3) { number in
        if number > 0 { upstreams.add(subscriptions[number]) }
        upstreams.open()
      }
      #expect(subscriptions.map(\.history.count) == [1, 1, 1, 0])
    }
  }

  @Test func thoseThatAreOverAreLetGoOf() {
    let subject = PassthroughSubject<Int, Never>()
    let open = Just(0).append(Empty(completeImmediately: false)).subscribe(subject)
    for _ in 0..<100 { Just(1).append(Empty(completeImmediately: false)).subscribe(subject).cancel() }
    #expect(subject.core.upstreams.state.withLock { $0.subscriptions.count } <= 16)
    open.cancel()
  }
}
