// What is asked for, and which numbers make sense.

import Testing

@testable import Weir

@Suite struct AsyncBufferingTests {
  @Test func everythingIsAskedForButUnderBackPressure() {
    for buffering in [AsyncBuffering.unbounded, .oldest(3), .newest(3)] { #expect(buffering.firstDemand == .unlimited) }
    #expect(AsyncBuffering.backpressure(3).firstDemand == .max(3))
    #expect(AsyncBuffering.backpressure(0).firstDemand == .none)
  }

  @Test func aBufferHasRoom() {
    for buffering in [AsyncBuffering.unbounded, .oldest(1), .newest(1), .backpressure(0)] { #expect(buffering.isValid) }
    for buffering in [AsyncBuffering.oldest(0), .newest(0), .oldest(-1), .backpressure(-1)] {
      #expect(!buffering.isValid)
    }
  }
}
