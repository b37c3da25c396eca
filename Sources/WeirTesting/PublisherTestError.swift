// Why a test waited for a publisher in vain.

/// Why a test waited for a publisher in vain. Two are equal if they are of the same kind, whatever their description
/// says.
///
///     await #expect(throws: PublisherTestError.timedOut) { try await recorder.waitForValues(2) }
public struct PublisherTestError: Error, Equatable, CustomStringConvertible {
  private enum Kind: Hashable {
    case timedOut, finishedEarly, cancelled
  }

  private let kind: Kind
  /// A sentence: the place in the test and what was waited for, and how long if time was up; of the constants here, the
  /// kind alone.
  public let description: String

  /// The publisher did not do in time what the test waits for.
  public static let timedOut = timedOut("the publisher did not do in time what the test waits for")
  /// The publisher finished without what the test waits for.
  public static let finishedEarly = finishedEarly("the publisher finished without what the test waits for")
  /// The task that waited was cancelled.
  public static let cancelled = cancelled("the task that waited for a publisher was cancelled")

  static func timedOut(_ text: String) -> Self { Self(kind: .timedOut, description: text) }
  static func finishedEarly(_ text: String) -> Self { Self(kind: .finishedEarly, description: text) }
  static func cancelled(_ text: String) -> Self { Self(kind: .cancelled, description: text) }

  /// Returns `true` if both are of the same kind.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.kind == rhs.kind }
}
