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
        let (tooEarly, next) = (works.popFirst(notAfter: date - 1), works.popFirst(notAfter: date))
        #expect(tooEarly == nil)
        #expect(next?.work === work)
      }
      #expect(works.firstDate == nil)
      let further = works.popFirst(notAfter: .max)
      #expect(further == nil)
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

  @Test func theNextRunIsTheFirstOfTheGridThatIsLater() {
    func next(from date: Int, every interval: Int, after now: Int) -> Int? {
      DatedWork(date: date, interval: interval, work: work()).following(after: now)?.date
    }
    #expect(next(from: 100, every: 10, after: 100) == 110)
    #expect(next(from: 100, every: 10, after: 105) == 110)
    #expect(next(from: 100, every: 10, after: 110) == 120)
    #expect(next(from: 100, every: 10, after: 139) == 140)
    #expect(next(from: 100, every: 10, after: 0) == 110)
    #expect(next(from: 100, every: 1, after: 150) == 151)
    #expect(next(from: 0, every: 3, after: 100) == 102)
  }

  @Test func beyondTheLastDateThereIsNoNextRun() {
    #expect(DatedWork(date: 1, interval: .max, work: work()).following(after: 1) == nil)
    #expect(DatedWork(date: 0, interval: .max / 2 + 1, work: work()).following(after: .max - 1) == nil)
  }
}
