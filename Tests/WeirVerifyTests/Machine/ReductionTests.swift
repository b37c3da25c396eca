// The reduction: what it leaves out is no state that all orders lead to, within any bounds; and it leaves out much.

import Testing
import WeirVerify

/// Preemptions and stale reads.
private let bounds = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 2), (3, 1)]

extension MachineTests {
  @Suite struct ReductionTests {
    // MARK: Litmus programs

    @Test(arguments: litmusTests.filter(\.program.isOfPackageOperations))
    func litmusProgramsHaveTheirOutcomes(litmus: Litmus) {
      let allowed = litmus.allowed.contains("race") ? ["race"] : litmus.allowed
      let all = outcomesOnMachine(of: litmus.program, .rc11(stale: 100), .all)
      let distinct = outcomesOnMachine(of: litmus.program, .rc11(stale: 100), .distinct)
      #expect(difference(distinct, allowed) == "")
      #expect(difference(distinct, all) == "")
    }

    @Test(arguments: bounds)
    func litmusProgramsHaveTheSameOutcomesWithinBounds(bound: Int, stale: Int) {
      for litmus in litmusTests where litmus.program.isOfPackageOperations {
        let all = outcomesOnMachine(of: litmus.program, .rc11(stale: stale), .all, bound: bound)
        let distinct = outcomesOnMachine(of: litmus.program, .rc11(stale: stale), .distinct, bound: bound)
        #expect(difference(distinct, all) == "", "\(litmus.name)")
      }
    }

    /// Programs, how many schedules they have, and how many of them are tried.
    @Test(arguments: [
      ("MP+rel+acq", 12, 9), ("2+2W", 24, 18), ("SB+own reads", 76, 13), ("3.LB", 138, 48), ("3.SB", 546, 89),
      ("IRIW", 974, 162), ("3.SB+light+light+heavy", 1378, 89),
    ])
    func fewSchedulesOfLitmusProgramsAreTried(name: String, all: Int, distinct: Int) throws {
      let program = try #require(litmusTests.first { $0.name == name }).program
      var counts: [Int] = []
      for orders in [Orders.all, .distinct] {
        _ = outcomesOnMachine(of: program, .rc11(stale: 100), orders) { counts.append($0) }
      }
      #expect(counts[0] == all)
      #expect(counts[1] <= distinct)
    }

    @Test func randomProgramsHaveWhatTheAxiomsAllow() {
      for seed in 1...25 as ClosedRange<UInt64> {
        let text = randomProgram(.packageOperations, seed: seed)
        let program = Program(text, observed: "xy")
        let found = outcomesOnMachine(of: program, .rc11(stale: 100), .distinct)
        #expect(difference(found, outcomesByAxioms(program)) == "", "\(text)")
        for (bound, stale) in bounds {
          let all = outcomesOnMachine(of: program, .rc11(stale: stale), .all, bound: bound)
          let distinct = outcomesOnMachine(of: program, .rc11(stale: stale), .distinct, bound: bound)
          #expect(difference(distinct, all) == "", "\(bound) preemptions, \(stale) stale reads: \(text)")
        }
      }
    }

    // MARK: Scenarios

    @Test(arguments: smallScenarios)
    func scenariosEndInTheSameStates(scenario: SmallScenario) {
      for (bound, stale) in bounds {
        let all = scenario.explore(.all, bound: bound, stale: stale)
        let distinct = scenario.explore(.distinct, bound: bound, stale: stale)
        let what = "\(bound) preemptions, \(stale) stale reads"
        #expect(difference(distinct.states, all.states) == "", "\(what)")
        #expect(distinct.schedules <= all.schedules, "\(what)")
      }
    }

    @Test(arguments: failingScenarios)
    func scenariosFailWithAsManyPreemptions(scenario: SmallScenario) {
      for stale in [0, 2] {
        let all = Exploration(scenario.scenario, memory: .rc11(stale: stale), orders: .all).explore()
        let distinct = Exploration(scenario.scenario, memory: .rc11(stale: stale), orders: .distinct).explore()
        #expect(all.failure != nil)
        #expect(distinct.failure != nil && distinct.bound == all.bound)
        var lines: [String] = []
        let exploration = Exploration(scenario.scenario, memory: .rc11(stale: stale))
        let again = exploration.replay(distinct.schedule) { lines.append("\($0)") }
        #expect(again == distinct.failure)
        #expect(lines.last?.hasPrefix("***") == true)
      }
    }

    // MARK: Mistakes

