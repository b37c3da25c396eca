// A value that is being worked on before it becomes the state's.

public import WeirQueues

/// A value that rules read and write while a change is computed; afterwards it stands still, and writes go elsewhere.
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
  @usableFromInline let late: Unchecked<(Value) -> Void>

  /// Opens a candidate.
  ///
  /// - Parameters:
  ///   - value: Its value at first.
  ///   - turn: The turn of the state that it is for.
  ///   - late: Takes what is written after the end.
  @inlinable
  init(_ value: Value, turn: TurnHandle?, late: @escaping (Value) -> Void) {
    state = Lock(State(value: value))
    self.turn = turn
    self.late = Unchecked(late)
  }

  /// The value as it stands.
  @inlinable var value: Value { state.withLock { $0.value } }

  /// The way to the value. What is written is part of a change that was announced.
  @inlinable var access: Access<Value> {
    Access(turn: turn?.silent, read: { self.value }, store: { value, _ in self.write(value) })
  }

  @inlinable
  func write(_ value: Value) {
    var exchanged = value
    let isOpen = state.withLock { state -> Bool in
      guard state.isOpen else { return false }
      swap(&state.value, &exchanged)
      state.isWritten = true
      return true
    }
    if !isOpen { late.value(value) }
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
