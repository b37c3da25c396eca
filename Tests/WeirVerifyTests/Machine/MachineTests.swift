// Tests of the explorer itself, on programs so small that what it must find is known. They explore nothing of Weir's:
// that takes a build with the trait Verification, which scripts/explore makes.

import Testing
import WeirVerify

/// One after the other: there is one simulated machine.
@Suite(.serialized) struct MachineTests {
  @Test(arguments: [(0, 2), (1, 4), (2, 6), (3, 6)])
  func countsTheOrdersOfTwoThreadsOfTwoSteps(bound: Int, schedules: Int) {
    let finding = explore(bound: bound) { run in
      let word = ModelWord()
      for name in ["A", "B"] { run.thread(name) { (1...2).forEach { _ in word.add(1) } } }
      run.check { run.expect(word.load(), 4, "sum") }
    }
    #expect(finding.failure == nil)
    #expect(finding.schedules == schedules)
    #expect(finding.steps == 5 * schedules)
  }

  @Test func countsTheOrdersOfThreeThreadsOfOneStep() {
    let finding = explore(bound: 0) { run in
      let word = ModelWord()
      for name in ["A", "B", "C"] { run.thread(name) { word.add(1) } }
    }
    #expect(finding.schedules == 6)
  }

  @Test func aThreadThatIsDeclaredTooLateFailsTheRun() {
    let byAThread = explore(bound: 0) { run in run.thread("A") { run.thread("B") {} } }
    #expect(byAThread.failure?.hasPrefix("thread B is declared when threads run") == true)
    let byACheck = explore(bound: 0) { run in
      run.thread("A") {}
      run.check { run.thread("B") {} }
    }
    #expect(byACheck.failure?.hasPrefix("thread B is declared when threads run") == true)
  }

  @Test func aFifthThreadFailsTheRun() {
    let finding = explore(bound: 0) { run in for number in 1...5 { run.thread("T\(number)") {} } }
    #expect(finding.failure == "thread T5 is more than a run may have: four")
    #expect(finding.schedules == 1)
  }

  /// Each has a column of its own in the table of a failure.
  @Test func threadsOfOneNameAreToldApart() {
    let finding = explore(bound: 0) { run in
      let lock = ModelLock()
      for name in ["A", "A", "A (2)", "A"] { run.thread(name) { lock.withLock { lock.withLock {} } } }
    }
    let names = ["A", "A (2)", "A (2) (2)", "A (3)"]
    #expect(finding.failure == "deadlock: " + names.map { "\($0) waits for lock w1" }.joined(separator: ", "))
  }

  /// A global of the program: its value stays, what threads knew of each other does not.
  @Test func aWordThatOutlivesARunBeginsAnewWithTheNext() {
    nonisolated(unsafe) let word = ModelWord()
    let finding = explore(bound: 2) { run in
      let guarded = run.guarded("what the word orders")
      let first = word.load()
      for name in ["A", "B"] {
        run.thread(name) {
          if word.add(1) == first { guarded.noteWrite() }
        }
      }
      run.check { run.expect(word.load(), first + 2, "sum") }
    }
    #expect(finding.failure == nil)
    #expect(finding.schedules == 2)
  }

  @Test func threadsThatShareNothingHaveOneOrderPerOrderOfTheirStarts() {
    let finding = explore(bound: 5) { run in
      for name in ["A", "B"] {
        run.thread(name) {
          let word = ModelWord()
          (1...10).forEach { _ in word.add(1) }
        }
      }
    }
    #expect(finding.schedules == 1)
  }

  @Test func findsALostUpdateWithOnePreemptionAndNotWithNone() {
    let plain = explore(bound: 3) { lostUpdate($0) { word, value in word.store(value) } }
    #expect(plain.failure == "sum: 1 instead of 2")
    #expect(plain.bound == 0, "the store buffer alone loses it")
    #expect(explore(bound: 1) { lostUpdate($0) { word, value in word.exchange(value) } }.bound == 1)
    #expect(explore(bound: 0) { lostUpdate($0) { word, value in word.exchange(value) } }.failure == nil)
  }

