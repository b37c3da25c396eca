// Tests of a loop that runs what others give it: run by hand, and by threads.

import TestKit
import Testing

@testable import Weir

@Suite struct EventLoopTests {
  private let lifetimes = Lifetimes()
  private let time = Counter(1_000)

  private func makeLoop() -> EventLoop {
    EventLoop(spinningFor: 0) { [time] in time.value }
  }

  @Test func aPollRunsWhatIsThereAndLeavesWhatThatAdds() {
    let loop = makeLoop()
    let log = Shared([Int]())
    loop.perform {
      log.value.append(1)
      loop.perform { log.value.append(3) }
    }
    loop.perform { log.value.append(2) }
    #expect(loop.poll() == 2)
    #expect(log.value == [1, 2])
    #expect(loop.poll() == 1)
    #expect(loop.poll() == 0)
    #expect(log.value == [1, 2, 3])
  }

  @Test func aPollLeavesWhatItsActionsAddWithADateThatHasCome() {
    let loop = makeLoop()
    let log = Shared([Int]())
    loop.perform {
      log.value.append(1)
      loop.perform(at: 999, ScheduledWork { log.value.append(3) })
      loop.perform { log.value.append(2) }
    }
    #expect(loop.poll() == 1)
    #expect(log.value == [1])
    #expect(loop.poll() == 2)
    #expect(log.value == [1, 2, 3])
  }

  @Test func aPollCountsWhatItHasRun() {
    let loop = makeLoop()
    let runs = Counter()
    let works = (0..<5).map { _ in ScheduledWork { runs.add() } }
    for work in works { loop.perform(at: 1_000, every: 100, work) }
    let drop = { (number: Int) in
      works[number].drop()
      loop.noteDropped()
    }
    drop(0)
    loop.perform { drop(1) }
    #expect(loop.poll() == 4)
    #expect(runs.value == 3)
  }

  @Test func aPollThatEndsTheLoopLetsGoOfWhatItsActionsAdded() {
    let loop = makeLoop()
    do {
      let tracked = lifetimes.track()
      loop.perform {
        loop.perform(at: 1_000, ScheduledWork { tracked.touch() })
        loop.shutDown()
      }
    }
    #expect(loop.poll() == 1)
    #expect(lifetimes.live == 0)
  }

  @Test func itIsKnownWhereItRuns() {
    let loop = makeLoop()
    let isHere = Shared([Bool]())
    loop.perform { isHere.value.append(loop.isRunningHere) }
    loop.poll()
    isHere.value.append(loop.isRunningHere)
    #expect(isHere.value == [true, false])
  }

  @Test func worksRunByTheirDates() {
    let loop = makeLoop()
    let log = Shared([Int]())
    for (number, date) in [1_003, 1_001, 1_002, 1_001].enumerated() {
      loop.perform(at: date, ScheduledWork { log.value.append(number) })
    }
    #expect(loop.poll() == 0)
    time.add(1)
    #expect(loop.poll() == 2)
    time.add(10)
    #expect(loop.poll() == 2)
    #expect(log.value == [1, 3, 2, 0])
  }

  @Test func aRepetitionKeepsToItsGridAndLeavesOutWhatItHasMissed() {
    let loop = makeLoop()
    let dates = Shared([Int]())
    let work = ScheduledWork { [time] in dates.value.append(time.value) }
    loop.perform(at: 1_010, every: 10, work)
    for now in [1_005, 1_010, 1_019, 1_020, 1_055, 1_059, 1_060] {
      time.set(now)
      loop.poll()
    }
    #expect(dates.value == [1_010, 1_020, 1_055, 1_060])
    work.drop()
    loop.noteDropped()
    time.set(2_000)
    #expect(loop.poll() == 0)
  }

  @Test func aDateThatNeverComesIsNotKept() {
    let loop = makeLoop()
    do {
      let tracked = lifetimes.track()
      loop.perform(at: .max, ScheduledWork { tracked.touch() })
    }
    loop.poll()
    #expect(lifetimes.live == 0)
  }

