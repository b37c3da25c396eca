// All outcomes of a litmus program on RC11: every order of the threads, every choice of the model's.

import WeirVerify

/// What RC11 lets come of a program.
func outcomes(of program: Program) -> Set<String> {
  var search = Search(program)
  search.explore(Moment(program))
  return search.outcomes
}

/// A program on its way.
private struct Moment {
  var memory = RC11()
  /// Each thread's next step.
  var next: [Int]
  var registers: [Int?]

  init(_ program: Program) {
    next = [Int](repeating: 0, count: program.threads.count)
    registers = [Int?](repeating: nil, count: program.registers.count)
    for _ in program.locations { _ = memory.makeLocation(0, by: 0) }
    for thread in program.threads.indices { memory.start(thread + 1) }
  }

  var state: [Int] { next + registers.map { $0 ?? -1 } + memory.state }

  /// Does the next step of a thread.
  mutating func advance(_ index: Int, _ program: Program, _ choose: (Int) -> Int) {
    let step = program.threads[index][next[index]], thread = index + 1
    next[index] += 1
    switch step {
    case .load(let register, let location, let ordering):
      registers[register] = memory.load(location, by: thread, ordering, choose)
    case .store(let location, let operand, let ordering):
      memory.store(location, operand.value(registers), by: thread, ordering, choose)
    case .exchange(let register, let location, let operand, let ordering):
      let new = operand.value(registers)
      registers[register] =
        memory.modify(location, by: thread, ordering, failure: ordering, choose) { _ in new }.old
    case .add(let register, let location, let operand, let ordering):
      let amount = operand.value(registers)
      registers[register] =
        memory.modify(location, by: thread, ordering, failure: ordering, choose) { $0 + amount }.old
    case .compareExchange(let register, let location, let expected, let desired, let ordering, let failure):
      let (old, new) = (expected.value(registers), desired.value(registers))
      registers[register] =
        memory.modify(location, by: thread, ordering, failure: failure, choose) { $0 == old ? new : nil }.old
    case .fence(let ordering): memory.fence(by: thread, ordering)
    case .lightFence: memory.lightFence(by: thread)
    case .heavyFence: memory.heavyFence(by: thread)
    case .stopUnless(let register, let value):
      if registers[register] != value { next[index] = program.threads[index].count }
    }
  }
}

private struct Search {
  let program: Program
  var outcomes: Set<String> = []
  var seen: Set<[Int]> = []

  init(_ program: Program) { self.program = program }

  mutating func explore(_ moment: Moment) {
    guard seen.insert(moment.state).inserted else { return }
    if moment.memory.race != nil {
      outcomes.insert("race")
      return
    }
    let running = program.threads.indices.filter { moment.next[$0] < program.threads[$0].count }
    for thread in running {
      for after in following(moment, { $0.advance(thread, program, $1) }) { explore(after) }
    }
    if running.isEmpty {
      outcomes.insert(program.outcome(registers: moment.registers) { moment.memory.finalValue(of: $0) })
    }
  }

  /// What comes of a moment, for every way to choose.
  private func following(
    _ moment: Moment, _ body: (inout Moment, (Int) -> Int) -> Void
  ) -> [Moment] {
    var moments: [Moment] = []
    var chosen: [(option: Int, options: Int)] = []
    repeat {
      var after = moment
      var depth = 0
      body(&after) { options in
        if depth == chosen.count { chosen.append((0, options)) }
        defer { depth += 1 }
        return chosen[depth].option
      }
      moments.append(after)
      while let last = chosen.last, last.option + 1 == last.options { chosen.removeLast() }
      if !chosen.isEmpty { chosen[chosen.count - 1].option += 1 }
    } while !chosen.isEmpty
    return moments
  }
}
