// How bindings and diffs reach the value that they stand for.

/// A state's turn as inlinable code sees it.
@usableFromInline
struct TurnHandle: Sendable {
  private let turn: Turn

  init(_ turn: Turn) { self.turn = turn }

  /// Makes the turn of a state.
  @usableFromInline
  init(_ lock: ManagedStateLock = .synced) { turn = Turn(lock) }

  @usableFromInline
  func enter(inPlace: Bool = false) { turn.enter(inPlace: inPlace) }

  @usableFromInline
  func endInPlace() { turn.endInPlace() }

  @usableFromInline
  func leave(then delivery: (() -> Void)? = nil) { turn.leave(then: delivery) }
}

/// Reads and writes a value that lives elsewhere, and takes its state's turn for both together.
@usableFromInline
struct Access<Value> {
  /// The turn of the state that the value is part of; `nil` where there is none.
  @usableFromInline let turn: TurnHandle?
  @usableFromInline let read: () -> Value
  @usableFromInline let write: (Value) -> Void

  @inlinable
  init(turn: TurnHandle?, read: @escaping () -> Value, write: @escaping (Value) -> Void) {
    self.turn = turn
    self.read = read
    self.write = write
  }

  /// Takes the turn, so that what is read stays true until `end`; until then this thread must not write the state otherwise.
  @inlinable
  func begin() -> Value {
    turn?.enter(inPlace: true)
    return read()
  }

  /// Writes back what `begin` returned, changed, and gives the turn back.
  @inlinable
  func end(_ value: Value) {
    turn?.endInPlace()
    write(value)
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

  /// A part of the value. Writing it leaves the other parts as they are at that moment.
  @inlinable
  func part<Part>(_ keyPath: WritableKeyPath<Value, Part>) -> Access<Part> {
    Access<Part>(turn: turn, read: { read()[keyPath: keyPath] }) { part in
      change { $0[keyPath: keyPath] = part }
    }
  }
}
