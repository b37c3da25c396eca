// Litmus programs as scenarios of the simulated machine.

import WeirVerify

/// What the machine lets come of a program: every order of its threads, and every choice of its memory's.
///
/// - Parameters:
///   - orders: Which orders are tried.
///   - bound: How many preemptions there may be.
///   - count: Told of how many schedules there were.
/// - Returns: The outcomes; `race` alone if there is one, as that is where an exploration ends.
func outcomesOnMachine(
  of program: Program, _ memory: MemoryModel, _ orders: Orders = .distinct, bound: Int = 100,
  count: (Int) -> Void = { _ in }
) -> Set<String> {
  nonisolated(unsafe) var outcomes: Set<String> = []
  let scenario = Scenario("litmus", bound: bound) { run in
    let litmus = LitmusRun(program, run)
    litmus.start()
    run.check { outcomes.insert(litmus.outcome) }
  }
  let finding = Exploration(scenario, memory: memory, orders: orders).explore(from: bound)
  count(finding.schedules)
  guard let failure = finding.failure else { return outcomes }
  return failure.contains("not ordered") ? ["race"] : ["failure: \(failure)"]
}

/// One run of a program.
private final class LitmusRun {
  let program: Program
  let run: Run
  let words: [ModelWord]
  let guards: [Guarded]
  var plainValues: [Int]
  var registers: [Int?]

  init(_ program: Program, _ run: Run) {
    self.program = program
    self.run = run
    words = program.locations.map { _ in ModelWord() }
    guards = program.locations.map { _ in run.guarded("plain memory") }
    plainValues = program.locations.map { _ in 0 }
    registers = program.registers.map { _ in nil }
  }

  var outcome: String { program.outcome(registers: registers) { words[$0].load() } }

  func start() {
    for (number, steps) in program.threads.enumerated() {
      run.thread("T\(number)") {
        let own = ModelWord()
        for step in steps { guard self.perform(step, own) else { return } }
      }
    }
  }

  /// - Parameter own: A word of the thread's own, to lock where a full fence is wanted.
  /// - Returns: Whether the thread goes on.
  private func perform(_ step: Program.Step, _ own: ModelWord) -> Bool {
    switch step {
    case .load(let register, let location, .plain):
      guards[location].noteRead()
      registers[register] = plainValues[location]
    case .load(let register, let location, .relaxed):
      registers[register] = words[location].relaxedLoad()
    case .load(let register, let location, .sequentiallyConsistent):
      registers[register] = words[location].sequentialLoad()
    case .load(let register, let location, _):
      registers[register] = words[location].load()
    case .store(let location, let operand, .plain):
      guards[location].noteWrite()
      plainValues[location] = operand.value(registers)
    case .store(let location, let operand, .relaxed):
      words[location].relaxedStore(operand.value(registers))
    case .store(let location, let operand, .sequentiallyConsistent):
      words[location].exchange(operand.value(registers))
    case .store(let location, let operand, _):
      words[location].store(operand.value(registers))
    case .exchange(let register, let location, let operand, .sequentiallyConsistent):
      registers[register] = words[location].sequentialExchange(operand.value(registers))
    case .exchange(let register, let location, let operand, _):
      registers[register] = words[location].exchange(operand.value(registers))
    case .add(let register, let location, let operand, _):
      registers[register] = words[location].add(operand.value(registers))
    case .compareExchange(let register, let location, let expected, let desired, _, _):
      registers[register] =
        words[location].compareExchange(
          expected.value(registers), desired.value(registers)
        ).original
    case .fence(.sequentiallyConsistent): own.exchange(1)
    case .fence: break
    case .lightFence: modelLightBarrier()
    case .heavyFence: _ = modelHeavyBarrier()
    case .stopUnless(let register, let value): return registers[register] == value
    }
    return true
  }
}

extension Program {
  /// Whether it asks for nothing but what the package's atomic words offer, so that the machine can do it with the
  /// orderings that it names; and no location is both plain and atomic.
  var isOfPackageOperations: Bool {
    plainLocations.isDisjoint(with: atomicLocations)
      && threads.joined().allSatisfy { step in
        switch step {
        case .load: true
        case .store(_, _, let ordering): ordering != .sequentiallyConsistent
        case .exchange(_, _, _, let ordering): ordering == .acquireRelease || ordering == .sequentiallyConsistent
        case .add(_, _, _, let ordering): ordering == .acquireRelease
        case .compareExchange(_, _, _, _, let ordering, let failure):
          ordering == .acquireRelease && failure == .acquire
        case .fence: false
        case .lightFence, .heavyFence, .stopUnless: true
        }
      }
  }

  private var plainLocations: Set<Int> { locations { $0 == .plain } }
  private var atomicLocations: Set<Int> { locations { $0 != .plain } }

  private func locations(where isIn: (Ordering) -> Bool) -> Set<Int> {
    Set(
      threads.joined().compactMap { step in
        switch step {
        case .load(_, let location, let ordering), .store(let location, _, let ordering):
          isIn(ordering) ? location : nil
        case .exchange(_, let location, _, let ordering), .add(_, let location, _, let ordering),
          .compareExchange(_, let location, _, _, let ordering, _):
          isIn(ordering) ? location : nil
        case .fence, .lightFence, .heavyFence, .stopUnless: nil
        }
      })
  }

  /// Whether it has neither plain accesses, of whose races x86 knows nothing, nor asymmetric fences.
  var isOfPlainX86: Bool {
    !threads.joined().contains { step in
      switch step {
      case .lightFence, .heavyFence, .load(_, _, .plain), .store(_, _, .plain): true
      default: false
      }
    }
  }
}
