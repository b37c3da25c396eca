// Work on several threads: everything once, in order, and errors of the first.

import Synchronization
import Testing

@testable import GaugeRunner

@Suite struct AtOnceTests {
  struct Refusal: Error, Equatable { var item: Int }

  @Test(arguments: [0, 1, 2, 100]) func `every item once, in order`(count: Int) {
    #expect(atOnce(Array(0..<count)) { $0 * 2 } == (0..<count).map { $0 * 2 })
  }

  @Test func `the first that fails is told, behind all`() throws {
    let calls = Mutex(0)
    let refusal = #expect(throws: Refusal.self) {
      try atOnce([0, 1, 2, 3]) { (item) throws(Refusal) in
        calls.withLock { $0 += 1 }
        if item % 2 == 1 { throw Refusal(item: item) }
      }
    }
    #expect(refusal == Refusal(item: 1))
    #expect(calls.withLock { $0 } == 4)
  }
}
