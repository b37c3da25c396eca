// Several values in one job of a scheduler, where the user asks for it.

/// How much one job of a scheduler may deliver, where values are delivered in batches.
///
/// By default each value has a job of its own, placed among the scheduler's other jobs where it was sent. In batches,
/// the first value's job delivers all values that are waiting. That is many times faster, but a value may overtake jobs
/// that were scheduled before it was sent, those of other streams among them. The order within a stream is the same
/// either way.
///
/// A batch ends when it has delivered the number of values, or used up the time, whichever comes first. A further job
/// delivers what is left, behind whatever has been scheduled meanwhile.
public struct DeliveryBatch: Sendable, Hashable {
  /// The greatest number of values that one job delivers; at least 1.
  public var values: Int

  /// How long after its start a job may still begin to deliver a further value.
  ///
  /// While much of the time is left, the clock is not read for each value: where later values take longer than those
  /// before, a job may go over its time by up to 15 values.
  public var time: Duration

  /// Creates a bound.
  ///
  /// - Parameters:
  ///   - values: The greatest number of values that one job delivers; at least 1, anything less traps.
  ///   - time: How long after its start a job may still begin to deliver a further value. If it is zero, each job
  ///     delivers one value.
  public init(values: Int = 1024, time: Duration = .milliseconds(1)) {
    precondition(values > 0, "a batch has at least one value")
    self.values = values
    self.time = time
  }
}

/// Options of a scheduler that may ask for batches.
///
/// Operators treat options of your own scheduler that conform to this like those of dispatch queues, operation queues
/// and run loops: `receive(on:)` does, and so do operators with time, where they deliver what came from their upstream.
public protocol BatchingSchedulerOptions {
  /// How much one job delivers; if `nil`, each value has a job of its own.
  var batch: DeliveryBatch? { get }
}

extension DeliveryBatch: BatchingSchedulerOptions {
  /// This batch: it is all the options of a scheduler that has no others.
  public var batch: DeliveryBatch? { self }

  /// A batch: the name that options of all schedulers have for it.
  ///
  /// - Parameters:
  ///   - values: The greatest number of values that one job delivers; at least 1, anything less traps.
  ///   - time: How long after its start a job may still begin to deliver a further value.
  public static func batches(of values: Int = 1024, within time: Duration = .milliseconds(1)) -> DeliveryBatch {
    DeliveryBatch(values: values, time: time)
  }
}
