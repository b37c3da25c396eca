// What is thrown where threads of a measurement can't be started.
// No test file: a declaration.

/// Threads of a measurement that can't be started.
public struct GroupFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// How many were asked for.
  public var threads: Int
  /// The system's words for why.
  public var reason: String

  /// What happened, in words.
  public var description: String { "\(threads) threads can't be started: \(reason)" }
}
