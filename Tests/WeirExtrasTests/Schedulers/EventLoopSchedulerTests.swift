// A thread of one's own as a scheduler: order, dates, its end, streams in virtual time, tasks and actors.

import Dispatch
import TestKit
import Testing
import Weir
import WeirDispatch
import WeirExtras
import WeirQueues

/// A loop in virtual time, run by hand.
private struct TimedLoop {
  let scheduler: EventLoopScheduler
  private let time: Counter

  init() {
    let time = Counter(1_000)
    self.time = time
    scheduler = EventLoopScheduler(spinningFor: .zero) { time.value }
  }

  /// Lets milliseconds pass, one at a time.
  func advance(by milliseconds: Int) {
    run()
    for _ in 0..<milliseconds {
      time.add(1_000_000)
      run()
    }
  }

  private func run() { while scheduler.poll() > 0 {} }
}

/// An actor on a loop.
private actor Desk {
  private let loop: EventLoopScheduler
  private(set) var numbers: [Int] = []
  var thread: Int { currentThreadIdentity() }

  init(_ loop: EventLoopScheduler) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

  func note(_ number: Int) { numbers.append(number) }
}

@Suite struct EventLoopSchedulerTests {
  private let lifetimes = Lifetimes()

  @Test func actionsRunInOrderOnOneThread() {
    let loop = EventLoopScheduler()
    let (numbers, threads) = (Log<Int>(), Log<Int>())
    for number in 0..<1_000 {
      loop.schedule {
        numbers.add(number)
        threads.add(currentThreadIdentity())
      }
    }
    loop.shutDown()
    #expect(numbers.all == Array(0..<1_000))
    #expect(Set(threads.all).count == 1)
    #expect(threads.all.first != currentThreadIdentity())
  }

  @Test func anActionThatIsScheduledOnTheLoopRunsLater() {
    let loop = TimedLoop()
    let log = Log<Int>()
    loop.scheduler.schedule {
      loop.scheduler.schedule { log.add(2) }
      log.add(1)
    }
    loop.advance(by: 0)
    #expect(log.all == [1, 2])
  }

  @Test func eachThreadsOrderHolds() {
    let loop = EventLoopScheduler()
    let log = Log<Int>()
    onThreads(4) { thread in for number in 0..<500 { loop.schedule { log.add(thread * 1_000 + number) } } }
    loop.shutDown()
    for thread in 0..<4 {
      #expect(log.all.filter { $0 / 1_000 == thread } == (0..<500).map { thread * 1_000 + $0 })
    }
  }

  /// Each action finds the thread at another point of its wait.
  @Test(arguments: [Duration.zero, .microseconds(50), .seconds(1)]) func theThreadIsThereAgainAndAgain(
    limit: Duration
  ) {
    let loop = EventLoopScheduler(spinningFor: limit)
    let count = Counter()
    for round in 1...1_000 {
      loop.schedule { count.add() }
      count.wait(for: round)
    }
    loop.shutDown()
    #expect(count.value == 1_000)
  }

  @Test func datesAreKeptInTheirOrder() {
    let loop = TimedLoop()
    let log = Log<Int>()
    let now = loop.scheduler.now
    for (number, date) in [3, 1, 2, 1].enumerated() {
      loop.scheduler.schedule(after: now.advanced(by: .milliseconds(date))) { log.add(number) }
    }
    loop.advance(by: 0)
    #expect(log.all == [])
    loop.advance(by: 1)
    #expect(log.all == [1, 3])
    loop.advance(by: 2)
    #expect(log.all == [1, 3, 2, 0])
    #expect(loop.scheduler.now == now.advanced(by: .milliseconds(3)))
    #expect(loop.scheduler.minimumTolerance == .zero)
  }

  /// Of one date with another action, each run counts as scheduled when the one before is over.
  @Test func aRepetitionComesBehindWhatWasScheduledBeforeItsLastRun() {
    let loop = TimedLoop()
    let log = Log<Int>()
    let now = loop.scheduler.now
    let token = loop.scheduler.schedule(after: now.advanced(by: .milliseconds(1)), interval: .milliseconds(1)) {
      log.add(1)
    }
    loop.scheduler.schedule(after: now.advanced(by: .milliseconds(2))) { log.add(2) }
    loop.advance(by: 2)
    #expect(log.all == [1, 2, 1])
    token.cancel()
  }

