// A property that equality and hashing pass over.

/// The same as ``IgnoredState``.
public typealias AlwaysEqual<Value> = IgnoredState<Value>

/// Keeps a value that does not count for equality and hashing: a cache, a timer, a closure.
///
/// Two are equal if their ids are. A state that compares its values has not changed where an ignored property alone
/// has: it keeps what was written, and publishes nothing; of a change in place, or through a binding to the property,
/// `objectWillChange` tells all the same.
@propertyWrapper
@dynamicMemberLookup
@dynamicCallable
public struct IgnoredState<Value>: Hashable, CustomReflectable {
  /// What equality and hashing go by.
  public let projectedValue: Int?

  /// The value.
  public var wrappedValue: Value

  /// Creates the storage of a property.
  ///
  /// - Parameters:
  ///   - wrappedValue: The first value.
  ///   - id: What equality and hashing go by; two properties with different ids differ.
  public init(wrappedValue: Value, id: Int? = nil) {
    self.wrappedValue = wrappedValue
    projectedValue = id
  }

  /// Creates the storage of a property that is `nil` at first.
  ///
  /// - Parameter id: What equality and hashing go by.
  public init(id: Int?) where Value: ExpressibleByNilLiteral { self.init(wrappedValue: nil, id: id) }

  /// Returns `true` if the ids are equal.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.projectedValue == rhs.projectedValue }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(projectedValue) }

  /// A part of the value.
  public subscript<V>(dynamicMember keyPath: WritableKeyPath<Value, V>) -> V {
    get { wrappedValue[keyPath: keyPath] }
    set { wrappedValue[keyPath: keyPath] = newValue }
  }

  /// A part of the value.
  public subscript<V>(dynamicMember keyPath: KeyPath<Value, V>) -> V { wrappedValue[keyPath: keyPath] }

  /// Calls the wrapped closure.
  @discardableResult
  public func dynamicallyCall<R>(withArguments arguments: [Never]) -> R where Value == () -> R { wrappedValue() }

  /// Calls the wrapped closure; traps unless there is one argument.
  @discardableResult
  public func dynamicallyCall<P, R>(withArguments arguments: [P]) -> R where Value == (P) -> R {
    precondition(arguments.count == 1, "IgnoredState: the closure takes one argument, not \(arguments.count)")
    return wrappedValue(arguments[0])
  }

  /// Calls the wrapped closure; traps unless there are two arguments of its types.
  @discardableResult
  public func dynamicallyCall<P1, P2, R>(withArguments arguments: [Any]) -> R where Value == (P1, P2) -> R {
    guard arguments.count == 2, let first = arguments[0] as? P1, let second = arguments[1] as? P2 else {
      preconditionFailure("IgnoredState: the closure takes \((P1, P2).self), not \(arguments)")
    }
    return wrappedValue(first, second)
  }

  /// Calls the wrapped closure; traps unless there are three arguments of its types.
  @discardableResult
  public func dynamicallyCall<P1, P2, P3, R>(withArguments arguments: [Any]) -> R where Value == (P1, P2, P3) -> R {
    guard arguments.count == 3, let first = arguments[0] as? P1, let second = arguments[1] as? P2,
      let third = arguments[2] as? P3
    else {
      preconditionFailure("IgnoredState: the closure takes \((P1, P2, P3).self), not \(arguments)")
    }
    return wrappedValue(first, second, third)
  }

  /// The mirror of the value.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension IgnoredState: Sendable where Value: Sendable {}
