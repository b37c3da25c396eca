// Tests of actors as schedulers: order, isolation, dates, repetition, and what is kept.

import Dispatch
import TestKit
import Testing
import Weir
import WeirDispatch
import WeirQueues

/// An actor that notes what is done on it.
private actor Place {
  private(set) var numbers: [Int] = []

  func note(_ number: Int) { numbers.append(number) }

  /// Schedules from inside.
  func scheduleHere(_ number: Int, _ scheduler: ActorScheduler) -> [Int] {
    scheduler.schedule { self.assumeIsolated { $0.numbers.append(number) } }
    return numbers
  }

  func wait(for count: Int) async -> [Int] {
    while numbers.count < count { await Task.yield() }
    return numbers
  }
}

@Suite struct ActorSchedulerTests {
  private let lifetimes = Lifetimes()

  @Test func actionsRunOnTheActorInOrder() async {
    let place = Place()
    let scheduler = ActorScheduler(place)
    for number in 0..<1_000 { scheduler.schedule { place.assumeIsolated { $0.note(number) } } }
    #expect(await place.wait(for: 1_000) == Array(0..<1_000))
  }

  @Test func anActionThatIsScheduledOnTheActorRunsLater() async {
    let place = Place()
    #expect(await place.scheduleHere(1, ActorScheduler(place)) == [])
    #expect(await place.wait(for: 1) == [1])
  }

  @Test func eachThreadsOrderHolds() async {
    let place = Place()
    let scheduler = ActorScheduler(place)
    onThreads(4) { thread in
      for number in 0..<500 { scheduler.schedule { place.assumeIsolated { $0.note(thread * 1_000 + number) } } }
    }
    let numbers = await place.wait(for: 2_000)
    for thread in 0..<4 {
      #expect(numbers.filter { $0 / 1_000 == thread } == (0..<500).map { thread * 1_000 + $0 })
    }
  }

  @Test func datesAreKept() async {
    let place = Place()
    let scheduler = ActorScheduler(place)
    let now = scheduler.now
    for number in [3, 1, 2] {
      let date = now.advanced(by: .milliseconds(number))
      scheduler.schedule(after: date) {
        #expect(scheduler.now >= date)
        place.assumeIsolated { $0.note(number) }
      }
    }
    // The date of one may come before the next is scheduled, so that no order is promised.
    #expect(await place.wait(for: 3).sorted() == [1, 2, 3])
  }

  @Test func aRepetitionThatIsCancelledOnTheActorIsOver() async {
    let place = Place()
    let scheduler = ActorScheduler(place)
    let (tracked, token) = (lifetimes.track(), Shared<(any Cancellable)?>(nil))
    let ended = AsyncStream.makeStream(of: Void.self)
    let runs = Counter()
    // On the actor, where the first run comes behind this.
    scheduler.schedule {
      token.value = scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(1)), interval: .milliseconds(1))
      {
        [tracked] in
        tracked.touch()
        guard runs.add() == 3 else { return }
        token.value?.cancel()
        ended.continuation.finish()
      }
    }
    for await _ in ended.stream {}
    // What comes behind it on the actor comes behind all of its runs.
    for number in 0..<3 { scheduler.schedule(after: scheduler.now) { place.assumeIsolated { $0.note(number) } } }
    _ = await place.wait(for: 3)
    #expect(runs.value == 3)
  }

  /// ThreadSanitizer does not see that a task goes on behind what was done before its continuation was resumed.
  private final class Numbers: Sendable { let all = Lock([Int]()) }

  @Test func theActorIsNotKeptAndActionsRunWithoutIt() async {
    var place: Place? = Place()
    weak let freed = place
    let scheduler = ActorScheduler(place!)
    place = nil
    while freed != nil { await Task.yield() }
    let numbers = Numbers()
    await withCheckedContinuation { continuation in
      for number in 0..<200 {
        scheduler.schedule {
          numbers.all.withLock { $0.append(number) }
          if number == 199 { continuation.resume() }
        }
      }
    }
    #expect(numbers.all.withLock { $0 } == Array(0..<200))
  }

  @Test func actionsAreFreedWhenTheyHaveRun() async {
    let place = Place()
    let scheduler = ActorScheduler(place)
    do {
      let tracked = lifetimes.track()
      scheduler.schedule { tracked.touch() }
    }
    await withCheckedContinuation { continuation in scheduler.schedule { continuation.resume() } }
    #expect(lifetimes.live == 0)
  }

  @Test func anExecutorRunsOneJobForABurst() async {
    let executor = CountingExecutor()
    let scheduler = ActorScheduler(executor: executor)
    let numbers = Numbers()
    await withCheckedContinuation { continuation in
      scheduler.schedule {
        // They are there before the task comes to them.
        for number in 0..<50 { scheduler.schedule { numbers.all.withLock { $0.append(number) } } }
        scheduler.schedule { continuation.resume() }
      }
    }
    #expect(numbers.all.withLock { $0 } == Array(0..<50))
    #expect(executor.jobs.value == 1)
  }

  @Test(arguments: [nil, DeliveryBatch.batches()]) func streamsKeepTheirOrder(options: DeliveryBatch?) async {
    let place = Place()
    let numbers = PassthroughSubject<Int, Never>()
    let ended = AsyncStream.makeStream(of: Void.self)
    let token = numbers.receive(on: ActorScheduler(place), options: options).sink { _ in
      ended.continuation.finish()
    } receiveValue: { number in
      place.assumeIsolated { $0.note(number) }
    }
    for number in 0..<1_000 { numbers.send(number) }
    numbers.send(completion: .finished)
    for await _ in ended.stream {}
    #expect(await place.numbers == Array(0..<1_000))
    token.cancel()
  }
}
