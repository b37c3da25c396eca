// Tests of values that senders leave to the thread that is calling the subscriber.

import TestKit
import Testing

@testable import Weir

@Suite struct TupleOfferTests {
  typealias Source = ScriptedPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let a = Source()
  private let b = Source()

  @Test func aValueThatIsLeftIsPairedWithOneOfTheHoldersOwnAtOnce() {
    let recorder = Recorder(.unlimited)
    a.zip(b) { $0 * 10 + $1 }.subscribe(recorder)
    var afterOwn: [Int] = []
    recorder.onValue = { [a, b] value in
      guard value == 11 else { return }
      onThreads(1) { _ in a.send(2) }
      #expect(recorder.values == [11])
      b.send(2)
      afterOwn = recorder.values
    }
    a.send(1)
    b.send(1)
    #expect(afterOwn == [11, 22])
    #expect(recorder.values == [11, 22])
  }

  @Test func valuesThatAreLeftKeepTheirOrder() {
    let recorder = Recorder(.unlimited)
    a.zip(b) { $0 * 10 + $1 }.subscribe(recorder)
    recorder.onValue = { [a] value in
      if value == 11 { onThreads(1) { _ in (2...4).forEach { a.send($0) } } }
    }
    a.send(1)
    b.send(1)
    (2...4).forEach { b.send($0) }
    #expect(recorder.values == [11, 22, 33, 44])
  }

  @Test func aValueThatNobodyWantedIsNotDeliveredForALaterRequest() {
    let recorder = Recorder(.max(2))
    a.combineLatest(b) { $0 * 10 + $1 }.subscribe(recorder)
    b.send(1)
    a.send(1)
    recorder.onValue = { [b] value in
      guard value == 21 else { return }
      onThreads(1) { _ in b.send(2) }
      recorder.request(.max(1))
    }
    a.send(2)
    #expect(recorder.values == [11, 21])
    a.send(3)
    #expect(recorder.values == [11, 21, 32])
  }

  @Test func aValueThatNobodyWantsGoesByAlsoAfterATupleWithinADelivery() {
    let recorder = Recorder(.max(1))
    a.combineLatest(b) { $0 * 10 + $1 }.subscribe(recorder)
    recorder.onValue = { [a, b] value in
      guard value == 11 else { return }
      recorder.request(.max(1))
      a.send(2)
      onThreads(1) { _ in b.send(9) }
    }
    b.send(1)
    a.send(1)
    #expect(recorder.values == [11, 21])
    recorder.request(.max(1))
    a.send(3)
    #expect(recorder.values == [11, 21, 39])
  }

  @Test func aValueIsDroppedAfterACancellationDuringTheDelivery() {
    let recorder = Recorder(.unlimited)
    a.zip(b) { $0 * 10 + $1 }.subscribe(recorder)
    recorder.onValue = { [a] _ in
      recorder.cancel()
      onThreads(1) { _ in a.send(2) }
    }
    a.send(1)
    b.send(1)
    b.send(2)
    #expect(recorder.values == [11])
  }
}
