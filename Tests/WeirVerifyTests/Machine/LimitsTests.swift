// Limits of runs and of explorations, how they are told, and spinners that come to limits of their own.

import Testing
import WeirVerify

extension MachineTests {
  @Suite struct LimitsTests {
    // MARK: Spinners

    /// Who has spun in vain says that it waits, and sleeps without another look.
    @Test(arguments: [1, 3, 100], [MemoryModel.tso, .rc11(stale: 1)])
    func aLostWakeUpBehindALimitOfSpinsIsFound(rounds: Int, memory: MemoryModel) {
      #expect(explore(memory) { waker($0, rounds, looksAgain: false) }.failure == "nobody wakes it")
      #expect(explore(memory) { waker($0, rounds, looksAgain: true) }.failure == nil)
    }

    @Test(arguments: [MemoryModel.tso, .rc11(stale: 1)])
    func aRaceBehindALimitOfSpinsIsFound(memory: MemoryModel) {
      let finding = explore(memory) { run in
        let word = ModelWord(), field = run.guarded("field")
        run.thread("writer") {
          field.noteWrite()
          word.store(1)
        }
        run.thread("spinner") {
          for _ in 1...3 {
            if word.load() == 1 { return }
            modelSpin()
          }
          field.noteRead()
        }
      }
      #expect(finding.failure?.contains("not ordered") == true)
    }

    /// What is read behind the last round may have been written since: there is a moment between them.
    @Test func othersComeBetweenTheLastRoundAndWhatFollows() {
      nonisolated(unsafe) var seen: Set<Int> = []
      let finding = explore(.tso) { run in
        let flag = ModelWord(), data = ModelWord()
        run.thread("writer") {
          data.exchange(1)
          flag.exchange(1)
        }
        run.thread("spinner") {
          for _ in 1...3 {
            if flag.load() == 1 { return }
            modelSpin()
          }
          seen.insert(data.load())
        }
      }
      #expect(finding.failure == nil)
      #expect(seen == [0, 1])
    }

    @Test(arguments: [MemoryModel.tso, .rc11(stale: 1)])
    func aSpinnerWithoutALimitIsTakenForOne(memory: MemoryModel) {
      let finding = explore(memory) { run in
        let word = ModelWord()
        run.thread("spinner") { while word.load() == 0 { modelSpin() } }
        run.thread("writer") { word.exchange(1) }
      }
      #expect(finding.failure == nil)
      #expect(finding.wholeBound == 2)
      #expect(finding.schedules < 10)
    }

    @Test func whoSpinsForWhatNobodyWritesIsNamed() throws {
      let finding = explore(.tso) { run in
        let locks = [ModelWord(), ModelWord()]
        for me in 0...1 {
          run.thread("T\(me)") {
            for lock in [locks[me], locks[1 - me]] {
              while !lock.compareExchange(0, 1).exchanged { modelSpin() }
            }
            for lock in locks { lock.store(0) }
          }
        }
      }
      let failure = try #require(finding.failure)
      #expect(failure.hasPrefix("no end after 5000 steps: T0 spins at LimitsTests.swift:"), "\(failure)")
      #expect(failure.contains(", T1 spins at ") && failure.hasSuffix("nobody writes what would end that"))
    }

    /// A try that changes nothing is a look: one that fails, and one that writes what is there.
    @Test(arguments: [2, 5, 50], [MemoryModel.tso, .rc11(stale: 2)])
    func aSpinnerThatTriesComesToItsLimit(rounds: Int, memory: MemoryModel) {
      for tries in [{ $0.compareExchange(0, 1).exchanged }, { $0.exchange(1) == 0 }] as [@Sendable (ModelWord) -> Bool]
      {
        func finding(givesUp: Bool) -> Finding {
          explore(memory) { run in
            let lock = ModelWord(), field = run.guarded("field")
            for name in ["A", "B"] {
              run.thread(name) {
                for _ in 1...rounds {
                  if tries(lock) {
                    field.noteWrite()
                    return lock.store(0)
                  }
                  modelSpin()
                }
                if !givesUp { field.noteWrite() }
              }
            }
          }
        }
        #expect(finding(givesUp: true).failure == nil)
        #expect(finding(givesUp: false).failure?.contains("not ordered") == true)
      }
    }

    /// Many rounds are as good as a few, to people.
    @Test func ofARoundThatTriesTheFirstOnesAreTold() {
      nonisolated(unsafe) var lines: [String] = []
      let scenario = Scenario("tries", bound: 2) { run in
        let word = ModelWord()
        run.thread("A") {
          for _ in 1...50 {
            if word.compareExchange(1, 2).exchanged { return }
            modelSpin()
          }
          run.expect(false, "A gives up")
        }
        run.thread("B") { word.store(1) }
      }
      let finding = Exploration(scenario).explore()
      _ = Exploration(scenario).replay(finding.schedule) { lines.append("\($0)") }
      #expect(lines.last == "*** A gives up")
      #expect(lines.count < 10)
    }

