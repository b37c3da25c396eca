// Operation queues as schedulers.

import Dispatch
public import Foundation
public import Weir
import WeirQueues

extension OperationQueue: Scheduler {
  /// A moment in the time of operation queues.
  public typealias SchedulerTimeType = DateSchedulerTime<OperationQueue>

  /// How an operation queue runs scheduled work: there is nothing to choose.
  public struct SchedulerOptions {}

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
  /// It depends on an operation of no queue, which a timer starts. The timer holds both: the portable Foundation does not
  /// forget an operation that has been freed among those that depend on another.
  @discardableResult
  fileprivate func add(_ work: ScheduledWork, readyAfter date: Date) -> Operation {
    let due = BlockOperation {}
    let operation = BlockOperation { work.runOnce() }
    operation.addDependency(due)
    addOperation(operation)
    DispatchQueue.global().asyncAfter(deadline: .now() + date.timeIntervalSinceNow) {
      withExtendedLifetime(operation) { due.start() }
    }
    return operation
  }
}

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
