// How far a load is, as one value.

public import Weir

/// How far loading something is.
public enum NetworkState<Value> {
  /// Nothing was asked for.
  case idle
  /// It is under way.
  case loading
  /// It is there.
  case loaded(Value)
  /// It failed.
  case failed(any Error)

  /// `true` while it is under way.
  public var isLoading: Bool {
    if case .loading = self { return true }
    return false
  }

  /// What was loaded.
  public var value: Value? {
    if case .loaded(let value) = self { return value }
    return nil
  }

  /// Why it failed.
  public var error: (any Error)? {
    if case .failed(let error) = self { return error }
    return nil
  }
}

extension NetworkState: Sendable where Value: Sendable {}

extension NetworkState: Equatable where Value: Equatable {
  /// Returns `true` if both states are equal. Errors are equal if they have the same type and compare equal, or, where
  /// their type can't be compared, if `String(reflecting:)` makes the same text of both: their debug description.
  public static func == (lhs: NetworkState, rhs: NetworkState) -> Bool {
    switch (lhs, rhs) {
    case (.idle, .idle), (.loading, .loading): true
    case (.loaded(let lhs), .loaded(let rhs)): lhs == rhs
    case (.failed(let lhs), .failed(let rhs)): areEqual(lhs, rhs)
    default: false
    }
  }
}

private func areEqual(_ lhs: any Error, _ rhs: any Error) -> Bool {
  guard type(of: lhs) == type(of: rhs) else { return false }
  if let lhs = asEquatable(lhs) { return isEqual(lhs, to: rhs) }
  return String(reflecting: lhs) == String(reflecting: rhs)
}

private func asEquatable<Value>(_ value: Value) -> (any Equatable)? { value as? any Equatable }

private func isEqual<Value: Equatable>(_ lhs: Value, to rhs: any Error) -> Bool { lhs == rhs as? Value }

extension Publisher {
  /// Publishes how far this stream is: that it is loading, then each value as loaded, and a failure as failed.
  @_disfavoredOverload
  public func mapToNetworkState() -> AnyPublisher<NetworkState<Output>, Never> {
    map { NetworkState.loaded($0) }
      .catch { Just(NetworkState.failed($0)) }
      .prepend(.loading)
      .eraseToAnyPublisher()
  }
}

extension ContextCarrying {
  /// Publishes how far this stream is: that it is loading, then each value as loaded, and a failure as failed, each in
  /// the context of its sender.
  @_disfavoredOverload
  public func mapToNetworkState() -> some ContextCarrying<NetworkState<Output>, Never> {
    map { NetworkState.loaded($0) }
      .catch { Just(NetworkState.failed($0)) }
      .prepend(.loading)
  }
}
