// A publisher that starts on command.

/// A publisher that publishes only once it is connected, so that all subscribers can be attached first.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts publishing. Any thread may call this.
  ///
  /// - Returns: An object that stops publishing when it is cancelled.
  func connect() -> any Cancellable
}
