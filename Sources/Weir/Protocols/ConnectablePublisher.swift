// A publisher that starts on command.

/// A publisher that publishes only once it is connected, so that all subscribers can be attached before.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts publishing.
  ///
  /// - Returns: Stops publishing.
  func connect() -> any Cancellable
}
