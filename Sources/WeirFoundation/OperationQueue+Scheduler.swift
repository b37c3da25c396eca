// Operation queues as schedulers.

import Dispatch
public import Foundation
public import Weir
import WeirQueues

extension OperationQueue: Scheduler {
  /// A moment in the time of operation queues.
  public struct SchedulerTimeType: DateSchedulerTime {
    /// The moment as a date.
    public var date: Date

    /// Wraps a date.
    ///
    /// - Parameter date: The moment.
    public init(_ date: Date) { self.date = date }

    /// A length of time in seconds.
    public struct Stride: DateSchedulerStride {
      /// The length in seconds; negative for a step back.
      public var magnitude: TimeInterval

      /// A number of seconds.
      public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }
    }
  }

  /// How an operation queue runs scheduled work: the only option is to deliver in batches.
  public struct SchedulerOptions: BatchingSchedulerOptions {
    /// How much one job of an operator delivers; if `nil`, each value has a job of its own.
    public var batch: DeliveryBatch?

    /// Options with which values that are waiting are delivered together: faster, but they may overtake other work of
    /// the queue.
    ///
    /// - Parameters:
    ///   - values: The greatest number of values that one job delivers; at least 1, anything less traps.
    ///   - time: How long after its start a job may still begin to deliver a further value.
    public static func batches(of values: Int = 1024, within time: Duration = .milliseconds(1)) -> SchedulerOptions {
      SchedulerOptions(batch: DeliveryBatch(values: values, time: time))
    }
  }

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// Zero; there is no tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action as an operation. Any thread may call this.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    addOperation(WorkOperation(ScheduledWork(action)))
  }

  /// Runs an action as an operation that is ready after a date. The tolerance is ignored. Traps if the date is not a
  /// number. Any thread may call this.
  ///
  /// - Complexity: O(log *n*) in the number of actions that are waiting for their dates on all queues, besides what
  ///   Foundation takes for an operation that is not ready. The portable one (Swift 6.3) takes O(*m*) in the number of
  ///   such operations of the queue to add one, and again to make it ready or to cancel it: O(*m*²) for all of them.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    add(ScheduledWork(action), readyAfter: date.date.ofAction)
  }

  /// Runs an action again and again, each time as an operation that is ready an interval after the former began to run.
  ///
  /// An interval of less than a tenth of a millisecond counts as a tenth of a millisecond. Where the calendar is set
  /// back, a run may wait for its date to come again. Traps if the date or the interval is not a number. Any thread may
  /// call this.
  ///
  /// - Returns: An object that ends the repetition when it is cancelled or freed, by any thread. Cancelling the
  ///   operation that comes next, as `cancelAllOperations` does, ends it, too; while the action runs there is none yet.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(on: self, every: interval.timeInterval.ofRepetition, action)
    repetition.continue(after: date.date.ofAction)
    return AnyCancellable(repetition)
  }

  /// Adds an operation that waits in the queue until it is due, where it is counted, waited for and cancelled as any
  /// other.
  ///
  /// One that is due already takes its place behind what is in the queue. Others depend on an operation of no queue,
  /// which is started at the date.
  ///
  /// - Parameter repeated: What is let go of as well if the operation is cancelled before it has run.
  /// - Returns: The operation.
  @discardableResult
  fileprivate func add(_ work: ScheduledWork, readyAfter date: Date, of repeated: ScheduledWork? = nil) -> Operation {
    let operation = WorkOperation(work, of: repeated)
    guard date.timeIntervalSinceNow > 0 else {
      addOperation(operation)
      return operation
    }
    let due = BlockOperation {}
    operation.addDependency(due)
    addOperation(operation)
    // The queue holds the operation, which holds the other: when it is cancelled, nothing does. The portable Foundation
    // does not forget an operation that has been freed among those that depend on another, so that one is not started
    // then.
    let start = ScheduledWork { [weak operation, weak due] in
      if let operation, let due { withExtendedLifetime(operation) { due.start() } }
    }
    operation.note(dueDate: dueDates.add(start, at: date))
    return operation
  }
}

/// An operation that does scheduled work, and lets go of that when it is cancelled: at once, as the queue may hold the
/// operation until others have run, and anybody may hold it on. Its date goes with it.
private final class WorkOperation: Operation, @unchecked Sendable {
  // SAFETY: all that it has besides what every operation has is constants, and for any threads.
  private let work: ScheduledWork
  private let repeated: ScheduledWork?
  private let dueDate = Lock<DatedActions.Identity?>(nil)

  init(_ work: ScheduledWork, of repeated: ScheduledWork? = nil) {
    self.work = work
    self.repeated = repeated
  }

  override func main() { work.runOnce() }

  override func cancel() {
    super.cancel()
    if work.drop() { repeated?.drop() }
    forgetDueDate()
  }

  /// Notes which date makes it ready.
  func note(dueDate identity: DatedActions.Identity) {
    dueDate.withLock { $0 = identity }
    // Whoever cancelled meanwhile had no date to remove.
    if isCancelled { forgetDueDate() }
  }

  private func forgetDueDate() {
    if let identity = dueDate.withLock({ $0.take() }) { dueDates.remove(identity) }
  }
}

/// When operations of all queues become ready, in the order of their dates.
let dueDates = DatedActions(
  alarm: QueueAlarm(queue: DispatchQueue(label: "WeirFoundation.OperationQueue.dueDates")))

/// Rings on a dispatch queue.
final class QueueAlarm: Alarm {
  private let queue: DispatchQueue
  private let timer = Lock<(any DispatchSourceTimer)?>(nil)

  /// An alarm on a queue that runs one block at a time.
  init(queue: DispatchQueue) { self.queue = queue }

  func ring(_ actions: DatedActions, at date: Date?) {
    timer.withLock { timer in
      let source = timer ?? DispatchSource.makeTimerSource(queue: queue)
      source.schedule(deadline: date.map { .soonest(after: $0) } ?? .distantFuture)
      guard timer == nil else { return }
      source.setEventHandler { [weak actions] in actions?.fire() }
      source.activate()
      timer = source
    }
  }
}

/// An action that is scheduled anew each time it has run, until it is cancelled. Any thread may cancel it.
private final class Repetition: Cancellable {
  private let queue: OperationQueue
  private let interval: TimeInterval
  private let work: ScheduledWork
  private struct State {
    /// Counts operations.
    var number = 0
    var next: Operation?
  }
  private let state = Lock(State())

  init(on queue: OperationQueue, every interval: TimeInterval, _ action: @escaping () -> Void) {
    self.queue = queue
    self.interval = interval
    work = ScheduledWork(action)
  }

  func `continue`(after date: Date) {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let added = queue.add(ScheduledWork { self.run() }, readyAfter: date, of: work)
    // It may have run by now, and added the next one, which is the one to cancel.
    state.withLock { state in
      if state.number == number { state.next = added }
    }
    // The canceller may have come before there was this operation to cancel.
    if !work.isAlive { cancel() }
  }

  private func run() {
    let next = Date() + interval
    work.run()
    if work.isAlive { `continue`(after: next) }
  }

  func cancel() {
    work.drop()
    state.withLock { $0.next.take() }?.cancel()
  }
}

// Operations that are cancelled don't run.
extension OperationQueue: JobDroppingScheduler {}