  @Test func beginsNoBoundThatTakesMoreSchedulesThanAreWanted() {
    let whole = explore(bound: 2, countsUp)
    let brief = explore(bound: 2, mostSchedules: whole.schedules / 2, countsUp)
    #expect(whole.bound == 2 && brief.bound == 1 && brief.schedules < whole.schedules / 2)
    #expect(explore(bound: 2, mostSchedules: 1, countsUp).bound == 1, "one preemption is always tried")
    #expect(explore(bound: 2, mostSchedules: 4 * whole.schedules, countsUp) == whole)
  }

  @Test func drawsSchedulesWhereThereAreTooMany() {
    let exploration = Exploration(Scenario("", bound: 2) { countsUp($0) }, mostSchedules: 20)
    let finding = exploration.explore(seed: 1)
    #expect(finding.failure == nil && finding.bound == 2)
    #expect(finding.wholeBound == 0)
    #expect(finding.schedules == 20)
    let whole = Exploration(Scenario("", bound: 1) { countsUp($0) }, mostSchedules: 1_000).explore(seed: 1)
    #expect(whole.wholeBound == 1 && whole.bound == 1)
  }

  @Test func whatIsDrawnDependsOnTheSeedAlone() {
    func draw(_ seed: UInt64) -> Finding {
      let scenario = Scenario("", bound: 3) { run in
        let word = ModelWord(), other = ModelWord()
        for name in ["A", "B"] {
          run.thread(name) {
            word.exchange(word.load() + 1)
            (1...10).forEach { _ in other.add(1) }
          }
        }
        run.check { run.expect(word.load(), 2, "sum") }
      }
      return Exploration(scenario, mostSchedules: 6).explore(seed: seed)
    }
    let findings = (1...20).map { draw($0) }
    #expect(findings.map(\.schedule) == (1...20).map { draw($0).schedule })
    #expect(findings.contains { $0.failure != nil })
  }

  // MARK: Store buffers

  @Test func findsThatBothThreadsOfDekkersMutualExclusionEnter() throws {
    let finding = explore(bound: 2) { dekker($0) { $0.store(1) } }
    #expect(finding.failure == "both are in: 2 instead of 1" || finding.failure?.contains("not ordered") == true)
    let lines = replay(finding, of: Scenario("dekker") { dekker($0) { $0.store(1) } })
    #expect(lines.contains { $0.contains("(buffered)") })
    #expect(lines.last?.hasPrefix("***") == true)
  }

  @Test func passesDekkersMutualExclusionWithFences() {
    let finding = explore(bound: 4) { dekker($0) { $0.exchange(1) } }
    #expect(finding.failure == nil)
    #expect(finding.schedules == 6)
  }

  @Test func passesDekkersMutualExclusionWithAHeavyBarrierOnOneSide() {
    #expect(explore(bound: 4) { asymmetric($0, hasBarrier: true) }.failure == nil)
    #expect(explore(bound: 4) { asymmetric($0, hasBarrier: false) }.failure != nil)
  }

  @Test func storesOfOneThreadArriveInTheirOrder() {
    let finding = explore(bound: 4) { run in
      let data = ModelWord(), flag = ModelWord()
      run.thread("writer") {
        data.store(1)
        flag.store(1)
      }
      run.thread("reader") { if flag.load() == 1 { run.expect(data.load(), 1, "data behind the flag") } }
    }
    #expect(finding.failure == nil)
  }

  @Test func aThreadSeesItsOwnStores() {
    let finding = explore(bound: 4) { run in
      let word = ModelWord()
      run.thread("A") {
        word.store(1)
        run.expect(word.load(), in: [1, 2], "own store")
      }
      run.thread("B") { word.exchange(2) }
    }
    #expect(finding.failure == nil)
  }

  @Test func findsAllFourResultsOfTwoStoresAndTwoLoads() {
    nonisolated(unsafe) var results: Set<[Int]> = []
    let finding = explore(bound: 4) { run in
      let words = [ModelWord(), ModelWord()]
      nonisolated(unsafe) var seen = [0, 0]
      for me in 0...1 {
        run.thread("\(me)") {
          words[me].store(1)
          seen[me] = words[1 - me].load()
        }
      }
      run.check { results.insert(seen) }
    }
    #expect(finding.failure == nil)
    #expect(results == [[0, 0], [0, 1], [1, 0], [1, 1]])
  }

