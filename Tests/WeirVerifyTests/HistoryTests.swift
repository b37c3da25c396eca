// Histories of small objects, of which it is known whether they are linearizable.

import Testing
import WeirVerify

/// A number as one thread sees it.
private struct Register: SequentialSpecification {
  enum Operation { case write(Int), read, increment }

  private var number = 0

  mutating func perform(_ operation: Operation) -> Int {
    switch operation {
    case .write(let number): self.number = number
    case .read: break
    case .increment: number += 1
    }
    return number
  }
}

extension MachineTests {
  @Suite struct HistoryTests {
    @Test func whatIsDoneInOneStepIsLinearizable() {
      let finding = explore { run in
        let word = ModelWord(), history = run.history(of: Register())
        for name in ["A", "B"] {
          run.thread(name) { history.record(.increment) { word.add(1) + 1 } }
        }
        run.thread("C") { history.record(.read) { word.load() } }
      }
      #expect(finding.failure == nil)
    }

    @Test func anUpdateThatIsLostIsNot() {
      let finding = explore { run in
        let word = ModelWord(), history = run.history(of: Register())
        for name in ["A", "B"] {
          run.thread(name) {
            history.record(.increment) {
              let number = word.load() + 1
              word.exchange(number)
              return number
            }
          }
        }
      }
      #expect(finding.failure == "not linearizable: B: increment gave 1, A: increment gave 1")
    }

    @Test(arguments: [true, false])
    func anOperationComesBehindWhatItsThreadKnows(flagOrders: Bool) {
      let finding = explore { run in
        let flag = ModelWord(), history = run.history(of: Register())
        run.thread("A") {
          history.record(.write(1)) { 1 }
          flag.store(1)
        }
        run.thread("B") {
          guard (flagOrders ? flag.load() : flag.relaxedLoad()) == 1 else { return }
          history.record(.read) { 0 }
        }
      }
      #expect((finding.failure != nil) == flagOrders)
    }

    @Test func theOperationsOfAThreadKeepTheirOrder() {
      let finding = explore { run in
        let history = run.history(of: Register())
        run.thread("A") {
          history.record(.write(1)) { 1 }
          history.record(.write(2)) { 2 }
          history.record(.read) { 1 }
        }
      }
      #expect(finding.failure?.hasPrefix("not linearizable") == true)
    }

    @Test(arguments: [0, 1])
    func whatIsLookedAtInTheEndComesBehindAllOperations(left: Int) {
      let finding = explore { run in
        let word = ModelWord(), history = run.history(of: Register())
        run.check { history.record(.read) { left } }
        run.thread("A") {
          history.record(.write(1)) {
            word.exchange(1)
            return 1
          }
        }
      }
      #expect((finding.failure == nil) == (left == 1))
    }

    private func explore(_ program: @escaping @Sendable (Run) -> Void) -> Finding {
      Exploration(Scenario("history", bound: 2, program)).explore()
    }
  }
}