    @Test(arguments: [Orders.Fault.writesToOneWordAreApart, .readsLackAChoice])
    func mistakesAreNoticed(fault: Orders.Fault) {
      let isNoticed = litmusTests.contains { litmus in
        guard litmus.program.isOfPackageOperations, !litmus.allowed.contains("race") else { return false }
        return bounds.contains { bound, stale in
          outcomesOnMachine(of: litmus.program, .rc11(stale: stale), .mistaken(fault), bound: bound)
            != outcomesOnMachine(of: litmus.program, .rc11(stale: stale), .all, bound: bound)
        }
      }
      #expect(isNoticed)
    }
  }
}

/// A scenario of a few steps that tells in what state it ends.
struct SmallScenario: Sendable, CustomTestStringConvertible {
  let name: String
  /// Makes the threads, and has a check call what it is given.
  let body: @Sendable (Run, @escaping (String) -> Void) -> Void

  init(_ name: String, _ body: @escaping @Sendable (Run, @escaping (String) -> Void) -> Void) {
    self.name = name
    self.body = body
  }

  var testDescription: String { name }

  var scenario: Scenario {
    let body = body
    return Scenario(name, bound: 3) { body($0) { _ in } }
  }

  func explore(_ orders: Orders, bound: Int, stale: Int) -> (states: Set<String>, schedules: Int) {
    nonisolated(unsafe) var states: Set<String> = []
    let body = body
    let scenario = Scenario(name, bound: bound) { body($0) { states.insert($0) } }
    let finding = Exploration(scenario, memory: .rc11(stale: stale), orders: orders).explore(from: bound)
    if let failure = finding.failure { states.insert("failure: \(failure)") }
    return (states, finding.schedules)
  }
}

