// A model that applies its own rules to each change.

public import Weir
public import WeirQueues

/// Keeps a model, applies its rules to each change, and publishes the outcome.
///
///     @ManagedState var counter = CounterModel()
///     $counter.sink { print($0.new.count) }.store(in: &cancellables)
///     counter.count += 1
///
/// A write of an equal value is stored, but not published, and runs no rule. Otherwise the rules of the model run until
/// a round of them leaves the value as it found it, or there have been as many rounds as
/// ``ManagedStateCyclicDependencyMaxDepth`` allows. Then the outcome is stored and, unless the rules have undone the
/// change, published, once, as a diff from the value before the whole change, or from what a rule has written into this
/// very state meanwhile.
///
/// Any thread may read, write and subscribe. A change is computed while the state belongs to its thread; others wait
/// for that, unless its lock is ``ManagedStateLock/absent``, but two states whose rules write into each other don't
/// deadlock, though behind some operators they stop the program: see `BehavioralStateContract.applyBindingRules(to:)`.
/// Subscribers run after that, with nothing held, but for what comes to one because a rule, or a closure that has a
/// state's value, asks, subscribes or cancels; who is told before, by `objectWillChange`, and who is getting its first
/// value as it subscribes, or what it has missed as it asks beside a delivery, is waited for by other threads' writes.
/// Each is called by one thread at a time, a change goes to one after the other, and each sees the changes in one
/// order, and all if it asks in time: what a subscriber writes is published behind what it is receiving, or within that
/// if it gets it as it subscribes. Who subscribes gets the value at once, also while another thread is calling another
/// subscriber. A write may return before another thread has delivered it.
///
/// - Complexity: A change is O(*n*) in the number of subscribers, besides what the rules and comparing the values take;
///   a collection in the value that is changed in place is copied. Reading the value is O(1).
///
/// CombineExt calls subscribers with its lock held, keeps itself alive for ever, and loses `+=` of two threads. A state
/// is `Sendable` where its value is; there it always is.
@dynamicMemberLookup
@dynamicCallable
@propertyWrapper
public final class ManagedState<Value: BehavioralStateContract> {
  @usableFromInline let storage: StateStorage<Value>
  /// What keeps the rules going. Closures of rules may capture the state that they were given, which is another object
  /// with the same storage and without these: so there is no cycle.
  @usableFromInline let tokens: Unchecked<[Any]>

  /// Creates a state, and applies the rules to its value.
  ///
  /// - Parameters:
  ///   - wrappedValue: The first value.
  ///   - lock: How changes of several threads are kept apart; ``ManagedStateDefaultLock`` if `nil`.
  @inlinable
  public init(wrappedValue: Value, lock: ManagedStateLock? = nil) {
    let choice = lock ?? ManagedStateDefaultLock
    let turn = TurnHandle(choice)
    let writer = StateStorage<Value>.Writer(turn)
    let rules = RuleBook(wrappedValue, turn: turn, late: .init(read: { writer.value }, write: { writer.set($0) }))
    let storage = StateStorage(
      wrappedValue, writer: writer, lock: choice, isSame: ==, settle: { rules.settle($0, $1) })
    self.storage = storage
    let state = ManagedState(storage: storage)
    var tokens: [Any] = Value.applyAnyRules(to: state.observe())
    tokens += Value.applyAnyRules(to: state) as [NotificationToken]
    // Those may have subscribed to what tells of changes.
    turn.announce()
    let isWithin = turn.enter()
    let value = storage.value
    rules.begin(with: value)
    tokens += Value.applyBindingRules(to: rules.publisher) as [AnyCancellable]
    self.tokens = Unchecked(tokens)
    storage.store(rules.settleFirst(value), after: storage.value, isWithin)
  }

  @inlinable
  init(storage: StateStorage<Value>) {
    self.storage = storage
    tokens = Unchecked([])
  }

  /// The value. Changing it in place, as by `+=`, is one step, unless the lock is ``ManagedStateLock/absent``;
  /// `state.x = state.x + 1` is two, between which other threads may change it.
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
  @inlinable public var projectedValue: ManagedState<Value> { self }

  /// Publishes the value, as a diff without `old`, and then each change. The same as ``diffedPublisher``.
  @inlinable public var publisher: AnyPublisher<DiffedValue<Value>, Never> { eraseToAnyPublisher() }

  /// Publishes the value, as a diff without `old`, and then each change.
  @inlinable public var diffedPublisher: AnyPublisher<DiffedValue<Value>, Never> { eraseToAnyPublisher() }
}

extension ManagedState {
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

extension ManagedState: SafeBinding {
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

  /// Reads, changes and writes back the value in one step, unless the lock is ``ManagedStateLock/absent``; nothing is
  /// published if it stays the same.
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

extension ManagedState: ObservableObject {
  /// Publishes before a change is made.
  ///
  /// A change in place, as by `withLock`, one of a part through a binding, one that rules may undo, and that of the
  /// rules as the state is made, are announced before their outcome is known, so that none may follow; nor may one if
  /// another thread writes the same just before. One that is made within a change, by a rule, also one of this very
  /// state, by a closure that has another state's value, or by `set` of a binding without publisher, is announced after
  /// that. Other threads that write wait for whoever is told, as senders of a subject do: who waits for a writer here
  /// may wait for ever. CombineExt announces changes after they were made, and once on subscription.
  public var objectWillChange: AnyPublisher<Void, Never> { storage.objectWillChange.eraseToAnyPublisher() }
}

extension ManagedState: Equatable {
  /// Returns `true` if the values are equal.
  public static func == (lhs: ManagedState, rhs: ManagedState) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

extension ManagedState: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension ManagedState: CustomStringConvertible where Value: CustomStringConvertible {
  /// The value's description.
  public var description: String { wrappedValue.description }
}

extension ManagedState: CustomDebugStringConvertible where Value: CustomDebugStringConvertible {
  /// The value's description.
  public var debugDescription: String { wrappedValue.debugDescription }
}

extension ManagedState: Sendable where Value: Sendable {}
