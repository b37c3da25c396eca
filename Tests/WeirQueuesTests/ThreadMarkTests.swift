// Tests of the number that each thread has of its own.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct ThreadMarkTests {
  @Test func aMarkIsSeenInTheBodyOnItsThreadOnly() {
    #expect(threadMark == 0)
    let result = withThreadMark(3) {
      #expect(threadMark == 3)
      withThreadMark(5) { #expect(threadMark == 5) }
      #expect(threadMark == 3)
      onThreads(1) { _ in #expect(threadMark == 0) }
      return 7
    }
    #expect(result == 7)
    #expect(threadMark == 0)
  }
}
