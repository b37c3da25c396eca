// A queue of jobs: so many at once, so many waiting, another attempt after a pause, and a shutdown that loses nothing.

import Combine
import Foundation
import WeirExtras

/// Something to be done.
struct Job: Equatable, Sendable {
  var id: Int
  var name: String
}

/// Why an attempt failed.
enum JobError: Error, Equatable {
  /// It may succeed another time.
  case temporary(String)
  /// It never will.
  case permanent(String)
  /// It took too long, and may do better another time.
  case tooSlow

  var isWorthAnotherAttempt: Bool {
    if case .permanent = self { false } else { true }
  }
}

/// Why a job was not taken.
enum Rejection: Error, Equatable {
  case full
  case shutDown
}

/// What became of a job.
struct Outcome: Equatable, Sendable, CustomStringConvertible {
  enum Result: Equatable, Sendable {
    case done(String)
    case failed(JobError)
    case cancelled
  }

  var job: Job
  var result: Result
  var attempts: Int

  var description: String { "\(job.id) \(job.name): \(result) in \(attempts) attempts" }
}

/// How a queue goes about its jobs.
struct JobQueuePolicy: Sendable {
  /// How many jobs run at once.
  var workers = 4
  /// How many jobs there may be, running or waiting.
  var capacity = 100
  /// How many attempts a job has.
  var attempts = 4
  /// The pause behind the first attempt, in seconds; it doubles from attempt to attempt.
  var firstPause = 1.0
  /// The longest pause, in seconds.
  var longestPause = 30.0
}

/// Runs jobs, and tells what became of each of them.
///
/// Any thread may submit, cancel and shut down.
final class JobQueue<Clock: Scheduler>: @unchecked Sendable {
  /// What became of each job, from the subscription on; it finishes after a shutdown, when all jobs are through.
  var outcomes: some Publisher<Outcome, Never> { results }

  private let results = PassthroughSubject<Outcome, Never>()
  private let submissions = PassthroughSubject<Job, Never>()
  private let ledger: Ledger
  private let running: AnyCancellable

  /// Starts a queue, which stops its jobs when it is freed.
  ///
  /// - Parameters:
  ///   - policy: How many jobs at once, and how often each is tried.
  ///   - limit: How long an attempt may take.
  ///   - clock: Where that, and the pauses between attempts, are timed.
  ///   - run: Does a job; what it publishes last is the job's result, an empty text if that is nothing. Cancelling it
  ///     must stop it.
  init(
    policy: JobQueuePolicy, limit: Clock.SchedulerTimeType.Stride, clock: Clock,
    run: @escaping @Sendable (Job) -> AnyPublisher<String, JobError>
  ) {
    // A delivery may outlive the queue for a moment: closures keep what they need, and not the queue.
    let ledger = Ledger(capacity: policy.capacity)
    let worker = Worker(policy: policy, limit: limit, clock: clock, ledger: ledger, run: run)
    self.ledger = ledger
    running =
      submissions
      .buffer(size: policy.capacity, prefetch: .byRequest, whenFull: .dropNewest)
      .flatMap(maxPublishers: .max(policy.workers)) { worker.outcome(of: $0) }
      .handleEvents(receiveOutput: { ledger.remove($0.job) })
      .subscribe(results)
  }

  /// Takes a job.
  ///
  /// - Throws: A `Rejection` if there are too many jobs, or none are taken any more.
  func submit(_ job: Job) throws(Rejection) {
    try ledger.add(job)
    submissions.send(job)
    if ledger.added() { submissions.send(completion: .finished) }
  }

  /// Stops a job, or keeps it from being started.
  func cancel(_ id: Int) { ledger.cancel(id) }

  /// Takes no more jobs, and finishes `outcomes` when those that were taken are through.
  func shutDown() {
    if ledger.shutDown() { submissions.send(completion: .finished) }
  }
}

/// Does one job after the other, each as often as it takes.
private struct Worker<Clock: Scheduler> {
  let policy: JobQueuePolicy
  let limit: Clock.SchedulerTimeType.Stride
  let clock: Clock
  let ledger: Ledger
  let run: @Sendable (Job) -> AnyPublisher<String, JobError>

  func outcome(of job: Job) -> some Publisher<Outcome, Never> {
    // An attempt begins when the one before has failed: they don't overlap.
    var attempts = 0
    let result = Deferred {
      attempts += 1
      return run(job).last().replaceEmpty(with: "").timeout(limit, scheduler: clock, customError: { .tooSlow })
    }
    .retryWithBackoff(
      maxRetries: policy.attempts - 1, initialDelay: policy.firstPause, maxDelay: policy.longestPause,
      scheduler: clock, shouldRetry: \.isWorthAnotherAttempt
    )
    .map { Outcome.Result.done($0) }
    .catch { Just(.failed($0)) }
    return ledger.cancellation(of: job)
      .map { _ in .cancelled }
      .merge(with: result)
      .first()
      .map { Outcome(job: job, result: $0, attempts: attempts) }
  }
}
