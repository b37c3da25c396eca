// How bindings and diffs reach the value that they stand for.

/// Reads and writes a value that lives elsewhere, and takes its state's turn for both together.
struct Access<Value> {
  /// The turn of the state that the value is part of; `nil` where there is none.
  let turn: Turn?
  let read: () -> Value
  let write: (Value) -> Void

  /// Takes the turn, so that what is read stays true until `end`.
  func begin() -> Value {
    turn?.enter()
    return read()
  }

  /// Writes back what `begin` returned, changed, and gives the turn back.
  func end(_ value: Value) {
    write(value)
    turn?.leave()
  }

  /// Gives the turn back without writing.
  func abandon() { turn?.leave() }

  /// Reads, changes and writes back in one step. What the body throws leaves the value as it was.
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
  func part<Part>(_ keyPath: WritableKeyPath<Value, Part>) -> Access<Part> {
    Access<Part>(turn: turn, read: { read()[keyPath: keyPath] }) { part in
      change { $0[keyPath: keyPath] = part }
    }
  }
}
