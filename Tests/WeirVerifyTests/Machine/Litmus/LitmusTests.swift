// The memory models on litmus tests: against their stored outcomes, and against the axioms.

import Testing
import WeirVerify

@Suite struct LitmusTests {
  @Test func thereAreSixtyLitmusTestsAtLeast() {
    #expect(litmusTests.count >= 60)
    #expect(Set(litmusTests.map(\.name)).count == litmusTests.count, "two have one name")
  }

  @Test(arguments: litmusTests)
  func rc11AllowsWhatIsStored(litmus: Litmus) {
    #expect(difference(outcomes(of: litmus.program), litmus.allowed) == "")
  }

  @Test(arguments: litmusTests)
  func theAxiomsOfRC11AllowWhatIsStored(litmus: Litmus) {
    #expect(difference(outcomesByAxioms(litmus.program), litmus.allowed) == "")
  }

  @Test(arguments: litmusTests.filter(\.program.isOfPlainX86))
  func theAxiomsOfTSOAllowWhatIsStored(litmus: Litmus) {
    #expect(difference(outcomesByTSO(litmus.program), litmus.allowedOnTSO) == "")
  }

  /// Whoever has read the same even number twice has read both words of one write.
  @Test func aSeqlockIsNeverTorn() throws {
    func isTorn(_ outcome: String) -> Bool {
      let digits = Array(outcome)
      return digits[0] == digits[3] && digits[0] != "1" && digits[1] != digits[2]
    }
    let torn = Dictionary(
      uniqueKeysWithValues: litmusTests.filter { $0.name.hasPrefix("seqlock") }.map {
        ($0.name, $0.allowed.contains(where: isTorn))
      })
    #expect(
      torn == [
        "seqlock": false, "seqlock+rel fence missing": true, "seqlock+acq fence missing": true,
        "seqlock+rlx reader": true,
      ])
  }

  @Test func whatPowerDoesWithZ6UIsAllowed() throws {
    #expect(try #require(litmusTests.first { $0.name == "Z6.U" }).allowed.contains("130"))
  }
}

@Suite struct RandomProgramTests {
  @Test(arguments: Ingredients.allCases)
  func rc11AllowsWhatTheAxiomsAllow(ingredients: Ingredients) {
    for seed in 1...10 as ClosedRange<UInt64> {
      let text = randomProgram(ingredients, seed: seed)
      let program = Program(text, observed: "xy")
      let found = outcomes(of: program)
      #expect(difference(found, outcomesByAxioms(program)) == "", "\(text)")
      guard program.isOfPlainX86 else { continue }
      #expect(outcomesByTSO(program).isSubset(of: found), "\(text)")
    }
  }
}

extension MachineTests {
  /// The machine's own search, on the machine's own words.
  @Suite struct LitmusOnMachineTests {
    @Test(arguments: litmusTests.filter(\.program.isOfPlainX86))
    func storeBuffersAllowWhatIsStored(litmus: Litmus) {
      #expect(difference(outcomesOnMachine(of: litmus.program, .tso), litmus.allowedOnTSO) == "")
    }

    @Test(arguments: litmusTests.filter(\.program.isOfPackageOperations))
    func rc11AllowsWhatIsStored(litmus: Litmus) {
      let allowed = litmus.allowed.contains("race") ? ["race"] : litmus.allowed
      #expect(difference(outcomesOnMachine(of: litmus.program, .rc11(stale: 100)), allowed) == "")
    }

    /// Two threads that announce themselves: that neither sees the other takes one stale read.
    @Test(arguments: [(0, "01 10 11"), (1, "00 01 10 11")])
    func staleReadsAreBounded(stale: Int, allowed: String) {
      let program = Program("x = 1 rlx; r0 = y rlx | y = 1 rlx; r1 = x rlx", observed: "")
      let expected = Set(allowed.split(separator: " ").map(String.init))
      #expect(outcomesOnMachine(of: program, .rc11(stale: stale)) == expected)
    }

    @Test func aSpinnerReadsAnewWhatItHasSpunOn() {
      let scenario = Scenario("spinner", bound: 3) { run in
        let word = ModelWord()
        run.thread("A") { while word.relaxedLoad() == 0 { modelSpin() } }
        run.thread("B") { word.relaxedStore(1) }
      }
      #expect(Exploration(scenario, memory: .rc11(stale: 100)).explore().failure == nil)
    }

    @Test func whoHearsOfAMomentKnowsWhatWasDoneBefore() {
      let scenario = Scenario("moments", bound: 3) { run in
        let word = ModelWord()
        nonisolated(unsafe) var moment: Moment?
        run.thread("A") {
          word.relaxedStore(1)
          moment = run.now()
        }
        run.thread("B") {
          guard let moment else { return }
          run.expect(!moment.precedes(run.now()), "nobody has told")
          run.hear(of: moment)
          run.expect(moment.precedes(run.now()), "A has told")
          run.expect(word.relaxedLoad(), 1, "what A has stored")
        }
      }
      #expect(Exploration(scenario, memory: .rc11(stale: 100)).explore().failure == nil)
    }
  }
}

/// In words; nothing if they are the same.
func difference(_ found: Set<String>, _ expected: Set<String>) -> String {
  let missing = expected.subtracting(found).sorted(), unexpected = found.subtracting(expected).sorted()
  return (missing.isEmpty ? "" : "missing: \(missing.joined(separator: " "))")
    + (unexpected.isEmpty ? "" : " not allowed: \(unexpected.joined(separator: " "))")
}

func outcomesByAxioms(_ program: Program) -> Set<String> {
  outcomes(of: program, isAllowed: \.isAllowedByRC11, hasRace: \.hasRace)
}

private func outcomesByTSO(_ program: Program) -> Set<String> {
  outcomes(of: program, isAllowed: \.isAllowedByTSO) { _ in false }
}
