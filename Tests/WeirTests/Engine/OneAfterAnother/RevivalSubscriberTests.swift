// Tests of the engine of `retry(when:)` and `retryWithBackoff`.

import TestKit
import Testing
import Weir

/// Keeps what it could do after each failure, for the test to do.
private final class ScriptedRule: RevivalRule {
  static var name: String { "Revival" }
  var values = 0
  var revivals: [Revival<TestFailure>] = []

  func noteValue() { values += 1 }
  func follow(_ failure: TestFailure, _ revival: Revival<TestFailure>) { revivals.append(revival) }
}

@Suite struct RevivalSubscriberTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let source = ScriptedPublisher<Int, TestFailure>()
  private let rule = ScriptedRule()
  private let recorder = Recorder(.max(5))

  private func attach() { RevivalSubscriber.attach(source, rule, to: recorder) }

  @Test func resumesOncePerFailure() {
    attach()
    source.send(1)
    source.send(completion: .failure(.first))
    source.send(2)
    source.subscription = RecordingSubscription()
    rule.revivals[0].resume()
    rule.revivals[0].resume()
    rule.revivals[0].conclude(.finished)
    #expect(source.subscription?.history == [.requested(.max(4))])
    source.send(3)
    source.send(completion: .finished)
    #expect(recorder.log == ["Revival", "1", "3", "finished"])
    #expect(rule.values == 2)
  }

  @Test func concludesOnce() {
    attach()
    source.send(completion: .failure(.first))
    rule.revivals[0].conclude(.failure(.second))
    rule.revivals[0].conclude(.finished)
    rule.revivals[0].resume()
    #expect(recorder.log == ["Revival", "failed second"])
  }

  @Test func whatIsHeldIsDroppedInTime() {
    let (wait, keeper) = (Counter(), Counter())
    attach()
    source.send(completion: .failure(.first))
    rule.revivals[0].holdWhileWaiting(AnyCancellable { wait.add() })
    rule.revivals[0].holdToTheEnd(AnyCancellable { keeper.add() })
    #expect(wait.value == 0)
    rule.revivals[0].resume()
    #expect((wait.value, keeper.value) == (1, 0))
    rule.revivals[0].holdWhileWaiting(AnyCancellable { wait.add() })
    #expect(wait.value == 2)
    recorder.cancel()
    #expect(keeper.value == 1)
    rule.revivals[0].holdToTheEnd(AnyCancellable { keeper.add() })
    #expect(keeper.value == 2)
  }

  @Test func demandOfAPauseIsCarriedOver() {
    attach()
    source.send(completion: .failure(.first))
    recorder.request(.max(2))
    source.subscription = RecordingSubscription()
    rule.revivals[0].resume()
    #expect(source.subscription?.history == [.requested(.max(7))])
  }

  @Test func aCancellationInAPauseEndsIt() {
    attach()
    source.send(completion: .failure(.first))
    source.subscription = RecordingSubscription()
    recorder.cancel()
    rule.revivals[0].resume()
    #expect(source.subscription?.history == [])
    #expect(recorder.log == ["Revival"])
  }

  @Test func ofManyThreadsThatResumeOneDoes() {
    for _ in 0..<200 {
      let (source, rule) = (ScriptedPublisher<Int, TestFailure>(), ScriptedRule())
      let recorder = Recorder(.unlimited)
      let subscriptions = Counter()
      RevivalSubscriber.attach(
        source.handleEvents(receiveSubscription: { _ in subscriptions.add() }), rule, to: recorder)
      source.send(completion: .failure(.first))
      onThreads(3) { _ in rule.revivals[0].resume() }
      #expect(subscriptions.value == 2)
      recorder.cancel()
    }
  }
}
