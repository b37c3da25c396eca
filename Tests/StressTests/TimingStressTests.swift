// Delayed, debounced, throttled, timed out and gathered streams over concurrent queues, with heap payloads.

import Dispatch
import TestKit
import Testing
import Weir
import WeirDispatch

@Suite(.serialized) struct TimingStressTests {
  static let seeds: [UInt64] = [1, 2, 3]

  private let lifetimes = Lifetimes()
  private let queue = DispatchQueue(label: "stress.timing", attributes: .concurrent)

  /// Attaches an inbox, sends, and waits for the completion and for all that was sent to be freed.
  private func collect<Applied: Publisher>(
    from send: (PassthroughSubject<Message, Never>) -> Void,
    through apply: (PassthroughSubject<Message, Never>) -> Applied
  ) -> Inbox where Applied.Output == Message, Applied.Failure == Never {
    let inbox = Inbox(senders: 3)
    do {
      let subject = PassthroughSubject<Message, Never>()
      let finished = DispatchSemaphore(value: 0)
      let cancellable = apply(subject).sink(
        receiveCompletion: { _ in
          inbox.complete()
          finished.signal()
        }, receiveValue: inbox.receive)
      send(subject)
      subject.send(completion: .finished)
      finished.wait()
      cancellable.cancel()
    }
    settle()
    return inbox
  }

  /// Waits until jobs and timers have let go of what they held.
  private func settle() {
    for _ in 0..<100_000 where lifetimes.live > 0 {
      queue.sync(flags: .barrier) {}
      yieldThread()
    }
    #expect(lifetimes.live == 0)
  }

  /// Sends from one thread, with pauses that the seed makes.
  private func sendOne(_ count: Int, _ seed: UInt64) -> (PassthroughSubject<Message, Never>) -> Void {
    { [lifetimes] subject in
      var random = SplitMix(seed: seed)
      for number in 0..<count {
        subject.send(Message(sender: 0, number: number, lifetimes))
        if random.next() % 64 == 0 { for _ in 0..<random.next() % 8 { yieldThread() } }
      }
    }
  }

  // MARK: Order and completeness

  @Test(arguments: seeds) func delayKeepsOrderAndLosesNothing(seed: UInt64) {
    let inbox = collect(from: sendOne(10_000, seed)) { subject in
      subject.delay(for: .microseconds(Int(seed) * 50), scheduler: queue)
    }
    #expect(inbox.faults == 0)
    #expect(inbox.numbers[0] == Array(0..<10_000))
    #expect(inbox.completions == 1)
  }

  @Test func delayKeepsTheOrderOfSeveralSenders() {
    let lifetimes = lifetimes
    let send: (PassthroughSubject<Message, Never>) -> Void = { subject in
      onThreads(3) { sender in
        for number in 0..<2_000 { subject.send(Message(sender: sender, number: number, lifetimes)) }
      }
    }
    let inbox = collect(from: send) { $0.delay(for: .microseconds(50), scheduler: queue) }
    #expect(inbox.faults == 0)
    #expect(inbox.numbers == Array(repeating: Array(0..<2_000), count: 3))
  }

  @Test(arguments: seeds) func timeoutKeepsOrderAndLosesNothing(seed: UInt64) {
    let inbox = collect(from: sendOne(3_000, seed)) { $0.timeout(.seconds(3_600), scheduler: queue) }
    #expect(inbox.faults == 0)
    #expect(inbox.numbers[0] == Array(0..<3_000))
    #expect(inbox.completions == 1)
  }

  @Test(arguments: seeds) func collectKeepsOrderAndLosesNothing(seed: UInt64) {
    for count in [Int.max, 7] {
      let groups = Shared([[Int]]())
      let inside = Counter()
      let overlaps = Counter()
      do {
        let subject = PassthroughSubject<Message, Never>()
        let finished = DispatchSemaphore(value: 0)
        let strategy: Publishers.TimeGroupingStrategy<DispatchQueue> =
          count == .max ? .byTime(queue, .microseconds(200)) : .byTimeOrCount(queue, .microseconds(200), count)
        let cancellable = subject.collect(strategy).sink(
          receiveCompletion: { _ in finished.signal() },
          receiveValue: { messages in
            if inside.add() != 1 { overlaps.add() }
            groups.value.append(messages.map(\.number))
            inside.add(-1)
          })
        sendOne(5_000, seed)(subject)
        subject.send(completion: .finished)
        finished.wait()
        cancellable.cancel()
      }
      #expect(overlaps.value == 0)
      #expect(Array(groups.value.joined()) == Array(0..<5_000))
      #expect(groups.value.allSatisfy { !$0.isEmpty && $0.count <= count })
      settle()
    }
  }

  /// What comes through is in order, each at most once, and the last value before a silence is not missing.
  @Test(arguments: seeds) func debounceKeepsOrderAndTheLastOfEachBurst(seed: UInt64) {
    let lifetimes = lifetimes
    let arrived = DispatchSemaphore(value: 0)
    let newest = Counter(-1)
    let lasts = Shared<Set<Int>>([])
    let send: (PassthroughSubject<Message, Never>) -> Void = { subject in
      var random = SplitMix(seed: seed)
      var number = 0
      for _ in 0..<100 {
        for _ in 0..<1 + random.next() % 20 {
          subject.send(Message(sender: 0, number: number, lifetimes))
          number += 1
        }
        lasts.value.insert(number - 1)
        // The burst's last value is due when nothing follows.
        let last = number - 1
        var due = false
        while !due {
          arrived.wait()
          due = newest.value == last
        }
      }
    }
    let inbox = collect(from: send) { subject in
      subject.debounce(for: .microseconds(100), scheduler: queue).map { message in
        newest.set(message.number)
        arrived.signal()
        return message
      }
    }
    #expect(inbox.faults == 0)
    #expect(inbox.isInOrder)
    #expect(lasts.value.isSubset(of: inbox.numbers[0]))
    #expect(inbox.completions == 1)
  }

