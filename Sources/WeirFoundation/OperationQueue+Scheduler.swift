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

  /// How an operation queue runs scheduled work: there is nothing to choose but batches.
  public struct SchedulerOptions: BatchingSchedulerOptions {
    /// How much one job delivers, for operators; each value has its own if `nil`.
    public var batch: DeliveryBatch?

    /// Options with which values that wait are delivered together: faster, but they may overtake other work of the queue.
    ///
    /// - Parameters:
    ///   - values: The most values that one job delivers; at least one.
    ///   - time: For how long one job goes on to a further value.
    public static func batches(of values: Int = 1024, within time: Duration = .milliseconds(1)) -> SchedulerOptions {
      SchedulerOptions(batch: DeliveryBatch(values: values, time: time))
    }
  }

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// None.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action as an operation.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let work = ScheduledWork(action)
    addOperation { work.runOnce() }
  }

  /// Runs an action as an operation that is ready after a date. There is no tolerance.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    add(ScheduledWork(action), readyAfter: date.date)
  }

  /// Runs an action again and again, each time as an operation that is ready an interval after the former began to run.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(on: self, every: interval.timeInterval, action)
    repetition.continue(after: date.date)
    return AnyCancellable(repetition)
  }

  /// Adds an operation that waits in the queue until it is due, where it is counted, waited for and cancelled as any other.
  ///
  /// One that is due already takes its place behind what is in the queue. Others depend on an operation of no queue, which a timer starts. The timer holds both: the portable Foundation does not
  /// forget an operation that has been freed among those that depend on another.
  @discardableResult
  fileprivate func add(_ work: ScheduledWork, readyAfter date: Date) -> Operation {
    let operation = BlockOperation { work.runOnce() }
    let wait = date.timeIntervalSinceNow
    guard wait > 0 else {
      addOperation(operation)
      return operation
    }
    let due = BlockOperation {}
    operation.addDependency(due)
    addOperation(operation)
    // On one queue, so that operations become ready in the order of their dates.
    dueDates.asyncAfter(deadline: .now() + wait) {
      withExtendedLifetime(operation) { due.start() }
    }
    return operation
  }
}

private let dueDates = DispatchQueue(label: "WeirFoundation.OperationQueue.dueDates")

/// An action that is scheduled anew each time it has run, until it is cancelled. Any thread may cancel it.
private final class Repetition: Cancellable {
  private let queue: OperationQueue
  private let interval: TimeInterval
  private let work: ScheduledWork
  private let operation = Lock<Operation?>(nil)

  init(on queue: OperationQueue, every interval: TimeInterval, _ action: @escaping () -> Void) {
    self.queue = queue
    self.interval = interval
    work = ScheduledWork(action)
  }

  func `continue`(after date: Date) {
    let next = queue.add(ScheduledWork { self.run() }, readyAfter: date)
    operation.withLock { $0 = next }
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
    let operation = operation.withLock { operation in
      defer { operation = nil }
      return operation
    }
    operation?.cancel()
  }
}
