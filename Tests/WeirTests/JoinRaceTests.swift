// What another thread need not wait for while a joining operator calls its subscriber, or runs other code of the
// user's.
//
// A race is enumerated by running the other thread, to its end, inside that code: if it waited, the test would not end.

import TestKit
import Testing
import Weir

@Suite struct JoinRaceTests {
  typealias Relay = PassthroughSubject<Int, Never>
  typealias Recorder = RecordingSubscriber<Int, Never>

  private let a = Relay()
  private let b = Relay()

  /// Runs a body on another thread and waits for it.
  private func elsewhere(_ body: @escaping () -> Void) { onThreads(1) { _ in body() } }

  /// Runs a body on another thread, to its end, while the subscriber receives its first value.
  private func during(_ recorder: Recorder, _ body: @escaping () -> Void) {
    var isFirst = true
    recorder.onValue = { _ in
      guard isFirst else { return }
      isFirst = false
      elsewhere(body)
    }
  }

  // MARK: What would not be delivered

  @Test func aValueWithoutDemandPassesAMerge() {
    let recorder = Recorder(.max(1))
    during(recorder) { [b] in b.send(2) }
    a.merge(with: b).subscribe(recorder)
    a.send(1)
    #expect(recorder.values == [1])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2])
    recorder.cancel()
  }

  @Test func aValuePassesACancelledMerge() {
    let values = Shared([Int]())
    let first = a.merge(with: b).first().sink { [b] value in
      values.value.append(value)
      elsewhere { b.send(2) }
    }
    a.send(1)
    #expect(values.value == [1])
    first.cancel()
  }

  @Test func aValueThatCompletesNoPairPassesAZip() {
    let recorder = Recorder(.unlimited)
    during(recorder) { [a] in
      a.send(3)
      a.send(4)
    }
    a.zip(b) { $0 * 10 + $1 }.subscribe(recorder)
    a.send(1)
    a.send(2)
    b.send(5)
    #expect(recorder.values == [15])
    (6...8).forEach { b.send($0) }
    #expect(recorder.values == [15, 26, 37, 48])
    recorder.cancel()
  }

  @Test func aValueWithoutDemandPassesACombineLatest() {
    // Subjects would drop what they were not asked for.
    let sources = [ScriptedPublisher<Int, Never>(), ScriptedPublisher<Int, Never>()]
    let recorder = Recorder(.max(1))
    during(recorder) { _ = sources[0].send(2) }
    sources[0].combineLatest(sources[1]) { $0 * 10 + $1 }.subscribe(recorder)
    sources[0].send(1)
    sources[1].send(5)
    #expect(recorder.values == [15])
    recorder.request(.max(1))
    sources[1].send(6)
    #expect(recorder.values == [15, 26])
    recorder.cancel()
  }

