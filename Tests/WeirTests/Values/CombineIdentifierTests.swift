// Tests of identities.

import TestKit
import Testing
import Weir
import WeirQueues

@Suite struct CombineIdentifierTests {
  private final class Thing: CustomCombineIdentifierConvertible {}

  @Test func everyNewIdentityDiffersAlsoAcrossThreads() {
    let all = Lock([CombineIdentifier]())
    onThreads(4) { _ in
      let mine = (0..<2_500).map { _ in CombineIdentifier() }
      all.withLock { $0 += mine }
    }
    #expect(Set(all.withLock { $0 }).count == 10_000)
  }

  @Test func anObjectHasOneIdentity() {
    let thing = Thing()
    let other = Thing()
    #expect(CombineIdentifier(thing) == CombineIdentifier(thing))
    #expect(CombineIdentifier(thing) != CombineIdentifier(other))
    #expect(thing.combineIdentifier == CombineIdentifier(thing))
    #expect(thing.combineIdentifier != CombineIdentifier())
  }

  @Test func describesItselfAsAHexadecimalNumber() {
    let text = CombineIdentifier().description
    #expect(text.hasPrefix("0x"))
    #expect(UInt64(text.dropFirst(2), radix: 16) != nil)
    let thing = Thing()
    let address = UInt(bitPattern: ObjectIdentifier(thing))
    #expect(CombineIdentifier(thing).description == "0x" + String(address, radix: 16))
  }

  @Test func showsItsNumberAsInCombine() {
    let children = Mirror(reflecting: CombineIdentifier()).children
    #expect(children.map(\.label) == ["rawValue"])
    #expect(children.first?.value is UInt64)
  }
}