  @Test func whatIsLeftWhenItIsFreedIsFreed() {
    do {
      let (loop, tracked) = (makeLoop(), lifetimes.track())
      let owner = Link(onRequest: { _, _ in }, onCancel: { _ in tracked.touch() })
      let job = EventLoopJob(JobTicket(owner: owner) { $0.cancel() })
      loop.perform { tracked.touch() }
      loop.perform(at: 1, ScheduledWork { tracked.touch() })
      loop.submit(job)
      withExtendedLifetime(job) {}
    }
    #expect(lifetimes.live == 0)
  }

  @Test func aJobIsDoneOnceForEachTimeAndNotAfterTheEnd() {
    let runs = Counter()
    weak var weakOwner: Link?
    do {
      let loop = makeLoop()
      let owner = Link(onRequest: { _, _ in }, onCancel: { _ in })
      weakOwner = owner
      let job = EventLoopJob(JobTicket(owner: owner) { _ in runs.add() })
      for _ in 0..<3 { loop.submit(job) }
      loop.poll()
      loop.shutDown()
      loop.submit(job)
      #expect(loop.poll() == 0)
    }
    #expect(runs.value == 3)
    #expect(weakOwner == nil)
  }

  /// Jobs of one owner leave their holds to be ended together, but for no longer than until something else runs.
  @Test func ownersAreLetGoOfBeforeAnythingElseRuns() {
    let loop = makeLoop()
    let isFreed = Shared([Bool]())
    weak var weakOwner: Link?
    var job: EventLoopJob?
    do {
      let owner = Link(onRequest: { _, _ in }, onCancel: { _ in })
      weakOwner = owner
      job = EventLoopJob(JobTicket(owner: owner) { _ in })
      for _ in 0..<100 { loop.submit(job!) }
    }
    loop.perform { isFreed.value.append(weakOwner == nil) }
    loop.poll()
    withExtendedLifetime(job) {}
    #expect(isFreed.value == [true])
  }

  @Test func theEndRunsWhatWasThereAndDropsDates() {
    let loop = makeLoop()
    let log = Shared([Int]())
    do {
      let tracked = lifetimes.track()
      loop.perform {
        log.value.append(1)
        loop.perform { log.value.append(2) }
      }
      loop.perform(at: 1_001, ScheduledWork { tracked.touch() })
      loop.shutDown()
      loop.perform { tracked.touch() }
      loop.perform(at: 1, ScheduledWork { tracked.touch() })
    }
    loop.run()
    time.add(1)
    #expect(loop.poll() == 0)
    #expect(log.value == [1])
    #expect(lifetimes.live == 0)
  }

  @Test func aLoopThatNobodyHasWaitsForItsDates() {
    let loop = makeLoop()
    let log = Shared([Int]())
    loop.perform(at: 1_001, ScheduledWork { log.value.append(1) })
    loop.abandon()
    let thread = OtherThread { loop.run() }
    loop.perform { log.value.append(2) }
    time.set(1_001)
    #expect(thread.comesBack())
    #expect(log.value == [1])
  }

  @Test func aLoopThatNobodyHasWaitsForNothingThatIsCancelled() {
    let loop = makeLoop()
    let work = ScheduledWork {}
    loop.perform(at: .max - 1, every: 1, work)
    let thread = OtherThread { loop.run() }
    loop.abandon()
    work.drop()
    loop.noteDropped()
    #expect(thread.comesBack())
  }

  @Test func whoShutsItDownWaitsForWhatRuns() {
    let loop = makeLoop()
    let (begun, mayEnd, ended) = (Counter(), Counter(), Counter())
    loop.perform {
      begun.add()
      mayEnd.wait(for: 1)
      ended.add()
    }
    let thread = OtherThread { loop.run() }
    begun.wait(for: 1)
    let closers = (0..<3).map { _ in
      OtherThread {
        loop.shutDown()
        #expect(ended.value == 1)
      }
    }
    mayEnd.add()
    for closer in closers { #expect(closer.comesBack()) }
    #expect(thread.comesBack())
    loop.shutDown()
  }
}
