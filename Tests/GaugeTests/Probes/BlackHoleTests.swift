// The opaque ends of a benchmark: they change nothing that a program can see.

import Testing

@testable import Gauge

@Suite struct BlackHoleTests {
  private final class Object {
    var number: Int
    let release: () -> Void
    init(_ number: Int, release: @escaping () -> Void = {}) {
      self.number = number
      self.release = release
    }
    deinit { release() }
  }

  private struct Large: Equatable {
    var words = [1, 2, 3]
    var text = "a string that does not fit into a register or two"
    var flag = true
  }

  @Test func opaqueReturnsTheValueOfAnySize() {
    #expect(opaque(true) == true)
    #expect(opaque(UInt8(200)) == 200)
    #expect(opaque(Int16(-3)) == -3)
    #expect(opaque(UInt32.max) == .max)
    #expect(opaque(Int.min) == .min)
    #expect(opaque(-0.5) == -0.5)
    #expect(opaque(Float(1.5)) == 1.5)
    #expect(opaque((1, UInt8(2))) == (1, 2))
    #expect(opaque(Optional<Int>.none) == nil)
    #expect(opaque("short") == "short")
    #expect(opaque(Large()) == Large())
    #expect(opaque([1, 2, 3]) == [1, 2, 3])
    opaque(())
  }

  @Test func blackHoleTakesValuesOfAnySize() {
    let large = Large()
    blackHole(())
    blackHole(true)
    blackHole(Int16(7))
    blackHole(Float(2))
    blackHole(7)
    blackHole((1, UInt8(2), 3.0))
    blackHole(large)
    #expect(large == Large())
  }

  @Test func objectsKeepTheirOwners() {
    var released = 0
    do {
      var object = Object(1) { released += 1 }
      blackHole(object)
      #expect(isKnownUniquelyReferenced(&object))
      object = opaque(object)
      #expect(isKnownUniquelyReferenced(&object))
      #expect(object.number == 1)
      #expect(released == 0)
    }
    #expect(released == 1)
    blackHole(Object(2) { released += 1 })
    #expect(released == 2)
    #expect(opaque(Object(3) { released += 1 }).number == 3)
    #expect(released == 3)
  }

  @Test func valuesThatCannotBeCopiedPassToo() {
    struct Token: ~Copyable {
      let number: Int
    }
    let token = opaque(Token(number: 5))
    blackHole(token)
    #expect(token.number == 5)
  }

  @Test func everyTurnOfALoopIsRun() {
    var executed = 0
    for turn in 0..<opaque(1000) {
      blackHole(turn)
      executed += opaque(1)
    }
    #expect(executed == 1000)
  }
}
