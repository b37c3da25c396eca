// Tests of a subscriber's own turn: what a thread delivers to it beside the deliveries of its subject.

import Dispatch
import TestKit
import Testing

@testable import Weir

@Suite struct SubjectTurnTests {
  typealias Recorder = RecordingSubscriber<Int, Never>

  private let subject = CurrentValueSubject<Int, Never>(0)

  /// Sends 1, and runs a body on another thread, to its end, while a first sink receives it.
  private func duringADelivery(_ body: @escaping () -> Void) {
    let sink = subject.sink { value in if value == 1 { onThreads(1) { _ in body() } } }
    subject.send(1)
    sink.cancel()
  }

  @Test func whoSubscribesMeanwhileHasItsValueWhenSinkReturns() {
    let values = Shared([Int]())
    let (first, all) = (Shared<AnyCancellable?>(nil), Shared<AnyCancellable?>(nil))
    duringADelivery { [subject] in
      first.value = subject.first().sink { values.value.append($0) }
      #expect(values.value == [1])
      all.value = subject.sink { values.value.append($0) }
      #expect(values.value == [1, 1])
    }
    subject.send(2)
    #expect(values.value == [1, 1, 2])
  }

  @Test func whoAsksMeanwhileHasItsValueWhenTheRequestReturns() {
    let recorder = Recorder()
    subject.subscribe(recorder)
    duringADelivery {
      recorder.request(.max(1))
      #expect(recorder.values == [1])
      recorder.request(.max(1))
      #expect(recorder.values == [1])
    }
    subject.send(2)
    subject.send(3)
    #expect(recorder.values == [1, 2])
    recorder.cancel()
  }

  /// As in Combine; a request would bring it.
  @Test func returnedDemandDoesNotBringWhatWasMissedWithinTheFirstValue() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = Recorder(.max(1), perValue: .max(1))
    recorder.onValue = { if $0 == 0 { subject.send(1) } }
    subject.subscribe(recorder)
    #expect(recorder.values == [0])
    subject.send(2)
    #expect(recorder.values == [0, 2])
    recorder.cancel()
  }

  @Test func whoCancelsInItsFirstValueMeanwhileIsFreedAtOnce() {
    let lifetimes = Lifetimes()
    duringADelivery { [subject] in
      let tracked = lifetimes.track(1)
      let sink = Shared<AnyCancellable?>(nil)
      sink.value = subject.sink { _ in
        _ = tracked
        sink.value?.cancel()
      }
      sink.value?.cancel()
      sink.value = nil
    }
    #expect(lifetimes.live == 0)
  }

  /// A value waits for the first value of a subscriber that is just being called, and comes behind it.
  @Test func aSenderWaitsForASubscriberThatGetsItsFirstValue() {
    let values = Shared([Int]())
    let isCalled = Counter()
    let sink = Shared<AnyCancellable?>(nil)
    onThreads([
      { [subject] in
        sink.value = subject.sink { value in
          if value == 0 {
            isCalled.add()
            for _ in 0..<1_000 { yieldThread() }
          }
          values.value.append(value)
        }
      },
      { [subject] in
        isCalled.wait(for: 1)
        subject.send(1)
        #expect(values.value == [0, 1])
      },
    ])
    #expect(values.value == [0, 1])
    sink.value?.cancel()
  }

  /// The end that finds a subscriber in its first value comes behind it.
  @Test func theEndWaitsForASubscriberThatGetsItsFirstValue() {
    let recorder = Recorder(.unlimited)
    let isCalled = Counter()
    recorder.onValue = { _ in
      isCalled.add()
      for _ in 0..<1_000 { yieldThread() }
      #expect(recorder.completions.isEmpty)
    }
    onThreads([
      { [subject] in subject.subscribe(recorder) },
      { [subject] in
        isCalled.wait(for: 1)
        subject.send(completion: .finished)
      },
    ])
    #expect(recorder.values == [0])
    #expect(recorder.completions == [.finished])
    recorder.onValue = nil
  }

  /// Threads subscribe, ask and send at random: nobody sees a value twice or an older one later, and each has the last.
  @Test func nobodyGoesBack() {
    for round in 0..<200 {
      let subject = CurrentValueSubject<Int, Never>(0)
      let recorders = (0..<4).map { Recorder($0 < 2 ? .unlimited : .max(1)) }
      onThreads(4) { number in
        for value in 1...10 {
          if number < 2 { subject.send(100 * round + 10 * number + value) }
          if value == 3 + number { subject.subscribe(recorders[number]) }
          if value > 3 + number { recorders[number].request(.max(1)) }
        }
      }
      let last = subject.value
      for recorder in recorders {
        recorder.request(.unlimited)
        #expect(Set(recorder.values).count == recorder.values.count, "\(recorder.values)")
        #expect(recorder.values.last == last)
        recorder.cancel()
      }
    }
  }

  /// One of the two values was lost.
  @Test func valuesThatTwoSendEachOtherWhileTheyGetTheirSubscriptionsArrive() {
    let subjects = (0..<2).map { _ in PassthroughSubject<Int, Never>() }
    let recorders = (0..<2).map { _ in RecordingSubscriber<Int, Never>(.unlimited) }
    let haveAsked = (0..<2).map { _ in DispatchSemaphore(value: 0) }
    for own in 0..<2 {
      recorders[own].onSubscription = { subscription in
        subscription.request(.unlimited)
        haveAsked[own].signal()
        haveAsked[1 - own].wait()
        subjects[1 - own].send(1)
      }
    }
    let threads = (0..<2).map { own in OtherThread { subjects[own].subscribe(recorders[own]) } }
    for thread in threads { #expect(thread.comesBack()) }
    for recorder in recorders {
      #expect(recorder.values == [1])
      recorder.cancel()
    }
  }
}
