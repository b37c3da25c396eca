// How the operators differ that join many inner streams.
// No test file: declarations only.

/// What tells flatMap, merge and switchToLatest apart.
@frozen
@usableFromInline
enum FlattenPolicy {
  /// flatMap: up to a number of streams at once. Each is asked for everything if the subscriber has asked for
  /// everything, and otherwise for one value at a time: the next one when the former was delivered. The failure of one
  /// leaves the outer stream alone in flatMap, as in Combine; `cancelsOuter` is for operators that end it.
  case fair(maxPublishers: Subscribers.Demand, cancelsOuter: Bool)
  /// merge: as flatMap, for a fixed number of streams. To ask for no value is no mistake, as in Combine.
  case all
  /// switchToLatest: one stream at a time; a new one cancels the former, and is asked for what is still wanted.
  case latest
}
