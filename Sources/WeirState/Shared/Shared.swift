// Short names, and a comparison of parts.

public import Weir

/// The token of a subscription, for those who import this module alone.
public typealias AnyCancellable = Weir.AnyCancellable

/// A subject for events that carry a value.
public typealias EventSubject<Output> = PassthroughSubject<Output, Never>

/// A subject for events that carry nothing.
public typealias ActionSubject = PassthroughSubject<Void, Never>

/// Returns `true` if a part of two values differs.
///
/// - Parameters:
///   - lhs: One value.
///   - rhs: The other value.
///   - keyPath: The part.
public func differs<T>(lhs: T, rhs: T, keyPath: KeyPath<T, some Equatable>) -> Bool {
  lhs[keyPath: keyPath] != rhs[keyPath: keyPath]
}
