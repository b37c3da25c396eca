// Tests of the objects that the calls on a thread's stack have come past.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct ThreadTrailTests {
  private final class Place {}

  @Test func objectsAreSeenInTheBodyOnItsThreadOnly() {
    let (first, second) = (Place(), Place())
    #expect(threadTrail.isEmpty)
    let result = withOnTrail(first) {
      withOnTrail(second) {
        #expect(threadTrail.map(ObjectIdentifier.init) == [first, second].map(ObjectIdentifier.init))
      }
      #expect(threadTrail.map(ObjectIdentifier.init) == [ObjectIdentifier(first)])
      onThreads(1) { _ in #expect(threadTrail.isEmpty) }
      return 7
    }
    #expect(result == 7)
    #expect(threadTrail.isEmpty)
  }
}
