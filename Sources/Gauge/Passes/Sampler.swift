// What a pass decides, apart from reading clocks: how many operations come next, and when enough is known.
// No test file: a declaration; each sampler has its own tests.

/// Decides the size of each batch, and keeps what the readings around it differed by.
///
/// Samplers are pure state machines, so that tests can play the clock.
protocol Sampler<Reading> {
  /// What is read before and after a batch: a clock, or counters.
  associatedtype Reading

  /// Operations of the next batch, at least 1, or `nil` when enough is known.
  mutating func nextCount() -> Int?
  /// Takes the readings around the batch that `nextCount` asked for.
  mutating func record(from start: Reading, to end: Reading)
}
