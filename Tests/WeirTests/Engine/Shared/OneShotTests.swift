// Tests of the flag that fires once.

import TestKit
import Testing
import Weir

@Suite struct OneShotTests {
  @Test func firesOnce() {
    let flag = OneShot()
    #expect(flag.hasFired == false)
    #expect(flag.fire() == true)
    #expect(flag.hasFired == true)
    #expect(flag.fire() == false)
    #expect(flag.hasFired == true)
  }

  @Test func hasOneWinnerAmongThreads() {
    for _ in 0..<200 {
      let flag = OneShot()
      let winners = Counter()
      onThreads(3) { _ in if flag.fire() { winners.add() } }
      #expect(winners.value == 1)
    }
  }
}
