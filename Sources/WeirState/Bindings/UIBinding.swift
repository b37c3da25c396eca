// A value that lives elsewhere, as a property.

public import Weir
import WeirQueues

/// Reads, writes and observes a value that lives elsewhere: a state, a part of one, an element.
///
/// A binding keeps its state alive, but for that which a model's `applyAnyRules` gets: what that one keeps has no rules
/// but `applyRules` once the state is gone. Parts of a binding are bindings again: `$user.name`, `$user(\.name)`.
///
/// Of a state, changing a part leaves the other parts as they are at that moment, whichever thread changes them. A
/// binding that was made of closures reads and writes the whole value for that, and puts back what others change
/// between the two; if it has no publisher, this does not concern what is written through it, its copies and its parts.
/// If it has one, `binding.wrappedValue.name += "x"` puts back all that has changed since it began.
@dynamicMemberLookup
@dynamicCallable
@propertyWrapper
public struct UIBinding<Value> {
  @usableFromInline let access: Access<Value>
  @usableFromInline let diffs: AnyPublisher<DiffedValue<Value>, Never>

  @inlinable
  init(_ diffs: some Publisher<DiffedValue<Value>, Never>, _ access: Access<Value>) {
    self.access = access
    self.diffs = diffs.eraseToAnyPublisher()
  }

  /// Creates a binding.
  ///
  /// Without a publisher it publishes to each subscriber the value as it is then, and after that what is written
  /// through this binding or its parts; what is changed behind its back, or through a diff, is seen only with the next
  /// of those. A write may return before another thread has delivered it, and `set` runs within the write: what it
  /// writes into states is published, and told by their `objectWillChange`, when it has returned. A write that `set`
  /// makes through this binding is published first, as a diff from the value before the outer write, and the outer one
  /// as a diff from what that left; if the first subscriber comes within `set`, the write is published without `old`.
  /// A later one that comes there gets the value as it is there, and then the write's diff all the same. CombineExt
  /// publishes nothing after the first value then.
  ///
  /// - Parameters:
  ///   - publisher: Publishes the value and its changes.
  ///   - get: Reads the value.
  ///   - set: Writes the value.
  public init(
    publisher: AnyPublisher<DiffedValue<Value>, Never>? = nil, get: @escaping () -> Value,
    set: @escaping (Value) -> Void
  ) {
    if let publisher {
      self.init(publisher, Access(turn: nil, read: get, write: set))
    } else {
      let writes = WrittenValues(read: get, write: set)
      self.init(WrittenPublisher(values: writes), writes.access)
    }
  }

  /// Creates a binding as a factory makes it.
  public init(_ factory: UIBindingFactory<Value>) { self = factory.make() }

  /// A binding to a value that writes don't change. It publishes the value, and then finishes.
  public static func constant(_ value: Value) -> Self {
    Self(Just(DiffedValue(old: nil, get: value, set: { _ in })), Access(turn: nil, read: { value }, write: { _ in }))
  }

  /// The value. Changing it in place is one step where the binding comes from a state; where it was made of closures
  /// alone, it is one to those who write through this binding, too.
  ///
  /// One that awaits, as `await binding.wrappedValue.load()`, should be avoided: see
  /// <doc:WeirState#A-change-in-place-that-awaits>. For one of a task that takes longer than a second there is
  /// ``withLock(_:)``.
  @inlinable public var wrappedValue: Value {
    get { access.read() }
    nonmutating set { access.write(newValue) }
    nonmutating _modify {
      var value = access.begin(isSuspendable: true)
      defer { access.end(value) }
      yield &value
    }
  }

  /// This binding.
  public var projectedValue: UIBinding<Value> { self }

  /// Publishes the value, first as it is, then at each change; of a part of something, at each change of the whole.
  public var publisher: AnyPublisher<Value, Never> { justNew() }

  /// A part of the value, as a binding.
  @inlinable public subscript<V>(dynamicMember keyPath: WritableKeyPath<Value, V>) -> UIBinding<V> { observe(keyPath) }

  /// `$binding()` is this binding.
  public func dynamicallyCall(withArguments arguments: [Never]) -> UIBinding<Value> { self }

  /// `$binding(\.part)` is a binding to the part; traps unless there is one argument.
  public func dynamicallyCall<T>(withArguments arguments: [WritableKeyPath<Value, T>]) -> UIBinding<T> {
    precondition(arguments.count == 1, "a binding is called with one key path or none, not with \(arguments.count)")
    return observe(arguments[0])
  }
}

extension UIBinding: SafeBinding {
  /// A diff of the value.
  public typealias Output = DiffedValue<Value>
  /// `Never`: it can't fail.
  public typealias Failure = Never

  /// Attaches a subscriber, which gets the value first and then each change, as far as it asks in time.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == DiffedValue<Value>, S.Failure == Never {
    diffs.receive(subscriber: subscriber)
  }

  /// Reads, changes and writes back the value; in one step where changing ``wrappedValue`` in place is one.
  ///
  /// Where it is one step, writing the value, or another part of the same state, inside the body stops the program; who
  /// subscribes there gets the value before the change, and then the change.
  /// Elsewhere the body's outcome replaces what is written there.
  ///
  /// - Parameter body: Changes the value. What it throws leaves the value as it was.
  /// - Returns: What the body returns.
  @inlinable @discardableResult
  public func withLock<Result, Thrown: Error>(
    _ body: (inout Value) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    try access.change(body)
  }

  /// This binding.
  @inlinable
  public func observe() -> UIBinding<Value> { self }
}

