// What another process reads of a schedule, and runs that took more of it than there was room for.

import Testing
import WeirVerify

extension MachineTests {
  @Suite struct ScheduleTests {
    /// A load has a choice for each store that it may read.
    @Test func aChoiceMayHaveThousandsOfOptions() {
      let finding = inWarmChild {
        explore { run in
          let word = ModelWord()
          run.thread("A") { for number in 1...300 { word.relaxedStore(number) } }
          run.thread("B") { run.expect(word.relaxedLoad() != 1, "B reads 1") }
        }.write(to: $0)
      } done: {
        Finding(of: $0)
      }
      #expect(finding.failure == "B reads 1")
      #expect(finding.schedule.choices.contains { $0 > 255 })
    }

    @Test(arguments: [MemoryModel.tso, .rc11(stale: 2)])
    func threadsMayShareTheLastOfManyWords(memory: MemoryModel) {
      let finding = inWarmChild { region in
        explore(memory, region.schedule) { run in
          let words = (1...66_000).map { _ in ModelWord() }
          for name in ["A", "B"] {
            run.thread(name) { for word in words.suffix(2) { word.exchange(word.load() + 1) } }
          }
          run.check { run.expect(words[65_999].load(), 2, "sum") }
        }.write(to: region)
      } done: { ended in
        #expect(ended.region.schedule.schedule.shared.contains(66_000))
        return Finding(of: ended)
      }
      #expect(finding.failure == "sum: 1 instead of 2")
      #expect(finding.schedule.shared.contains(66_000))
    }
  }
}

private func explore(
  _ memory: MemoryModel = .rc11(stale: 2), _ copy: ScheduleCopy? = nil, _ body: @escaping @Sendable (Run) -> Void
) -> Finding {
  Exploration(Scenario("test", bound: 1, body), memory: memory, copy: copy).explore()
}
