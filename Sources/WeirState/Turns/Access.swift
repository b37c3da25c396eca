// How bindings and diffs reach the value that they stand for.

public import Weir

/// A state's turn as inlinable code sees it.
@usableFromInline
struct TurnHandle: Sendable {
  /// One word, as every access has room for it.
  private enum Kind {
    case announcing(Turn)
    case silent(Turn)
  }

  private let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  init(_ turn: Turn) { self.init(.announcing(turn)) }

  private var turn: Turn {
    switch kind {
    case .announcing(let turn), .silent(let turn): turn
    }
  }

  /// Makes the turn of a state.
  @usableFromInline
  init(_ lock: ManagedStateLock = .synced) { self.init(Turn(lock)) }

  /// The same turn, for what is done within a change that was announced as a whole.
  @usableFromInline var silent: TurnHandle { TurnHandle(.silent(turn)) }

  /// The publisher that tells of a change of the state before it is made.
  @usableFromInline var objectWillChange: ObservableObjectPublisher { turn.objectWillChange }

  /// Tells that the state will be changed. The caller must not have the turn yet, or it is told afterwards.
  ///
  /// - Returns: Whether it was told, or there is nobody to tell.
  @usableFromInline @discardableResult
  func announce(unless isNoChange: () -> Bool = { false }) -> Bool {
    guard case .announcing(let turn) = kind else { return true }
    return turn.announce(unless: isNoChange)
  }

  /// Takes the turn.
  ///
  /// - Returns: Whether what is stored is delivered only behind a change of another state, which may be suspended
  ///   before that.
  @usableFromInline @discardableResult
  func enter() -> Bool { turn.enter() }

  /// Takes the turn, so that the value stays as it is; the caller may be changing it in place.
  @usableFromInline
  func enterToRead() { turn.enter(.reading) }

  /// Takes the turn for a change in place.
  ///
  /// - Parameter isSuspendable: Whether the change may await something, as one by an accessor may; a closure can't.
  @usableFromInline
  func enterInPlace(isSuspendable: Bool) { turn.enter(isSuspendable ? .suspendable : .inPlace) }

  /// Ends a change in place; the turn stays the caller's.
  ///
  /// - Returns: As for `enter`.
  @usableFromInline @discardableResult
  func endInPlace() -> Bool { turn.endInPlace() }

  /// Gives the turn back.
  ///
  /// - Parameter makeDelivery: Returns what is to happen when the caller gives back its last turn, if anything is; not
  ///   called where this was it, so that nothing is allocated for that.
  /// - Returns: Whether the caller has no turn any more: what `makeDelivery` is for can happen now.
  @usableFromInline @discardableResult
  func leave(unlessThrough makeDelivery: () -> (() -> Void)? = { nil }) -> Bool {
    turn.leave(unlessThrough: makeDelivery)
  }
}

/// How a value is written.
@usableFromInline
enum Write {
  case plain
  /// The change has been announced.
  case announced
  /// It ends a change in place that was announced, and gives the turn back.
  case endingInPlace
}

/// Reads and writes a value that lives elsewhere, and takes its state's turn for both together.
@usableFromInline
struct Access<Value> {
  /// The turn of the state that the value is part of; `nil` where there is none.
  @usableFromInline let turn: TurnHandle?
  @usableFromInline let read: () -> Value
  @usableFromInline let store: (Value, Write) -> Void
  @usableFromInline let kind: Kind

  /// One field for all: with more than six words in the structure, the compiler allocates its closures.
  @usableFromInline
  enum Kind {
    case plain
    /// `store` can be told to end a change in place.
    case endsInPlace
    /// The value can only be read; objects that it refers to are changed so.
    case readOnly(Referred)
  }

  /// Changes objects that a value refers to which can only be read: for the whole that it is part of, a change.
  @usableFromInline
  final class Referred {
    @usableFromInline let turn: TurnHandle?
    @usableFromInline let change: (_ isAnnounced: Bool, _ body: (Value) -> Void) -> Void

    @inlinable
    init(turn: TurnHandle?, change: @escaping (_ isAnnounced: Bool, _ body: (Value) -> Void) -> Void) {
      self.turn = turn
      self.change = change
    }

