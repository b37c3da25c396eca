// A subject with a lane for each sender: order, completion, demand, and what is kept.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct ShardedSubjectTests {
  private let lifetimes = Lifetimes()

  @Test func eachLaneKeepsItsOrder() {
    let loop = EventLoopScheduler()
    let numbers = ShardedSubject<Int, Never>(on: loop)
    let (log, count) = (Log<Int>(), Counter())
    let token = numbers.sink {
      log.add($0)
      count.add()
    }
    onThreads(4) { thread in
      let lane = numbers.makeLane()
      for number in 0..<1_000 { lane.send(thread * 10_000 + number) }
    }
    count.wait(for: 4_000)
    for thread in 0..<4 {
      #expect(log.all.filter { $0 / 10_000 == thread } == (0..<1_000).map { thread * 10_000 + $0 })
    }
    token.cancel()
  }

  @Test func allSubscribersSeeOneOrder() {
    let loop = EventLoopScheduler()
    let numbers = ShardedSubject<Int, Never>(on: loop)
    let logs = (0..<3).map { _ in Log<Int>() }
    let count = Counter()
    let tokens = logs.map { log in
      numbers.sink {
        log.add($0)
        count.add()
      }
    }
    onThreads(2) { thread in
      let lane = numbers.makeLane()
      for number in 0..<1_000 { lane.send(thread * 10_000 + number) }
    }
    count.wait(for: 6_000)
    #expect(logs[0].all.count == 2_000)
    #expect(logs[1].all == logs[0].all)
    #expect(logs[2].all == logs[0].all)
    for token in tokens { token.cancel() }
  }

  @Test func theCompletionComesBehindWhatWasSentBefore() {
    let loop = EventLoopScheduler()
    let numbers = ShardedSubject<Int, TestFailure>(on: loop)
    let (log, ended) = (Log<Int>(), Counter())
    let token = numbers.sink(
      receiveCompletion: { completion in
        #expect(completion == .failure(.first))
        log.add(-1)
        ended.add()
      }, receiveValue: { log.add($0) })
    onThreads(3) { thread in
      let lane = numbers.makeLane()
      for number in 0..<500 { lane.send(number) }
    }
    numbers.send(completion: .failure(.first))
    numbers.makeLane().send(7)
    ended.wait(for: 1)
    #expect(log.all.count == 1_501)
    #expect(log.all.last == -1)
    loop.shutDown()
    #expect(log.all.count == 1_501)
    token.cancel()
  }

  @Test func whatNobodyHasAskedForIsDropped() {
    let loop = EventLoopScheduler(startsThread: false)
    let numbers = ShardedSubject<Int, TestFailure>(on: loop)
    let recorder = RecordingSubscriber<Int, TestFailure>(.max(2))
    numbers.subscribe(recorder)
    let lane = numbers.makeLane()
    for number in 0..<5 { lane.send(number) }
    loop.poll()
    #expect(recorder.values == [0, 1])
    recorder.subscriptions.last?.request(.max(1))
    lane.send(5)
    loop.poll()
    #expect(recorder.values == [0, 1, 5])
  }

  @Test func aLaneOutlivesItsSubject() {
    let loop = EventLoopScheduler(startsThread: false)
    let log = Log<Int>()
    do {
      var numbers: ShardedSubject<LifetimeTracked, Never>? = ShardedSubject(on: loop)
      let token = numbers?.sink { log.add($0.number) }
      let lane = numbers?.makeLane()
      numbers = nil
      lane?.send(lifetimes.track(1))
      loop.poll()
      lane?.send(lifetimes.track(2))
      token?.cancel()
    }
    loop.poll()
    #expect(log.all == [1])
    #expect(lifetimes.live == 0)
  }

  /// Lanes that waited for a job kept the subject's engine, and that kept them, and the loop.
  @Test(arguments: [1, 2_000]) func whatALoopThatIsOverDoesNotTakeGoesWithTheLane(count: Int) {
    weak var freed: EventLoopScheduler?
    do {
      let loop = EventLoopScheduler(startsThread: false)
      freed = loop
      let received = Counter()
      let numbers = ShardedSubject<LifetimeTracked, Never>(on: loop)
      let token = numbers.sink { _ in received.add() }
      let lane = numbers.makeLane()
      for number in 0..<count { lane.send(lifetimes.track(number)) }
      loop.shutDown()
      loop.run()
      // A batch, whose further job was refused.
      #expect(received.value == min(count, 1_024))
      lane.send(lifetimes.track())
      token.cancel()
    }
    #expect(lifetimes.live == 0)
    #expect(freed == nil)
  }

  @Test func whoComesAfterTheEndIsToldWhereItSubscribes() {
    let loop = EventLoopScheduler(startsThread: false)
    let numbers = ShardedSubject<Int, TestFailure>(on: loop)
    let (early, late) = (
      RecordingSubscriber<Int, TestFailure>(.unlimited), RecordingSubscriber<Int, TestFailure>(.unlimited)
    )
    numbers.send(completion: .finished)
    numbers.subscribe(early)
    #expect(early.completions == [])
    loop.poll()
    #expect(early.completions == [.finished])
    numbers.subscribe(late)
    #expect(late.completions == [.finished])
  }
}
