// Tests of the job queue, in virtual time.

import Combine
import Dispatch
import Synchronization
import Testing
import WeirTesting

@testable import JobQueue

/// Jobs that do what the test says.
private final class Runner: Sendable {
  typealias Work = @Sendable (Job) -> AnyPublisher<String, JobError>

  private let begun = Mutex<[(job: Int, at: Int)]>([])
  private let stopped = Mutex<[Int]>([])
  private let clock: TestScheduler<VirtualTime, Never>

  init(clock: TestScheduler<VirtualTime, Never>) { self.clock = clock }

  /// The jobs whose attempts have begun, and when, in seconds.
  var attempts: [(job: Int, at: Int)] { begun.withLock { $0 } }
  /// The jobs that were cancelled.
  var cancelled: [Int] { stopped.withLock { $0 } }

  func callAsFunction(_ work: @escaping Work) -> Work {
    { [self] job in
      begun.withLock { $0.append((job.id, clock.now.nanoseconds / 1_000_000_000)) }
      return work(job)
        .handleEvents(receiveCancel: { [self] in stopped.withLock { $0.append(job.id) } })
        .eraseToAnyPublisher()
    }
  }
}

struct JobQueueTests {
  private let clock = TestScheduler()
  private let runner: Runner

  init() { runner = Runner(clock: clock) }

  private func queue(
    _ policy: JobQueuePolicy = JobQueuePolicy(), work: @escaping Runner.Work
  ) -> JobQueue<TestScheduler<VirtualTime, Never>> {
    JobQueue(policy: policy, limit: .seconds(10), clock: clock, run: runner(work))
  }

  private func job(_ id: Int) -> Job { Job(id: id, name: "test") }

  /// A job that takes a number of seconds.
  private func taking(_ seconds: Int) -> AnyPublisher<String, JobError> {
    Just("done").setFailureType(to: JobError.self).delay(for: .seconds(seconds), scheduler: clock).eraseToAnyPublisher()
  }

  @Test func aTemporaryFailureIsTriedAgainAfterPausesThatDouble() throws {
    let queue = queue { _ in Fail(error: .temporary("busy")).eraseToAnyPublisher() }
    let outcomes = queue.outcomes.record()
    try queue.submit(job(1))
    clock.run()
    #expect(runner.attempts.map(\.at) == [0, 1, 3, 7])
    outcomes.expect(values: [Outcome(job: job(1), result: .failed(.temporary("busy")), attempts: 4)])
  }

  @Test func aPermanentFailureIsNotTriedAgain() throws {
    let queue = queue { _ in Fail(error: .permanent("no")).eraseToAnyPublisher() }
    let outcomes = queue.outcomes.record()
    try queue.submit(job(1))
    clock.run()
    #expect(runner.attempts.count == 1)
    outcomes.expect(values: [Outcome(job: job(1), result: .failed(.permanent("no")), attempts: 1)])
  }

  @Test func anAttemptThatTakesTooLongIsStopped() throws {
    let queue = queue(JobQueuePolicy(attempts: 2)) { _ in Empty(completeImmediately: false).eraseToAnyPublisher() }
    let outcomes = queue.outcomes.record()
    try queue.submit(job(1))
    clock.run()
    #expect(runner.attempts.map(\.at) == [0, 11])
    #expect(runner.cancelled == [1, 1])
    outcomes.expect(values: [Outcome(job: job(1), result: .failed(.tooSlow), attempts: 2)])
  }

  @Test func soManyRunAtOnceInTheOrderOfTheirSubmission() throws {
    let queue = queue(JobQueuePolicy(workers: 2)) { [self] _ in taking(2) }
    let outcomes = queue.outcomes.record()
    for id in 1...5 { try queue.submit(job(id)) }
    queue.shutDown()
    clock.run()
    #expect(runner.attempts.map(\.job) == [1, 2, 3, 4, 5])
    #expect(runner.attempts.map(\.at) == [0, 0, 2, 2, 4])
    #expect(outcomes.values.map(\.job.id) == [1, 2, 3, 4, 5])
    outcomes.expectFinished()
  }

  @Test func aFullQueueTakesNoMore() throws {
    let queue = queue(JobQueuePolicy(workers: 1, capacity: 2)) { [self] _ in taking(1) }
    let outcomes = queue.outcomes.record()
    try queue.submit(job(1))
    try queue.submit(job(2))
    #expect(throws: Rejection.full) { try queue.submit(job(3)) }
    clock.advance(by: .seconds(1))
    try queue.submit(job(4))
    clock.run()
    #expect(outcomes.values.map(\.job.id) == [1, 2, 4])
  }

  @Test func aJobCanBeCancelledWhileItRunsAndBefore() throws {
    let queue = queue(JobQueuePolicy(workers: 1)) { [self] _ in taking(2) }
    let outcomes = queue.outcomes.record()
    for id in 1...3 { try queue.submit(job(id)) }
    queue.cancel(2)
    clock.advance(by: .seconds(1))
    queue.cancel(1)
    queue.cancel(17)
    clock.run()
    #expect(runner.cancelled == [1])
    #expect(runner.attempts.map(\.job) == [1, 3])
    #expect(outcomes.values.map(\.result) == [.cancelled, .cancelled, .done("done")])
  }

  @Test func aPauseBetweenAttemptsIsCancelledToo() throws {
    let queue = queue { _ in Fail(error: .temporary("busy")).eraseToAnyPublisher() }
    let outcomes = queue.outcomes.record()
    try queue.submit(job(1))
    clock.advance(by: .milliseconds(500))
    queue.cancel(1)
    clock.run()
    outcomes.expect(values: [Outcome(job: job(1), result: .cancelled, attempts: 1)])
  }

  @Test func aShutdownLosesNothingThatWasTaken() {
    let queue = queue(JobQueuePolicy(capacity: 10_000)) { _ in
      Just("done").setFailureType(to: JobError.self).eraseToAnyPublisher()
    }
    let outcomes = queue.outcomes.record()
    let taken = Mutex<Set<Int>>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<500 {
        if thread == 0, number == 250 { queue.shutDown() }
        let id = 500 * thread + number
        do throws(Rejection) {
          try queue.submit(job(id))
          _ = taken.withLock { $0.insert(id) }
        } catch {
          #expect(error == .shutDown)
        }
      }
    }
    clock.run()
    #expect(Set(outcomes.values.map(\.job.id)) == taken.withLock { $0 })
    #expect(outcomes.values.count == taken.withLock { $0.count })
    outcomes.expectFinished()
  }

  @Test func aQueueThatIsFreedStopsItsJobs() throws {
    var queue: JobQueue<TestScheduler<VirtualTime, Never>>? = queue { [self] _ in taking(5) }
    try queue?.submit(job(1))
    #expect(runner.cancelled.isEmpty)
    queue = nil
    #expect(runner.cancelled == [1])
  }
}
