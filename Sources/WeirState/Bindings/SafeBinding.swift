// What all states and bindings have in common.

public import Weir

/// A value that can be read, written and observed.
///
/// Subscribers get the value first, as a diff without `old`, and then each change; one that has not asked when a change
/// comes gets the newest value when it asks, again as a diff without `old`. As a parameter it is written
/// `some SafeBinding<Value>` or `any SafeBinding<Value>`; CombineExt's protocol names no primary type.
public protocol SafeBinding<Value>: Publisher, CustomReflectable
where Failure == Never, Output == DiffedValue<Value> {
  /// The kind of value.
  associatedtype Value

  /// The value.
  var wrappedValue: Value { get nonmutating set }

  /// Reads, changes and writes back the value, in one step where the kind of binding allows.
  ///
  /// - Parameter body: Changes the value. What it throws leaves the value as it was.
  /// - Returns: What the body returns.
  @discardableResult
  func withLock<Result, Thrown: Error>(_ body: (inout Value) throws(Thrown) -> Result) throws(Thrown) -> Result

  /// This value, as a binding.
  func observe() -> UIBinding<Value>
}

extension SafeBinding {
  /// Reads, changes and writes back the value. What other threads do meanwhile may be lost; states and their bindings
  /// do better.
  @inlinable @discardableResult
  public func withLock<Result, Thrown: Error>(
    _ body: (inout Value) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    var value = wrappedValue
    let result = try body(&value)
    wrappedValue = value
    return result
  }

  /// This value, as a binding.
  public func observe() -> UIBinding<Value> {
    UIBinding(publisher: eraseToAnyPublisher(), get: { wrappedValue }, set: { wrappedValue = $0 })
  }

  /// A part of this value, as a binding. Writing it leaves the other parts as they are at that moment.
  @inlinable
  public func observe<New>(_ keyPath: WritableKeyPath<Value, New>) -> UIBinding<New> {
    UIBinding(map { $0.map(keyPath: keyPath) }, observe().access.part(keyPath))
  }

  /// Publishes a part of the value, first as it is, then at each change of the whole.
  @inlinable
  public func justNew<New>(_ keyPath: KeyPath<Value, New>) -> AnyPublisher<New, Never> {
    map { $0.new[keyPath: keyPath] }.eraseToAnyPublisher()
  }

  /// Publishes the value, first as it is, then at each change.
  @inlinable
  public func justNew() -> AnyPublisher<Value, Never> { map(\.new).eraseToAnyPublisher() }

  /// The same as `justNew(_:)`.
  @inlinable
  public func extractNew<New>(_ keyPath: KeyPath<Value, New>) -> AnyPublisher<New, Never> { justNew(keyPath) }

  /// The mirror of the value.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}
