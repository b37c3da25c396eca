// Subscribers, subscriptions and other ends that notice what must not happen to them.

import Weir
import WeirQueues
import WeirVerify

/// A subscriber that keeps what it receives, and fails the run when it is called by two threads that nothing orders,
/// before its subscription, or after the end.
final class Probe<Input, Failure: Error>: Subscriber {
  let run: Run
  private let serial: Guarded
  private(set) var values: [Input] = []
  private(set) var completions = 0
  private(set) var subscriptions = 0
  var subscription: (any Subscription)?
  /// Asked for at once.
  var demand = Subscribers.Demand.unlimited
  /// Whether others may come in the middle of each call.
  var isSlow = false
  var onValue: ((Input) -> Void)?

  init(_ run: Run, demand: Subscribers.Demand = .unlimited, isSlow: Bool = false) {
    self.run = run
    self.demand = demand
    self.isSlow = isSlow
    serial = run.guarded("subscriber")
  }

  func receive(subscription: any Subscription) {
    serial.noteWrite()
    subscriptions += 1
    self.subscription = subscription
    guard demand > .none else { return }
    subscription.request(demand)
    // Nobody else may have been here meanwhile.
    serial.noteWrite()
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    serial.noteWrite()
    run.expect(subscriptions > 0, "a value came before the subscription")
    run.expect(completions == 0, "a value came after the completion")
    if let payload = input as? Payload { payload.use() }
    values.append(input)
    if isSlow { run.pause("in the subscriber") }
    onValue?(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    serial.noteWrite()
    run.expect(subscriptions > 0, "the completion came before the subscription")
    completions += 1
    run.expect(completions, 1, "completions")
    if isSlow { run.pause("in the subscriber") }
  }

  /// Cancels, and lets go of the subscription.
  func end() {
    subscription?.cancel()
    subscription = nil
  }
}

/// A subscription that counts its calls.
final class CountingSubscription: Subscription {
  private let run: Run
  private(set) var requests = 0
  private(set) var cancels = 0
  private let payload: Payload

  init(_ run: Run) {
    self.run = run
    payload = run.payload()
  }

  func request(_ demand: Subscribers.Demand) {
    payload.use()
    requests += 1
  }

  func cancel() {
    payload.use()
    cancels += 1
    run.expect(cancels, 1, "cancels of the upstream")
  }
}

/// A scheduler whose jobs a thread of the scenario runs, and that refuses those of batches once it is closed.
final class JobList: Scheduler, ClosingScheduler {
  typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType

  struct SchedulerOptions: BatchingSchedulerOptions {
    let batch: DeliveryBatch?

    /// So many values in a job, which the clock never ends.
    init(batch: Int) { self.batch = DeliveryBatch(values: batch, time: .seconds(1_000_000)) }
  }

  private let run: Run
  /// With when they were scheduled: whoever runs a job comes behind that, with every scheduler.
  private var jobs: [(since: Moment, action: () -> Void)] = []
  /// Whoever schedules a job releases what it wrote before, as every scheduler does.
  private let submissions = AtomicWord(0)
  private(set) var scheduled = 0
  private var isClosed = false

  init(_ run: Run) { self.run = run }

  var now: SchedulerTimeType { ImmediateScheduler.shared.now }
  var minimumTolerance: SchedulerTimeType.Stride { ImmediateScheduler.shared.minimumTolerance }

  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    _ = submissions.add(1)
    jobs.append((run.now(), action))
    scheduled += 1
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    schedule(options: options, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(options: options, action)
    return AnyCancellable {}
  }

  func scheduleUnlessClosed(_ action: @escaping () -> Void) -> Bool {
    _ = submissions.add(1)
    if isClosed { return false }
    jobs.append((run.now(), action))
    scheduled += 1
    return true
  }

  func close() {
    _ = submissions.add(1)
    isClosed = true
  }

  /// Lets go of the first job that waits, without running it.
  ///
  /// - Returns: Whether there was one.
  func dropNext() -> Bool {
    guard !jobs.isEmpty else { return false }
    let job = jobs.removeFirst()
    run.hear(of: job.since)
    withExtendedLifetime(job.action) {}
    return true
  }

  /// Runs jobs as they come, until none can come any more.
  func work() {
    while run.wait(until: { !self.jobs.isEmpty }) {
      let job = jobs.removeFirst()
      run.hear(of: job.since)
      job.action()
    }
  }
}

/// Whether numbers rise.
func rises(_ numbers: [Int]) -> Bool { zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 } }

/// Jobs in a list from which one may be dropped.
final class DroppingJobList: Scheduler, JobDroppingScheduler {
  let list: JobList
  private(set) var dropped = 0

  init(_ run: Run) { list = JobList(run) }

  var now: JobList.SchedulerTimeType { list.now }
  var minimumTolerance: JobList.SchedulerTimeType.Stride { list.minimumTolerance }

  func schedule(options: JobList.SchedulerOptions?, _ action: @escaping () -> Void) {
    list.schedule(options: options, action)
  }

  func schedule(
    after date: JobList.SchedulerTimeType, tolerance: JobList.SchedulerTimeType.Stride,
    options: JobList.SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    list.schedule(options: options, action)
  }

  func schedule(
    after date: JobList.SchedulerTimeType, interval: JobList.SchedulerTimeType.Stride,
    tolerance: JobList.SchedulerTimeType.Stride, options: JobList.SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    list.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }

  /// Lets go of the first job, if there is one.
  func dropNext() { if list.dropNext() { dropped += 1 } }
}
