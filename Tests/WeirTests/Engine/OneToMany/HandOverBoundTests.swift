// Tests of the bound of what is handed over to the thread that delivers.

import TestKit
import Testing

@testable import Weir

/// Other threads send while a sink holds the first value.
@Suite struct HandOverBoundTests {
  private typealias Strategy = Publishers.BufferingStrategy<TestFailure>
  private typealias Recorder = RecordingSubscriber<Int, TestFailure>

  /// A subject with a bound of three values, and its kind.
  private struct Source {
    let send: (Int) -> Void
    let depth: () -> Int
    let publisher: AnyPublisher<Int, TestFailure>
    let value: () -> Int?

    init(isCurrent: Bool, _ whenFull: Strategy) {
      if isCurrent {
        let subject = CurrentValueSubject<Int, TestFailure>(0, handOverLimit: 3, whenFull: whenFull)
        (send, depth) = ({ subject.send($0) }, { subject.handOverDepth })
        (publisher, value) = (subject.dropFirst().eraseToAnyPublisher(), { subject.value })
      } else {
        let subject = PassthroughSubject<Int, TestFailure>(handOverLimit: 3, whenFull: whenFull)
        (send, depth) = ({ subject.send($0) }, { subject.handOverDepth })
        (publisher, value) = (subject.eraseToAnyPublisher(), { nil })
      }
    }
  }

  /// What arrives if a second thread sends 2 to 7 while 1 is being delivered, and 8 comes afterwards.
  private func recorder(isCurrent: Bool, _ whenFull: Strategy) -> Recorder {
    let source = Source(isCurrent: isCurrent, whenFull)
    var fails = false
    if case .customError = whenFull { fails = true }
    let recorder = Recorder(.unlimited)
    let sink = source.publisher.handleEvents(receiveOutput: { value in
      guard value == 1 else { return }
      onThreads(1) { _ in for value in 2...7 { source.send(value) } }
      #expect(source.depth() <= 4, "three values, and perhaps the end")
      if isCurrent, !fails { #expect(source.value() == 7) }
    })
    sink.subscribe(recorder)
    source.send(1)
    source.send(8)
    recorder.cancel()
    return recorder
  }

  @Test(arguments: [false, true])
  func theNewestAreDropped(_ isCurrent: Bool) {
    let values = recorder(isCurrent: isCurrent, .dropNewest).values
    #expect(values == [1, 2, 3, 4, 8])
  }

  @Test(arguments: [false, true])
  func theOldestAreDropped(_ isCurrent: Bool) {
    let values = recorder(isCurrent: isCurrent, .dropOldest).values
    #expect(values == [1, 5, 6, 7, 8])
  }

  @Test(arguments: [false, true])
  func theStreamFailsBehindWhatWaits(_ isCurrent: Bool) {
    let recorder = recorder(isCurrent: isCurrent, .customError { .first })
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(recorder.completions == [.failure(.first)])
  }

  /// A dropped value's memory is given back, and a late request finds the newest value.
  @Test func whatIsDroppedIsFreed() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<LifetimeTracked, Never>(handOverLimit: 1, whenFull: .dropOldest)
    let live = Shared([Int]())
    let sink = subject.sink { value in
      guard value.number == 1 else { return }
      onThreads(1) { _ in for number in 2...100 { subject.send(lifetimes.track(number)) } }
      live.value.append(lifetimes.live)
    }
    subject.send(lifetimes.track(1))
    #expect(live.value == [2], "the one being delivered, and the one that waits")
    sink.cancel()
    #expect(lifetimes.live == 0)
  }

  /// A dropped value is freed when no lock is held.
  @Test(arguments: [false, true])
  func aDroppedValuesEndMaySendToTheSubject(_ isCurrent: Bool) {
    final class Value {
      let number: Int
      let whenFreed: () -> Void
      init(_ number: Int, _ whenFreed: @escaping () -> Void = {}) {
        (self.number, self.whenFreed) = (number, whenFreed)
      }
      deinit { whenFreed() }
    }
    let relay = PassthroughSubject<Value, Never>(handOverLimit: 2, whenFull: .dropOldest)
    let current = CurrentValueSubject<Value, Never>(Value(0), handOverLimit: 2, whenFull: .dropOldest)
    let send: (Value) -> Void = { if isCurrent { current.send($0) } else { relay.send($0) } }
    let numbers = Shared([Int]())
    let received = isCurrent ? current.dropFirst().eraseToAnyPublisher() : relay.eraseToAnyPublisher()
    let sink = received.sink { value in
      numbers.value.append(value.number)
      guard value.number == 1 else { return }
      onThreads(1) { _ in
        send(Value(2) { send(Value(9)) })
        for number in 3...5 { send(Value(number)) }
      }
    }
    send(Value(1))
    #expect(numbers.value == [1, 9, 5] || numbers.value == [1, 5, 9], "received \(numbers.value)")
    sink.cancel()
  }

  /// What was sent behind the end neither overtakes it nor pushes out what was sent before.
  @Test(arguments: [false, true])
  func nothingHasAPlaceBehindTheEnd(_ dropsOldest: Bool) {
    let subject = PassthroughSubject<Int, Never>(handOverLimit: 2, whenFull: dropsOldest ? .dropOldest : .dropNewest)
    let log = Shared([String]())
    let sink = subject.sink { _ in
      log.value.append("finished")
    } receiveValue: { value in
      log.value.append("\(value)")
      guard value == 1 else { return }
      onThreads(1) { _ in
        for number in 2...3 { subject.send(number) }
        for _ in 1...2 { subject.send(completion: .finished) }
        for number in 4...5 { subject.send(number) }
      }
    }
    subject.send(1)
    sink.cancel()
    #expect(log.value == ["1", "2", "3", "finished"])
  }

  @Test func trapsWithoutRoom() async {
    await #expect(processExitsWith: .failure) {
      _ = PassthroughSubject<Int, Never>(handOverLimit: 0, whenFull: .dropNewest)
    }
  }

  /// Four threads, a slow consumer: what arrives is in each sender's order, and the newest is the last.
  @Test func eachSendersOrderHolds() {
    let subject = CurrentValueSubject<Int, Never>(0, handOverLimit: 8, whenFull: .dropOldest)
    let values = Shared([Int]())
    let sink = subject.dropFirst().sink { values.value.append($0) }
    let each = 20_000
    onThreads(4) { number in for index in 1...each { subject.send(number * 1_000_000 + index) } }
    while subject.handOverDepth > 0 { yieldThread() }
    for number in 0..<4 {
      let own = values.value.filter { $0 / 1_000_000 == number }
      #expect(zip(own, own.dropFirst()).allSatisfy { $0 < $1 })
    }
    #expect(values.value.last == subject.value)
    sink.cancel()
  }
}
