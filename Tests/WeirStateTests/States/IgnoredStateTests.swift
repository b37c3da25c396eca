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
    #expect(model.cache == 5)
  }

  private struct Cached: BehavioralStateContract {
    var number = 0
    @IgnoredState var cache = 0
    @IgnoredState var visits = 0

    mutating func applyRules() { visits += 1 }
  }

  /// By whichever way it is written; it is there for subscribers that come later.
  @Test func whatIsWrittenToAnIgnoredPropertyStays() {
    @UIState var plain = Cached()
    @ManagedState var ruled = Cached()
    let log = Log<Int>()
    $plain.sink { (model: Cached) in log.values.append(model.cache) }.store(in: &log.cancellables)
    $ruled.sink { (model: Cached) in log.values.append(model.cache) }.store(in: &log.cancellables)
    plain.cache = 1
    #expect(plain.cache == 1)
    $plain.withLock { $0.cache += 1 }
    #expect(plain.cache == 2)
    $plain.cache.wrappedValue += 1
    #expect(plain.cache == 3)
    plain = Cached(cache: 4)
    #expect(plain.cache == 4)
    ruled.cache = 1
    $ruled.withLock { $0.cache += 1 }
    $ruled.cache.withLock { $0 += 1 }
    #expect(ruled.cache == 3)
    #expect(log.values == [0, 0])
    $ruled.sink { (model: Cached) in log.values.append(model.cache) }.store(in: &log.cancellables)
    #expect(log.values == [0, 0, 3])
  }

  @Test func whatARuleWritesToAnIgnoredPropertyStays() {
    @ManagedState var ruled = Cached()
    #expect(ruled.visits == 1)
    ruled.number = 1
    #expect(ruled.visits == 2)
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
