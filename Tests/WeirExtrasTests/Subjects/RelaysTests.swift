// Tests of `PassthroughRelay` and `CurrentValueRelay`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct RelaysTests {
  typealias Recorder = RecordingSubscriber<Int, Never>

  @Test func aPassthroughRelayPassesValuesOnAndFinishesWhenItIsFreed() {
    let recorder = Recorder(.unlimited)
    do {
      let relay = PassthroughRelay<Int>()
      relay.accept(1)
      relay.subscribe(recorder)
      relay.accept(2)
      #expect(recorder.completions == [])
    }
    #expect(recorder.log == ["PassthroughSubject", "2", "finished"])
  }

  @Test func aCurrentValueRelayKeepsTheNewestValue() {
    let recorder = Recorder(.unlimited)
    do {
      let relay = CurrentValueRelay(1)
      relay.subscribe(recorder)
      relay.accept(2)
      #expect(relay.value == 2)
    }
    #expect(recorder.log == ["CurrentValueSubject", "1", "2", "finished"])
  }

  @Test func anUpstreamsEndDoesNotReachARelay() {
    let upstream = PassthroughSubject<Int, Never>()
    let (relay, state) = (PassthroughRelay<Int>(), CurrentValueRelay(0))
    let recorder = Recorder(.unlimited)
    relay.subscribe(recorder)
    let cancellables = [upstream.subscribe(relay), upstream.subscribe(state)]
    upstream.send(5)
    upstream.send(completion: .finished)
    relay.accept(6)
    #expect(recorder.values == [5, 6])
    #expect(recorder.completions == [])
    #expect(state.value == 5)
    withExtendedLifetime(cancellables) {}
  }

  @Test func anUpstreamDoesNotKeepARelayAlive() {
    let upstream = PassthroughSubject<Int, Never>()
    weak var weakRelay: PassthroughRelay<Int>?
    let cancellable: AnyCancellable
    do {
      let relay = PassthroughRelay<Int>()
      weakRelay = relay
      cancellable = upstream.subscribe(relay)
    }
    #expect(weakRelay == nil)
    upstream.send(1)
    cancellable.cancel()
  }
}
