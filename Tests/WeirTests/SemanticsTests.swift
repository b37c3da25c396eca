// Statements about Combine's behaviour that no operator's own tests show; see semantics.csv.

import TestKit
import Testing
import Weir

@Suite struct SemanticsTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let source = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let other = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)

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