  @Test(arguments: seeds, [true, false]) func throttleKeepsOrderAndItsLastValue(seed: UInt64, latest: Bool) {
    let inbox = collect(from: sendOne(20_000, seed)) { subject in
      subject.throttle(for: .microseconds(100), scheduler: queue, latest: latest)
    }
    #expect(inbox.faults == 0)
    #expect(inbox.isInOrder)
    #expect(inbox.count >= 1)
    if latest { #expect(inbox.numbers[0].last == 19_999) } else { #expect(inbox.numbers[0].first == 0) }
    #expect(inbox.completions == 1)
  }

  @Test func subscribeOnAsksInOrderAndLosesNoDemand() {
    let finished = DispatchSemaphore(value: 0)
    let recorder = RecordingSubscriber(.max(1), of: Int.self, failingWith: Never.self)
    recorder.onValue = { _ in recorder.request(.max(1)) }
    recorder.onCompletion = { _ in finished.signal() }
    (0..<20_000).publisher.subscribe(on: queue).subscribe(recorder)
    finished.wait()
    #expect(recorder.values == Array(0..<20_000))
  }

  // MARK: Cancellation

  /// The cancellation meets values, timers and jobs at every stage; afterwards nothing arrives and nothing is left.
  @Test(arguments: 0..<7) func cancellingRacesValuesAndTimers(kind: Int) {
    let lifetimes = lifetimes
    var random = SplitMix(seed: UInt64(kind))
    for _ in 0..<150 {
      let stop = Int(random.next() % 40)
      do {
        let subject = PassthroughSubject<Message, Never>()
        let inbox = Inbox(senders: 1)
        let tracked = lifetimes.track()
        let cancellable = Self.apply(kind, to: subject, queue).sink { message in
          tracked.touch()
          inbox.receive(message)
        }
        // A sink that is cancelled before it has a subscription takes one nevertheless, as Combine's does.
        queue.sync(flags: .barrier) {}
        let sent = Counter()
        onThreads([
          {
            for number in 0..<50 {
              subject.send(Message(sender: 0, number: number, lifetimes))
              sent.add()
            }
          },
          {
            sent.wait(for: stop)
            cancellable.cancel()
          },
        ])
        // What was under way may still run; a barrier passes when it is over.
        queue.sync(flags: .barrier) {}
        #expect(inbox.faults == 0)
        #expect(inbox.isInOrder)
        let received = inbox.count
        subject.send(Message(sender: 0, number: 999, lifetimes))
        queue.sync(flags: .barrier) {}
        #expect(inbox.count == received)
      }
      settle()
    }
  }

  private static func apply(
    _ kind: Int, to subject: PassthroughSubject<Message, Never>, _ queue: DispatchQueue
  ) -> AnyPublisher<Message, Never> {
    switch kind {
    case 0: subject.delay(for: .microseconds(20), scheduler: queue).eraseToAnyPublisher()
    case 1: subject.debounce(for: .microseconds(20), scheduler: queue).eraseToAnyPublisher()
    case 2: subject.throttle(for: .microseconds(20), scheduler: queue, latest: true).eraseToAnyPublisher()
    case 3: subject.timeout(.microseconds(500), scheduler: queue).eraseToAnyPublisher()
    case 4: subject.collect(.byTime(queue, .microseconds(50))).flatMap(\.publisher).eraseToAnyPublisher()
    case 5: subject.collect(.byTimeOrCount(queue, .microseconds(50), 3)).flatMap(\.publisher).eraseToAnyPublisher()
    default: subject.subscribe(on: queue).eraseToAnyPublisher()
    }
  }

  /// A value and the end of its time meet: the stream ends once, and what came before the end is delivered before it.
  @Test func timingOutRacesValues() {
    let lifetimes = lifetimes
    var random = SplitMix(seed: 11)
    for _ in 0..<200 {
      do {
        let subject = PassthroughSubject<Message, Never>()
        let inbox = Inbox(senders: 1)
        let finished = DispatchSemaphore(value: 0)
        let cancellable = subject.timeout(.microseconds(50), scheduler: queue).sink(
          receiveCompletion: { _ in
            inbox.complete()
            finished.signal()
          }, receiveValue: inbox.receive)
        for number in 0..<Int(random.next() % 50) {
          subject.send(Message(sender: 0, number: number, lifetimes))
          if random.next() % 4 == 0 { for _ in 0..<random.next() % 20 { yieldThread() } }
        }
        finished.wait()
        queue.sync(flags: .barrier) {}
        #expect(inbox.faults == 0)
        #expect(inbox.numbers[0] == Array(0..<inbox.count))
        #expect(inbox.completions == 1)
        cancellable.cancel()
      }
      settle()
    }
  }
}
