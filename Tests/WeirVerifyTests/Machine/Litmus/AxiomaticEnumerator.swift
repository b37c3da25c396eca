// A second opinion on litmus programs that shares nothing with the models under test: all values that reads could
// return, all writes that they could come from, all modification orders; then what the axioms allow of it.

import WeirVerify

/// Something a thread does to memory.
struct Action {
  enum Kind {
    case read, write, update, fence, lightFence, heavyFence
  }

  let kind: Kind
  let ordering: Ordering
  var location = -1
  var read = 0
  var written = 0
  /// Whether it is an instruction that x86 locks, also if it writes nothing.
  var isLocked = false

  var reads: Bool { kind == .read || kind == .update }
  var writes: Bool { kind == .write || kind == .update }
}

/// What a thread does if its reads return certain values.
private struct Path {
  var actions: [Action] = []
  /// What its registers are in the end; `nil` if it has not set them.
  var registers: [Int?]
}

/// Everything that happens in a run, and how it is related.
struct Execution {
  /// Which thread; -1 for what locations are at first.
  let threads: [Int]
  let actions: [Action]
  let programOrder: Relation
  let readsFrom: Relation
  let modificationOrder: Relation
}

/// The outcomes of a program's executions.
///
/// - Parameters:
///   - isAllowed: The axioms.
///   - hasRace: Whether an execution has a race: its outcome is then `race`.
func outcomes(
  of program: Program, isAllowed: (Execution) -> Bool, hasRace: (Execution) -> Bool
) -> Set<String> {
  var outcomes: Set<String> = []
  Enumerator(program).forEachExecution { execution, registers in
    guard isAllowed(execution) else { return }
    outcomes.insert(
      hasRace(execution) ? "race" : program.outcome(registers: registers) { execution.finalValue(of: $0) })
  }
  return outcomes
}

extension Execution {
  func finalValue(of location: Int) -> Int {
    let last = actions.indices.first { one in
      actions[one].writes && actions[one].location == location
        && !actions.indices.contains { modificationOrder.contains(one, $0) }
    }
    return actions[last!].written
  }
}

private struct Enumerator {
  let program: Program
  /// What a read of a location could return.
  private let values: [[Int]]

  init(_ program: Program) {
    self.program = program
    values = Self.values(program)
  }

  /// All values that could come to be in a location, and maybe others.
  private static func values(_ program: Program) -> [[Int]] {
    var constants: Set<Int> = [0]
    var stored = [Set<Int>](repeating: [0], count: program.locations.count)
    /// Locations that more than constants are written to.
    var open: Set<Int> = []
    var added = 0
    func note(_ operand: Program.Operand, _ location: Int) {
      switch operand {
      case .constant(let value):
        constants.insert(value)
        stored[location].insert(value)
      case .register: open.insert(location)
      }
    }
    for step in program.threads.joined() {
      switch step {
      case .store(let location, let operand, _): note(operand, location)
      case .exchange(_, let location, let operand, _): note(operand, location)
      case .compareExchange(_, let location, _, let desired, _, _): note(desired, location)
      case .add(_, let location, let operand, _):
        open.insert(location)
        if case .constant(let value) = operand { added += value }
      case .load, .fence, .lightFence, .heavyFence, .stopUnless: break
      }
    }
    let all = added == 0 ? constants.sorted() : Array(0...(constants.max()! + added))
    return stored.indices.map { open.contains($0) ? all : stored[$0].sorted() }
  }

  /// - Parameter body: Called with each, and with what the registers are in the end.
  func forEachExecution(_ body: (Execution, [Int?]) -> Void) {
    let none = [Int?](repeating: nil, count: program.registers.count)
    let paths = program.threads.map { steps in
      var paths: [Path] = []
      follow(steps[...], Path(registers: none)) { paths.append($0) }
      return paths
    }
    combine(paths[...], []) { paths in
      var registers = none
      for path in paths {
        for (index, value) in path.registers.enumerated() where value != nil { registers[index] = value }
      }
      relate(paths.map(\.actions)) { body($0, registers) }
    }
  }

