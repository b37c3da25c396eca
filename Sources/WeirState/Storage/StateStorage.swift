// What states have in common: the value, who may change it, and the order in which subscribers learn of changes.

public import Weir
public import WeirQueues

/// The value of a state with its subscribers.
///
/// A change is computed inside the state's turn and stored together with its place in the order of delivery; it is
/// delivered after the turn. So a read-modify-write is one step, and no subscriber runs for a change while its author
/// has a turn, unless that may be suspended. A change that a subscriber makes while it receives one is delivered behind
/// that one: each subscriber sees the changes in one order, all of them if it asks in time, and, where the turn keeps
/// threads apart, each begins with the value that the former ended with.
@usableFromInline
final class StateStorage<Value>: Sendable {
  @usableFromInline typealias Core = SubjectCore<DiffedValue<Value>, Never>
  /// Brings a new value into line with the rules, given the old one; `nil` for one that is not to be stored.
  @usableFromInline typealias Settle = (_ old: Value, _ new: Value) -> Value?

  /// What diffs write through. It does not keep the storage alive, as the storage keeps the newest diff.
  @usableFromInline
  final class Writer: Sendable {
    @usableFromInline let storage = Lock<Reference?>(nil)
    @usableFromInline let turn: TurnHandle

    @usableFromInline
    struct Reference {
      @usableFromInline weak var storage: StateStorage?

      @inlinable
      init(storage: StateStorage?) { self.storage = storage }
    }

    @inlinable
    init(_ turn: TurnHandle) { self.turn = turn }

    @inlinable
    func connect(_ storage: StateStorage) { self.storage.withLock { $0 = Reference(storage: storage) } }

    @inlinable
    func set(_ value: Value, isAnnounced: Bool = false) {
      self.storage.withLock { $0?.storage }?.set(value, isAnnounced: isAnnounced)
    }

    /// The value as it stands; `nil` once the state is gone.
    @inlinable var value: Value? { self.storage.withLock { $0?.storage }?.value }
  }

  @usableFromInline let turn: TurnHandle
  @usableFromInline let writer: Writer
  @usableFromInline let core: Unchecked<Core>
  /// The value that `core` keeps.
  @usableFromInline let latest: Unchecked<LatestValue<DiffedValue<Value>>>
  @usableFromInline let guardian: Unchecked<Guardian?>
  @usableFromInline let isSame: Unchecked<(Value, Value) -> Bool>
  @usableFromInline let settle: Unchecked<Settle?>

  /// Creates the storage of a state.
  ///
  /// - Parameters:
  ///   - value: The first value.
  ///   - writer: What its diffs write through, with the state's turn.
  ///   - lock: May name a lock of the user's.
  ///   - isSame: Whether a new value is no change.
  ///   - settle: The rules.
  @inlinable
  init(
    _ value: Value, writer: Writer = Writer(TurnHandle()), lock: ManagedStateLock = .synced,
    isSame: @escaping (Value, Value) -> Bool, settle: Settle? = nil
  ) {
    turn = writer.turn
    self.writer = writer
    guardian = Unchecked(Guardian(lock))
    let first = DiffedValue(old: nil, snapshot: value, writer: writer)
    let latest = LatestValue(first, renewing: { $0.withoutOld })
    self.latest = Unchecked(latest)
    core = Unchecked(Core(name: "State", latest: latest))
    self.isSame = Unchecked(isSame)
    self.settle = Unchecked(settle)
    writer.connect(self)
  }

  /// The value as it stands; changes under way are not in it.
  @inlinable var value: Value { guarded { latest.value.withLock { $0.value.new } } }

  /// The whole value. It keeps the storage alive.
  @inlinable var access: Access<Value> {
    Access(turn: turn, kind: .endsInPlace, read: { self.value }, store: { self.write($0, $1) })
  }

  @inlinable
  func write(_ value: Value, _ write: Write) {
    switch write {
    case .plain: set(value)
    case .announced: set(value, isAnnounced: true)
    case .endingInPlace: end(value)
    }
  }

