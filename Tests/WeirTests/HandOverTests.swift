// Tests of what hand-over changes against Combine: one for each line of the documentation page `HandOver.md`, in its
// order.

import TestKit
import Testing
import WeirQueues

@testable import Weir

/// A race is enumerated by running the other thread, to its end, inside a sink's delivery.
@Suite struct HandOverTests {
  private enum Sender {
    @TaskLocal static var name = "nobody"
  }

  private let values = Shared([Int]())

  /// Runs a body on another thread and waits for it.
  private func elsewhere(_ body: @escaping () -> Void) { onThreads(1) { _ in body() } }

  /// 1
  @Test func aContendedSendReturnsBeforeItsValueIsDelivered() {
    let subject = PassthroughSubject<Int, Never>(contention: .handOver)
    let sink = subject.sink { [values] value in
      values.value.append(value)
      guard value == 1 else { return }
      elsewhere { subject.send(2) }
      #expect(values.value == [1])
    }
    subject.send(1)
    #expect(values.value == [1, 2])
    sink.cancel()
  }

  /// 2
  @Test func aValueHandedOverIsDeliveredOnTheDeliveringThread() {
    let subject = PassthroughSubject<Int, Never>(contention: .handOver)
    let names = Shared([String]())
    let threads = Shared([Int]())
    let sink = subject.sink { value in
      names.value.append(Sender.name)
      threads.value.append(currentThreadIdentity())
      guard value == 1 else { return }
      elsewhere { Sender.$name.withValue("other") { subject.send(2) } }
    }
    Sender.$name.withValue("delivering") { subject.send(1) }
    Sender.$name.withValue("later") { subject.send(3) }
    #expect(names.value == ["delivering", "delivering", "later"])
    #expect(threads.value == Array(repeating: currentThreadIdentity(), count: 3))
    sink.cancel()
  }

  /// 3
  @Test func eachSendersOrderHoldsAndSendersComeInTheOrderOfTheirHandOver() {
    let subject = PassthroughSubject<Int, Never>(contention: .handOver)
    let sink = subject.sink { [values] value in
      values.value.append(value)
      guard value == 1 else { return }
      for sender in 1...3 { elsewhere { for index in 0..<3 { subject.send(10 * sender + index) } } }
      onThreads(2) { number in for index in 0..<50 { subject.send(100 * (number + 1) + index) } }
    }
    subject.send(1)
    // With much to do, another thread goes on.
    while subject.handOverDepth > 0 { yieldThread() }
    #expect(values.value.prefix(10) == [1, 10, 11, 12, 20, 21, 22, 30, 31, 32])
    for number in 1...2 {
      #expect(values.value.filter { $0 / 100 == number } == (0..<50).map { 100 * number + $0 })
    }
    sink.cancel()
  }

  /// 4
  @Test func aContendedCancelDropsWhatWasSentBeforeIt() {
    let subject = PassthroughSubject<Int, Never>(contention: .handOver)
    let other = Shared<AnyCancellable?>(nil)
    let otherValues = Shared([Int]())
    let sink = subject.sink { [values] value in
      values.value.append(value)
      guard value == 1 else { return }
      elsewhere {
        subject.send(2)
        other.value?.cancel()
      }
    }
    other.value = subject.sink { otherValues.value.append($0) }
    subject.send(0)
    subject.send(1)
    #expect(values.value == [0, 1, 2])
    #expect(otherValues.value == [0])
    sink.cancel()
  }

  /// 5
  @Test func theCurrentValueIsThereWhenAContendedSendReturns() {
    let subject = CurrentValueSubject<Int, Never>(0, contention: .handOver)
    let sink = subject.sink { [values] value in
      values.value.append(value)
      guard value == 1 else { return }
      elsewhere {
        subject.send(2)
        #expect(subject.value == 2)
        subject.value = 3
        #expect(subject.value == 3)
      }
      #expect(values.value == [0, 1])
    }
    subject.send(1)
    #expect(values.value == [0, 1, 2, 3])
    sink.cancel()
  }

  /// 6
  @Test func whatIsHandedOverWhileASinkStallsIsCounted() {
    let subject = PassthroughSubject<Int, Never>(contention: .handOver)
    let depths = Shared([Int]())
    let other = Shared<AnyCancellable?>(nil)
    let sink = subject.sink { value in
      depths.value.append(subject.handOverDepth)
      guard value == 1 else { return }
      onThreads(2) { _ in for _ in 0..<50 { subject.send(2) } }
      #expect(subject.handOverDepth == 100)
      elsewhere { other.value = subject.sink { _ in } }
      #expect(subject.handOverDepth == 101)
      elsewhere { other.value?.cancel() }
      #expect(subject.handOverDepth == 102)
      elsewhere { subject.send(completion: .finished) }
      #expect(subject.handOverDepth == 103)
    }
    subject.send(1)
    while subject.handOverDepth > 0 { yieldThread() }
    #expect(depths.value == [0] + Array(repeating: 103, count: 100))
    #expect(subject.handOverDepth == 0)
    sink.cancel()
  }

