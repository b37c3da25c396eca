// Tests of short names and comparisons.

import TestKit
import Testing
import Weir
import WeirState

@Suite struct SharedTests {
  @Test func partsAreCompared() {
    #expect(differs(lhs: Person(), rhs: Person(age: 1), keyPath: \.age))
    #expect(!differs(lhs: Person(), rhs: Person(age: 1), keyPath: \.name))
  }

  @Test func theNamesAreThoseOfTheSubjects() {
    #expect(EventSubject<Int>.self == PassthroughSubject<Int, Never>.self)
    #expect(ActionSubject.self == PassthroughSubject<Void, Never>.self)
    #expect(WeirState.AnyCancellable.self == Weir.AnyCancellable.self)
  }
}