  @Test func aDateIsWaitedForAsleep() {
    let loop = EventLoopScheduler()
    let count = Counter()
    let date = loop.now.advanced(by: .milliseconds(1))
    loop.schedule(after: date) {
      #expect(loop.now >= date)
      count.add()
    }
    count.wait(for: 1)
    loop.shutDown()
    #expect(count.value == 1)
  }

  @Test func aRepetitionEndsWithItsToken() {
    let loop = TimedLoop()
    let runs = Counter()
    var token: (any Cancellable)?
    do {
      let tracked = lifetimes.track()
      let scheduler = loop.scheduler
      token = scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(2)), interval: .milliseconds(3)) {
        tracked.touch()
        runs.add()
      }
    }
    loop.advance(by: 1)
    #expect(runs.value == 0)
    loop.advance(by: 7)
    #expect(runs.value == 3)
    token?.cancel()
    #expect(lifetimes.live == 0)
    loop.advance(by: 10)
    #expect(runs.value == 3)
  }

  @Test func aRepetitionThatIsCancelledByItselfIsOver() {
    let loop = EventLoopScheduler()
    let (runs, token) = (Counter(), Shared<(any Cancellable)?>(nil))
    let isOver = Counter()
    loop.schedule {
      token.value = loop.schedule(after: loop.now, interval: .nanoseconds(0)) {
        guard runs.add() == 3 else { return }
        token.value?.cancel()
        // Behind whatever else was due.
        loop.schedule(after: loop.now) { isOver.add() }
      }
    }
    isOver.wait(for: 1)
    loop.shutDown()
    #expect(runs.value == 3)
  }

  @Test func theEndRunsWhatWasScheduledAndLetsGoOfTheRest() {
    let loop = EventLoopScheduler()
    let log = Log<Int>()
    do {
      let tracked = lifetimes.track()
      loop.schedule(after: loop.now.advanced(by: .seconds(3_600))) { tracked.touch() }
      loop.schedule(after: DispatchQueue.SchedulerTimeType(.distantFuture)) { tracked.touch() }
      let token = loop.schedule(after: loop.now.advanced(by: .seconds(3_600)), interval: 1) { tracked.touch() }
      for number in 0..<100 { loop.schedule { log.add(number) } }
      loop.shutDown()
      token.cancel()
      loop.schedule { tracked.touch() }
      loop.schedule(after: loop.now) { tracked.touch() }
      loop.shutDown()
    }
    #expect(log.all == Array(0..<100))
    #expect(lifetimes.live == 0)
  }

  @Test func theEndLetsGoOfWhatIsDue() {
    let loop = EventLoopScheduler(startsThread: false)
    let log = Log<Int>()
    loop.schedule(after: loop.now) { log.add(2) }
    loop.schedule { log.add(1) }
    loop.shutDown()
    loop.run()
    #expect(log.all == [1])
  }

  @Test func anActionWithADateLetsGoOfTheOthers() {
    let loop = EventLoopScheduler(startsThread: false)
    let log = Log<Int>()
    do {
      let tracked = lifetimes.track()
      loop.schedule(after: loop.now) {
        log.add(1)
        loop.shutDown()
      }
      loop.schedule(after: loop.now) {
        tracked.touch()
        log.add(2)
      }
    }
    loop.run()
    #expect(log.all == [1])
    #expect(lifetimes.live == 0)
  }

  @Test func whatAnActionSchedulesComesBehindWhatIsDue() {
    let loop = EventLoopScheduler(startsThread: false)
    let log = Log<Int>()
    let date = loop.now
    loop.schedule(after: date) {
      log.add(1)
      loop.schedule(after: date) { log.add(3) }
    }
    loop.schedule(after: date.advanced(by: .nanoseconds(1))) { log.add(2) }
    while log.all.count < 3 { loop.poll() }
    #expect(log.all == [1, 2, 3])
  }

  /// A stream's values wait in the loop, and keep what delivers them.
  @Test func whatWaitsInALoopThatNobodyRunsGoesWhenItIsEnded() {
    weak var freed: EventLoopScheduler?
    do {
      let loop = EventLoopScheduler(startsThread: false)
      freed = loop
      let subject = PassthroughSubject<Int, Never>()
      let token = subject.receive(on: loop).sink { _ in }
      subject.send(1)
      token.cancel()
      loop.shutDown()
      loop.poll()
    }
    #expect(freed == nil)
  }

  @Test func anActionMayEndItsLoop() {
    let loop = EventLoopScheduler(startsThread: false)
    let log = Log<Int>()
    loop.schedule {
      log.add(1)
      loop.shutDown()
      loop.schedule { log.add(3) }
    }
    loop.schedule { log.add(2) }
    loop.run()
    #expect(log.all == [1, 2])
  }

  @Test func theLastReferenceMayGoOnItsOwnThread() {
    let isRun = Counter()
    weak var freed: EventLoopScheduler?
    do {
      let loop = EventLoopScheduler()
      freed = loop
      let mayRun = Counter()
      loop.schedule {
        mayRun.wait(for: 1)
        withExtendedLifetime(loop) {}
      }
      loop.schedule { isRun.add() }
      mayRun.add()
    }
    isRun.wait(for: 1)
    while freed != nil { yieldThread() }
    #expect(isRun.value == 1)
  }

  @Test func whatHasADateRunsAlsoWhenNobodyHasTheSchedulerAnyMore() {
    let isRun = Counter()
    do {
      let loop = EventLoopScheduler()
      loop.schedule(after: loop.now.advanced(by: .milliseconds(1))) { isRun.add() }
    }
    isRun.wait(for: 1)
    #expect(isRun.value == 1)
  }

  @Test func aThreadOfTheProgramsOwnRunsALoop() {
    let loop = EventLoopScheduler(startsThread: false)
    let (log, isRunning) = (Log<Int>(), Counter())
    loop.schedule {
      log.add(1)
      isRunning.add()
    }
    let thread = OtherThread { loop.run() }
    isRunning.wait(for: 1)
    loop.schedule { log.add(2) }
    loop.shutDown()
    loop.run()
    #expect(thread.comesBack())
    #expect(log.all == [1, 2])
  }

  // MARK: Streams

  @Test(arguments: [nil, DeliveryBatch.batches()]) func streamsKeepTheirOrder(options: DeliveryBatch?) {
    let loop = EventLoopScheduler()
    let (log, ended) = (Log<Int>(), Counter())
    let numbers = PassthroughSubject<Int, Never>()
    let token = numbers.receive(on: loop, options: options).sink { _ in
      ended.add()
    } receiveValue: {
      log.add($0)
    }
    for number in 0..<10_000 { numbers.send(number) }
    numbers.send(completion: .finished)
    ended.wait(for: 1)
    #expect(log.all == Array(0..<10_000))
    token.cancel()
  }

  @Test(arguments: [nil, .batches(of: 8)] as [DeliveryBatch?]) func theEndDeliversWhatWasSentBefore(
    options: DeliveryBatch?
  ) {
    let loop = EventLoopScheduler(startsThread: false)
    let (log, ended) = (Log<Int>(), Counter())
    let numbers = PassthroughSubject<Int, Never>()
    let token = numbers.receive(on: loop, options: options).sink { _ in
      ended.add()
    } receiveValue: {
      log.add($0)
    }
    for number in 0..<5_000 { numbers.send(number) }
    numbers.send(completion: .finished)
    loop.shutDown()
    loop.run()
    #expect(log.all == Array(0..<5_000))
    #expect(ended.value == 1)
    token.cancel()
  }

  /// A sink that sends again and again doesn't keep a loop that is over.
  @Test func whatIsSentDuringTheLastBatchIsNotDelivered() {
    let loop = EventLoopScheduler(startsThread: false)
    let log = Log<Int>()
    let numbers = PassthroughSubject<Int, Never>()
    let token = numbers.receive(on: loop, options: .batches(of: 2, within: .seconds(3600))).sink {
      log.add($0)
      numbers.send($0 + 10)
    }
    for number in 0..<4 { numbers.send(number) }
    loop.shutDown()
    loop.run()
    // The first two sent one more each before the loop refused to go on.
    #expect(log.all == [0, 1, 2, 3, 10, 11])
    token.cancel()
  }

  @Test func aStreamSubscribesAndAsksOnTheLoop() {
    let loop = EventLoopScheduler()
    let (threads, ended) = (Log<Int>(), Counter())
    let token = Deferred {
      threads.add(currentThreadIdentity())
      return [1, 2, 3].publisher
    }
    .subscribe(on: loop)
    .sink { _ in
      ended.add()
    } receiveValue: { _ in
      threads.add(currentThreadIdentity())
    }
    ended.wait(for: 1)
    #expect(Set(threads.all).count == 1)
    #expect(threads.all.count == 4)
    #expect(threads.all.first != currentThreadIdentity())
    token.cancel()
    loop.shutDown()
  }

  @Test func aLoopThatIsOverKeepsNoStream() {
    let loop = EventLoopScheduler()
    do {
      let tracked = lifetimes.track()
      let numbers = PassthroughSubject<Int, Never>()
      let token = numbers.receive(on: loop).sink { _ in tracked.touch() }
      numbers.send(1)
      loop.shutDown()
      numbers.send(2)
      token.cancel()
    }
    #expect(lifetimes.live == 0)
  }

  /// What comes out of an operator, with the milliseconds at which it does, where 1, 2, 3 are sent at 0, 1 and 10.
  private func timed<Changed: Publisher>(
    _ change: (PassthroughSubject<Int, Never>, EventLoopScheduler) -> Changed
  ) -> [String] where Changed.Failure == Never {
    let (loop, numbers, log) = (TimedLoop(), PassthroughSubject<Int, Never>(), Log<String>())
    let start = loop.scheduler.now
    let note = { (text: String) in
      let now = start.distance(to: loop.scheduler.now).magnitude / 1_000_000
      log.add("\(now): \(text)")
    }
    let token = change(numbers, loop.scheduler).sink { _ in
      note("end")
    } receiveValue: {
      note("\($0)")
    }
    numbers.send(1)
    loop.advance(by: 1)
    numbers.send(2)
    loop.advance(by: 9)
    numbers.send(3)
    loop.advance(by: 100)
    token.cancel()
    return log.all
  }

  @Test func delays() {
    #expect(timed { $0.delay(for: .milliseconds(5), scheduler: $1) } == ["5: 1", "6: 2", "15: 3"])
  }

  @Test func debounces() {
    #expect(timed { $0.debounce(for: .milliseconds(5), scheduler: $1) } == ["6: 2", "15: 3"])
  }

  @Test func throttles() {
    #expect(timed { $0.throttle(for: .milliseconds(5), scheduler: $1, latest: true) } == ["0: 1", "5: 2", "10: 3"])
  }

  @Test func timesOut() {
    #expect(timed { $0.timeout(.milliseconds(20), scheduler: $1) } == ["0: 1", "1: 2", "10: 3", "30: end"])
  }

  @Test func collectsByTime() {
    #expect(timed { $0.collect(.byTime($1, .milliseconds(8))) } == ["8: [1, 2]", "16: [3]"])
  }

  // MARK: Tasks

  @Test func tasksAndActorsRunOnItsThread() async {
    let loop = EventLoopScheduler()
    let thread = await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
      loop.schedule { continuation.resume(returning: currentThreadIdentity()) }
    }
    let ofTask = await Task(executorPreference: loop.executor) {
      await Task.yield()
      return currentThreadIdentity()
    }
    .value
    #expect(ofTask == thread)
    let desk = Desk(loop)
    #expect(await desk.thread == thread)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      loop.schedule {
        desk.assumeIsolated { desk in desk.note(1) }
        continuation.resume()
      }
    }
    await desk.note(2)
    #expect(await desk.numbers == [1, 2])
  }

  @Test func itIsKnownWhoIsOnItsThread() {
    let loop = EventLoopScheduler(startsThread: false)
    let answers = Log<Bool?>()
    let ask = { answers.add(loop.executor.isIsolatingCurrentContext()) }
    ask()
    loop.schedule(ask)
    loop.poll()
    #expect(answers.all == [false, true])
  }
}