  /// Replaces the value.
  ///
  /// - Parameters:
  ///   - new: The new one.
  ///   - isAnnounced: Whether the change has been announced.
  @inlinable
  func set(_ new: Value, isAnnounced: Bool = false) {
    let isTold = isAnnounced || turn.announce(unless: { isSame.value(value, new) })
    var isWithin = turn.enter()
    if !isTold, !isSame.value(value, new) {
      // It was no change of what the value was then.
      turn.leave()
      turn.announce()
      isWithin = turn.enter()
    }
    finish(new, isWithin)
  }

  /// Takes the turn and returns the value to be changed in place; `end` or `abandon` must follow.
  ///
  /// - Parameter isSuspendable: Whether the change may await something.
  @inlinable
  func begin(isSuspendable: Bool = false) -> Value {
    turn.announce()
    turn.enterInPlace(isSuspendable: isSuspendable)
    return value
  }

  /// Goes on with what was changed in place as `finish` does.
  @inlinable
  func end(_ new: Value) {
    let isWithin = turn.endInPlace()
    finish(new, isWithin)
  }

  /// Gives the turn back without a change.
  @inlinable
  func abandon() {
    turn.endInPlace()
    turn.leave()
  }

  /// Brings a changed value into line with the rules, stores it, gives the turn back and delivers.
  ///
  /// - Parameters:
  ///   - new: The value.
  ///   - isWithin: What taking the turn, or ending the change in place, has returned.
  @inlinable
  func finish(_ new: Value, _ isWithin: Bool) {
    let old = value
    guard !isSame.value(old, new) else { return storeUnchanged(new) }
    guard let settle = settle.value else { return publish(new, after: old, isWithin) }
    guard let settled = settle(old, new) else {
      turn.leave()
      return
    }
    // A rule may have written into this very state meanwhile: each diff begins where the former ended.
    store(settled, after: value, isWithin)
  }

  /// Stores a value that is in line with the rules, gives the turn back and delivers.
  @inlinable
  func store(_ new: Value, after old: Value, _ isWithin: Bool) {
    if isSame.value(old, new) { storeUnchanged(new) } else { publish(new, after: old, isWithin) }
  }

  /// Stores a value that is another one, gives the turn back and delivers.
  @inlinable
  func publish(_ new: Value, after old: Value, _ isWithin: Bool) {
    let change = DiffedValue(old: old, snapshot: new, writer: writer)
    let newest = DiffedValue(old: nil, snapshot: new, writer: writer)
    let core = self.core.value
    let reservation = guarded { core.reserve(change, keeping: newest, deliveringLater: isWithin) }
    if turn.leave(unlessThrough: { { core.deliver(change, reservation) } }) { core.deliver(change, reservation) }
  }

  /// Stores a value that counts as the one before, but may differ in what does not count, and gives the turn back.
  /// Nobody is told.
  @inlinable
  func storeUnchanged(_ new: Value) {
    var exchanged = DiffedValue(old: nil, snapshot: new, writer: writer)
    guarded { latest.value.withLock { swap(&$0.value, &exchanged) } }
    turn.leave()
    // What was there is freed with nothing held: its `deinit` may be user code.
    withExtendedLifetime(exchanged) {}
  }

  /// Reads, changes and writes back in one step. What the body throws leaves the value as it was.
  @inlinable
  func change<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
    var value = begin()
    do throws(Failure) {
      let result = try body(&value)
      end(value)
      return result
    } catch {
      abandon()
      throw error
    }
  }

  /// Attaches a subscriber, which gets the value first and then each change.
  @inlinable
  func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == DiffedValue<Value>, S.Failure == Never {
    // Subscribers keep the engine alive, not the state.
    core.value.subscribe(subscriber, to: writer)
  }

  /// The publisher that tells of a change before it is made.
  @usableFromInline var objectWillChange: ObservableObjectPublisher { turn.objectWillChange }

  @inlinable
  func guarded<Result>(_ step: () -> Result) -> Result {
    guard let guardian = guardian.value else { return step() }
    return guardian.run(step)
  }
}

/// Passes on the value of a state, then its changes.
@usableFromInline
struct StatePublisher<Value>: Publisher {
  @usableFromInline typealias Output = DiffedValue<Value>
  @usableFromInline typealias Failure = Never

  @usableFromInline let storage: StateStorage<Value>

  @inlinable
  init(storage: StateStorage<Value>) { self.storage = storage }

  @inlinable
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    storage.subscribe(subscriber)
  }
}
