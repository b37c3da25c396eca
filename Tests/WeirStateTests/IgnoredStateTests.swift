// Tests of properties that do not count.

import TestKit
import Testing
import WeirState

@Suite struct IgnoredStateTests {
  @Test func equalityAndHashingGoByTheIdAlone() {
    #expect(IgnoredState(wrappedValue: 1) == IgnoredState(wrappedValue: 2))
    #expect(IgnoredState(wrappedValue: 1, id: 1) != IgnoredState(wrappedValue: 1, id: 2))
    #expect(Set([AlwaysEqual(wrappedValue: 1), AlwaysEqual(wrappedValue: 2)]).count == 1)
    #expect(IgnoredState(wrappedValue: 1, id: 7).projectedValue == 7)
  }

  @Test func closuresOfUpToThreeArgumentsCanBeCalled() {
    let none = IgnoredState<() -> Int>(wrappedValue: { 0 })
    let one = IgnoredState<(Int) -> Int>(wrappedValue: { $0 })
    let two = IgnoredState<(Int, String) -> String>(wrappedValue: { "\($0)\($1)" })
    let three = IgnoredState<(Int, Int, Int) -> Int>(wrappedValue: { $0 + $1 + $2 })
    let results: (Int, Int, String, Int) = (none(), one(1), two(2, "b"), three(1, 2, 3))
    #expect(results == (0, 1, "2b", 6))
  }

  @Test func membersAndMirrorAreThoseOfTheValue() {
    var ignored = IgnoredState(wrappedValue: Person())
    ignored.age = 31
    #expect(ignored.age == 31 && ignored.greeting == "Hello, Alice")
    #expect(Mirror(reflecting: ignored).children.count == 2)
  }

  @Test func aStateWhoseIgnoredPropertyChangesTellsNobody() {
    struct Model: Equatable { var number = 0; @IgnoredState var cache = 0 }
    @UIState var model = Model()
    let log = Log<Int>()
    $model.sink { (model: Model) in log.values.append(model.cache) }.store(in: &log.cancellables)
    model.cache = 5
    #expect(log.values == [0])
  }

  private struct Page: Equatable {
    var number = 0
    @IgnoredState var cache: [UInt8]
    @IgnoredState var timer: Int?
    @IgnoredState(id: 1) var other: Int?
  }

  /// The document writes properties without a first value.
  @Test func aPropertyWithoutAFirstValueIsOneOfTheMemberwiseInitialiser() {
    let page = Page(number: 1, cache: [1, 2])
    #expect(page.cache == [1, 2] && page.timer == nil && page.other == nil)
    #expect(page == Page(number: 1, cache: [], timer: 3))
    #expect(page != Page(number: 2, cache: [1, 2]))
  }
}
