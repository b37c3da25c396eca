// Random programs for actions that wait for their dates, compared with a list.

import Foundation
import TestKit
import Testing
import Weir

@testable import WeirFoundation

@Suite struct DatedActionsProgramTests {
  /// Notes what it is set to.
  private final class NotedAlarm: Alarm {
    let date = Shared<Date?>(nil)
    func ring(_ actions: DatedActions, at date: Date?) { self.date.value = date }
  }

  private struct Waiting {
    let number: Int
    let identity: DatedActions.Identity
    var date: Int
    var order: Int
    let interval: Int?
  }

  @Test(arguments: 0..<4) func actionsRunAsInTheModel(quarter: UInt64) {
    for seed in programSeeds(quarter: quarter) {
      var random = SplitMix(seed: seed)
      let (alarm, ran) = (NotedAlarm(), Shared<[Int]>([]))
      let actions = DatedActions(alarm: alarm)
      var (model, expected, now, order) = ([Waiting](), [Int](), 0, 0)
      for number in 0..<16 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
          let date = now + Int.random(in: -2..<9, using: &random)
          let interval = Bool.random(using: &random) ? Int.random(in: 1..<5, using: &random) : nil
          let identity = actions.add(
            ScheduledWork { ran.value.append(number) }, at: Date(timeIntervalSinceReferenceDate: TimeInterval(date)),
            every: interval.map(TimeInterval.init))
          order += 1
          model.append(Waiting(number: number, identity: identity, date: date, order: order, interval: interval))
        case 2:
          guard let index = model.indices.randomElement(using: &random) else { continue }
          actions.remove(model.remove(at: index).identity)
        default:
          now += Int.random(in: 0..<6, using: &random)
          let date = Date(timeIntervalSinceReferenceDate: TimeInterval(now))
          // It is an alarm that rings, not earlier than it is set to.
          if let set = alarm.date.value, set <= date { actions.fire(at: date) }
          for waiting in model.filter({ $0.date <= now }).sorted(by: { ($0.date, $0.order) < ($1.date, $1.order) }) {
            expected.append(waiting.number)
            model.removeAll { $0.number == waiting.number }
            guard let interval = waiting.interval else { continue }
            var again = waiting
            again.date += interval * ((now - waiting.date) / interval + 1)
            order += 1
            again.order = order
            model.append(again)
          }
          // It may be set to the date of what has been removed.
          let alarm = (alarm.date.value ?? .distantFuture).timeIntervalSinceReferenceDate
          let isSet = model.allSatisfy { alarm <= TimeInterval($0.date) }
          guard ran.value == expected, actions.counts.actions == model.count, isSet else {
            #expect(ran.value == expected && actions.counts.actions == model.count && isSet, "seed \(seed)")
            return
          }
        }
      }
    }
  }
}