private let smallScenarios = [
  SmallScenario("each its own word, and a look at the next one's") { run, tell in
    let words = (0..<3).map { _ in ModelWord() }
    nonisolated(unsafe) var seen = [0, 0, 0]
    for me in 0..<3 {
      run.thread("\(me)") {
        words[me].relaxedStore(1)
        words[me].store(2)
        seen[me] = words[(me + 1) % 3].load()
      }
    }
    run.check { tell("\(seen)") }
  },
  SmallScenario("locks") { run, tell in
    let locks = [ModelLock(), ModelLock()]
    nonisolated(unsafe) var lists = ["", ""]
    for (name, order) in [("A", [0, 1]), ("B", [0]), ("C", [1])] {
      run.thread(name) { for lock in order { locks[lock].withLock { lists[lock] += name } } }
    }
    run.check { tell(lists.joined(separator: " ")) }
  },
  SmallScenario("who has a lock stores behind it") { run, tell in
    let lock = ModelLock(), word = ModelWord()
    nonisolated(unsafe) var seen: [Int] = []
    for me in 1...2 {
      run.thread("\(me)") {
        word.relaxedStore(me)
        lock.withLock { seen.append(word.relaxedLoad() * 10 + me) }
        word.add(10)
      }
    }
    run.check { tell("\(seen) \(word.load())") }
  },
  SmallScenario("a spinner") { run, tell in
    let data = ModelWord(), flag = ModelWord()
    nonisolated(unsafe) var seen = 0
    run.thread("spinner") {
      while flag.load() == 0 { modelSpin() }
      seen = data.relaxedLoad()
    }
    run.thread("writer") {
      data.relaxedStore(1)
      flag.store(1)
      data.relaxedStore(2)
    }
    run.thread("third") { data.add(10) }
    run.check { tell("\(seen) \(data.load())") }
  },
  SmallScenario("two spinners that let each other go on") { run, tell in
    let words = [ModelWord(), ModelWord()], log = ModelWord()
    for me in 0...1 {
      run.thread("\(me)") {
        log.store(log.load() * 10 + me + 1)
        words[me].store(1)
        while words[1 - me].load() == 0 { modelSpin() }
        log.store(log.load() * 10 + me + 1)
      }
    }
    run.check { tell("\(log.load())") }
  },
  SmallScenario("who waits for a flag that is no word") { run, tell in
    let words = [ModelWord(), ModelWord()]
    nonisolated(unsafe) var isThere = false
    nonisolated(unsafe) var seen = [0, 0, 0]
    run.thread("waiter") {
      words[0].store(1)
      _ = run.wait { isThere }
      seen[0] = words[1].relaxedLoad()
    }
    run.thread("writer") {
      words[1].relaxedStore(1)
      seen[1] = words[0].load()
      words[1].relaxedStore(2)
      isThere = true
      words[1].relaxedStore(3)
    }
    run.thread("third") { seen[2] = words[0].load() + words[1].load() }
    run.check { tell("\(seen)") }
  },
  SmallScenario("pauses, and who is between them") { run, tell in
    let words = [ModelWord(), ModelWord()]
    nonisolated(unsafe) var inside = 0
    nonisolated(unsafe) var most = 0
    for me in 0...1 {
      run.thread("\(me)") {
        words[me].add(1)
        inside += 1
        most = max(most, inside)
        run.pause("inside")
        inside -= 1
        _ = words[1 - me].load()
      }
    }
    run.check { tell("\(most)") }
  },
  SmallScenario("plain memory that the reduction is told of") { run, tell in
    let words = [ModelWord(), ModelWord()], accesses = Unguarded()
    nonisolated(unsafe) var isSet = false
    nonisolated(unsafe) var seen = false
    run.thread("writer") {
      words[0].add(1)
      accesses.noteWrite()
      isSet = true
    }
    run.thread("reader") {
      words[1].add(1)
      accesses.noteRead()
      seen = isSet
    }
    run.thread("third") { _ = words[0].load() + words[1].load() }
    run.check { tell("\(seen)") }
  },
  SmallScenario("a stack") { run, tell in
    let head = ModelWord(), next = (0...2).map { _ in ModelWord() }
    for me in 1...2 {
      run.thread("\(me)") {
        var old = head.relaxedLoad()
        repeat {
          next[me].relaxedStore(old)
          let (exchanged, original) = head.compareExchange(old, me)
          if exchanged { break }
          old = original
        } while true
      }
    }
    nonisolated(unsafe) var taken = 0
    run.thread("taker") {
      let old = head.load()
      guard old > 0, head.compareExchange(old, next[old].relaxedLoad()).exchanged else { return }
      taken = old
    }
    run.check { tell("\(taken) \(head.load()) \(next.map { $0.load() })") }
  },
  SmallScenario("signals counted for whoever is at work") { run, tell in
    let count = ModelWord()
    nonisolated(unsafe) var rounds = ""
    for name in ["A", "B", "C"] {
      run.thread(name) {
        guard count.add(1) == 0 else { return }
        repeat { rounds += name } while count.add(-1) != 1
      }
    }
    run.check { tell(rounds) }
  },
  SmallScenario("a thread that may freeze") { run, tell in
    let words = [ModelWord(), ModelWord()]
    nonisolated(unsafe) var seen = [0, 0]
    run.thread("A", mayFreeze: true) {
      words[0].store(1)
      words[1].add(1)
      seen[0] = words[1].load()
    }
    run.thread("B") {
      words[1].add(10)
      seen[1] = words[0].load()
    }
    run.thread("C") { words[1].add(100) }
    run.check { tell("\(seen) \(words[1].load())") }
  },
  SmallScenario("an asymmetric fence") { run, tell in
    let words = [ModelWord(), ModelWord()]
    nonisolated(unsafe) var seen = [0, 0]
    for me in 0...1 {
      run.thread("\(me)") {
        words[me].relaxedStore(1)
        if me == 0 { modelLightBarrier() } else { _ = modelHeavyBarrier() }
        seen[me] = words[1 - me].relaxedLoad()
        words[me].relaxedStore(2)
      }
    }
    run.check { tell("\(seen)") }
  },
]

private let failingScenarios = [
  SmallScenario("a lost update") { run, _ in
    let word = ModelWord(), other = ModelWord()
    for name in ["A", "B"] {
      run.thread(name) {
        other.add(1)
        word.exchange(word.load() + 1)
        other.add(1)
      }
    }
    run.check { run.expect(word.load(), 2, "sum") }
  },
  SmallScenario("a deadlock") { run, _ in
    let locks = [ModelLock(), ModelLock()]
    for me in 0...1 { run.thread("T\(me)") { locks[me].withLock { locks[1 - me].withLock {} } } }
  },
  SmallScenario("a lock that a frozen thread has") { run, _ in
    let lock = ModelLock(), word = ModelWord()
    for name in ["A", "B"] { run.thread(name, mayFreeze: true) { lock.withLock { _ = word.add(1) } } }
  },
  SmallScenario("a relaxed publication") { run, _ in
    let data = run.guarded("data"), flag = ModelWord()
    run.thread("writer") {
      data.noteWrite()
      flag.relaxedStore(1)
    }
    run.thread("reader") { if flag.load() == 1 { data.noteRead() } }
  },
]
