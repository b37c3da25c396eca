// Tests of works that wait for their dates.

import TestKit
import Testing

@testable import Weir

@Suite struct DatedWorkTests {
  private func work() -> ScheduledWork { ScheduledWork {} }

  @Test func comesByDatesAndThenInTheOrderInWhichItCame() {
    var random = SplitMix(seed: 1)
    for _ in 0..<100 {
      var works = DatedWorks()
      var expected: [(date: Int, work: ScheduledWork)] = []
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let (date, work) = (Int.random(in: 0...10, using: &random), work())
        works.insert(DatedWork(date: date, interval: 0, work: work))
        // Behind those of the same date.
        expected.insert((date, work), at: expected.firstIndex { $0.date > date } ?? expected.count)
      }
      #expect(works.count == expected.count)
      for (date, work) in expected {
        #expect(works.firstDate == date)
        #expect(works.popFirst(notAfter: date - 1) == nil)
        #expect(works.popFirst(notAfter: date)?.work === work)
      }
      #expect(works.firstDate == nil)
      #expect(works.popFirst(notAfter: .max) == nil)
    }
  }

  @Test func whatWasLetGoOfGoesAndTheOrderStays() {
    var random = SplitMix(seed: 2)
    for _ in 0..<100 {
      var works = DatedWorks()
      var kept: [Int] = []
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let (date, work) = (Int.random(in: 0...100, using: &random), work())
        works.insert(DatedWork(date: date, interval: 0, work: work))
        if Bool.random(using: &random) { work.drop() } else { kept.append(date) }
      }
      works.removeDropped()
      #expect(works.count == kept.count)
      var dates: [Int] = []
      while let next = works.popFirst(notAfter: .max) { dates.append(next.date) }
      #expect(dates == kept.sorted())
    }
  }

  @Test func everythingIsLetGoOf() {
    var works = DatedWorks()
    let all = (0..<10).map { _ in work() }
    for (date, work) in all.enumerated() { works.insert(DatedWork(date: date, interval: 1, work: work)) }
    works.dropAll()
    #expect(works.count == 0)
    #expect(all.allSatisfy { !$0.isAlive })
  }

  @Test(arguments: [
    (date: 100, interval: 10, now: 100, next: 110), (100, 10, 105, 110), (100, 10, 110, 120), (100, 10, 139, 140),
    (100, 10, 0, 110), (100, 1, 150, 151), (0, 3, 100, 102),
  ]) func theNextRunIsTheFirstOfTheGridThatIsLater(date: Int, interval: Int, now: Int, next: Int) {
    #expect(DatedWork(date: date, interval: interval, work: work()).following(after: now)?.date == next)
  }

  @Test func beyondTheLastDateThereIsNoNextRun() {
    #expect(DatedWork(date: 1, interval: .max, work: work()).following(after: 1) == nil)
    #expect(DatedWork(date: 0, interval: .max / 2 + 1, work: work()).following(after: .max - 1) == nil)
  }
}
