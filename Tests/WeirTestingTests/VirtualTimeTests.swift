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
    #expect(VirtualTime.Stride(exactly: 5) == .nanoseconds(5) && VirtualTime.Stride.seconds(1) * .nanoseconds(2) == 2)
    #expect(VirtualTime.Stride.seconds(3) - 1 == 2 && .seconds(1) + 1 == 2 && VirtualTime.Stride.zero < 1)
  }
}
