// A value that is being worked on before it becomes the state's.

import WeirQueues

/// A value that rules read and write while a change is computed; afterwards it stands still, and writes go elsewhere.
final class Candidate<Value>: Sendable {
  private struct State {
    var value: Value
    var isWritten = false
    var isOpen = true
  }

  private let state: Lock<State>
  private let turn: Turn?
  private let late: Unchecked<(Value) -> Void>

  /// Opens a candidate.
  ///
  /// - Parameters:
  ///   - value: Its value at first.
  ///   - turn: The turn of the state that it is for.
  ///   - late: Takes what is written after the end.
  init(_ value: Value, turn: Turn?, late: @escaping (Value) -> Void) {
    state = Lock(State(value: value))
    self.turn = turn
    self.late = Unchecked(late)
  }

  /// The value as it stands.
  var value: Value { state.withLock { $0.value } }

  /// The way to the value.
  var access: Access<Value> { Access(turn: turn, read: { self.value }, write: { self.write($0) }) }

  private func write(_ value: Value) {
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
  @discardableResult
  func close() -> Value? {
    state.withLock { state in
      state.isOpen = false
      return state.isWritten ? state.value : nil
    }
  }
}
