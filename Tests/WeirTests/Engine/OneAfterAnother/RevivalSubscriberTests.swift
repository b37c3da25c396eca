// Tests of the engine of `retry(when:)` and `retryWithBackoff`.

import TestKit
import Testing
import Weir

/// Keeps what it could do after each failure, for the test to do.
private final class ScriptedPolicy: RevivalPolicy {
  static var name: String { "Revival" }
  var values = 0
  var revivals: [Revival<TestFailure>] = []

  func noteValue() { values += 1 }
  func follow(_ failure: TestFailure, _ revival: Revival<TestFailure>) { revivals.append(revival) }
}

@Suite struct RevivalSubscriberTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let source = ScriptedPublisher<Int, TestFailure>()
  private let policy = ScriptedPolicy()
  private let recorder = Recorder(.max(5))

  private func attach() { RevivalSubscriber.attach(source, policy, to: recorder) }

  @Test func resumesOncePerFailure() {
    attach()
    source.send(1)
    source.send(completion: .failure(.first))
    source.send(2)
    source.subscription = RecordingSubscription()
    policy.revivals[0].resume()
    policy.revivals[0].resume()
    policy.revivals[0].conclude(.finished)
    #expect(source.subscription?.history == [.requested(.max(4))])
    source.send(3)
    source.send(completion: .finished)
    #expect(recorder.log == ["Revival", "1", "3", "finished"])
    #expect(policy.values == 2)
  }

  /// A thread that came late with what is kept for one failure freed what was kept for the next one: the stream hung.
  @Test func whatIsLateForOneFailureLeavesTheNextOneAlone() {
    let (early, late) = (Counter(), Counter())
    attach()
    source.send(completion: .failure(.first))
    policy.revivals[0].resume()
    source.subscription = RecordingSubscription()
    source.send(subscription: source.subscription!)
    source.send(completion: .failure(.second))
    policy.revivals[1].holdWhileWaiting(AnyCancellable { late.add() })
    policy.revivals[0].holdWhileWaiting(AnyCancellable { early.add() })
    #expect((early.value, late.value) == (1, 0))
    policy.revivals[0].resume()
    #expect(late.value == 0)
    policy.revivals[1].resume()
    #expect(late.value == 1)
  }

  @Test func concludesOnce() {
    attach()
    source.send(completion: .failure(.first))
    policy.revivals[0].conclude(.failure(.second))
    policy.revivals[0].conclude(.finished)
    policy.revivals[0].resume()
    #expect(recorder.log == ["Revival", "failed second"])
  }

  @Test func whatIsHeldIsDroppedInTime() {
    let (wait, keeper) = (Counter(), Counter())
    attach()
    source.send(completion: .failure(.first))
    policy.revivals[0].holdWhileWaiting(AnyCancellable { wait.add() })
    policy.revivals[0].holdToTheEnd(AnyCancellable { keeper.add() })
    #expect(wait.value == 0)
    policy.revivals[0].resume()
    #expect((wait.value, keeper.value) == (1, 0))
    policy.revivals[0].holdWhileWaiting(AnyCancellable { wait.add() })
    #expect(wait.value == 2)
    recorder.cancel()
    #expect(keeper.value == 1)
    policy.revivals[0].holdToTheEnd(AnyCancellable { keeper.add() })
    #expect(keeper.value == 2)
  }

  @Test func demandOfAPauseIsCarriedOver() {
    attach()
    source.send(completion: .failure(.first))
    recorder.request(.max(2))
    source.subscription = RecordingSubscription()
    policy.revivals[0].resume()
    #expect(source.subscription?.history == [.requested(.max(7))])
  }

  @Test func aCancellationInAPauseEndsIt() {
    attach()
    source.send(completion: .failure(.first))
    source.subscription = RecordingSubscription()
    recorder.cancel()
    policy.revivals[0].resume()
    #expect(source.subscription?.history == [])
    #expect(recorder.log == ["Revival"])
  }

  @Test func ofManyThreadsThatResumeOneDoes() {
    for _ in 0..<200 {
      let (source, policy) = (ScriptedPublisher<Int, TestFailure>(), ScriptedPolicy())
      let recorder = Recorder(.unlimited)
      let subscriptions = Counter()
      RevivalSubscriber.attach(
        source.handleEvents(receiveSubscription: { _ in subscriptions.add() }), policy, to: recorder)
      source.send(completion: .failure(.first))
      onThreads(3) { _ in policy.revivals[0].resume() }
      #expect(subscriptions.value == 2)
      recorder.cancel()
    }
  }
}
