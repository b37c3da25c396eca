// Experiments of a launch with virtual speed-ups: values, from which gains are estimated.
// No test file: it only holds what was read; the tests of VirtualSpeedUp and of ExperimentRecord+Words use all of it.

/// The experiments of a launch.
struct ExperimentRecord: Hashable, Sendable {
  /// An experiment. Times are in nanoseconds, of all threads together.
  struct Experiment: Hashable, Sendable {
    /// Share of the function's time that was saved, 0 to 1.
    var speedUp: Double
    /// Operations that it had.
    var operations: Int
    /// How long they took.
    var time: Double
    /// How much of that threads were delayed by.
    var delays: Double
    /// Time that threads were seen to use, on a processor or ready for one.
    var used: Double
    /// That of the function, with what it calls.
    var inside: Double
    /// Time that the function slept, or waited for what no other thread ended.
    var asleep: Double
    /// How often a thread was found in the function.
    var hits: Int

    /// How long an operation would have taken with the speed-up.
    var effectiveTime: Double { (time - delays) / Double(max(1, operations)) }
  }

  /// The experiments, in the order in which they were made.
  var experiments: [Experiment]

  /// Holds experiments.
  init(experiments: [Experiment]) { self.experiments = experiments }
}
