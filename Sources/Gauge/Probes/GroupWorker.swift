// What a thread of a group repeats, with the state that it does it with.
// No test file: GroupCrewTests have threads run it.

/// What one thread of a group repeats.
@usableFromInline
class GroupWorker {
  @usableFromInline
  init() {}

  /// Runs the operation so many times, at least once.
  @usableFromInline
  func run(_ operations: Int) {}
}

/// A worker with its state; the loop is a closure, as its body is specialised where a generic class's method is not.
@usableFromInline
final class StatefulWorker<State>: GroupWorker {
  private var state: State
  private let loop: (Int, inout State) -> Void

  @usableFromInline
  init(_ state: State, loop: @escaping (Int, inout State) -> Void) {
    self.state = state
    self.loop = loop
  }

  @usableFromInline
  override func run(_ operations: Int) { loop(operations, &state) }
}
