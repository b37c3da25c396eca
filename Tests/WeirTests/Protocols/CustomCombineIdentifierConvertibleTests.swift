// Tests of the identity that every object has by default.

import Testing
import Weir

@Suite struct CustomCombineIdentifierConvertibleTests {
  private final class Object: CustomCombineIdentifierConvertible {}

  @Test func anObjectsIdentityIsItsOwn() {
    let first = Object()
    let second = Object()
    #expect(first.combineIdentifier == first.combineIdentifier)
    #expect(first.combineIdentifier != second.combineIdentifier)
  }
}