  @Test(arguments: [MemoryModel.tso, .rc11(stale: 1)])
  func aSpinnerLooksAgainAlthoughTheOtherOneSpins(memory: MemoryModel) {
    let scenario = Scenario("test", bound: 1) { run in
      let asked = ModelWord(), answered = ModelWord()
      run.thread("A") {
        asked.store(1)
        while answered.load() == 0 { modelSpin() }
      }
      run.thread("B") {
        while asked.load() == 0 { modelSpin() }
        answered.store(1)
      }
    }
    #expect(Exploration(scenario, memory: memory).explore().failure == nil)
  }

  // MARK: Orderings

  @Test func findsDataThatARelaxedReaderMayNotSee() {
    #expect(explore(bound: 2) { publication($0, acquires: true) }.failure == nil)
    let finding = explore(bound: 2) { publication($0, acquires: false) }
    #expect(finding.failure == "data: read while not ordered after a write by writer")
  }

  @Test func findsThatAReadOfTheFourthThreadIsNotOrderedBeforeAWrite() {
    let finding = explore(bound: 0) { run in
      let guarded = run.guarded("data")
      run.thread("A") {
        run.pause("before it writes")
        guarded.noteWrite()
      }
      for name in ["B", "C"] { run.thread(name) {} }
      run.thread("D") { guarded.noteRead() }
    }
    #expect(finding.failure == "data: written while not ordered after a read by D")
  }