  /// All ways through a thread.
  private func follow(_ steps: ArraySlice<Program.Step>, _ path: Path, _ body: (Path) -> Void) {
    guard let step = steps.first else { return body(path) }
    let rest = steps.dropFirst()
    func goOn(_ action: Action, _ register: Int? = nil) {
      var path = path
      path.actions.append(action)
      if let register { path.registers[register] = action.read }
      follow(rest, path, body)
    }
    /// A read-modify-write that writes what `change` makes of a value, if anything.
    func modify(
      _ register: Int, _ location: Int, _ ordering: Ordering, _ failure: Ordering, _ change: (Int) -> Int?
    ) {
      for value in values[location] {
        let new = change(value)
        goOn(
          Action(
            kind: new == nil ? .read : .update, ordering: new == nil ? failure : ordering, location: location,
            read: value, written: new ?? 0, isLocked: true), register)
      }
    }
    switch step {
    case .load(let register, let location, let ordering):
      for value in values[location] {
        goOn(Action(kind: .read, ordering: ordering, location: location, read: value), register)
      }
    case .store(let location, let operand, let ordering):
      goOn(
        Action(
          kind: .write, ordering: ordering, location: location, written: operand.value(path.registers),
          isLocked: ordering == .sequentiallyConsistent))
    case .exchange(let register, let location, let operand, let ordering):
      modify(register, location, ordering, ordering) { _ in operand.value(path.registers) }
    case .add(let register, let location, let operand, let ordering):
      modify(register, location, ordering, ordering) { $0 + operand.value(path.registers) }
    case .compareExchange(let register, let location, let expected, let desired, let ordering, let failure):
      modify(register, location, ordering, failure) {
        $0 == expected.value(path.registers) ? desired.value(path.registers) : nil
      }
    case .fence(let ordering): goOn(Action(kind: .fence, ordering: ordering))
    case .lightFence: goOn(Action(kind: .lightFence, ordering: .sequentiallyConsistent))
    case .heavyFence: goOn(Action(kind: .heavyFence, ordering: .sequentiallyConsistent))
    case .stopUnless(let register, let value):
      if path.registers[register] == value { follow(rest, path, body) } else { body(path) }
    }
  }

  /// All ways to take one path of each thread.
  private func combine(_ rest: ArraySlice<[Path]>, _ chosen: [Path], _ body: ([Path]) -> Void) {
    guard let paths = rest.first else { return body(chosen) }
    for path in paths { combine(rest.dropFirst(), chosen + [path], body) }
  }

  /// All ways in which reads come from writes, and writes follow each other.
  private func relate(_ paths: [[Action]], _ body: (Execution) -> Void) {
    var threads: [Int] = [], actions: [Action] = []
    for location in program.locations.indices {
      threads.append(-1)
      actions.append(Action(kind: .write, ordering: .plain, location: location))
    }
    for (thread, path) in paths.enumerated() {
      threads += path.map { _ in thread }
      actions += path
    }
    let reads = actions.indices.filter { actions[$0].reads }
    let sources = reads.map { read in
      actions.indices.filter {
        $0 != read && actions[$0].writes && actions[$0].location == actions[read].location
          && actions[$0].written == actions[read].read
      }
    }
    guard !sources.contains(where: \.isEmpty) else { return }
    let count = actions.count
    let programOrder = Relation(count) {
      threads[$0] == threads[$1] ? $0 < $1 && threads[$0] >= 0 : threads[$0] < 0
    }
    let writes = program.locations.indices.map { location in
      actions.indices.filter { actions[$0].writes && actions[$0].location == location && threads[$0] >= 0 }
    }
    forEachChoice(sources[...], Relation(count), { $0.insert($2, reads[$1]) }) { readsFrom in
      forEachOrder(writes[...], Relation(count)) { modificationOrder in
        body(
          Execution(
            threads: threads, actions: actions, programOrder: programOrder, readsFrom: readsFrom,
            modificationOrder: modificationOrder))
      }
    }
  }

  /// Takes one element of each list.
  private func forEachChoice(
    _ lists: ArraySlice<[Int]>, _ relation: Relation, _ insert: (inout Relation, Int, Int) -> Void,
    _ body: (Relation) -> Void
  ) {
    guard let list = lists.first else { return body(relation) }
    for element in list {
      var relation = relation
      insert(&relation, lists.startIndex, element)
      forEachChoice(lists.dropFirst(), relation, insert, body)
    }
  }

  /// Orders the writes of each location, behind its first value: the event with the location's number.
  private func forEachOrder(_ writes: ArraySlice<[Int]>, _ relation: Relation, _ body: (Relation) -> Void) {
    guard let list = writes.first else { return body(relation) }
    forEachPermutation(list, [writes.startIndex]) { order in
      var relation = relation
      for (index, one) in order.enumerated() {
        for other in order[(index + 1)...] { relation.insert(one, other) }
      }
      forEachOrder(writes.dropFirst(), relation, body)
    }
  }

  private func forEachPermutation(_ rest: [Int], _ order: [Int], _ body: ([Int]) -> Void) {
    if rest.isEmpty { return body(order) }
    for index in rest.indices {
      var rest = rest
      let element = rest.remove(at: index)
      forEachPermutation(rest, order + [element], body)
    }
  }
}
