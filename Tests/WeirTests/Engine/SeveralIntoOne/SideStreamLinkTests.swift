// Tests of the engine of the untilOutputFrom pair where several threads meet.

import TestKit
import Testing

@testable import Weir

@Suite struct SideStreamLinkTests {
  typealias Source = ScriptedPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let source = Source()
  private let trigger = Source()
  private let recorder = Recorder(.max(9))

  /// Runs `action` on another thread, to its end, while the subscriber receives its first value.
  private func during(_ action: @escaping () -> Void) {
    var isFirst = true
    recorder.onValue = { _ in
      guard isFirst else { return }
      isFirst = false
      onThreads(1) { _ in action() }
    }
  }

  @Test func aTriggerDuringADeliveryClosesTheStreamBehindIt() {
    during { [trigger, recorder] in
      trigger.send(1)
      #expect(recorder.completions == [])
    }
    source.prefix(untilOutputFrom: trigger).contention(.handOver).subscribe(recorder)
    source.send(1)
    source.send(2)
    #expect(recorder.history == [.subscription("PrefixUntilOutput"), .value(1), .completion(.finished)])
    #expect(source.subscription?.history == [.requested(.max(9)), .cancelled])
  }

  @Test func valuesAndDemandOfAnotherThreadComeBehindTheDelivery() {
    recorder.demandPerValue = { $0 == 2 ? .max(7) : .none }
    during { [source, recorder] in
      #expect(source.send(2) == .none)
      recorder.request(.max(3))
      #expect(recorder.values == [1])
    }
    source.prefix(untilOutputFrom: trigger).contention(.handOver).subscribe(recorder)
    #expect(source.send(1) == .none)
    #expect(recorder.values == [1, 2])
    // The value's thread had gone without an answer, so what it was worth is a request.
    #expect(source.subscription?.history == [.requested(.max(9)), .requested(.max(7)), .requested(.max(3))])
  }

  @Test func nothingIsDeliveredAfterACancellationByAnotherThread() {
    during { [source, trigger, recorder] in
      source.send(2)
      recorder.cancel()
      trigger.send(1)
    }
    source.prefix(untilOutputFrom: trigger).contention(.handOver).subscribe(recorder)
    source.send(1)
    #expect(recorder.history == [.subscription("PrefixUntilOutput"), .value(1)])
    #expect(source.subscription?.history == [.requested(.max(9)), .cancelled])
    #expect(trigger.subscription?.history == [.requested(.max(1)), .cancelled])
  }

  @Test func droppedValuesUseUpDemand() {
    let link = SideStreamLink(downstream: HeldSubscriber(recorder), policy: .opens, name: "Test")
    link.attach(source, trigger) { $0 }
    link.request(.max(2))
    #expect(link.demanded == .max(2))
    source.send(1)
    #expect(link.demanded == .max(1))
    trigger.send(1)
    source.send(2)
    #expect(link.demanded == .max(1))
    #expect(recorder.values == [2])
  }

  @Test(arguments: [false, true]) func letsGoOfItsSubscriberAtTheEnd(_ isOpenedByTrigger: Bool) {
    let lifetimes = Lifetimes()
    let link: SideStreamLink<Recorder>
    do {
      let tracked = lifetimes.track()
      let recorder = Recorder()
      recorder.onValue = { _ in tracked.touch() }
      recorder.keepsSubscriptions = false
      link = SideStreamLink(
        downstream: HeldSubscriber(recorder), policy: isOpenedByTrigger ? .opens : .closes, name: "Test")
    }
    link.attach(source, trigger) { $0 }
    #expect(lifetimes.live == 1)
    if isOpenedByTrigger { trigger.send(completion: .finished) } else { trigger.send(1) }
    #expect(lifetimes.live == 0)
  }
}
