// A change of a state: the value before and the value after.

public import WeirQueues

/// A change of a value, with what it was and what it became.
///
/// Both are snapshots: a diff that is kept shows the same values for ever. Writing `new`, or a member of it, changes
/// the state that the diff came from, as it is at that moment; the next diff shows the result. Once the state is gone
/// it changes nothing, though who has subscribed to the state's `objectWillChange` may be told.
///
/// Of an object in the value both have the reference: what it refers to reads the same in both, and has not changed.
///
/// Inside a rule the diff shows the value that the rules are working on, including what rules before wrote, until the
/// round is over. Who writes such a diff later writes into the state, as a rule into its own if that is in a later
/// round; of a part that is written so, and of what is changed in place, `objectWillChange` tells behind the change.
///
/// CombineExt evaluates `new` anew each time, compares `old` and `new` of the right side only for `==`, and declares
/// the setter of members `mutating`, so that `diff.name = "x"` does not compile in a closure.
@dynamicMemberLookup
public struct DiffedValue<Value> {
  /// The value before; `nil` in the first diff that a subscriber gets, in one that comes as it asks, since it had not
  /// asked for a change in time, in that of an `unsafe` element of a collection that was not there before, and in that
  /// of the write through a binding within which its first subscriber came. The diffs of a state follow each other
  /// unless the value's `==` writes into it; so do those of a `UIBinding(get:set:)` unless its value is changed in
  /// another way. Those that rules get begin with what the round before found.
  public let old: Value?

  /// The value after; `nil` in a diff of what is being worked on, which shows that.
  @usableFromInline let snapshot: Value?
  @usableFromInline let source: Source

  /// Where the value lives. A reference each, so that diffs are passed on by retaining one object.
  @usableFromInline
  enum Source {
    case state(StateStorage<Value>.Writer)
    case candidate(Candidate<Value>)
    case reached(Reached)
  }

  /// What is reached through other things.
  @usableFromInline
  final class Reached {
    @usableFromInline let access: Access<Value>
    /// The value after, of a part of what is being worked on.
    @usableFromInline let shown: (() -> Value)?
    /// As of a candidate.
    @usableFromInline let overwritten: [Value]?

    @inlinable
    init(_ access: Access<Value>, shown: (() -> Value)? = nil, overwritten: [Value]? = nil) {
      self.access = access
      self.shown = shown
      self.overwritten = overwritten
    }
  }

  /// A diff of a whole state.
  @inlinable
  init(old: Value?, snapshot: Value, writer: StateStorage<Value>.Writer) {
    self.old = old
    self.snapshot = snapshot
    source = .state(writer)
  }

  /// The same diff for who has not got the one before.
  @inlinable var withoutOld: DiffedValue { DiffedValue(withoutOld: self) }

  @inlinable
  init(withoutOld change: DiffedValue) {
    old = nil
    snapshot = change.snapshot
    source = change.source
  }

  /// A diff of something that is reached through other things.
  @inlinable
  init(old: Value?, snapshot: Value, access: Access<Value>, overwritten: [Value]? = nil) {
    self.old = old
    self.snapshot = snapshot
    source = .reached(Reached(access, overwritten: overwritten))
  }

  /// A diff that shows what is being worked on.
  @inlinable
  init(old: Value?, live candidate: Candidate<Value>) {
    self.old = old
    snapshot = nil
    source = .candidate(candidate)
  }

  /// A diff of a part of what is being worked on.
  @inlinable
  init(old: Value?, partOfCandidate shown: @escaping () -> Value, _ access: Access<Value>, overwritten: [Value]?) {
    self.old = old
    snapshot = nil
    source = .reached(Reached(access, shown: shown, overwritten: overwritten))
  }

  /// Creates a diff.
  ///
  /// - Parameters:
  ///   - old: The value before.
  ///   - get: Returns the value after; called now, and again where it, or a member, is changed in place.
  ///   - set: Writes a new value.
  @inlinable
  public init(old: Value?, get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.init(old: old, snapshot: get(), access: Access(turn: nil, read: get, write: set))
  }

  /// Creates a diff.
  ///
  /// - Parameters:
  ///   - old: The value before.
  ///   - get: The value after; evaluated now, and again where it, or a member, is changed in place.
  ///   - set: Writes a new value.
  @inlinable
  public init(old: Value?, get: @autoclosure @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.init(old: old, get: get as () -> Value, set: set)
  }

  /// The value after. Setting it changes the state, and waits for another thread that is changing it; within a closure
  /// that has the state's value, it stops the program. Changing a part of it in place leaves the other parts as they
  /// are in the state.
  @inlinable public var new: Value {
    get { snapshot ?? shown }
    nonmutating set { write(newValue) }
    nonmutating _modify {
      let turn = turn
      turn?.announce()
      turn?.enterInPlace(isSuspendable: true)
      var value = current
      defer {
        turn?.endInPlace()
        write(value, isAnnounced: true)
        turn?.leave()
      }
      yield &value
    }
  }

  /// Returns `new`.
  public var get: () -> Value { { new } }

  /// Sets `new`.
  public var set: (Value) -> Void { { new = $0 } }

