// Operators of several streams, whose signals come from several threads at once.

import TestKit
import Testing
import Weir
import WeirQueues

/// Notes what arrives, and whether two calls ever overlapped.
private final class Witness<Input>: Subscriber {
  typealias Failure = TestFailure

  private let initialDemand: Subscribers.Demand
  private let perValue: Subscribers.Demand
  private let inside = Counter()
  private(set) var values: [Input] = []
  private(set) var overlaps = 0
  private(set) var subscription: (any Subscription)?
  /// How many values have arrived, for other threads.
  let received = Counter()
  /// How many completions have arrived, for other threads.
  let ended = Counter()

  init(_ initialDemand: Subscribers.Demand = .none, perValue: Subscribers.Demand = .none) {
    self.initialDemand = initialDemand
    self.perValue = perValue
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    if initialDemand > .none { subscription.request(initialDemand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if inside.add() != 1 { overlaps += 1 }
    values.append(input)
    received.add()
    inside.add(-1)
    return perValue
  }

  func receive(completion: Subscribers.Completion<TestFailure>) {
    if inside.add() != 1 { overlaps += 1 }
    ended.add()
    inside.add(-1)
  }

  func cancel() { subscription?.cancel() }
  func forgetAll() { (values, subscription) = ([], nil) }
}

@Suite(.serialized) struct CombiningStressTests {
  typealias Relay = PassthroughSubject<LifetimeTracked, TestFailure>

  private let lifetimes = Lifetimes()

  /// Values of each stream in the order of arrival: a value's number is its stream's times a million plus its place.
  private func perStream(_ values: [LifetimeTracked], _ count: Int) -> [[Int]] {
    var result = Array(repeating: [Int](), count: count)
    for value in values { result[value.number / 1_000_000].append(value.number % 1_000_000) }
    return result
  }

  @Test(arguments: [(Subscribers.Demand.unlimited, Subscribers.Demand.none), (.max(1), .max(1))])
  func threadsSendIntoTheChildrenOfOneFlatMap(_ initial: Subscribers.Demand, _ perValue: Subscribers.Demand) {
    let each = 10_000
    let children = (0..<4).map { _ in Relay() }
    let witness = Witness<LifetimeTracked>(initial, perValue: perValue)
    children.publisher.setFailureType(to: TestFailure.self).flatMap { $0 }.subscribe(witness)
    onThreads(4) { [lifetimes] number in
      for place in 0..<each { children[number].send(lifetimes.track(number * 1_000_000 + place)) }
      children[number].send(completion: .finished)
    }
    #expect(witness.overlaps == 0)
    #expect(witness.ended.value == 1)
    for places in perStream(witness.values, 4) {
      // Where demand is limited, a subject drops what comes while its former value waits for its turn.
      if initial == .unlimited { #expect(places == Array(0..<each)) }
      #expect(!places.isEmpty)
      #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
    }
    witness.forgetAll()
    #expect(lifetimes.live == 0)
  }

  @Test func outerAndInnerStreamsSendAtOnce() {
    let streams = 3000
    let outer = PassthroughSubject<AnyPublisher<LifetimeTracked, TestFailure>, TestFailure>()
    let inner = Relay()
    let witness = Witness<LifetimeTracked>(.unlimited)
    outer.flatMap { $0 }.subscribe(witness)
    outer.send(inner.eraseToAnyPublisher())
    onThreads([
      { [lifetimes] in
        for stream in 0..<streams {
          let values = (0..<3).map { lifetimes.track(1_000_000 + stream * 3 + $0) }
          outer.send(Publishers.Sequence(sequence: values).eraseToAnyPublisher())
        }
        outer.send(completion: .finished)
      },
      { [lifetimes] in
        for place in 0..<10_000 { inner.send(lifetimes.track(place)) }
        inner.send(completion: .finished)
      },
    ])
    #expect(witness.overlaps == 0)
    #expect(witness.ended.value == 1)
    #expect(perStream(witness.values, 2) == [Array(0..<10_000), Array(0..<streams * 3)])
    witness.forgetAll()
    #expect(lifetimes.live == 0)
  }

  @Test func cancellingAFlatMapMeetsEveryMoment() {
    for round in 0..<1000 {
      let children = [Relay(), Relay()]
      let witness = Witness<LifetimeTracked>(.unlimited)
      children.publisher.setFailureType(to: TestFailure.self).flatMap { $0 }.subscribe(witness)
      onThreads(3) { [lifetimes] number in
        guard number < 2 else {
          witness.received.wait(for: round % 40)
          return witness.cancel()
        }
        for place in 0..<40 { children[number].send(lifetimes.track(place)) }
      }
      #expect(witness.overlaps == 0)
      let seen = witness.values.count
      children[0].send(lifetimes.track())
      #expect(witness.values.count == seen)
      witness.forgetAll()
    }
    #expect(lifetimes.live == 0)
  }

  @Test func twoThreadsAreZipped() {
    let count = 15_000
    let sources = [Relay(), Relay()]
    let witness = Witness<(LifetimeTracked, LifetimeTracked)>(.unlimited)
    sources[0].zip(sources[1]).subscribe(witness)
    onThreads(2) { [lifetimes] number in
      for place in 0..<count { sources[number].send(lifetimes.track(place)) }
      sources[number].send(completion: .finished)
    }
    #expect(witness.overlaps == 0)
    #expect(witness.ended.value == 1)
    #expect(witness.values.map(\.0.number) == Array(0..<count))
    #expect(witness.values.map(\.1.number) == Array(0..<count))
    witness.forgetAll()
    #expect(lifetimes.live == 0)
  }

  // MARK: Buffer

  /// Sends as many values as it was asked for, from the thread that calls `run`.
  private final class Producer: Publisher, Subscription, @unchecked Sendable {
    typealias Output = LifetimeTracked
    typealias Failure = TestFailure
    private let demand = Counter()
    private var subscriber: AnySubscriber<LifetimeTracked, TestFailure>?

    func receive<S: Subscriber>(subscriber: S) where S.Input == LifetimeTracked, S.Failure == TestFailure {
      self.subscriber = AnySubscriber(subscriber)
      subscriber.receive(subscription: self)
    }

    func request(_ demand: Subscribers.Demand) { self.demand.add(demand.max!) }
    func cancel() {}

    func run(_ count: Int, _ lifetimes: Lifetimes) {
      for place in 0..<count {
        demand.wait(for: 1)
        demand.add(-1)
        demand.add(subscriber!.receive(lifetimes.track(place)).max!)
      }
      subscriber!.receive(completion: .finished)
      subscriber = nil
    }
  }

  @Test func aBufferBetweenAProducerAndAConsumerLosesNothingAndKeepsTheOrder() {
    let count = 20_000
    let producer = Producer()
    let witness = Witness<LifetimeTracked>()
    producer.buffer(size: 16, prefetch: .keepFull, whenFull: .customError { .first }).subscribe(witness)
    onThreads([
      { [lifetimes] in producer.run(count, lifetimes) },
      {
        var random = SplitMix(seed: 4)
        var requested = 0
        while requested < count {
          let more = Int.random(in: 1...20, using: &random)
          witness.subscription?.request(.max(more))
          requested += more
          if Bool.random(using: &random) { witness.received.wait(for: min(requested, count) - 10) }
        }
        witness.subscription?.request(.max(1))
        witness.ended.wait(for: 1)
      },
    ])
    #expect(witness.overlaps == 0)
    #expect(witness.values.map(\.number) == Array(0..<count))
    witness.forgetAll()
    #expect(lifetimes.live == 0)
  }

  @Test func twoThreadsAskABufferOverASequence() {
    let count = 20_000
    let values = (0..<count).map { lifetimes.track($0) }
    let witness = Witness<LifetimeTracked>()
    Publishers.Sequence<[LifetimeTracked], TestFailure>(sequence: values)
      .buffer(size: 8, prefetch: .keepFull, whenFull: .customError { .first })
      .subscribe(witness)
    onThreads(2) { _ in for _ in 0...count / 4 { witness.subscription?.request(.max(2)) } }
    #expect(witness.overlaps == 0)
    #expect(witness.ended.value == 1)
    #expect(witness.values == values)
  }

  // MARK: Current value

  @Test func subscribersOfACurrentValueNeverGoBack() {
    let count = 8000
    let subject = CurrentValueSubject<LifetimeTracked, TestFailure>(lifetimes.track())
    let steady = Witness<LifetimeTracked>(.unlimited)
    let hesitant = Witness<LifetimeTracked>(.max(1))
    subject.subscribe(steady)
    subject.subscribe(hesitant)
    let passing = Shared<[Witness<LifetimeTracked>]>([])
    let wrong = Counter()
    let isOver = Counter()
    onThreads([
      { [lifetimes] in
        for place in 1...count {
          subject.send(lifetimes.track(place))
          if subject.value.number < place { wrong.add() }
        }
        isOver.set(1)
      },
      {
        while isOver.value == 0 {
          let before = subject.value.number
          let witness = Witness<LifetimeTracked>(.unlimited)
          subject.subscribe(witness)
          if passing.value.count < 2000 { passing.value.append(witness) }
          hesitant.subscription?.request(.max(1))
          if subject.value.number < before { wrong.add() }
          witness.cancel()
        }
      },
    ])
    hesitant.subscription?.request(.max(1))
    #expect(wrong.value == 0)
    #expect(steady.values.map(\.number) == Array(0...count))
    for witness in passing.value + [hesitant] {
      let numbers = witness.values.map(\.number)
      #expect(witness.overlaps == 0)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 })
    }
    #expect(hesitant.values.last?.number == count)
    for witness in passing.value + [hesitant, steady] {
      witness.cancel()
      witness.forgetAll()
    }
    #expect(lifetimes.live == 1)
  }

  @Test func theLastValueDeliveredIsTheValueAlsoWhereSubscribersSend() {
    for round in 0..<300 {
      let subject = CurrentValueSubject<Int, TestFailure>(0)
      let seen = Shared<[Int]>([])
      let sink = subject.sink(
        receiveCompletion: { _ in },
        receiveValue: { value in
          seen.value.append(value)
          if value > 0, value.isMultiple(of: 3) { subject.send(-value) }
        })
      onThreads(2) { number in
        for place in 1...20 { subject.send(place * 2 + number + round) }
      }
      #expect(seen.value.last == subject.value)
      for parity in 0...1 {
        let sent = seen.value.filter { $0 > 0 && ($0 - round) % 2 == parity }
        #expect(sent == (1...20).map { $0 * 2 + parity + round })
      }
      sink.cancel()
    }
  }

  // MARK: Sharing

  /// Counts its subscriptions that are alive.
  private final class Scarce: Publisher, @unchecked Sendable {
    typealias Output = Int
    typealias Failure = Never
    let alive = Counter()
    let subscribed = Counter()
    let excess = Counter()

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      subscribed.add()
      if alive.add() > 1 { excess.add() }
      subscriber.receive(subscription: Claim(self))
      _ = subscriber.receive(7)
    }

    private final class Claim: Subscription {
      let owner: Scarce
      let cancelled = Counter()
      init(_ owner: Scarce) { self.owner = owner }
      func request(_ demand: Subscribers.Demand) {}
      func cancel() { if cancelled.add() == 1 { owner.alive.add(-1) } }
    }
  }

  @Test func thereIsNeverMoreThanOneSubscriptionBehindAShare() {
    let upstream = Scarce()
    let share = upstream.share()
    let rounds = 2000
    for _ in 0..<rounds / 100 {
      onThreads(2) { number in
        var random = SplitMix(seed: UInt64(number))
        for _ in 0..<100 {
          let sinks = (0..<Int.random(in: 1...2, using: &random)).map { _ in share.sink { _ in } }
          for sink in sinks { sink.cancel() }
        }
      }
      #expect(upstream.alive.value == 0)
    }
    #expect(upstream.excess.value == 0)
    #expect(upstream.subscribed.value > 0)
  }

  @Test func twoFirstSubscribersMakeOneSubscription() {
    for _ in 0..<2000 {
      let upstream = Scarce()
      let share = upstream.share()
      let sinks = [Shared<AnyCancellable?>(nil), Shared<AnyCancellable?>(nil)]
      onThreads(2) { sinks[$0].value = share.sink { _ in } }
      #expect(upstream.subscribed.value == 1)
      #expect(upstream.alive.value == 1)
      onThreads(2) { sinks[$0].value?.cancel() }
      #expect(upstream.alive.value == 0)
    }
  }

  // MARK: Whose thread

  typealias Tagged = PassthroughSubject<Message, Never>

  static var joins: [(name: String, join: ([Tagged]) -> AnyPublisher<Message, Never>)] {
    [
      ("merge", { Publishers.MergeMany($0).eraseToAnyPublisher() }),
      ("flatMap", { $0.publisher.flatMap { $0 }.eraseToAnyPublisher() }),
      ("flatMap to known streams", { Publishers.MergeMany($0).flatMap { Just($0) }.eraseToAnyPublisher() }),
      ("switchToLatest", { Publishers.MergeMany($0).map { Just($0) }.switchToLatest().eraseToAnyPublisher() }),
      (
        "buffer",
        {
          Publishers.MergeMany($0).buffer(size: 10, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
        }
      ),
      ("prefix", { Publishers.MergeMany($0).prefix(untilOutputFrom: Tagged()).eraseToAnyPublisher() }),
    ]
  }

  /// Four threads send through one operator: each value arrives once, in its sender's order, before its `send` returns,
  /// on its sender's thread.
  @Test(arguments: joins.map(\.name), [ContentionPolicy.wait, .handOver])
  func deliveriesAreOnTheirSendersThreads(_ name: String, _ policy: ContentionPolicy) {
    let each = 10_000
    let relays = (0..<4).map { _ in Tagged() }
    let inbox = Inbox(senders: 4)
    let strangers = Counter()
    let early = Counter()
    let threads = (0..<4).map { _ in Counter() }
    let arrived = (0..<4).map { _ in Counter() }
    let join = Self.joins.first { $0.name == name }!.join
    let sink = join(relays).contention(policy).sink { message in
      inbox.receive(message)
      arrived[message.sender].add()
      if threads[message.sender].value != currentThreadIdentity() { strangers.add() }
    }
    onThreads(4) { [lifetimes] number in
      threads[number].set(currentThreadIdentity())
      for place in 0..<each {
        relays[number].send(Message(sender: number, number: place, lifetimes))
        if arrived[number].value <= place { early.add() }
      }
    }
    // What nobody's `send` is kept for is delivered by a thread of its own.
    for count in arrived { count.wait(for: each) }
    #expect(inbox.numbers == Array(repeating: Array(0..<each), count: 4))
    #expect(inbox.faults == 0)
    if policy == .wait {
      #expect(strangers.value == 0)
      #expect(early.value == 0)
    }
    print("\(name), \(policy): \(strangers.value) on other threads, \(early.value) early returns of \(4 * each)")
    sink.cancel()
    // The thread of its own lets go of its last message when it comes back from the sink.
    if policy == .handOver { while lifetimes.live > 0 { yieldThread() } }
    #expect(lifetimes.live == 0)
  }

  @Test func fourThreadsAreZipped() {
    let each = 10_000
    let relays = (0..<4).map { _ in Tagged() }
    let tuples = Shared<[[Int]]>([])
    let zipped = Publishers.Zip4(relays[0], relays[1], relays[2], relays[3]).sink { tuple in
      tuples.value.append([tuple.0.number, tuple.1.number, tuple.2.number, tuple.3.number])
    }
    onThreads(4) { [lifetimes] number in
      for place in 0..<each { relays[number].send(Message(sender: number, number: place, lifetimes)) }
    }
    #expect(tuples.value == (0..<each).map { [$0, $0, $0, $0] })
    zipped.cancel()
    #expect(lifetimes.live == 0)
  }

  // MARK: Switching

  @Test(arguments: [(Subscribers.Demand.unlimited, Subscribers.Demand.none), (.max(1), .max(1))])
  func switchingWhileValuesFlowNeverGoesBack(_ initial: Subscribers.Demand, _ perValue: Subscribers.Demand) {
    let count = 2000
    let inners = (0..<count).map { _ in Relay() }
    let outer = PassthroughSubject<Relay, TestFailure>()
    let witness = Witness<LifetimeTracked>(initial, perValue: perValue)
    outer.switchToLatest().subscribe(witness)
    let current = Counter()
    onThreads([
      {
        for number in 0..<count {
          outer.send(inners[number])
          current.set(number)
        }
      },
      { [lifetimes] in
        // Not until the last: who finds values waiting delivers them, and might not get to switching any more.
        for _ in 0..<10_000 {
          let number = current.value
          for old in max(0, number - 1)...number { inners[old].send(lifetimes.track(old)) }
        }
      },
    ])
    let numbers = witness.values.map(\.number)
    #expect(witness.overlaps == 0)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 })
    let seen = numbers.count
    inners[count - 1].send(lifetimes.track(count))
    inners[0].send(lifetimes.track(-1))
    #expect(witness.values.dropFirst(seen).map(\.number) == [count])
    witness.cancel()
    witness.forgetAll()
    #expect(lifetimes.live == 0)
  }
}
