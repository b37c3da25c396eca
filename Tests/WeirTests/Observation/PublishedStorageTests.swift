// Tests of the storage of published properties.

import TestKit
import Testing

@testable import Weir

@Suite struct PublishedStorageTests {
  private let storage = PublishedStorage(0)

  @Test func withoutSubscribersItOnlyStores() {
    storage.set(1)
    #expect(storage.value == 1)
    #expect(storage.state.withLock { $0.core == nil })
  }

  @Test func tellsFirstOfTheChangeThenOfTheValueAndStoresLast() {
    var log: [String] = []
    let change = ObservableObjectPublisher()
    storage.willChange = change
    #expect(storage.willChange === change)
    let cancellables = [
      change.sink { [storage] in log.append("change \(storage.value)") },
      Published<Int>.Publisher(storage).sink { [storage] in log.append("value \($0), was \(storage.value)") },
    ]
    storage.set(5)
    log.append("stored \(storage.value)")
    #expect(log == ["value 0, was 0", "change 0", "value 5, was 0", "stored 5"])
    for cancellable in cancellables { cancellable.cancel() }
  }

  @Test func theOuterOfTwoNestedValuesStays() {
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    recorder.onValue = { [storage] in if $0 == 1 { storage.set(2) } }
    storage.subscribe(recorder)
    storage.set(1)
    #expect(recorder.values == [0, 1, 2])
    #expect(storage.value == 1)
    let late = RecordingSubscriber<Int, Never>(.unlimited)
    storage.subscribe(late)
    #expect(late.values == [1])
    storage.set(3)
    #expect(late.values == [1, 3])
    #expect(storage.value == 3)
    recorder.cancel()
    late.cancel()
  }

  /// It kept the nested one, which the property no longer has, and nothing told it of the other.
  @Test(arguments: [Subscribers.Demand.none, .max(1)])
  func aSubscriberThatAsksForSingleValuesEndsWithTheOuterOne(_ perValue: Subscribers.Demand) {
    let sink = Published<Int>.Publisher(storage).sink { [storage] in if $0 == 1 { storage.set(2) } }
    let recorder = RecordingSubscriber<Int, Never>(.max(1), perValue: perValue)
    storage.subscribe(recorder)
    storage.set(1)
    #expect(recorder.values == (perValue == .none ? [0] : [0, 2, 1]))
    #expect(storage.value == 1)
    recorder.request(.max(1))
    #expect(recorder.values == (perValue == .none ? [0, 1] : [0, 2, 1]))
    storage.set(3)
    recorder.request(.max(1))
    #expect(recorder.values.last == 3)
    recorder.cancel()
    sink.cancel()
  }

  @Test func aSubscriberThatHasAskedForTheNestedValueAloneGetsTheOuterOneWhenItAsks() {
    let sink = Published<Int>.Publisher(storage).sink { [storage] in if $0 == 1 { storage.set(2) } }
    let recorder = RecordingSubscriber<Int, Never>(.max(2))
    storage.subscribe(recorder)
    storage.set(1)
    #expect(recorder.values == [0, 2])
    recorder.request(.max(2))
    #expect(recorder.values == [0, 2, 1])
    storage.set(4)
    #expect(recorder.values == [0, 2, 1, 4])
    recorder.cancel()
    sink.cancel()
  }

  @Test func sourcesAreForgottenWhenTheyEndAndCancelledWithTheStorage() {
    let finished = ScriptedPublisher<Int, Never>()
    let open = ScriptedPublisher<Int, Never>()
    do {
      let storage = PublishedStorage(0)
      storage.follow(finished)
      storage.follow(open)
      #expect(storage.state.withLock { $0.sources.count } == 2)
      finished.send(1)
      finished.send(completion: .finished)
      finished.send(2)
      #expect(storage.value == 1)
      #expect(storage.state.withLock { $0.sources.count } == 1)
      open.send(3)
      #expect(storage.value == 3)
    }
    #expect(finished.subscription?.history == [.requested(.unlimited)])
    #expect(open.subscription?.history == [.requested(.unlimited), .cancelled])
    open.send(4)
  }

  @Test func valuesThatAreReplacedAreFreed() {
    let lifetimes = Lifetimes()
    do {
      let storage = PublishedStorage(lifetimes.track())
      storage.set(lifetimes.track())
      #expect(lifetimes.live == 1)
      let cancellable = Published<LifetimeTracked>.Publisher(storage).sink { _ in }
      storage.set(lifetimes.track())
      #expect(lifetimes.live == 1)
      cancellable.cancel()
    }
    #expect(lifetimes.live == 0)
  }
}
