// Tests of moments at equal intervals.

import TestKit
import Testing
import Weir

@testable import WeirTesting

@Suite struct EqualIntervalsTests {
  @Test(arguments: [Int.min, -1, 0, 5], [3_000_000_000_000_000_000, Int.max, 1, 1 << 40])
  func theMomentAfterSomeIntervalsIsExactUpToTheEndOfTime(start: Int, interval: Int) {
    let stride = VirtualTime.Stride.nanoseconds(interval)
    let moments = EqualIntervals(from: VirtualTime(nanoseconds: start), every: stride)
    var moment = VirtualTime(nanoseconds: start)
    for number in 0..<20 {
      #expect(moments.moment(number) == moment, "\(number)")
      moment = moment.advanced(by: stride)
    }
  }

  /// Powers of two of the interval are added up in whatever way: the sum has one rounding where it is exact.
  @Test func theSumOfIntervalsInFloatingPointIsRoundedOnce() {
    var random = SplitMix(seed: 7)
    for _ in 0..<10_000 {
      let start = Double.random(in: 0..<1e9, using: &random), number = Int.random(in: 0..<100_000, using: &random)
      let interval = Double(Int.random(in: 1..<1_000, using: &random)) / 1_024
      let moments = EqualIntervals(from: Seconds(seconds: start), every: Seconds.Stride(interval))
      #expect(moments.moment(number).seconds == start + interval * Double(number))
    }
  }

  /// Parts of a sum that isn't exact were added to the moment one by one.
  @Test(arguments: [817_000_000.5, 100, 0], [0.001, 0.1, 1 / 3.0])
  func momentsInFloatingPointAreRoundedOnce(start: Double, interval: Double) {
    let moments = EqualIntervals(from: Seconds(seconds: start), every: Seconds.Stride(interval))
    for number in 1...5_000 {
      #expect(moments.moment(number).seconds == start + interval * Double(number), "\(number)")
    }
  }

  /// Sums of others trap where nobody asks for such moments.
  @Test func lengthsAreDoubledAsFarAsTheyAreNeeded() {
    struct Length: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric {
      var seconds: Duration
      var magnitude: Length { Length(seconds: max(seconds, .zero - seconds)) }
      init(seconds: Duration) { self.seconds = seconds }
      init(integerLiteral value: Int) { seconds = .seconds(value) }
      init?<Source: BinaryInteger>(exactly source: Source) { seconds = .seconds(Int(source)) }
      static func < (lhs: Self, rhs: Self) -> Bool { lhs.seconds < rhs.seconds }
      static func + (lhs: Self, rhs: Self) -> Self { Self(seconds: lhs.seconds + rhs.seconds) }
      static func - (lhs: Self, rhs: Self) -> Self { Self(seconds: lhs.seconds - rhs.seconds) }
      static func * (lhs: Self, rhs: Self) -> Self { Self(seconds: lhs.seconds * (rhs.seconds / .seconds(1))) }
      static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
      static func seconds(_ value: Int) -> Self { Self(seconds: .seconds(value)) }
      static func seconds(_ value: Double) -> Self { Self(seconds: .seconds(value)) }
      static func milliseconds(_ value: Int) -> Self { Self(seconds: .milliseconds(value)) }
      static func microseconds(_ value: Int) -> Self { Self(seconds: .microseconds(value)) }
      static func nanoseconds(_ value: Int) -> Self { Self(seconds: .nanoseconds(value)) }
    }
    struct Moment: Strideable {
      var seconds = Duration.zero
      func distance(to other: Self) -> Length { Length(seconds: other.seconds - seconds) }
      func advanced(by length: Length) -> Self { Self(seconds: seconds + length.seconds) }
    }
    let scheduler = TestScheduler<Moment, Never>(now: Moment())
    var runs = 0
    let token = scheduler.schedule(after: scheduler.now, interval: .seconds(60)) { runs += 1 }
    scheduler.advance(by: .seconds(600))
    token.cancel()
    #expect(runs == 11)
  }

  @Test(arguments: [
    (1, 1 << 60, true), (1, Int.max - 1, true), (1, Int.max, false), (Int.max, 5, true), (Int.max, Int.max, false),
  ])
  func momentsGoOnUpToTheEndOfTime(interval: Int, date: Int, goOn: Bool) {
    let moments = EqualIntervals(from: VirtualTime(nanoseconds: 5), every: .nanoseconds(interval))
    #expect(moments.goOn(after: VirtualTime(nanoseconds: date)) == goOn)
  }
}