    /// A part of the value. Writing one of an object is a change of the whole; any other can only be read.
    @inline(never) @usableFromInline
    func part<Part>(_ keyPath: WritableKeyPath<Value, Part>, read: @escaping () -> Value) -> Access<Part> {
      guard let keyPath = keyPath as? ReferenceWritableKeyPath<Value, Part> else {
        return Access<Part>(readOnly: { read()[keyPath: keyPath] }, turnOfReferred: turn) { isAnnounced, body in
          self.change(isAnnounced) { body($0[keyPath: keyPath]) }
        }
      }
      return Access<Part>(turn: turn, read: { read()[keyPath: keyPath] }) { part, write in
        self.change(write == .announced) { $0[keyPath: keyPath] = part }
      }
    }
  }

  @inlinable
  init(
    turn: TurnHandle?, kind: Kind = .plain, read: @escaping () -> Value, store: @escaping (Value, Write) -> Void
  ) {
    self.turn = turn
    self.kind = kind
    self.read = read
    self.store = store
  }

  /// Reaches a value that can only be read: what is written does nothing, and needs no turn.
  ///
  /// - Parameters:
  ///   - read: Reads it.
  ///   - turn: The turn of the state that it is part of.
  ///   - change: Changes objects that it refers to.
  @inlinable
  init(
    readOnly read: @escaping () -> Value, turnOfReferred turn: TurnHandle?,
    changingReferred change: @escaping (_ isAnnounced: Bool, _ body: (Value) -> Void) -> Void
  ) {
    self.init(turn: nil, kind: .readOnly(Referred(turn: turn, change: change)), read: read, store: { _, _ in })
  }

  /// Reaches a value whose changes nobody is told of before.
  @inlinable
  init(turn: TurnHandle?, read: @escaping () -> Value, write: @escaping (Value) -> Void) {
    self.init(turn: turn, read: read, store: { value, _ in write(value) })
  }

  /// Writes a value.
  @inlinable
  func write(_ value: Value) { store(value, .plain) }

  /// Takes the turn, so that what is read stays true until `end`; until then the caller must not write the state
  /// otherwise.
  ///
  /// - Parameters:
  ///   - isAnnounced: Whether the change has been announced.
  ///   - isSuspendable: Whether the change may await something.
  @inlinable
  func begin(isAnnounced: Bool = false, isSuspendable: Bool = false) -> Value {
    if !isAnnounced { turn?.announce() }
    turn?.enterInPlace(isSuspendable: isSuspendable)
    return read()
  }

  /// Writes back what `begin` returned, changed, and gives the turn back.
  @inlinable
  func end(_ value: Value) {
    if case .endsInPlace = kind { return store(value, .endingInPlace) }
    turn?.endInPlace()
    store(value, .announced)
    turn?.leave()
  }

  /// Gives the turn back without writing.
  @inlinable
  func abandon() {
    turn?.endInPlace()
    turn?.leave()
  }

  /// Reads, changes and writes back in one step. What the body throws leaves the value as it was.
  @inlinable
  func change<Result, Failure: Error>(
    isAnnounced: Bool = false, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var value = begin(isAnnounced: isAnnounced)
    do throws(Failure) {
      let result = try body(&value)
      end(value)
      return result
    } catch {
      abandon()
      throw error
    }
  }

  /// A part of the value. Writing it leaves the other parts as they are at that moment.
  @inlinable
  func part<Part>(_ keyPath: WritableKeyPath<Value, Part>) -> Access<Part> {
    if case .readOnly(let referred) = kind { return referred.part(keyPath, read: read) }
    return Access<Part>(turn: turn, read: { read()[keyPath: keyPath] }) { part, write in
      change(isAnnounced: write == .announced) { $0[keyPath: keyPath] = part }
    }
  }

  /// A part of the value that can only be read; writing it does nothing, and needs no turn. Parts of an object in it
  /// can be written.
  @inlinable
  func readOnlyPart<Part>(_ keyPath: KeyPath<Value, Part>) -> Access<Part> {
    Access<Part>(readOnly: { read()[keyPath: keyPath] }, turnOfReferred: turnOfReferred) { isAnnounced, body in
      changeReferred(isAnnounced) { body($0[keyPath: keyPath]) }
    }
  }

  @inlinable var turnOfReferred: TurnHandle? {
    if case .readOnly(let referred) = kind { referred.turn } else { turn }
  }

  @inlinable
  func changeReferred(_ isAnnounced: Bool, _ body: (Value) -> Void) {
    if case .readOnly(let referred) = kind { return referred.change(isAnnounced, body) }
    change(isAnnounced: isAnnounced) { body($0) }
  }
}
