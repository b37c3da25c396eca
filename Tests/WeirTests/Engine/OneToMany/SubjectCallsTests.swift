// Tests of who is let through while the holder of a subject's gate is calling subscribers.

import TestKit
import Testing

@testable import Weir

@Suite struct SubjectCallsTests {
  private let subject = PassthroughSubject<Int, Never>()

  /// What a thread that waits would find while a sink receives 1.
  private func looks(during subscribe: (@escaping () -> Void) -> AnyCancellable) -> (value: Bool, end: Bool)? {
    let seen = Shared<(value: Bool, end: Bool)?>(nil)
    let core = subject.core
    let sink = subscribe { onThreads(1) { _ in seen.value = looks(at: core) } }
    subject.send(1)
    sink.cancel()
    return seen.value
  }

  /// What a second look finds: the first one only notes whom it saw.
  private func looks(at core: SubjectCore<Int, Never>) -> (value: Bool, end: Bool) {
    var (forValue, forEnd) = (Look(), Look())
    let first = (core.nobodyTakesAValue(&forValue), core.nobodyTakesTheEnd(&forEnd))
    #expect(first == (false, false))
    return (core.nobodyTakesAValue(&forValue), core.nobodyTakesTheEnd(&forEnd))
  }

  @Test func whileNobodyIsCalledThereIsNobodyToAsk() {
    #expect(looks(at: subject.core) == (false, false))
  }

  @Test func aSinkTakesEverything() throws {
    let found = try #require(looks { look in subject.sink { _ in look() } })
    #expect(!found.value)
    #expect(!found.end)
  }

  @Test func whoHasCancelledTakesNothing() throws {
    let found = try #require(looks { look in subject.first().sink { _ in look() } })
    #expect(found.value)
    #expect(found.end)
  }

  /// A look that finds one subscriber being called again has to begin anew: the call that it saw has ended by itself.
  @Test func callsOfOneSubscriberAreToldApart() {
    let core = subject.core
    let found = Shared([Bool]())
    let recorder = RecordingSubscriber<Int, Never>(.max(1))
    let look = Shared(Look())
    recorder.onValue = { _ in onThreads(1) { _ in found.value.append(core.nobodyTakesAValue(&look.value)) } }
    subject.subscribe(recorder)
    for _ in 0..<3 {
      subject.send(1)
      recorder.request(.max(1))
    }
    recorder.onValue = { _ in
      onThreads(1) { _ in for _ in 0..<2 { found.value.append(core.nobodyTakesAValue(&look.value)) } }
    }
    subject.send(1)
    #expect(found.value == [false, false, false, false, true])
    recorder.cancel()
  }

  @Test func whoHasNoDemandLeftTakesTheEndOnly() throws {
    let found = try #require(
      looks { look in
        let recorder = RecordingSubscriber<Int, Never>(.max(1))
        recorder.onValue = { _ in look() }
        subject.subscribe(recorder)
        return AnyCancellable(recorder.cancel)
      })
    #expect(found.value)
    #expect(!found.end)
  }

  /// The outer one is asked, too, and the inner one alone where the outer one has cancelled.
  @Test(arguments: [false, true]) func thoseWhoAreCalledFurtherUpTheStackAreAsked(outerHasCancelled: Bool) throws {
    let found = try #require(
      looks { look in
        let inner = Shared<AnyCancellable?>(nil)
        let source = outerHasCancelled ? subject.first().eraseToAnyPublisher() : subject.eraseToAnyPublisher()
        let outer = source.sink { [subject] value in
          guard value == 1 else { return }
          inner.value = subject.first().sink { _ in look() }
          subject.send(2)
        }
        return AnyCancellable {
          outer.cancel()
          inner.value?.cancel()
        }
      })
    #expect(found.value == outerHasCancelled)
    #expect(found.end == outerHasCancelled)
  }
}
