// Tests of the publisher of changes.

import TestKit
import Testing
import Weir

@Suite struct ObservableObjectPublisherTests {
  private let publisher = ObservableObjectPublisher()

  @Test func tellsEverySubscriberThatHasAskedOnce() {
    let first = RecordingSubscriber<Void, Never>()
    publisher.subscribe(first)
    publisher.send()
    #expect(first.log == ["ObservableObjectPublisher"])
    first.request(.max(1))
    publisher.send()
    publisher.send()
    publisher.send()
    #expect(first.values.count == 3)
    let second = RecordingSubscriber<Void, Never>(.unlimited)
    publisher.subscribe(second)
    #expect(second.values.count == 0)
    publisher.send()
    #expect(first.values.count == 4)
    #expect(second.values.count == 1)
    first.cancel()
    publisher.send()
    #expect(first.values.count == 4)
    #expect(second.values.count == 2)
    second.cancel()
  }

  /// As in Combine, also a request for nothing opens the stream.
  @Test func askingForNothingIsAskingToo() {
    let recorder = RecordingSubscriber<Void, Never>(.some(.none))
    publisher.subscribe(recorder)
    publisher.send()
    #expect(recorder.log == ["ObservableObjectPublisher", "()"])
    recorder.cancel()
  }

  @Test func sinksAreTold() {
    var count = 0
    let cancellable = publisher.sink { count += 1 }
    publisher.send()
    cancellable.cancel()
    publisher.send()
    #expect(count == 1)
  }

  @Test func aSubscriptionShowsThePublisherAndItsSubscriberAsTheyAre() throws {
    let publisher = ObservableObjectPublisher()
    let recorder = RecordingSubscriber<Void, Never>(.max(1))
    publisher.subscribe(recorder)
    let mirror = Mirror(reflecting: try #require(recorder.subscriptions.first))
    #expect(mirror.descendant("parent") as? ObservableObjectPublisher === publisher)
    #expect(mirror.descendant("downstream") as? RecordingSubscriber<Void, Never> === recorder)
  }

  @Test func nothingLeaks() {
    let lifetimes = Lifetimes()
    do {
      let publisher = ObservableObjectPublisher()
      for _ in 0..<2 {
        let tracked = lifetimes.track()
        let recorder = RecordingSubscriber<Void, Never>(.max(1))
        recorder.onValue = { _ in tracked.touch() }
        publisher.subscribe(recorder)
        publisher.send()
        recorder.cancel()
        recorder.forgetSubscriptions()
      }
      #expect(lifetimes.live == 0)
      let tracked = lifetimes.track()
      let cancellable = publisher.sink { tracked.touch() }
      publisher.send()
      cancellable.cancel()
    }
    #expect(lifetimes.live == 0)
  }
}
