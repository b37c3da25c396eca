// Tests of subjects that keep their newest value where another thread delivers.

import TestKit
import Testing

@testable import Weir

@Suite struct LatestValueTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let subject = CurrentValueSubject<Int, TestFailure>(0, contention: .handOver)

  /// A subscriber during whose value 1 `action` runs on another thread, to its end.
  private func blocker(during action: @escaping () -> Void) -> Recorder {
    let recorder = Recorder(.unlimited)
    recorder.onValue = { if $0 == 1 { onThreads(1) { _ in action() } } }
    subject.subscribe(recorder)
    return recorder
  }

  @Test func aValueIsThereAsSoonAsItWasSentAlsoIfItIsDeliveredLater() {
    let first = blocker { [subject] in
      subject.send(2)
      #expect(subject.value == 2)
      subject.value = 3
      #expect(subject.value == 3)
    }
    let second = Recorder(.unlimited)
    subject.subscribe(second)
    subject.send(1)
    #expect(first.values == [0, 1, 2, 3])
    #expect(second.values == [0, 1, 2, 3])
  }

  @Test func aNestedSendGoesBehindTheValuesOfOthers() {
    let first = blocker { [subject] in subject.send(2) }
    let second = Recorder(.unlimited)
    second.onValue = { [subject] in if $0 == 1 || $0 == 2 { subject.send($0 + 10) } }
    subject.subscribe(second)
    subject.send(1)
    #expect(first.values == [0, 1, 2, 11, 12])
    #expect(second.values == [0, 1, 2, 11, 12])
    #expect(subject.value == 12)
  }

  @Test func aNestedCompletionGoesBehindTheValuesOfOthers() {
    let first = blocker { [subject] in subject.send(2) }
    let second = Recorder(.unlimited)
    second.onValue = { [subject] in if $0 == 1 { subject.send(completion: .finished) } }
    subject.subscribe(second)
    subject.send(1)
    subject.send(3)
    #expect(first.history.dropFirst() == [.value(0), .value(1), .value(2), .completion(.finished)])
    #expect(subject.value == 2)
  }

  @Test func whoSubscribesMeanwhileGetsTheNewestOnce() {
    let late = Recorder(.unlimited)
    let blocker = blocker { [subject] in
      subject.send(2)
      subject.subscribe(late)
      #expect(late.history == [.subscription("CurrentValueSubject"), .value(2)])
      subject.send(3)
    }
    subject.send(1)
    #expect(late.values == [2, 3])
    #expect(blocker.values == [0, 1, 2, 3])
  }

  @Test func whoAsksMeanwhileGetsTheNewestOnce() {
    let waiting = Recorder()
    let blocker = blocker { [subject] in
      waiting.request(.max(5))
      #expect(waiting.values == [1])
      subject.send(2)
    }
    subject.subscribe(waiting)
    subject.send(1)
    #expect(waiting.values == [1, 2])
    #expect(blocker.values == [0, 1, 2])
  }

  @Test func whoCancelsMeanwhileGetsNothingMore() {
    let other = Recorder(.unlimited)
    let blocker = blocker { other.cancel() }
    subject.subscribe(other)
    subject.send(1)
    #expect(other.values == [0])
    #expect(blocker.values == [0, 1])
  }

  /// Here the sign says that a value follows the one that the subscriber got before.
  @Test func aValueBehindOneThatWasMissedIsRenewed() {
    let core = SubjectCore<Int, TestFailure>(name: "Test", latest: LatestValue(0, renewing: { -$0 }))
    let recorder = Recorder(.max(1), perValue: .max(1))
    recorder.onValue = { if $0 == 1 { core.update(2, storesAfterEnd: false) } }
    core.subscribe(recorder, to: core)
    for value in [1, 3, 4] { core.update(value, storesAfterEnd: false) }
    #expect(recorder.values == [0, 1, -3, 4])
    recorder.cancel()
  }

  /// What is on its way is skipped.
  @Test func whoAsksBehindAValueThatIsRenewedGetsTheNewestAtOnce() {
    let core = SubjectCore<Int, TestFailure>(name: "Test", latest: LatestValue(0, renewing: { -$0 }))
    let slow = Recorder(.max(1))
    core.subscribe(slow, to: core)
    let first = Recorder(.unlimited)
    first.onValue = { value in
      guard value == 1 else { return }
      #expect(core.reserve(2, keeping: 2) == .nothing)
      slow.request(.max(2))
      #expect(slow.values == [0, 2])
    }
    core.subscribe(first, to: core)
    core.deliver(1, core.reserve(1, keeping: 1))
    core.deliver(3, core.reserve(3, keeping: 3))
    #expect(slow.values == [0, 2, 3] && first.values == [0, 1, 2, 3])
    for recorder in [slow, first] { recorder.cancel() }
  }

  @Test func theLatestValueCountsWhatWasStored() {
    let latest = LatestValue(0)
    let core = SubjectCore<Int, TestFailure>(name: "Test", latest: latest, contention: .handOver)
    core.update(1, storesAfterEnd: false)
    core.update(2, storesAfterEnd: true)
    #expect(latest.withLock { $0.version } == 2)
    #expect(core.deliveredVersion == 2)
    core.finish(.finished)
    core.update(3, storesAfterEnd: false)
    #expect(core.value == 2)
    core.update(4, storesAfterEnd: true)
    #expect(core.value == 4)
    #expect(core.deliveredVersion == 2)
  }
}
