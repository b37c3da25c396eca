// Several values in one job of a scheduler, where the user asks for it.

/// How much one job of a scheduler may deliver, where values are delivered in batches.
///
/// By default each value has a job of its own, in the place among the scheduler's other jobs where it was sent. In batches,
/// values that wait are delivered together by the first one's job. That is many times faster, and lets a value overtake
/// other jobs of the scheduler that were put there before it was sent: those of other streams too. A stream's own order is
/// the same in both.
///
/// A batch ends with the number of values or the time, whichever comes first; what is left is delivered by a further job,
/// behind what was scheduled meanwhile.
public struct DeliveryBatch: Sendable, Hashable {
  /// The most values that one job delivers.
  public var values: Int

  /// For how long one job goes on to a further value.
  ///
  /// The clock is not read for each value as long as there is much time left: by up to 15 values that last longer than
  /// those before, a job may overstay.
  public var time: Duration

  /// Creates a bound.
  ///
  /// - Parameters:
  ///   - values: The most values that one job delivers; at least one.
  ///   - time: For how long one job goes on to a further value. With none, each job delivers one.
  public init(values: Int = 1024, time: Duration = .milliseconds(1)) {
    precondition(values > 0, "a batch has at least one value")
    self.values = values
    self.time = time
  }
}

/// Options of a scheduler that may ask for batches.
///
/// Options of your own scheduler that conform to this are heeded as those of dispatch queues, operation queues and run loops
/// are: by `receive(on:)`, and by operators with time where they deliver what came from their upstream.
public protocol BatchingSchedulerOptions {
  /// How much one job delivers; each value has its own job if `nil`.
  var batch: DeliveryBatch? { get }
}
