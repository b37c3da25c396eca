// Tests of virtual time.

import Testing
import WeirTesting

@Suite struct VirtualTimeTests {
  @Test func lengthsOfTime() {
    let start = VirtualTime()
    #expect(start.advanced(by: .milliseconds(5)).nanoseconds == 5_000_000)
    #expect(start.distance(to: VirtualTime(nanoseconds: 7)) == .nanoseconds(7))
    #expect(VirtualTime.Stride.seconds(0.5) == .milliseconds(500) && .microseconds(3) == .nanoseconds(3000))
    #expect((2 as VirtualTime.Stride) == .seconds(2) && (0.25 as VirtualTime.Stride) == .milliseconds(250))
    #expect(VirtualTime.Stride(exactly: 5) == 5 && VirtualTime.Stride.milliseconds(2) * 3 == .milliseconds(6))
    #expect(VirtualTime.Stride.seconds(3) - 1 == 2 && VirtualTime.Stride.seconds(1) + 1 == 2)
    #expect(VirtualTime.Stride.zero < 1)
  }

  /// Beyond 104 days it was to the nearest number of nanoseconds that a `Double` can be.
  @Test func secondsAreRoundedToTheNearestNanosecond() {
    // As a `Double` this is 10000000.300000000745.
    #expect(VirtualTime.Stride.seconds(10_000_000.3) == .nanoseconds(10_000_000_300_000_001))
    #expect(VirtualTime.Stride.seconds(-10_000_000.3) == .nanoseconds(-10_000_000_300_000_001))
    #expect(VirtualTime.Stride.seconds(0.000_000_000_6) == .nanoseconds(1))
    #expect(VirtualTime.Stride.seconds(9.3e9) == .nanoseconds(.max))
  }

  /// It stopped the program where the time of a dispatch queue saturates.
  @Test func arithmeticSaturates() {
    typealias Stride = VirtualTime.Stride
    let (longest, shortest) = (Stride.nanoseconds(.max), Stride.nanoseconds(.min))
    #expect(Stride.seconds(Int.max) == longest && Stride.milliseconds(.min) == shortest)
    #expect(Stride.microseconds(.max) == longest && Stride.seconds(.max / 2) * 3 == longest)
    #expect(Stride.seconds(Double.infinity) == longest && Stride.seconds(-1e300) == shortest)
    #expect(longest + 1 == longest && shortest - 1 == shortest && shortest + shortest == shortest)
    #expect(longest - shortest == longest && shortest - longest == shortest && longest * shortest == shortest)
    let end = VirtualTime(nanoseconds: .max)
    #expect(end.advanced(by: 1) == end && VirtualTime(nanoseconds: -2).distance(to: end) == longest)
  }

  @Test func aLiteralMeansSecondsAndSoDoesAnExactNumber() {
    #expect(VirtualTime.Stride(exactly: 1) == .seconds(1) && (1 as VirtualTime.Stride) == .seconds(1))
    #expect(VirtualTime.Stride(exactly: UInt64.max) == nil)
  }
}
