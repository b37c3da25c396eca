// Tests of elements by indices that may be out of range.

import Testing
import WeirState

@Suite struct CollectionSafeTests {
  @Test func outOfRangeIsNil() {
    #expect([1, 2][safe: 1] == 2 && [1, 2][safe: 2] == nil && [1, 2][safe: -1] == nil)
    #expect((5..<7)[safe: 6] == 6 && (5..<7)[safe: 0] == nil)
  }

  @Test func settingOutOfRangeOrNilDoesNothing() {
    var list = [1, 2]
    list[safe: 0] = 5
    list[safe: 9] = 5
    list[safe: 1] = nil
    #expect(list == [5, 2])
  }
}
