// What a launch and its runner agree on about counted instructions: callgrind hands the counts to the runner in files,
// each under a name.

/// One of the two counts that a launch of the pass `counts` leaves behind.
public struct CountedInstructions: Hashable, Sendable {
  /// What was counted.
  public enum Subject: String, Sendable {
    /// As many turns of the harness's loop with nothing in it.
    case emptyBody = "empty-body"
    /// The author's operation.
    case operation
  }

  /// What was counted.
  public var subject: Subject
  /// How often it ran, at least once.
  public var operations: Int

  /// Creates a description of a count.
  ///
  /// - Parameters:
  ///   - subject: What was counted.
  ///   - operations: How often it ran, at least once.
  public init(_ subject: Subject, operations: Int) {
    self.subject = subject
    self.operations = operations
  }

  /// The variable of the environment with which a launch of the pass `counts` is recorded from its beginning to its end
  /// by whoever started it: nothing is counted then.
  public static var recordingVariable: String { InstructionCounter.recordingVariable }

  /// The name that the count is filed under, for example `gauge operation 1000`.
  public var name: String { "gauge \(subject.rawValue) \(operations)" }

  /// Reads a name.
  ///
  /// - Returns: `nil` for a name that is not of this form.
  public init?(name: some StringProtocol) {
    let words = name.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[0] == "gauge", let subject = Subject(rawValue: String(words[1])),
      let operations = Int(words[2]), operations > 0
    else { return nil }
    self.init(subject, operations: operations)
  }
}
