// Tests of the subscribers that feed a flattening link.

import Dispatch
import TestKit
import Testing

@testable import Weir

@Suite struct FlattenSubscribersTests {
  private let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)

  private func link(isKnown: Bool) -> FlattenLink<RecordingSubscriber<Int, TestFailure>> {
    let link = FlattenLink(
      downstream: HeldSubscriber(recorder), policy: .fair(maxPublishers: .unlimited, cancelsOuter: false), name: "Test",
      isKnown: isKnown)
    recorder.receive(subscription: link)
    return link
  }

  @Test func whatAFormerStreamOfAPlaceSendsIsDropped() {
    let link = link(isKnown: false)
    let former = link.openLane()
    link.close(former.slot)
    let current = link.openLane()
    #expect(current.slot == former.slot)
    #expect(LaneSubscriber(link, former).receive(1) == .none)
    LaneSubscriber(link, former).receive(completion: .failure(.first))
    _ = LaneSubscriber(link, current).receive(2)
    #expect(recorder.values == [2])
    #expect(recorder.completions.isEmpty)
  }

  @Test(arguments: [false, true])
  func nothingIsMadeAStreamAfterACancellation(_ isKnown: Bool) {
    let link = link(isKnown: isKnown)
    var seen: [Int] = []
    let outer = OuterSubscriber(link) { (value: Int) in
      seen.append(value)
      return Just(value).setFailureType(to: TestFailure.self)
    }
    _ = outer.receive(1)
    link.cancel()
    _ = outer.receive(2)
    #expect(seen == [1])
    #expect(recorder.values == [1])
  }

  @Test(arguments: [false, true])
  func aStreamThatIsMadeWhileItCancelsIsNotOpened(_ isKnown: Bool) {
    let link = link(isKnown: isKnown)
    let outer = OuterSubscriber(link) { (value: Int) in
      link.cancel()
      return Just(value).setFailureType(to: TestFailure.self)
    }
    _ = outer.receive(1)
    #expect(recorder.values.isEmpty)
  }

  @Test(arguments: [false, true])
  func theEndComesAfterTheStreamThatItOvertakes(_ isKnown: Bool) {
    let link = link(isKnown: isKnown)
    let outer = OuterSubscriber(link) { (value: Int) in Just(value).setFailureType(to: TestFailure.self) }
    recorder.onValue = { value in
      outer.receive(completion: .finished)
      #expect(recorder.completions.isEmpty, "during value \(value)")
    }
    _ = outer.receive(1)
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.finished])
  }

  /// Its place is taken in time, and its subscription comes when another thread has begun to deliver.
  @Test(arguments: [Subscribers.Demand.unlimited, .max(2)])
  func aStreamIsAskedForValuesAlthoughTheSinkIsBusy(_ demand: Subscribers.Demand) {
    let outer = PassthroughSubject<Int, Never>()
    let lanes = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
    let isBusy = DispatchSemaphore(value: 0), isOpened = DispatchSemaphore(value: 0)
    let recorder = RecordingSubscriber<Int, Never>(demand)
    recorder.onValue = { value in
      guard value == 11 else { return }
      isBusy.signal()
      isOpened.wait()
    }
    let other = Shared<OtherThread?>(nil)
    outer.flatMap { number in
      Deferred { () -> PassthroughSubject<Int, Never> in
        if number == 1 {
          other.value = OtherThread { lanes[0].send(11) }
          isBusy.wait()
        }
        return lanes[number]
      }
    }.subscribe(recorder)
    outer.send(0)
    outer.send(1)
    isOpened.signal()
    lanes[1].send(21)
    #expect(recorder.values == [11, 21])
    #expect(other.value?.comesBack() == true)
  }
}
