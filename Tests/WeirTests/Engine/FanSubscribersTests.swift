// Tests of the subscribers that feed a fan.

import TestKit
import Testing

@testable import Weir

@Suite struct FanSubscribersTests {
  private let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)

  private func fan(isKnown: Bool) -> Fan<RecordingSubscriber<Int, TestFailure>> {
    let fan = Fan(downstream: recorder, policy: .fair(maxPublishers: .unlimited), name: "Test", isKnown: isKnown)
    recorder.receive(subscription: fan)
    return fan
  }

  @Test func whatAFormerStreamOfAPlaceSendsIsDropped() {
    let fan = fan(isKnown: false)
    let former = fan.openLane()
    fan.close(former.slot)
    let current = fan.openLane()
    #expect(current.slot == former.slot)
    #expect(LaneSubscriber(fan, former).receive(1) == .none)
    LaneSubscriber(fan, former).receive(completion: .failure(.first))
    _ = LaneSubscriber(fan, current).receive(2)
    #expect(recorder.values == [2])
    #expect(recorder.completions.isEmpty)
  }

  @Test(arguments: [false, true])
  func nothingIsMadeAStreamAfterACancellation(_ isKnown: Bool) {
    let fan = fan(isKnown: isKnown)
    var seen: [Int] = []
    let outer = OuterSubscriber(fan) { (value: Int) in
      seen.append(value)
      return Just(value).setFailureType(to: TestFailure.self)
    }
    _ = outer.receive(1)
    fan.cancel()
    _ = outer.receive(2)
    #expect(seen == [1])
    #expect(recorder.values == [1])
  }

  @Test(arguments: [false, true])
  func aStreamThatIsMadeWhileItCancelsIsNotOpened(_ isKnown: Bool) {
    let fan = fan(isKnown: isKnown)
    let outer = OuterSubscriber(fan) { (value: Int) in
      fan.cancel()
      return Just(value).setFailureType(to: TestFailure.self)
    }
    _ = outer.receive(1)
    #expect(recorder.values.isEmpty)
  }

  @Test(arguments: [false, true])
  func theEndComesAfterTheStreamThatItOvertakes(_ isKnown: Bool) {
    let fan = fan(isKnown: isKnown)
    let outer = OuterSubscriber(fan) { (value: Int) in Just(value).setFailureType(to: TestFailure.self) }
    recorder.onValue = { value in
      outer.receive(completion: .finished)
      #expect(recorder.completions.isEmpty, "during value \(value)")
    }
    _ = outer.receive(1)
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.finished])
  }
}