  /// 7
  @Test func anOperatorThatJoinsStreamsHasAPolicyOfItsOwn() {
    let left = PassthroughSubject<Int, Never>()
    let right = PassthroughSubject<Int, Never>()
    let sink = left.merge(with: right).contention(.handOver).sink { [values] value in
      values.value.append(value)
      guard value == 1 else { return }
      elsewhere { right.send(2) }
      #expect(values.value == [1])
    }
    left.send(1)
    #expect(values.value == [1, 2])
    sink.cancel()
  }

  /// 8
  @Test func aNestedSendToAPassthroughSubjectOvertakesWhatWasHandedOver() {
    let subject = PassthroughSubject<Int, Never>(contention: .handOver)
    let sink = subject.sink { [values] value in
      values.value.append(value)
      if value == 1 {
        elsewhere {
          subject.send(2)
          subject.send(3)
        }
      }
      if value < 10 {
        subject.send(10 * value)
        #expect(values.value.last == 10 * value)
      }
    }
    subject.send(1)
    #expect(values.value == [1, 10, 2, 20, 3, 30])
    sink.cancel()
  }

  /// 9
  @Test func aNestedSendToACurrentValueSubjectGoesBehindWhatWasHandedOver() {
    let subject = CurrentValueSubject<Int, Never>(0, contention: .handOver)
    let sink = subject.sink { [values] value in
      values.value.append(value)
      if value == 1 {
        subject.send(100)
        #expect(values.value.last == 100, "nothing was handed over yet")
        elsewhere {
          subject.send(2)
          subject.send(3)
        }
      }
      if 1...3 ~= value {
        subject.send(10 * value)
        #expect(values.value.last != 10 * value)
        #expect(subject.value == 10 * value)
      }
    }
    subject.send(1)
    #expect(values.value == [0, 1, 100, 2, 3, 10, 20, 30])
    sink.cancel()
  }

  /// 10
  @Test func aNestedValueOfAnOperatorThatJoinsStreamsGoesBehindWhatWasHandedOver() {
    let joins: [(PassthroughSubject<Int, Never>, PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never>] = [
      { $0.merge(with: $1).eraseToAnyPublisher() },
      { [$0, $1].publisher.flatMap { $0 }.eraseToAnyPublisher() },
      { $0.combineLatest($1.prepend(0)).map { $0 + $1 }.eraseToAnyPublisher() },
    ]
    for (number, join) in joins.enumerated() {
      let (left, right) = (
        PassthroughSubject<Int, Never>(contention: .handOver), PassthroughSubject<Int, Never>(contention: .handOver)
      )
      let values = Shared([Int]())
      let sink = join(left, right).contention(.handOver).sink { value in
        values.value.append(value)
        guard value == 1 else { return }
        left.send(3)
        #expect(values.value == [1, 3], "nothing was handed over yet")
        elsewhere { right.send(10) }
        left.send(5)
        #expect(values.value == [1, 3])
      }
      left.send(1)
      #expect(values.value == (number < 2 ? [1, 3, 10, 5] : [1, 3, 13, 15]))
      sink.cancel()
    }
  }

  /// 11
  @Test func aContendedCompletionComesBehindWhatWasHandedOverBefore() {
    let subject = PassthroughSubject<Int, Never>(contention: .handOver)
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    recorder.onValue = { value in
      guard value == 1 else { return }
      elsewhere { subject.send(2) }
      elsewhere {
        subject.send(completion: .finished)
        subject.send(3)
      }
      #expect(recorder.completions.isEmpty)
    }
    subject.subscribe(recorder)
    subject.send(1)
    #expect(
      recorder.history == [.subscription("PassthroughSubject"), .value(1), .value(2), .completion(.finished)])
    recorder.onValue = nil
  }

