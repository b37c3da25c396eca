// Tests of published properties.

import TestKit
import Testing
import Weir

@Suite struct PublishedTests {
  typealias Recorder = RecordingSubscriber<Int, Never>

  final class Model {
    @Published var state: Int
    init(_ state: Int = 0) { _state = Published(initialValue: state) }
  }

  @Test func publishesBeforeItStores() {
    let model = Model()
    var stored: [Int] = []
    let recorder = Recorder(.unlimited)
    recorder.onValue = { _ in stored.append(model.state) }
    model.$state.subscribe(recorder)
    model.state = 1
    model.state += 2
    #expect(recorder.history == [.subscription("PublishedSubject"), .value(0), .value(1), .value(3)])
    #expect(stored == [0, 0, 1])
    #expect(model.state == 3)
    recorder.cancel()
  }

  @Test func aSubscriberThatAsksAgainGetsTheNewestThatItMissed() {
    let model = Model()
    let recorder = Recorder()
    model.$state.subscribe(recorder)
    #expect(recorder.history == [.subscription("PublishedSubject")])
    recorder.request(.max(2))
    for value in [1, 3, 6] { model.state = value }
    #expect(recorder.values == [0, 1])
    recorder.request(.max(10))
    #expect(recorder.values == [0, 1, 6])
    let late = Recorder(.unlimited)
    model.$state.subscribe(late)
    #expect(late.values == [6])
    model.state = 42
    #expect(recorder.values == [0, 1, 6, 42])
    #expect(late.values == [6, 42])
    recorder.cancel()
    model.state = -1
    #expect(recorder.values == [0, 1, 6, 42])
    #expect(late.values == [6, 42, -1])
    late.cancel()
  }

  @Test func demandIsCountedAsInCombine() {
    let model = Model()
    let recorder = Recorder()
    recorder.demandPerValue = { .max($0) }
    model.$state.subscribe(recorder)
    recorder.request(.max(2))
    for value in [1, 2, 0, 0, 0] { model.state = value }
    #expect(recorder.values == [0, 1, 2, 0, 0])
    recorder.request(.max(2))
    recorder.request(.max(3))
    #expect(recorder.values == [0, 1, 2, 0, 0, 0])
    for value in [0, 0, 0, 0, 1] { model.state = value }
    #expect(recorder.values == [0, 1, 2, 0, 0, 0, 0, 0, 0, 0])
    recorder.request(.max(1))
    for value in [0, 0] { model.state = value }
    #expect(recorder.values == [0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0])
    recorder.cancel()
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) { Model().$state.subscribe(Recorder(.some(.none))) }
  }

  @Test func aValueSetFromWithinTheDeliveryIsOverwrittenByTheOuterOne() {
    let model = Model()
    let cancellable = model.$state.sink { if $0 > 9 { model.state = 9 } }
    model.state = 12
    #expect(model.state == 12)
    cancellable.cancel()
  }

  @Test func anotherPropertysPublisherDoesNotReplaceIt() {
    let first = Model(1)
    let second = Model(2)
    first.$state = second.$state
    #expect(first.state == 1)
    first.state = 3
    #expect(second.state == 2)
  }

  @Test func assignWritesUntilTheObjectIsGone() {
    let source = ScriptedPublisher<Int, Never>()
    let recorder = Recorder()
    do {
      let model = Model()
      source.assign(to: &model.$state)
      #expect(source.subscription?.history == [.requested(.unlimited)])
      model.$state.subscribe(recorder)
      #expect(source.send(1) == .none)
      recorder.request(.max(3))
      for value in 2...4 { source.send(value) }
      #expect(recorder.values == [1, 2, 3])
      #expect(model.state == 4)
      recorder.cancel()
      #expect(source.subscription?.history == [.requested(.unlimited)])
    }
    #expect(source.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  @Test func theEndOfAnAssignedStreamEndsNothingElse() {
    let source = ScriptedPublisher<Int, Never>()
    let model = Model()
    let recorder = Recorder()
    source.assign(to: &model.$state)
    model.$state.subscribe(recorder)
    source.send(completion: .finished)
    #expect(source.subscription?.history == [.requested(.unlimited)])
    #expect(recorder.history == [.subscription("PublishedSubject")])
    recorder.cancel()
  }

  @Test func subscribersKeepTheStorageButNotTheObject() {
    let lifetimes = Lifetimes()
    final class Owner {
      let tracked: LifetimeTracked
      @Published var state = 0
      init(_ tracked: LifetimeTracked) { self.tracked = tracked }
    }
    var values: [Int] = []
    var cancellable: AnyCancellable?
    do {
      let owner = Owner(lifetimes.track())
      cancellable = owner.$state.sink { values.append($0) }
      owner.state = 1
    }
    #expect(lifetimes.live == 0)
    #expect(values == [0, 1])
    cancellable?.cancel()
  }

  @Test func nothingLeaks() {
    let lifetimes = Lifetimes()
    final class Owner { @Published var value: LifetimeTracked? }
    do {
      let owner = Owner()
      let inSink = lifetimes.track()
      var cancellables: Set<AnyCancellable> = []
      owner.$value.sink { _ in inSink.touch() }.store(in: &cancellables)
      owner.$value.compactMap(\.self).sink { $0.touch() }.store(in: &cancellables)
      owner.value = lifetimes.track()
      owner.value = lifetimes.track()
      #expect(lifetimes.live == 2)
    }
    #expect(lifetimes.live == 0)
  }
}