  /// What is being worked on; the value where it lives, in a diff that has a snapshot.
  @inlinable var shown: Value {
    switch source {
    case .candidate(let candidate): candidate.value
    case .reached(let reached): reached.shown?() ?? reached.access.read()
    case .state: current
    }
  }

  /// The turn of the state that the value is part of.
  @inlinable var turn: TurnHandle? {
    switch source {
    case .state(let writer): writer.turn
    case .candidate(let candidate): candidate.turn?.silent
    case .reached(let reached): reached.access.turn
    }
  }

  /// The value where it lives; the snapshot once that is gone.
  @inlinable var current: Value {
    switch source {
    case .state(let writer): writer.value ?? snapshot!
    case .candidate(let candidate): candidate.current
    case .reached(let reached): reached.access.read()
    }
  }

  @inlinable
  func write(_ value: Value, isAnnounced: Bool = false) {
    switch source {
    case .state(let writer): writer.set(value, isAnnounced: isAnnounced)
    case .candidate(let candidate): isAnnounced ? candidate.write(value) : candidate.set(value)
    case .reached(let reached): reached.access.store(value, isAnnounced ? .announced : .plain)
    }
  }

  /// The way to the value where it lives.
  @inlinable var access: Access<Value> {
    switch source {
    case .state(let writer):
      Access(
        turn: writer.turn, read: { writer.value ?? snapshot! },
        store: { writer.set($0, isAnnounced: $1 == .announced) })
    case .candidate(let candidate): candidate.access
    case .reached(let reached): reached.access
    }
  }

  /// The change of a part.
  @inlinable
  public func map<V>(keyPath: WritableKeyPath<Value, V>) -> DiffedValue<V> {
    let part = access.part(keyPath)
    switch source {
    case .candidate(let candidate):
      return DiffedValue<V>(
        old: old?[keyPath: keyPath], partOfCandidate: { candidate.value[keyPath: keyPath] }, part,
        overwritten: overwritten?.map { $0[keyPath: keyPath] })
    case .reached(let reached):
      guard let shown = reached.shown else { break }
      return DiffedValue<V>(
        old: old?[keyPath: keyPath], partOfCandidate: { shown()[keyPath: keyPath] }, part,
        overwritten: overwritten?.map { $0[keyPath: keyPath] })
    case .state: break
    }
    return DiffedValue<V>(
      old: old?[keyPath: keyPath], snapshot: new[keyPath: keyPath], access: part,
      overwritten: overwritten?.map { $0[keyPath: keyPath] })
  }

  /// Returns `true` if a part has changed; in a diff without `old`, every part has.
  ///
  /// In the round that rules get because a change overwrites what others within it have shown them, only parts have
  /// that differed in one of those, too: the diff begins with what those left, but of the other parts the rules have
  /// had the change already.
  @inlinable
  public func hasChanged(keyPath: KeyPath<Value, some Equatable>) -> Bool {
    guard let old else { return true }
    guard differs(lhs: old, rhs: new, keyPath: keyPath) else { return false }
    guard let overwritten else { return true }
    return overwritten.contains { differs(lhs: $0, rhs: old, keyPath: keyPath) }
  }

  /// As of a candidate.
  @inlinable var overwritten: [Value]? {
    switch source {
    case .candidate(let candidate): candidate.overwritten.value
    case .reached(let reached): reached.overwritten
    case .state: nil
    }
  }

  /// Calls a closure if a part has changed.
  ///
  /// - Parameters:
  ///   - keyPath: The part.
  ///   - workItem: Gets the part before, `nil` in a diff without `old`, and after.
  @inlinable
  public func ifChanged<V: Equatable>(keyPath: KeyPath<Value, V>, do workItem: (_ old: V?, _ new: V) -> Void) {
    if hasChanged(keyPath: keyPath) { workItem(old?[keyPath: keyPath], new[keyPath: keyPath]) }
  }

  /// A part of `new`. Setting it changes the state, and leaves the other parts as they are there.
  @inlinable public subscript<V>(dynamicMember keyPath: WritableKeyPath<Value, V>) -> V {
    get { new[keyPath: keyPath] }
    nonmutating set { new[keyPath: keyPath] = newValue }
    nonmutating _modify { yield &new[keyPath: keyPath] }
  }

  /// A part of `new`.
  @inlinable public subscript<V>(dynamicMember keyPath: KeyPath<Value, V>) -> V { new[keyPath: keyPath] }
}

extension DiffedValue: CustomStringConvertible {
  /// The new value as text: `sink { print("now:", $0) }` shows the value that a subscriber is interested in.
  public var description: String { "\(new)" }
}

extension DiffedValue: CustomDebugStringConvertible {
  /// Both values.
  public var debugDescription: String { "DiffedValue(old: \(String(describing: old)), new: \(new))" }
}

extension DiffedValue: Equatable where Value: Equatable {
  /// Whether both values are the same.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.old == rhs.old && lhs.new == rhs.new }
}

extension DiffedValue: Hashable where Value: Hashable {
  /// Hashes both values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(old)
    hasher.combine(new)
  }
}
