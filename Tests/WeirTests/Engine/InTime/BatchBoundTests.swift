// Tests of when a batch is over, with a clock that the test moves.

import Testing

@testable import Weir

@Suite struct BatchBoundTests {
  /// Counts values until the bound is reached.
  ///
  /// - Parameter duration: How long each value lasts.
  /// - Returns: How many values there were, and how many looks at the clock.
  private func run(_ batch: DeliveryBatch, _ duration: (Int) -> Duration) -> (values: Int, looks: Int) {
    let start = ContinuousClock.Instant.now
    var bound = BatchBound(batch, start: start)
    var (now, values, looks) = (start, 0, 0)
    while !bound.isReached {
      now += duration(values)
      values += 1
      let isReached = bound.isReachedByOneMore {
        looks += 1
        return now
      }
      #expect(isReached == bound.isReached)
    }
    return (values, looks)
  }

  @Test func endsWithTheNumberOfValues() {
    let (values, looks) = run(DeliveryBatch(values: 1_000, time: .seconds(1))) { _ in .nanoseconds(20) }
    #expect(values == 1_000)
    #expect(looks <= 1_000 / 16 + 5)
  }

  @Test func endsWithTheTime() {
    let (values, _) = run(DeliveryBatch(values: 1_000, time: .milliseconds(1))) { _ in .microseconds(110) }
    #expect(values == 10)
  }

  @Test func oneValueIsDeliveredHoweverLongItLasts() {
    #expect(run(DeliveryBatch(values: 1_000, time: .milliseconds(1))) { _ in .seconds(9) }.values == 1)
    #expect(run(DeliveryBatch(values: 1_000, time: .zero)) { _ in .zero }.values == 1)
  }

  @Test func overstaysByNoMoreThanTheValuesBetweenTwoLooks() {
    for fast in 0..<100 {
      let (values, _) = run(DeliveryBatch(time: .milliseconds(1))) { $0 < fast ? .nanoseconds(20) : .milliseconds(2) }
      #expect(values <= fast + 16)
    }
  }
}
