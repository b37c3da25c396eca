// A value that is being worked on before it becomes the state's.

public import WeirQueues

/// A value that rules read and write while a change is computed; afterwards it stands still, and who changes it changes
/// the state.
@usableFromInline
final class Candidate<Value>: Sendable {
  @usableFromInline
  struct State {
    @usableFromInline var value: Value
    @usableFromInline var isWritten = false
    @usableFromInline var isOpen = true

    @inlinable
    init(value: Value) { self.value = value }
  }

  @usableFromInline let state: Lock<State>
  @usableFromInline let turn: TurnHandle?
  @usableFromInline let late: Unchecked<Late>
  /// What rules were shown by changes within this one, in the round that tells them that it is overwritten.
  @usableFromInline let overwritten: Unchecked<[Value]?>

  /// What takes the place of the candidate after the end. An object, as a candidate is made for each round.
  @usableFromInline
  final class Late {
    /// The value as it is then; `nil` where it is gone.
    @usableFromInline let read: () -> Value?
    @usableFromInline let write: (Value) -> Void

    @inlinable
    init(read: @escaping () -> Value?, write: @escaping (Value) -> Void) {
      self.read = read
      self.write = write
    }
  }

  /// Opens a candidate.
  ///
  /// - Parameters:
  ///   - value: Its value at first.
  ///   - turn: The turn of the state that it is for.
  ///   - late: What is read and written by those who change it after the end.
  ///   - overwritten: What rules were shown by changes within this one, if they are told now that it is overwritten.
  @inlinable
  init(_ value: Value, turn: TurnHandle?, late: Late, overwritten: [Value]? = nil) {
    state = Lock(State(value: value))
    self.turn = turn
    self.late = Unchecked(late)
    self.overwritten = Unchecked(overwritten)
  }

  /// The value as it stands, or stood at the end.
  @inlinable var value: Value { state.withLock { $0.value } }

  /// The value that is changed: the candidate's until the end, and then the state's.
  @inlinable var current: Value {
    let (value, isOpen) = state.withLock { ($0.value, $0.isOpen) }
    return isOpen ? value : late.value.read() ?? value
  }

  /// The way to the value. What is written is part of a change that was announced.
  @inlinable var access: Access<Value> {
    Access(
      turn: turn?.silent, read: { self.current },
      store: { value, write in write == .plain ? self.set(value) : self.write(value) })
  }

  /// Writes a value for who has the turn, if there is one, since it was read.
  @inlinable
  func write(_ value: Value) {
    if !replace(with: value) { late.value.write(value) }
  }

  /// Writes a value that need not come of what was there: whoever is changing that is waited for, and who is doing so
  /// itself is stopped.
  @inlinable
  func set(_ value: Value) {
    turn?.enter()
    let isOpen = replace(with: value)
    turn?.leave()
    // Without the turn, so that it is told of before.
    if !isOpen { late.value.write(value) }
  }

  /// - Returns: `false` after the end, when nothing is written here.
  @inlinable
  func replace(with value: Value) -> Bool {
    var exchanged = value
    return state.withLock { state in
      guard state.isOpen else { return false }
      swap(&state.value, &exchanged)
      state.isWritten = true
      return true
    }
  }

  /// Ends the work.
  ///
  /// - Returns: The value, if it was written since the beginning.
  @inlinable @discardableResult
  func close() -> Value? {
    state.withLock { state in
      state.isOpen = false
      return state.isWritten ? state.value : nil
    }
  }
}
