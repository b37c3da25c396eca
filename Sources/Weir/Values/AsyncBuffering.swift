// What asynchronous code keeps of the values that come while it is busy.

/// What is kept of the values that come while asynchronous code is busy.
///
/// Tasks take values when they come to it; a stream may publish many meanwhile, and many at once. Streams that heed
/// demand, such as those of sequences, can be made to wait; others, such as subjects, publish when they are told to,
/// and drop what nobody has asked for.
public enum AsyncBuffering: Hashable, Sendable {
  /// All of them, in order: nothing is lost, and everything is asked for at once. A stream that is faster for long, or
  /// without an end, fills the memory.
  case unbounded

  /// The first ones, up to a number, at least 1: what finds no room is dropped. Everything is asked for.
  case oldest(Int)

  /// The last ones, up to a number, at least 1: what comes drops the oldest where there is no room. Everything is asked
  /// for.
  case newest(Int)

  /// What comes: asked for are so many values ahead of those that are waited for, or none with 0. A stream that heeds
  /// demand publishes no more. A subject drops what it is not asked for, but for what it keeps itself, as the newest
  /// value of a `CurrentValueSubject`. Some publishers send it all the same, once they have been asked, as
  /// `objectWillChange` and `collect` by time do: nothing of that is lost.
  case backpressure(Int)

  /// Whether the number is one that makes sense.
  @inlinable
  package var isValid: Bool {
    switch self {
    case .unbounded: true
    case .oldest(let limit), .newest(let limit): limit > 0
    case .backpressure(let ahead): ahead >= 0
    }
  }

  /// How many values are kept, and what happens to one more; `nil` for any number.
  @inlinable @inline(__always)
  package var bound: (limit: Int, whenFull: Publishers.BufferingStrategy<Never>)? {
    switch self {
    case .oldest(let limit): (limit, .dropNewest)
    case .newest(let limit): (limit, .dropOldest)
    case .unbounded, .backpressure: nil
    }
  }

  /// What the upstream is asked for when it has given its subscription.
  @inlinable
  package var firstDemand: Subscribers.Demand {
    if case .backpressure(let ahead) = self { .max(ahead) } else { .unlimited }
  }
}
