// Statements about Combine's behaviour that no operator's own tests show; see semantics.csv.

import TestKit
import Testing
import Weir

@Suite struct SemanticsTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let source = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let other = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)

  /// A delivery that goes on until the cancellation has returned.
  @Test func cancellingDoesNotWaitForADelivery() {
    let subject = PassthroughSubject<Int, Never>()
    let (delivering, cancelled) = (Counter(), Counter())
    let received = Shared([Int]())
    let sink = subject.sink { value in
      received.value.append(value)
      delivering.add()
      cancelled.wait(for: 1)
    }
    onThreads([
      {
        subject.send(1)
        subject.send(2)
      },
      {
        delivering.wait(for: 1)
        sink.cancel()
        cancelled.add()
      },
    ])
    #expect(received.value == [1])
  }

  @Test func whatIsLeftOfAZipOutlivesItsSubscriber() {
    weak var freed: Recorder?
    do {
      let recorder = Recorder(.unlimited)
      freed = recorder
      source.zip(other) { $0 + $1 }.subscribe(recorder)
      source.send(1)
      recorder.cancel()
      recorder.forgetSubscriptions()
    }
    #expect(freed == nil)
    #expect(other.send(2) == .none)
    source.send(completion: .finished)
    other.send(completion: .failure(.first))
    for stream in [source, other] { #expect(stream.subscription?.history == [.requested(.unlimited), .cancelled]) }
  }

  @Test func aFoldTrapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      ScriptedPublisher(of: Int.self, failingWith: Never.self).collect().subscribe(RecordingSubscriber(.some(.none)))
    }
    await #expect(processExitsWith: .failure) {
      ScriptedPublisher(of: Int.self, failingWith: Never.self).first().subscribe(RecordingSubscriber(.some(.none)))
    }
  }

  @Test func appendPassesOnADemandForNothing() {
    source.append(other).subscribe(Recorder(Subscribers.Demand.none))
    #expect(source.subscription?.history == [.requested(.none)])
  }

  @Test func aTriggerAndItsStreamAreOneSubscriber() {
    source.drop(untilOutputFrom: other).subscribe(Recorder())
    #expect(source.subscriber?.combineIdentifier == other.subscriber?.combineIdentifier)
    let (prefixed, end) = (
      ScriptedPublisher(of: Int.self, failingWith: TestFailure.self),
      ScriptedPublisher(of: Int.self, failingWith: Never.self)
    )
    prefixed.prefix(untilOutputFrom: end).subscribe(Recorder())
    #expect(prefixed.subscriber?.combineIdentifier == end.subscriber?.combineIdentifier)
  }
}
