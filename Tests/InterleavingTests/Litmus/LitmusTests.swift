// The memory models on litmus tests: against their stored outcomes, and against the axioms.

import Testing
import Explorer

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

extension ExplorerTests {
  /// The machine's own search, on the machine's own words.
  @Suite struct LitmusOnMachineTests {
    @Test(arguments: litmusTests.filter(\.program.isOfPlainX86))
    func storeBuffersAllowWhatIsStored(litmus: Litmus) {
      let found = outcomesOnMachine(of: litmus.program, .tso)
      withKnownIssue("a thread's own store never arrives before its next load of that word, unless others look") {
        #expect(difference(found, litmus.allowedOnTSO) == "")
      } when: {
        litmus.name == "CoWR"
      }
    }

    @Test(arguments: litmusTests.filter(\.program.isOfPackageOperations))
    func rc11AllowsWhatIsStored(litmus: Litmus) {
      let allowed = litmus.allowed.contains("race") ? ["race"] : litmus.allowed
      #expect(difference(outcomesOnMachine(of: litmus.program, .rc11(stale: 100)), allowed) == "")
    }
  }
}

/// In words; nothing if they are the same.
private func difference(_ found: Set<String>, _ expected: Set<String>) -> String {
  let missing = expected.subtracting(found).sorted(), unexpected = found.subtracting(expected).sorted()
  return (missing.isEmpty ? "" : "missing: \(missing.joined(separator: " "))")
    + (unexpected.isEmpty ? "" : " not allowed: \(unexpected.joined(separator: " "))")
}

private func outcomesByAxioms(_ program: Program) -> Set<String> {
  outcomes(of: program, isAllowed: \.isAllowedByRC11, hasRace: \.hasRace)
}

private func outcomesByTSO(_ program: Program) -> Set<String> {
  outcomes(of: program, isAllowed: \.isAllowedByTSO) { _ in false }
}