  /// 12
  @Test func aContendedSubscriberGetsItsSubscriptionAtOnceAndJoinsBehindWhatWasSent() {
    for sendsLater in [false, true] {
      let later: [StreamEvent<Int, Never>] = sendsLater ? [.value(3)] : []
      #expect(
        historyOfContendedSubscriber(PassthroughSubject(contention: .handOver), sendsLater)
          == [.subscription("PassthroughSubject")] + later)
      #expect(
        historyOfContendedSubscriber(CurrentValueSubject(0, contention: .handOver), sendsLater)
          == [.subscription("CurrentValueSubject"), .value(2)] + later)
    }
  }

  /// What a subscriber is told that comes while 1 is being delivered, after 2 was handed over and perhaps before 3 is.
  private func historyOfContendedSubscriber(
    _ subject: some Subject<Int, Never>, _ sendsLater: Bool
  ) -> [StreamEvent<Int, Never>] {
    let late = RecordingSubscriber<Int, Never>(.unlimited)
    let sink = subject.sink { value in
      guard value == 1 else { return }
      elsewhere { subject.send(2) }
      elsewhere { subject.subscribe(late) }
      let atOnce = late.history
      if sendsLater { elsewhere { subject.send(3) } }
      #expect(late.history == atOnce, "the subscription and perhaps the newest value")
    }
    subject.send(1)
    sink.cancel()
    late.cancel()
    return late.history
  }

  /// 13
  @Test func theDeliveringThreadDeliversForAllWhoKeepSending() {
    let subject = PassthroughSubject<Int, Never>(contention: .handOver)
    let threads = Shared([Int]())
    let nesting = Counter()
    let received = Counter()
    let sink = subject.sink { [values] value in
      #expect(nesting.add() == 1)
      values.value.append(value)
      threads.value.append(currentThreadIdentity())
      if value < 200 { elsewhere { subject.send(value + 1) } }
      nesting.add(-1)
      received.add()
    }
    subject.send(1)
    received.wait(for: 200)
    #expect(values.value == Array(1...200))
    // From the eighth on it is a matter of time.
    #expect(threads.value.prefix(8).allSatisfy { $0 == currentThreadIdentity() })
    sink.cancel()
  }

  /// 14
  @Test func twoSubjectsWhoseSinksSendToEachOtherDoNotDeadlock() {
    let subjects = (0..<2).map { _ in PassthroughSubject<Int, Never>(contention: .handOver) }
    let received = [Shared([Int]()), Shared([Int]())]
    let delivering = Counter()
    let sinks = (0..<2).map { number in
      subjects[number].sink { value in
        received[number].value.append(value)
        guard value == 1 else { return }
        delivering.add()
        delivering.wait(for: 2)
        subjects[1 - number].send(2)
      }
    }
    onThreads(2) { subjects[$0].send(1) }
    #expect(received.map(\.value) == [[1, 2], [1, 2]])
    for sink in sinks { sink.cancel() }
  }

  /// What arrives if another thread sends five values to the second of two merged streams while the subscriber, which
  /// asks for one value at a time, has one of the first.
  private func mergedOneByOne(_ change: (PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never>) -> [Int] {
    let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = RecordingSubscriber<Int, Never>(.max(1), perValue: .max(1))
    recorder.onValue = { value in if value == 1 { elsewhere { for value in 100...104 { right.send(value) } } } }
    change(left).merge(with: change(right)).contention(.handOver).subscribe(recorder)
    left.send(1)
    recorder.cancel()
    return recorder.values
  }

  @Test func aSubjectWithoutDemandDropsWhatIsSentMeanwhile() {
    #expect(mergedOneByOne { $0.eraseToAnyPublisher() } == [1, 100])
  }

  @Test func aBufferBehindEachSubjectKeepsWhatIsSentMeanwhile() {
    let values = mergedOneByOne {
      $0.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
    }
    #expect(values == [1, 100, 101, 102, 103, 104])
  }

  /// 15
  @Test(.enabled(if: heavyBarrier(), "this machine has no membarrier"))
  func aThreadThatSendsAloneOwnsTheSubjectUntilAnotherComes() {
    let actions: [(PassthroughSubject<Int, Never>, AnyCancellable) -> Void] = [
      { subject, _ in subject.send(0) },
      { subject, _ in subject.sink { _ in }.cancel() },
      { _, sink in sink.cancel() },
    ]
    for action in actions {
      let subject = PassthroughSubject<Int, Never>(contention: .handOver)
      let sink = subject.sink { _ in }
      var isOwned: Bool { subject.core.gate.owner.relaxedLoad() == currentThreadIdentity() }
      for number in 1...66 { subject.send(number) }
      #expect(isOwned)
      elsewhere { action(subject, sink) }
      #expect(!isOwned)
      for number in 1...200 { subject.send(number) }
      #expect(!isOwned, "once revoked, always shared")
      sink.cancel()
    }
  }
}
