// Why there is no recording, and what to do.
// No test file: values; RecorderTests uses them.

/// Why the recorder did not do what it was asked for.
public struct RecorderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// A recording is under way, or a signal has been given already.
    case alreadyOn
    /// No recording is under way, or no signal has been given.
    case off
    /// The program has a handler for the signal.
    case signalTaken
    /// The system has refused what is needed.
    case refused
    /// The file or folder can't be written.
    case cannotWrite
    /// The recorder is for Linux on x86-64 and AArch64.
    case unsupported
    /// A number of the configuration is out of its range.
    case wrongConfiguration
    /// The variable of the environment says something else than what is understood.
    case wrongEnvironment
  }

  /// What is wrong.
  public let reason: Reason

  /// What is wrong in words, and what to do.
  public let description: String

  init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}