    /// Behind the limit it waits for the same word, and is then as any other.
    @Test(arguments: [MemoryModel.tso, .rc11(stale: 2)])
    func aWaitBehindALimitOfSpinsIsExplored(memory: MemoryModel) {
      func finding(adds: Bool) -> Finding {
        explore(memory) { run in
          let word = ModelWord(), count = ModelWord()
          nonisolated(unsafe) var isSlow = false
          run.thread("spinner") {
            for _ in 1...3 {
              if word.load() == 1 { return }
              modelSpin()
            }
            isSlow = true
            while word.load() == 0 {
              modelSpin()
            }
            if adds { count.add(1) } else { count.store(count.load() + 1) }
          }
          run.thread("writer") {
            word.store(1)
            count.add(1)
          }
          run.check { run.expect(count.load(), isSlow ? 2 : 1, "count") }
        }
      }
      #expect(finding(adds: true).failure == nil)
      #expect(finding(adds: false).failure == "count: 1 instead of 2")
    }

    /// What has been looked at before the rounds may still be read as it was then.
    @Test func whoHasSpunReadsTheNewestOfWhatItHasSpunOnOnly() {
      func finding(acquires: Bool) -> Finding {
        explore(.rc11(stale: 2)) { run in
          let data = ModelWord(), flag = ModelWord()
          run.thread("A") {
            data.relaxedStore(1)
            flag.store(1)
          }
          run.thread("B") {
            let old = data.relaxedLoad()
            if flag.load() == 1 { return }
            modelSpin()
            while (acquires ? flag.load() : flag.relaxedLoad()) == 0 { modelSpin() }
            run.expect(max(old, data.relaxedLoad()), 1, "data")
          }
        }
      }
      #expect(finding(acquires: true).failure == nil)
      #expect(finding(acquires: false).failure == "data: 0 instead of 1")
    }

    // MARK: The memory of x86

    /// It depends on the store which another one comes after it.
    @Test func whatAnotherThreadMakesOfAStoreIsReadByTheOneThatHasStored() {
      nonisolated(unsafe) var seen: Set<Int> = []
      let finding = explore(.tso) { run in
        let word = ModelWord()
        run.thread("A") {
          word.store(1)
          seen.insert(word.load())
        }
        run.thread("B") { if word.load() == 1 { word.store(2) } }
      }
      #expect(finding.failure == nil)
      #expect(seen == [1, 2])
    }

    /// Nobody else writes it: there is nothing to choose.
    @Test func whoAloneWritesAWordReadsItWithoutATurn() {
      let finding = explore(.tso) { run in
        let word = ModelWord()
        run.thread("A") { for number in 1...5 where word.load() == number - 1 { word.store(number) } }
        run.thread("B") { _ = word.load() }
      }
      #expect(finding.failure == nil)
      #expect(finding.schedules < 40)
    }

    // MARK: Runs

    @Test(arguments: [true, false])
    func aRunThatIsTooLongIsToldWithItsLimit(isSetUp: Bool) throws {
      let finding = explore(.tso) { run in
        let word = ModelWord()
        func addsAlways() { for _ in 1...6_000 { word.add(1) } }
        if isSetUp { addsAlways() }
        run.thread("A") { if !isSetUp { addsAlways() } }
      }
      let failure = try #require(finding.failure)
      #expect(failure.hasPrefix("no end after 5000 steps, which are the most"))
      #expect(failure.contains("spinHint()"))
    }

    @Test func whatFailsInACheckEndsTheRun() {
      let finding = explore(.tso) { run in
        run.thread("A") {}
        run.check {
          run.expect(false, "x is missing")
          fatalError("what is behind it is reached")
        }
      }
      #expect(finding.failure == "x is missing")
    }

    /// A check that another one adds, and a history that it makes.
    @Test(arguments: [MemoryModel.tso, .rc11(stale: 1)])
    func whatACheckAddsIsLookedAt(memory: MemoryModel) {
      let nested = explore(memory) { run in
        run.thread("A") {}
        run.check { run.check { run.check { run.expect(false, "x is missing") } } }
      }
      #expect(nested.failure == "x is missing")
      struct Nothing: SequentialSpecification {
        mutating func perform(_ operation: Int) -> Int { 0 }
      }
      let history = explore(memory) { run in
        run.thread("A") {}
        run.check { run.history(of: Nothing()).record(1) { 1 } }
      }
      #expect(history.failure?.hasPrefix("not linearizable: ") == true)
    }

    @Test(arguments: [MemoryModel.tso, .rc11(stale: 1)], [true, false])
    func storesAreStepsToo(memory: MemoryModel, isSetUp: Bool) {
      let finding = explore(memory) { run in
        let word = ModelWord()
        func storesAlways() { for number in 1...6_000 { word.relaxedStore(number) } }
        if isSetUp { storesAlways() }
        run.thread("A") { if !isSetUp { storesAlways() } }
      }
      #expect(finding.failure?.hasPrefix("no end after 5000 steps") == true)
    }

