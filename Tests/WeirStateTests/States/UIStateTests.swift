// Tests of the value that publishes its changes.

import TestKit
import Testing
import Weir
import WeirState

@Suite struct UIStateTests {
  @Test func subscribersGetTheValueAndThenEachChangeButNoRepetition() {
    @UIState var number = 1
    let log = Log<Int>()
    $number.sink { (number: Int) in log.values.append(number) }.store(in: &log.cancellables)
    number = 2
    number = 2
    number += 1
    #expect(log.values == [1, 2, 3])
  }

  @Test func aPartIsPublishedAtEachChangeOfTheWhole() {
    @UIState var person = Person()
    @UIBinding var age: Int
    _age = $person.observe(\.age)
    let log = Log<Int>()
    $age.sink { (age: Int) in log.values.append(age) }.store(in: &log.cancellables)
    person.name = "Bob"
    person.age = 31
    age += 1
    age = 32
    #expect(log.values == [30, 30, 31, 32])
    #expect(person == Person(name: "Bob", age: 32))
  }

  @Test func literalsMakeTheFirstValue() {
    #expect(UIState<Int?>().wrappedValue == nil)
    #expect(UIState<[Int]>().wrappedValue == [])
    #expect(UIState<[String: Int]>().wrappedValue == [:])
  }

  @Test func membersAndCallsReachParts() {
    let state = UIState(wrappedValue: Person())
    state.age = 31
    state.age += 1
    state(\.name).wrappedValue = "Bob"
    state().wrappedValue.name += "by"
    #expect(state.age == 32 && state.name == "Bobby" && state.greeting == "Hello, Bobby")
  }

  @Test func descriptionsEqualityAndHashingAreThoseOfTheValue() {
    #expect(UIState(wrappedValue: 5).description == "5")
    #expect(UIState(wrappedValue: "a").debugDescription == "\"a\"")
    #expect(UIState(wrappedValue: 5) == UIState(wrappedValue: 5))
    #expect(Set([UIState(wrappedValue: 5), UIState(wrappedValue: 5)]).count == 1)
  }

  private struct ViewState { var isOn: Bool }

  /// As the document declares it: without `Equatable`.
  @Test func valuesNeedNotBeEquatable() {
    @UIState var state = ViewState(isOn: false)
    let log = Log<Bool>()
    $state.sink { log.values.append($0.new.isOn) }.store(in: &log.cancellables)
    state.isOn = true
    state.isOn = true
    $state(\.isOn).wrappedValue = false
    #expect(log.values == [false, true, true, false])
  }

  /// Whether values can be compared is up to the code that makes the state.
  @Test func inGenericCodeEachWriteCounts() {
    func make<Value>(_ value: Value) -> UIState<Value> { UIState(wrappedValue: value) }
    let state = make(1)
    let log = Log<Int>()
    state.justNew().sink { log.values.append($0) }.store(in: &log.cancellables)
    state.wrappedValue = 1
    #expect(log.values == [1, 1])
  }

  /// It was announced when it had been made.
  @Test func aChangeThroughABindingIsAnnouncedBeforeItIsMade() {
    @UIState var person = Person()
    @UIState var numbers = [1, 2]
    let log = Log<Int>()
    $person.objectWillChange.sink { log.values.append(person.age) }.store(in: &log.cancellables)
    $numbers.objectWillChange.sink { log.values.append(numbers[0]) }.store(in: &log.cancellables)
    let age: UIBinding<Int> = $person.age
    age.wrappedValue = 31
    age.wrappedValue += 1
    age.withLock { $0 += 1 }
    $person().wrappedValue.age += 1
    $person().wrappedValue = Person(age: 35)
    $numbers.safe(0, default: 0).wrappedValue = 7
    #expect(log.values == [30, 31, 32, 33, 34, 1])
    #expect(person.age == 35 && numbers == [7, 2])
  }

  @Test func aChangeWithinThatOfAnotherStateIsAnnouncedAfterIt() {
    @UIState var first = 0
    @UIState var second = 0
    let log = Log<Int>()
    $second.objectWillChange.sink { log.values.append(second) }.store(in: &log.cancellables)
    $first.withLock { value in
      second = 5
      value = 1
      #expect(log.values == [])
    }
    #expect(log.values == [5])
  }
}
