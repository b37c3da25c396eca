// A value of any kind that publishes what is written into it.

public import Weir
public import WeirQueues

/// Keeps a value of any kind and publishes each write, also of the same value again.
///
///     @ValueSubject var form = Form(name: "")
///     $form.name.sink { print("Name changed to:", $0) }.store(in: &cancellables)
///     form.name = "Nik"
///
/// A part of a subject is a subject that reads and writes through: it keeps its parent's value alive, needs no
/// subscription of its own, and never differs from the parent. Any thread may read, write and subscribe; what holds
/// then is the same as for ``ManagedState``.
///
/// A subject is `Sendable` where its value is, and so is a part of that kind of a subject whose value is not. The
/// compiler lets that one pass to another thread, where it reads and writes the whole value: keep it where its subject
/// is.
///
/// In CombineExt `$form` is an `AnyPublisher` of values, so that `$form.name` and `$form()` don't exist, and each
/// access to a part adds a subscription that is never removed. Here it is the subject itself, which publishes diffs as
/// all states do; `justNew()` publishes the values.
@dynamicMemberLookup
@dynamicCallable
@propertyWrapper
public final class ValueSubject<Value> {
  @usableFromInline let binding: Unchecked<UIBinding<Value>>
  @usableFromInline let willChange: Unchecked<() -> ObservableObjectPublisher>

  /// Creates a subject.
  ///
  /// - Parameter wrappedValue: The first value.
  @inlinable
  public init(wrappedValue: Value) {
    let storage = StateStorage(wrappedValue, isSame: { _, _ in false })
    binding = Unchecked(UIBinding(StatePublisher(storage: storage), storage.access))
    willChange = Unchecked { storage.objectWillChange }
  }

  @inlinable
  init<Parent>(_ parent: ValueSubject<Parent>, _ part: UIBinding<Value>) {
    binding = Unchecked(part)
    willChange = parent.willChange
  }

  /// The value. Changing it in place, as by `+=`, is one step.
  ///
  /// One that awaits, as `await subject.wrappedValue.load()`, should be avoided: see
  /// <doc:WeirState#A-change-in-place-that-awaits>. For one of a task that takes longer than a second there is
  /// ``withLock(_:)``.
  @inlinable public var wrappedValue: Value {
    get { binding.value.wrappedValue }
    set { binding.value.wrappedValue = newValue }
    _modify { yield &binding.value.wrappedValue }
  }

  /// This subject.
  @inlinable public var projectedValue: ValueSubject<Value> { self }

  /// Publishes the value, as a diff without `old`, and then each write.
  @inlinable public var publisher: AnyPublisher<DiffedValue<Value>, Never> { eraseToAnyPublisher() }

  /// A part of the value, as a subject that reads and writes through.
  @inlinable
  public func observe<New>(keyPath: WritableKeyPath<Value, New>) -> ValueSubject<New> {
    ValueSubject<New>(self, binding.value.observe(keyPath))
  }

  /// A part of the value that can only be read, as a subject; writing into it does nothing.
  ///
  /// If it is an object, parts of it can be written as subjects or bindings of their own, which is a write of the
  /// whole; of what is changed otherwise in the object, as by `name.wrappedValue.text = "b"`, nobody is told.
  @inlinable
  public func observe<New>(keyPath: KeyPath<Value, New>) -> ValueSubject<New> {
    let access = binding.value.access
    let diffs = binding.value.map { change in
      // By way of the diff, which does not keep the subject alive: the subject keeps its subscribers.
      DiffedValue(
        old: change.old?[keyPath: keyPath], snapshot: change.new[keyPath: keyPath],
        access: change.access.readOnlyPart(keyPath))
    }
    return ValueSubject<New>(self, UIBinding(diffs, access.readOnlyPart(keyPath)))
  }
}

extension ValueSubject {
  /// A part of the value, as a subject.
  @inlinable public subscript<V>(dynamicMember keyPath: WritableKeyPath<Value, V>) -> ValueSubject<V> {
    observe(keyPath: keyPath)
  }

  /// A part of the value. Changing it leaves the other parts as they are at that moment.
  @inlinable public subscript<V>(dynamicMember keyPath: WritableKeyPath<Value, V>) -> V {
    get { wrappedValue[keyPath: keyPath] }
    set { wrappedValue[keyPath: keyPath] = newValue }
    _modify { yield &wrappedValue[keyPath: keyPath] }
  }

  /// A part of the value that can only be read, as a subject.
  @inlinable public subscript<V>(dynamicMember keyPath: KeyPath<Value, V>) -> ValueSubject<V> {
    observe(keyPath: keyPath)
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

extension ValueSubject: SafeBinding {
  /// A diff of the value.
  public typealias Output = DiffedValue<Value>
  /// `Never`: it can't fail.
  public typealias Failure = Never

  /// Attaches a subscriber, which gets the value first and then each change, as far as it asks in time.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == DiffedValue<Value>, S.Failure == Never {
    binding.value.receive(subscriber: subscriber)
  }

  /// Attaches a subscriber to the new values alone.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
    justNew().receive(subscriber: subscriber)
  }

  /// Reads, changes and writes back the value in one step.
  ///
  /// Reading the state inside the body returns the value before the change. Writing it there, also a part of it through
  /// a binding, stops the program: the body's outcome would replace what was written. A part that can only be read is
  /// not written by the outcome either, and a write to it does nothing there, too.
  ///
  /// - Parameter body: Changes the value. What it throws leaves the value as it was.
  /// - Returns: What the body returns.
  @inlinable @discardableResult
  public func withLock<Result, Thrown: Error>(
    _ body: (inout Value) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    try binding.value.withLock(body)
  }

  /// This value, as a binding.
  @inlinable
  public func observe() -> UIBinding<Value> { binding.value }
}

extension ValueSubject: ObservableObject {
  /// Publishes before a write is made here, or into the subject that this is a part of.
  ///
  /// A change in place, as by `withLock`, and one of a part through a binding, are announced before their outcome is
  /// known, so that none may follow; one that is made within another state's change, as by a rule or a closure that has
  /// its value, or by `set` of a binding without publisher, is announced after that. Other threads that write wait for
  /// whoever is told, as senders of a subject do: who waits for a writer here may wait for ever. CombineExt announces
  /// changes after they were made, and once on subscription.
  public var objectWillChange: AnyPublisher<Void, Never> { willChange.value().eraseToAnyPublisher() }
}

extension ValueSubject where Value: ExpressibleByNilLiteral {
  /// Creates a state that is `nil` at first.
  public convenience init() { self.init(wrappedValue: nil) }
}

extension ValueSubject where Value: ExpressibleByArrayLiteral {
  /// Creates a state that is empty at first.
  public convenience init() { self.init(wrappedValue: []) }
}

extension ValueSubject where Value: ExpressibleByDictionaryLiteral {
  /// Creates a state that is empty at first.
  public convenience init() { self.init(wrappedValue: [:]) }
}

extension ValueSubject: Equatable where Value: Equatable {
  /// Returns `true` if the values are equal.
  public static func == (lhs: ValueSubject, rhs: ValueSubject) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

extension ValueSubject: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension ValueSubject: CustomStringConvertible where Value: CustomStringConvertible {
  /// The value's description.
  public var description: String { wrappedValue.description }
}

extension ValueSubject: CustomDebugStringConvertible where Value: CustomDebugStringConvertible {
  /// The value's description.
  public var debugDescription: String { wrappedValue.debugDescription }
}

extension ValueSubject: Sendable where Value: Sendable {}
