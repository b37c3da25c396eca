// A value that publishes its changes.

public import Weir
import WeirQueues

/// Keeps a value and publishes its changes; like ``ManagedState``, without rules.
///
///     struct ViewState: Equatable { var isOn = false }
///     @UIState var state = ViewState()
///     $state.isOn.sink { print("Toggle is now:", $0) }.store(in: &cancellables)
///     state.isOn = true
///
/// A write of an equal value is not published; of a value that is not `Equatable`, each write counts as a change. It is
/// the code that makes the state that has to know: in a generic function without that requirement, each write of an
/// `Int` counts, too. Any thread may read, write and subscribe; what holds then is the same as for ``ManagedState``.
///
/// - Complexity: A change is O(*n*) in the number of subscribers, besides what comparing the values takes; a collection
///   that is changed in place is copied. Reading the value is O(1).
@dynamicMemberLookup
@dynamicCallable
@propertyWrapper
public final class UIState<Value> {
  @usableFromInline let storage: StateStorage<Value>

  /// Creates a state.
  ///
  /// - Parameter wrappedValue: The first value.
  @inlinable
  public init(wrappedValue: Value) where Value: Equatable { storage = StateStorage(wrappedValue, isSame: ==) }

  /// Creates a state of a value that can't be compared, as far as is known here: each write is published.
  ///
  /// - Parameter wrappedValue: The first value.
  @_disfavoredOverload
  @inlinable
  public init(wrappedValue: Value) { storage = StateStorage(wrappedValue, isSame: { _, _ in false }) }

  /// The value. Changing it in place, as by `+=`, is one step; `state.x = state.x + 1` is two, between which other
  /// threads may change it.
  ///
  /// In asynchronous code `await state.wrappedValue.load()` is a change in place, too, and lasts for as long as `load`
  /// waits; its outcome replaces what is written meanwhile. Rather copy the value, await, and write back what is new:
  /// see <doc:WeirState#A-change-in-place-that-awaits>. The same holds in a task for a change in place that takes
  /// longer than a second; for those there is ``withLock(_:)``.
  @inlinable public var wrappedValue: Value {
    get { storage.value }
    set { storage.set(newValue) }
    _modify {
      var value = storage.begin(isSuspendable: true)
      defer { storage.end(value) }
      yield &value
    }
  }

  /// This state.
  @inlinable public var projectedValue: UIState<Value> { self }

  /// Publishes the value, as a diff without `old`, and then each change.
  @inlinable public var publisher: AnyPublisher<DiffedValue<Value>, Never> { eraseToAnyPublisher() }
}

extension UIState {
  /// A part of the value, as a binding.
  @inlinable public subscript<V>(dynamicMember keyPath: WritableKeyPath<Value, V>) -> UIBinding<V> { observe(keyPath) }

  /// A part of the value. Changing it leaves the other parts as they are at that moment.
  @inlinable public subscript<V>(dynamicMember keyPath: WritableKeyPath<Value, V>) -> V {
    get { wrappedValue[keyPath: keyPath] }
    set { wrappedValue[keyPath: keyPath] = newValue }
    _modify { yield &wrappedValue[keyPath: keyPath] }
  }

  /// A part of the value.
  @inlinable public subscript<V>(dynamicMember keyPath: KeyPath<Value, V>) -> V { wrappedValue[keyPath: keyPath] }

  /// `$state()` is a binding to the value.
  public func dynamicallyCall(withArguments arguments: [Never]) -> UIBinding<Value> { observe() }

  /// `$state(\.part)` is a binding to the part; traps unless there is one argument.
  public func dynamicallyCall<T>(withArguments arguments: [WritableKeyPath<Value, T>]) -> UIBinding<T> {
    precondition(arguments.count == 1, "a state is called with one key path or none, not with \(arguments.count)")
    return observe(arguments[0])
  }
}

extension UIState: SafeBinding {
  /// A diff of the value.
  public typealias Output = DiffedValue<Value>
  /// `Never`: it can't fail.
  public typealias Failure = Never

  /// Attaches a subscriber, which gets the value first and then each change, as far as it asks in time.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == DiffedValue<Value>, S.Failure == Never {
    storage.subscribe(subscriber)
  }

  /// Attaches a subscriber to the new values alone.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
    justNew().receive(subscriber: subscriber)
  }

  /// Reads, changes and writes back the value in one step; if it is `Equatable` and stays the same, nothing is
  /// published.
  ///
  /// Reading the state inside the body returns the value before the change. Writing it there, also a part of it through
  /// a binding, stops the program: the body's outcome would replace what was written.
  ///
  /// - Parameter body: Changes the value. What it throws leaves the value as it was.
  /// - Returns: What the body returns.
  @inlinable @discardableResult
  public func withLock<Result, Thrown: Error>(
    _ body: (inout Value) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    try storage.change(body)
  }

  /// This value, as a binding.
  @inlinable
  public func observe() -> UIBinding<Value> {
    // Through this object, which a binding keeps alive.
    UIBinding(
      self,
      Access(
        turn: storage.turn, kind: .endsInPlace, read: { self.wrappedValue },
        store: { self.storage.write($0, $1) }))
  }
}

extension UIState: ObservableObject {
  /// Publishes before a change is made.
  ///
  /// A change in place, as by `withLock`, and one of a part through a binding, are announced before their outcome is
  /// known, so that none may follow; nor may one if another thread writes the same just before. One that is made within
  /// another state's change, as by a rule or a closure that has its value, or by `set` of a binding without publisher,
  /// is announced after that. Other threads that write wait for whoever is told, as senders of a subject do: who waits
  /// for a writer here may wait for ever. CombineExt announces changes after they were made, and once on subscription.
  public var objectWillChange: AnyPublisher<Void, Never> { storage.objectWillChange.eraseToAnyPublisher() }
}

extension UIState where Value: ExpressibleByNilLiteral & Equatable {
  /// Creates a state that is `nil` at first.
  public convenience init() { self.init(wrappedValue: nil) }
}

extension UIState where Value: ExpressibleByArrayLiteral & Equatable {
  /// Creates a state that is empty at first.
  public convenience init() { self.init(wrappedValue: []) }
}

extension UIState where Value: ExpressibleByDictionaryLiteral & Equatable {
  /// Creates a state that is empty at first.
  public convenience init() { self.init(wrappedValue: [:]) }
}

extension UIState: Equatable where Value: Equatable {
  /// Returns `true` if the values are equal.
  public static func == (lhs: UIState, rhs: UIState) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

extension UIState: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension UIState: CustomStringConvertible where Value: CustomStringConvertible {
  /// The value's description.
  public var description: String { wrappedValue.description }
}

extension UIState: CustomDebugStringConvertible where Value: CustomDebugStringConvertible {
  /// The value's description.
  public var debugDescription: String { wrappedValue.debugDescription }
}

extension UIState: Sendable where Value: Sendable {}