  @Test func aWeakerOrderingLetsBothThreadsOfDekkersMutualExclusionIn() throws {
    let scenario = Scenario("dekker", bound: 2) { run in
      let words = [ModelWord(), ModelWord()]
      nonisolated(unsafe) var inside = 0
      for me in 0...1 {
        run.thread("T\(me)") {
          words[me].sequentialExchange(1)
          guard words[1 - me].sequentialLoad() == 0 else { return }
          inside += 1
        }
      }
      run.check { run.expect(inside <= 1, "both are in") }
    }
    let memory = MemoryModel.rc11(stale: 1)
    let finding = Exploration(scenario, memory: memory).explore()
    #expect(finding.failure == nil)
    for (operation, ordering) in [(Operation.exchange, Ordering.acquireRelease), (.load, .acquire)] {
      let mutation = Mutation(
        .weakened(to: ordering), at: try #require(finding.sites.first { $0.operation == operation }))
      #expect(Exploration(scenario, memory: memory, mutation: mutation).explore().failure == "both are in")
      #expect(Exploration(scenario, mutation: mutation).explore().failure == nil, "not on x86")
    }
  }

  @Test func withoutItsLightHalfAnAsymmetricFenceIsNone() throws {
    let scenario = Scenario("asymmetric", bound: 2) { run in
      let words = [ModelWord(), ModelWord()]
      nonisolated(unsafe) var inside = 0
      for me in 0...1 {
        run.thread("T\(me)") {
          words[me].store(1)
          if me == 1 { _ = modelHeavyBarrier() } else { modelLightBarrier() }
          if words[1 - me].load() == 0 { inside += 1 }
        }
      }
      run.check { run.expect(inside <= 1, "both are in") }
    }
    let finding = Exploration(scenario, memory: .rc11(stale: 1)).explore()
    #expect(finding.failure == nil)
    let mutation = Mutation(.skipped, at: try #require(finding.sites.first { $0.operation == .lightBarrier }))
    #expect(Exploration(scenario, memory: .rc11(stale: 1), mutation: mutation).explore().failure == "both are in")
  }

  // MARK: Ends

  @Test func findsADeadlock() {
    let finding = explore(bound: 2) { run in
      let locks = [ModelLock(), ModelLock()]
      for me in 0...1 { run.thread("T\(me)") { locks[me].withLock { locks[1 - me].withLock {} } } }
    }
    #expect(finding.failure == "deadlock: T0 waits for lock w2, T1 waits for lock w1")
    #expect(finding.bound == 1)
  }

  @Test func findsASpinnerWithoutEnd() {
    let finding = explore(bound: 0) { run in
      let word = ModelWord()
      run.thread("A") { while word.load() == 0 { modelSpin() } }
    }
    #expect(finding.failure?.hasPrefix("no end after 5000 steps") == true)
  }

  @Test func aSpinnerSeesWhatItWaitsForInTheEnd() {
    let finding = explore(bound: 3) { run in
      let word = ModelWord()
      run.thread("A") { while word.load() == 0 { modelSpin() } }
      run.thread("B") { word.store(1) }
    }
    #expect(finding.failure == nil)
  }

  @Test func findsAPayloadThatIsNeverFreed() {
    final class Ring { var next: Ring?; var payload: Payload? }
    let finding = explore(bound: 0) { run in
      run.thread("A") {
        let ring = Ring()
        ring.next = ring
        ring.payload = run.payload()
      }
    }
    #expect(finding.failure == "1 payloads are never freed")
  }

  @Test func whoWaitsInVainIsTold() {
    let finding = explore(bound: 1) { run in
      nonisolated(unsafe) var isThere = false
      run.thread("A") { run.expect(run.wait { isThere }, "waited in vain") }
      run.thread("B") { isThere = true }
      run.thread("C") { run.expect(!run.wait { false }, "waited for nothing with success") }
    }
    #expect(finding.failure == nil)
  }

  // MARK: Threads that freeze

  @Test func aFrozenThreadGoesOnWhenAllOthersHaveEnded() {
    nonisolated(unsafe) var orders: Set<[Int]> = []
    let finding = explore(bound: 1) { run in
      let word = ModelWord()
      nonisolated(unsafe) var order: [Int] = []
      run.thread("A", mayFreeze: true) { for _ in 1...3 { order.append(word.add(1)) } }
      run.thread("B") { order.append(10 + word.add(1)) }
      run.check {
        run.expect(word.load(), 4, "sum")
        orders.insert(order)
      }
    }
    #expect(finding.failure == nil)
    #expect(orders == [[0, 1, 2, 13], [0, 1, 12, 3], [0, 11, 2, 3], [10, 1, 2, 3]])
  }

  @Test func findsWhoWaitsForALockThatAFrozenThreadHas() {
    let finding = explore(bound: 1) { run in
      let lock = ModelLock()
      let word = ModelWord()
      run.thread("A", mayFreeze: true) { lock.withLock { _ = word.add(1) } }
      run.thread("B") { lock.withLock { _ = word.add(1) } }
    }
    #expect(finding.failure == "deadlock: B waits for lock w1")
    #expect(finding.bound == 1)
  }

  @Test func findsWhoSpinsForAFrozenThread() {
    let finding = explore(bound: 1) { run in
      let word = ModelWord()
      run.thread("A", mayFreeze: true) { (1...2).forEach { _ in word.add(1) } }
      run.thread("B") { while word.load() < 2 { modelSpin() } }
    }
    #expect(finding.failure?.hasPrefix("no end after 5000 steps") == true)
    #expect(finding.bound == 1)
  }

  /// By a store, which is its only step, and by an exchange, which is the first of two.
  @Test(arguments: [MemoryModel.tso, .rc11(stale: 1)], [true, false])
  func findsWhoNeedsTheFirstStepOfAFrozenThread(memory: MemoryModel, isOnly: Bool) {
    func finding(needs: Bool) -> Finding {
      let scenario = Scenario("first step", bound: 1) { run in
        let word = ModelWord(), other = ModelWord()
        run.thread("A", mayFreeze: true) {
          if isOnly { return word.store(1) }
          word.exchange(1)
          other.exchange(1)
        }
        run.thread("B") {
          while word.load() == 0, needs { modelSpin() }
          _ = other.load()
        }
      }
      return Exploration(scenario, memory: memory).explore()
    }
    #expect(finding(needs: true).failure?.contains("B spins at ") == true)
    #expect(finding(needs: false).failure == nil)
  }

  /// What it has stored arrives.
  @Test func aStoreOfAFrozenThreadIsSeen() {
    let finding = explore(bound: 1) { run in
      let word = ModelWord()
      nonisolated(unsafe) var hasStored = false
      run.thread("A", mayFreeze: true) {
        word.store(1)
        hasStored = true
        run.pause("stored")
      }
      run.thread("B") { while hasStored, word.load() == 0 { modelSpin() } }
    }
    #expect(finding.failure == nil)
  }

  // MARK: Replays

  @Test func aScheduleReplaysToTheSameFailureInTheSameWords() throws {
    let scenario = Scenario("lost update", bound: 2) { lostUpdate($0) { word, value in word.exchange(value) } }
    let finding = Exploration(scenario).explore()
    let first = replay(finding, of: scenario)
    #expect(first == replay(finding, of: scenario))
    #expect(first.count == 6)
    #expect(first.first?.contains("load w1: 0") == true && first.first?.contains("MachineTests.swift:") == true)
    #expect(first.last == "*** sum: 1 instead of 2")
    var again = Exploration(scenario).explore()
    again.seconds = finding.seconds
    #expect(again == finding)
  }

  // MARK: Mutations

  @Test func aMutationChangesOneSite() throws {
    let scenario = Scenario("sum", bound: 2) { run in
      let word = ModelWord()
      for name in ["A", "B"] { run.thread(name) { word.add(1) } }
      run.check { run.expect(word.load(), 2, "sum") }
    }
    let finding = Exploration(scenario).explore()
    #expect(finding.failure == nil)
    let site = try #require(finding.sites.first { $0.operation == .add })
    #expect(site.file == "WeirVerifyTests/MachineTests.swift")
    for behaviour in [Mutation.Behaviour.split, .buffered, .skipped] {
      let mutated = Exploration(scenario, mutation: Mutation(behaviour, at: site)).explore()
      #expect(mutated.failure?.hasPrefix("sum: ") == true, "\(behaviour)")
      #expect(mutated.hasUsedMutation)
    }
    let elsewhere = Site(file: site.file, function: site.function, line: site.line + 1000, operation: .add)
    let unused = Exploration(scenario, mutation: Mutation(.skipped, at: elsewhere)).explore()
    #expect(unused.failure == nil && !unused.hasUsedMutation)
  }
}

private func explore(
  bound: Int, mostSchedules: Int = .max, _ body: @escaping @Sendable (Run) -> Void
) -> Finding {
  var finding = Exploration(Scenario("test", bound: bound, body), mostSchedules: mostSchedules).explore()
  finding.seconds = 0
  return finding
}

/// Two threads that add to one word, ten times each.
private func countsUp(_ run: Run) {
  let word = ModelWord()
  for name in ["A", "B"] {
    run.thread(name) { (1...10).forEach { _ in word.add(1) } }
  }
}

private func replay(_ finding: Finding, of scenario: Scenario) -> [String] {
  var lines: [String] = []
  _ = Exploration(scenario).replay(finding.schedule) { lines.append("\($0)") }
  return lines
}

/// Two threads that add one to a word by a load and a store of some kind.
private func lostUpdate(_ run: Run, store: @escaping (ModelWord, Int) -> Void) {
  let word = ModelWord()
  for name in ["A", "B"] { run.thread(name) { store(word, word.load() + 1) } }
  run.check { run.expect(word.load(), 2, "sum") }
}

/// Two threads that announce themselves and go in if the other hasn't.
private func dekker(_ run: Run, announce: @escaping (ModelWord) -> Void) {
  let words = [ModelWord(), ModelWord()]
  nonisolated(unsafe) var inside = 0
  for me in 0...1 {
    run.thread("T\(me)") {
      announce(words[me])
      guard words[1 - me].load() == 0 else { return }
      inside += 1
      run.expect(inside, 1, "both are in")
    }
  }
}

/// The same, with a plain store on one side and a barrier that reaches both on the other.
private func asymmetric(_ run: Run, hasBarrier: Bool) {
  let words = [ModelWord(), ModelWord()]
  nonisolated(unsafe) var inside = 0
  for me in 0...1 {
    run.thread("T\(me)") {
      words[me].store(1)
      if me == 1, hasBarrier { _ = modelHeavyBarrier() }
      guard words[1 - me].load() == 0 else { return }
      inside += 1
      run.expect(inside, 1, "both are in")
    }
  }
}

private func publication(_ run: Run, acquires: Bool) {
  let data = run.guarded("data"), flag = ModelWord()
  run.thread("writer") {
    data.noteWrite()
    flag.store(1)
  }
  run.thread("reader") { if (acquires ? flag.load() : flag.relaxedLoad()) == 1 { data.noteRead() } }
}