extension UIBinding: Equatable where Value: Equatable {
  /// Returns `true` if the values are equal.
  public static func == (lhs: UIBinding, rhs: UIBinding) -> Bool { lhs.wrappedValue == rhs.wrappedValue }
}

extension UIBinding: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension UIBinding: CustomStringConvertible where Value: CustomStringConvertible {
  /// The value's description.
  public var description: String { wrappedValue.description }
}

extension UIBinding: CustomDebugStringConvertible where Value: CustomDebugStringConvertible {
  /// The value's description.
  public var debugDescription: String { wrappedValue.debugDescription }
}

/// What is written through a binding that has no publisher.
private final class WrittenValues<Value> {
  typealias Core = SubjectCore<DiffedValue<Value>, Never>

  private let read: () -> Value
  private let write: (Value) -> Void
  /// The same as `write`, for diffs.
  private let store: (Value, Write) -> Void
  private let turn: TurnHandle
  private let made = Lock<(core: Core, latest: LatestValue<DiffedValue<Value>>)?>(nil)
  /// How many writes are under way, one within the other, and what the diff begins with that is published next: what
  /// the one before has ended with, as an inner write is published first. `nil` where that is not known.
  private let underWay = Lock<(count: Int, old: Value?)>((0, nil))

  init(read: @escaping () -> Value, write: @escaping (Value) -> Void) {
    self.read = read
    self.write = write
    let turn = TurnHandle()
    self.turn = turn
    store = { value, _ in
      turn.enter()
      write(value)
      turn.leave()
    }
  }

  /// Attaches a subscriber, which gets the value as it is now. What delivers is made with the first one, as a
  /// placeholder can't be read before.
  func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == DiffedValue<Value>, S.Failure == Never {
    // Whoever writes has the turn, so that nothing older takes the place of what is written meanwhile.
    turn.enterToRead()
    let diff = diff(from: nil)
    let existing = made.withLock { $0 }
    if let existing {
      var exchanged = diff
      existing.latest.withLock { swap(&$0.value, &exchanged) }
    }
    let core = existing?.core ?? make(diff)
    turn.leave()
    core.subscribe(subscriber, to: self)
  }

  private func make(_ diff: DiffedValue<Value>) -> Core {
    let latest = LatestValue(diff, renewing: { $0.withoutOld })
    let core = Core(name: "Binding", latest: latest)
    made.withLock { $0 = (core, latest) }
    return core
  }

  var access: Access<Value> {
    Access(turn: turn, read: read) { value in
      let isWithin = self.turn.enter()
      self.begin()
      self.write(value)
      // The first subscriber may have come within that.
      guard let core = self.made.withLock({ $0?.core }) else {
        self.end(with: nil)
        self.turn.leave()
        return
      }
      let newest = self.diff(from: nil)
      let change = self.diff(from: self.end(with: newest.new), to: newest.new)
      let reservation = core.reserve(change, keeping: newest, deliveringLater: isWithin)
      let delivery = { core.deliver(change, reservation) }
      if self.turn.leave(unlessThrough: { delivery }) { delivery() }
    }
  }

  private func begin() {
    let isKnown = underWay.withLock { state in
      state.count += 1
      return state.old != nil
    }
    // Without subscribers nothing is read, as a placeholder can't be.
    if !isKnown, made.withLock({ $0 != nil }) { exchange(read()) }
  }

  /// - Returns: What the diff begins with that ends with `new`.
  @discardableResult
  private func end(with new: Value?) -> Value? {
    let isOutermost = underWay.withLock { state in
      state.count -= 1
      return state.count == 0
    }
    return exchange(isOutermost ? nil : new)
  }

  @discardableResult
  private func exchange(_ old: Value?) -> Value? {
    var exchanged = old
    // What was there is freed behind the lock: its `deinit` may be user code.
    underWay.withLock { swap(&$0.old, &exchanged) }
    return exchanged
  }

  private func diff(from old: Value?) -> DiffedValue<Value> { diff(from: old, to: read()) }

  private func diff(from old: Value?, to new: Value) -> DiffedValue<Value> {
    DiffedValue(old: old, snapshot: new, access: Access(turn: turn, read: read, store: store))
  }
}

/// Publishes what is written through a binding that has no publisher.
private struct WrittenPublisher<Value>: Publisher {
  typealias Output = DiffedValue<Value>
  typealias Failure = Never

  let values: WrittenValues<Value>

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    values.subscribe(subscriber)
  }
}

extension DiffedValue {
  /// Creates a diff that writes into a binding.
  ///
  /// - Parameters:
  ///   - old: The value before.
  ///   - binding: Its value now is the value after.
  @inlinable
  public init(old: Value?, binding: UIBinding<Value>) {
    self.init(old: old, snapshot: binding.wrappedValue, access: binding.access)
  }
}