    @Test func whatFailsInTheSetUpEndsTheRun() {
      let finding = explore(.tso) { run in
        run.expect(false, "nothing to begin with")
        fatalError("what is behind it is reached")
      }
      #expect(finding.failure == "nothing to begin with")
    }

    @Test func deepRecursionHasRoom() {
      let finding = explore(.tso) { run in
        let word = ModelWord()
        run.thread("A") { run.expect(depth(10_000, word), 10_000, "depth") }
        run.check { run.expect(depth(10_000, word), 10_000, "depth in the end") }
      }
      #expect(finding.failure == nil)
    }

    @Test func aProgramThatDiffersFromRunToRunIsToldSo() throws {
      nonisolated(unsafe) var runs = 0
      let finding = explore(.tso) { run in
        let word = ModelWord()
        runs += 1
        for name in runs.isMultiple(of: 2) ? ["A", "B", "C"] : ["A", "B"] { run.thread(name) { word.add(1) } }
      }
      #expect(try #require(finding.failure).hasPrefix("the program is not the same from run to run: "))
    }

    @Test func aHistoryThatIsTooLongIsToldWithItsLimit() {
      struct Anything: SequentialSpecification {
        mutating func perform(_ operation: Int) -> Int { operation }
      }
      for count in [63, 64] {
        let finding = explore(.tso) { run in
          let history = run.history(of: Anything())
          run.thread("A") { for number in 1...count { history.record(number) { number } } }
        }
        let failure = "more than 63 operations in one history, which is the limit: record fewer in a run"
        #expect(finding.failure == (count == 63 ? nil : failure))
      }
    }

    @Test func threadsWithOneNameAreToldApart() {
      nonisolated(unsafe) var lines: [String] = []
      let scenario = Scenario("names", bound: 0) { run in
        let word = ModelWord()
        for name in ["A", "A", "A\n\t1"] { run.thread(name) { word.add(1) } }
        run.check { run.expect(false, "the end") }
      }
      let finding = Exploration(scenario).explore()
      _ = Exploration(scenario).replay(finding.schedule) { lines.append("\($0)") }
      #expect(lines.count == 4)
      for (line, name) in zip(lines, ["A", "A (2)", "A  1"]) {
        #expect(line.dropFirst(4).prefix(12) == name + String(repeating: " ", count: 12 - name.count))
      }
    }

    // MARK: Explorations

    @Test func whenTheTimeIsOverWhatWasCoveredIsTold() {
      let scenario = Scenario("too long", bound: 8) { run in
        let word = ModelWord()
        for name in ["A", "B", "C", "D"] { run.thread(name) { for _ in 1...6 { word.add(1) } } }
      }
      let finding = Exploration(scenario, mostSeconds: 0).explore(seed: 0)
      #expect(finding.failure == nil)
      #expect(finding.isCutShort)
      #expect(finding.schedules == 1 && finding.wholeBound == -1)
      #expect(!Exploration(scenario, bound: 0, mostSeconds: 1_000).explore(seed: 0).isCutShort)
    }

    /// Two threads of two steps lose their turns twice at most.
    @Test func aBoundThatIsNeverReachedIsDoneAtOnce() {
      let finding = explore(.tso, bound: 1_000_000_000) { run in
        let word = ModelWord()
        for name in ["A", "B"] { run.thread(name) { (1...2).forEach { _ in word.add(1) } } }
      }
      #expect(finding.failure == nil)
      #expect(finding.schedules == 6)
      #expect(finding.wholeBound == 1_000_000_000 && finding.bound == 1_000_000_000)
    }
  }
}

private func explore(
  _ memory: MemoryModel, bound: Int = 2, _ body: @escaping @Sendable (Run) -> Void
) -> Finding {
  Exploration(Scenario("limits", bound: bound, body), memory: memory).explore()
}

private func depth(_ number: Int, _ word: ModelWord) -> Int {
  number == 0 ? word.load() : depth(number - 1, word) + 1
}

private func waker(_ run: Run, _ rounds: Int, looksAgain: Bool) {
  let isReady = ModelWord(), isWaiting = ModelWord()
  nonisolated(unsafe) var isWoken = false
  run.thread("waiter") {
    for _ in 1...rounds {
      if isReady.sequentialLoad() == 1 { return }
      modelSpin()
    }
    isWaiting.sequentialExchange(1)
    if looksAgain, isReady.sequentialLoad() == 1 { return }
    run.expect(run.wait { isWoken }, "nobody wakes it")
  }
  run.thread("setter") {
    isReady.sequentialExchange(1)
    if isWaiting.sequentialLoad() == 1 { isWoken = true }
  }
}
