// Tests of the histogram of times.

import Testing

@testable import WeirExtras

@Suite struct LatencyHistogramTests {
  @Test func timesUpToSixteenNanosecondsHaveABucketEach() {
    var times = LatencyHistogram()
    for time in 1...16 { times.add(nanoseconds: time) }
    #expect(times.buckets.map { $0.atMost } == (1...16).map { .nanoseconds($0) })
    #expect(times.buckets.allSatisfy { $0.count == 1 })
    #expect(times.count == 16)
    #expect(times.sum == .nanoseconds(136))
  }

  @Test(arguments: [
    (17, 18), (18, 18), (19, 20), (32, 32), (33, 36), (36, 36), (128, 128), (129, 144), (1_000, 1_024), (1_025, 1_152),
    (1_000_000, 1_048_576),
  ])
  func anUpperBoundIsInItsBucketAndAtMostAnEighthMore(time: Int, bound: Int) {
    var times = LatencyHistogram()
    times.add(nanoseconds: time)
    #expect(times.buckets.map { $0.atMost } == [.nanoseconds(bound)])
  }

  @Test func whatIsLongerOrShorterThanAllBucketsIsInTheLastOrFirst() {
    var times = LatencyHistogram()
    times.add(nanoseconds: -5)
    times.add(nanoseconds: 0)
    times.add(nanoseconds: 1 << 38)
    times.add(nanoseconds: 1 << 50)
    #expect(times.buckets.map { $0.atMost } == [.nanoseconds(1), .nanoseconds(1 << 38)])
    #expect(times.buckets.map { $0.count } == [2, 2])
    #expect(times.sum == .nanoseconds(1 << 38 + 1 << 50))
  }

  @Test func aShareOfTheTimesIsAtMostItsQuantile() {
    var times = LatencyHistogram()
    #expect(times.quantile(0.5) == nil)
    for time in 1...100 { times.add(nanoseconds: time) }
    #expect(times.quantile(0) == .nanoseconds(1))
    // Its product with 100 is a little more than 7.
    #expect(times.quantile(0.07) == .nanoseconds(7))
    #expect(times.quantile(0.1) == .nanoseconds(10))
    #expect(times.quantile(0.5) == .nanoseconds(52))
    #expect(times.quantile(0.99) == .nanoseconds(104))
    #expect(times.quantile(1) == .nanoseconds(104))
  }

  @Test func powersOfTwoAreBounds() {
    var times = LatencyHistogram()
    for time in [127, 128, 129, 1 << 34, 1 << 34 + 1] { times.add(nanoseconds: time) }
    #expect(times.count(atMostTwoToThe: 7) == 2)
    #expect(times.count(atMostTwoToThe: 8) == 3)
    #expect(times.count(atMostTwoToThe: 34) == 4)
    #expect(times.count(atMostTwoToThe: 60) == 5)
  }

  @Test func aCopyIsEqualAndStays() {
    var times = LatencyHistogram()
    times.add(nanoseconds: 3)
    let copy = times.copied
    #expect(copy == times)
    times.add(nanoseconds: 3)
    #expect(copy.count == 1)
    #expect(copy != times)
  }
}
