// Operations of several threads against a sequential specification: linearizability.
//
// M. Herlihy, J. Wing, "Linearizability: A Correctness Condition for Concurrent Objects" (1990); the search is that of
// J. Wing, C. Gong, "Testing and Verifying Concurrent Objects" (1993).

/// What an object does when one thread alone uses it: the model that a concurrent one is compared with.
///
/// The orders of many operations are very many. Of a specification that is `Hashable`, those that lead to the same
/// state are looked at once.
///
/// ```swift
/// struct Counter: SequentialSpecification {
///   enum Operation { case increment }
///   var count = 0
///   mutating func perform(_ operation: Operation) -> Int {
///     count += 1
///     return count
///   }
/// }
/// ```
public protocol SequentialSpecification {
  /// What may be asked of the object.
  associatedtype Operation
  /// What it answers.
  associatedtype Outcome: Equatable

  /// Does an operation.
  ///
  /// - Parameter operation: What is asked.
  /// - Returns: What the object answers.
  mutating func perform(_ operation: Operation) -> Outcome
}

/// What the threads of a run have asked of an object, and what it answered.
///
/// At the end of the run there must be an order of all operations in which the specification gives the same answers. An
/// operation comes before another one in it if the thread that began the other knew that it had returned: as its own,
/// or by way of what the program's words and locks order. Real time, which Herlihy and Wing count too, does not matter:
/// no thread can tell it. There are 63 operations at most.
public final class History<Specification: SequentialSpecification> {
  private struct Call {
    let operation: Specification.Operation
    let outcome: Specification.Outcome
    let thread: String
    let began: Moment
    let ended: Moment
  }

  /// How many operations there may be in a run: a bit of a number each, and one left.
  private static var most: Int { 63 }

  private let specification: Specification
  private var calls: [Call] = []

  init(_ specification: Specification) { self.specification = specification }

  /// Does an operation, and writes it down.
  ///
  /// - Parameters:
  ///   - operation: What it is to the specification.
  ///   - body: Does it.
  /// - Returns: What the object has answered.
  @discardableResult
  public func record(
    _ operation: Specification.Operation, _ body: () -> Specification.Outcome
  ) -> Specification.Outcome {
    let thread = machine.current
    let began = machine.moment()
    let outcome = body()
    let ended = machine.moment()
    guard calls.count < Self.most else {
      machine.fail("more than \(Self.most) operations in one history, which is the limit: record fewer in a run")
      return outcome
    }
    calls.append(Call(operation: operation, outcome: outcome, thread: thread.name, began: began, ended: ended))
    machine.log?.note(thread, "\(operation) gave \(outcome)")
    return outcome
  }

  /// Fails the run if no order of the operations explains their outcomes.
  func check() {
    var known: Set<Known> = []
    guard !isExplained(specification, done: 0, &known) else { return }
    let told = calls.map { "\($0.thread): \($0.operation) gave \($0.outcome)" }
    machine.fail("not linearizable: " + told.joined(separator: ", "))
  }

  /// What has been done, bit per operation, and the state that it has led to.
  private struct Known: Hashable {
    let done: UInt64
    let state: AnyHashable
  }

  /// Whether the operations that are left can come behind those that are done, bit per operation.
  ///
  /// - Parameter known: Where that was asked before, and they can't.
  private func isExplained(_ state: Specification, done: UInt64, _ known: inout Set<Known>) -> Bool {
    machine.noteProgress()
    if let state = state as? any Hashable,
      !known.insert(Known(done: done, state: AnyHashable(state))).inserted
    {
      return false
    }
    let left = calls.indices.filter { done >> UInt64($0) & 1 == 0 }
    return left.isEmpty
      || left.contains { next in
        guard !left.contains(where: { comes($0, before: next) }) else { return false }
        var state = state
        return state.perform(calls[next].operation) == calls[next].outcome
          && isExplained(state, done: done | 1 << UInt64(next), &known)
      }
  }

  private func comes(_ first: Int, before second: Int) -> Bool {
    if calls[first].thread == calls[second].thread { return first < second }
    return calls[first].ended.isKnown(at: calls[second].began)
  }
}

extension Run {
  /// A history whose operations must be linearizable, which is checked when all threads have ended, behind the run's
  /// other looks at what is left: what these record comes after all that the threads did.
  ///
  /// - Parameter specification: The object as one thread would see it, in its first state.
  public func history<Specification: SequentialSpecification>(
    of specification: Specification
  ) -> History<Specification> {
    let history = History(specification)
    checkLast { history.check() }
    return history
  }
}
