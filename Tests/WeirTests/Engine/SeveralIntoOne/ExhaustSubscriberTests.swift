// Tests of what `flatMapFirst` adds to the engine of `flatMap`.

import TestKit
import Testing
import Weir

@Suite struct ExhaustSubscriberTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let lifetimes = Lifetimes()

  @Test func asksForEverythingAndIsCancelledWithItsInnerStream() {
    let (outer, inner) = (RecordingSubscription(), ScriptedPublisher<Int, TestFailure>())
    let recorder = Recorder(.max(2))
    let subscriber = ExhaustSubscriber<Int, ScriptedPublisher<Int, TestFailure>, Recorder>(
      HeldSubscriber(recorder), name: "First"
    ) {
      _ in inner
    }
    subscriber.receive(subscription: outer)
    #expect(subscriber.receive(1) == .none)
    #expect(inner.subscription?.history == [.requested(.max(1))])
    recorder.cancel()
    _ = subscriber.receive(2)
    #expect(outer.history == [.requested(.unlimited), .cancelled])
    #expect(inner.subscription?.history == [.requested(.max(1)), .cancelled])
    #expect(recorder.log == ["First"])
    #expect("\(subscriber)" == "First")
  }

  @Test func contendedValuesOpenOneStreamAtATime() {
    let taps = PassthroughSubject<Int, Never>()
    let (open, most) = (Counter(), Counter())
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    recorder.onValue = { _ in
      most.set(max(most.value, open.add()))
      yieldThread()
      open.add(-1)
    }
    taps.receive(
      subscriber: ExhaustSubscriber<Int, Just<Int>, RecordingSubscriber<Int, Never>>(
        HeldSubscriber(recorder), name: "First"
      ) {
        Just($0)
      })
    onThreads(4) { _ in
      for number in 0..<200 { taps.send(number) }
    }
    #expect(most.value == 1)
    #expect(!recorder.values.isEmpty)
    recorder.cancel()
  }

  @Test func everythingIsFreedAtTheEnd() {
    do {
      let tracked = lifetimes.track()
      let recorder = Recorder(.unlimited)
      let subscriber = ExhaustSubscriber<Int, Just<Int>.Failing, Recorder>(
        HeldSubscriber(recorder), name: "First"
      ) { number in
        tracked.touch()
        return Just(number).setFailureType(to: TestFailure.self)
      }
      subscriber.receive(subscription: RecordingSubscription())
      _ = subscriber.receive(1)
      subscriber.receive(completion: .finished)
      #expect(recorder.log == ["First", "1", "finished"])
    }
    #expect(lifetimes.live == 0)
  }
}

extension Just {
  fileprivate typealias Failing = Publishers.SetFailureType<Just<Output>, TestFailure>
}