  @Test func aValueWithoutDemandPassesABuffer() {
    let recorder = Recorder()
    during(recorder) { [a] in a.send(3) }
    a.buffer(size: 4, prefetch: .byRequest, whenFull: .dropNewest).subscribe(recorder)
    a.send(1)
    a.send(2)
    recorder.request(.max(1))
    #expect(recorder.values == [1])
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 3])
    recorder.cancel()
  }

  // MARK: What changes the state

  @Test func streamsAreOpenedAndEndedDuringADelivery() {
    let outer = PassthroughSubject<Relay, Never>()
    let recorder = Recorder(.unlimited)
    let other = Relay()
    during(recorder) { [b] in
      outer.send(b)
      other.send(completion: .finished)
      outer.send(completion: .finished)
    }
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(a)
    outer.send(other)
    a.send(1)
    b.send(2)
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions.isEmpty)
    a.send(completion: .finished)
    b.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func aRequestAndACancellationPass() {
    let recorder = Recorder(.max(1))
    during(recorder) { recorder.request(.max(1)) }
    a.merge(with: b).subscribe(recorder)
    a.send(1)
    b.send(2)
    #expect(recorder.values == [1, 2])
    let other = Recorder(.unlimited)
    during(other) { other.cancel() }
    a.zip(b) { $0 + $1 }.subscribe(other)
    a.send(3)
    b.send(4)
    a.send(5)
    b.send(6)
    #expect(other.values == [7])
    recorder.cancel()
  }

  // MARK: What runs outside the gate

  @Test func aDeferredInnerStreamMayWaitForAnotherOnesValue() {
    let outer = PassthroughSubject<Int, Never>()
    let values = Shared([Int]())
    let (a, b) = (a, b)
    let sink = outer.flatMap { number in
      Deferred { () -> Relay in
        if number == 2 { elsewhere { a.send(7) } }
        return number == 1 ? a : b
      }
    }
    .sink { values.value.append($0) }
    outer.send(1)
    outer.send(2)
    #expect(values.value == [7])
    b.send(8)
    #expect(values.value == [7, 8])
    sink.cancel()
  }

  /// Does something else first whenever it is asked for values.
  private struct Hesitant: Publisher {
    typealias Output = Int
    typealias Failure = Never
    let upstream: Relay
    let onRequest: (Subscribers.Demand) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      upstream.handleEvents(receiveRequest: onRequest).receive(subscriber: subscriber)
    }
  }

  @Test(arguments: ["flatMap", "merge", "switchToLatest", "zip", "combineLatest", "prefix", "drop", "buffer"])
  func anUpstreamMayWaitWhenItIsAsked(_ name: String) {
    let source = Relay()
    let recorder = Recorder()
    let asked = Counter()
    // A value of another stream, or a request, comes in between; it would wait for the gate.
    let slow = Hesitant(upstream: source) { [a] _ in
      asked.add()
      elsewhere {
        a.send(1)
        if asked.value == 1 { recorder.request(.max(3)) }
      }
    }
    switch name {
    case "flatMap": [a.eraseToAnyPublisher(), slow.eraseToAnyPublisher()].publisher.flatMap { $0 }.subscribe(recorder)
    case "merge": a.merge(with: slow).subscribe(recorder)
    case "switchToLatest": Just(slow).switchToLatest().subscribe(recorder)
    case "zip": a.zip(slow) { $0 + $1 }.subscribe(recorder)
    case "combineLatest": a.combineLatest(slow) { $0 + $1 }.subscribe(recorder)
    case "prefix": slow.prefix(untilOutputFrom: Relay()).subscribe(recorder)
    case "buffer": slow.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).subscribe(recorder)
    default: slow.drop(untilOutputFrom: a).subscribe(recorder)
    }
    // A buffer asks before it gives the subscriber its subscription, the others when they are asked.
    recorder.request(.max(1))
    #expect(asked.value > 0)
    source.send(5)
    recorder.cancel()
  }

  @Test func aLongKnownSequenceLetsOthersIn() {
    let outer = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
    let seen = Shared(Set<Int>())
    let live = a
    let recorder = Recorder(.unlimited)
    let isRunning = Counter()
    let threads = Shared<[() -> Void]>([])
    recorder.onValue = { value in
      seen.value.insert(value)
      if seen.value.count == 1 { isRunning.set(1) }
      if value == 9 { recorder.cancel() }
    }
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(live.eraseToAnyPublisher())
    onThreads([
      { outer.send(repeatElement(1, count: 100_000_000).publisher.eraseToAnyPublisher()) },
      {
        isRunning.wait(for: 1)
        live.send(9)
      },
    ])
    #expect(seen.value == [1, 9])
    withExtendedLifetime(threads) {}
  }

  @Test func aSequenceThatIsTheUsersCodeIsReadOutsideTheGate() {
    let (live, values) = (a, Shared([Int]()))
    let outer = PassthroughSubject<Int, Never>()
    let sequence = (1...3).lazy.map { number -> Int in
      if number == 2 { elsewhere { live.send(20) } }
      return number
    }
    let sink = outer.flatMap { $0 == 0 ? live.eraseToAnyPublisher() : sequence.publisher.eraseToAnyPublisher() }
      .sink { values.value.append($0) }
    outer.send(0)
    outer.send(1)
    #expect(values.value.sorted() == [1, 2, 3, 20])
    sink.cancel()
  }

  // MARK: Circles

  @Test func sinksThatSendIntoEachOthersJoinsAreNotStuck() {
    let values = [Shared([Int]()), Shared([Int]())]
    let inside = Counter()
    let (relays, others) = ([a, b], [Relay(), Relay()])
    let sinks = (0...1).map { number in
      relays[number].merge(with: others[number]).sink { value in
        values[number].value.append(value)
        guard value < 10 else { return }
        inside.add()
        inside.wait(for: 2)
        others[1 - number].send(value + 10)
      }
    }
    onThreads(2) { relays[$0].send($0) }
    #expect(values[0].value == [0, 11])
    #expect(values[1].value == [1, 10])
    sinks.forEach { $0.cancel() }
  }
}
