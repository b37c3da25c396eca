// Tests of bindings.

import TestKit
import Testing
import Weir
import WeirState

@Suite struct UIBindingTests {
  @Test func aConstantIsNotChangedByWrites() {
    let binding = UIBinding.constant(5)
    let log = Log<Int>()
    binding.sink { (value: Int) in log.values.append(value) }.store(in: &log.cancellables)
    binding.wrappedValue = 6
    #expect(binding.wrappedValue == 5 && log.values == [5])
  }

  @Test func aBindingWithAPublisherPublishesWhatThatDoes() {
    let subject = PassthroughSubject<DiffedValue<Int>, Never>()
    let binding = UIBinding(publisher: subject.eraseToAnyPublisher(), get: { 1 }, set: { _ in })
    let log = Log<Int>()
    binding.publisher.sink { log.values.append($0) }.store(in: &log.cancellables)
    subject.send(DiffedValue(old: nil, get: 7, set: { _ in }))
    #expect(log.values == [7])
  }

  @Test func aSubscriberOfABindingWithoutAPublisherRunsWithoutTheTurn() {
    let number = Counter()
    let binding = Shared(UIBinding(get: { number.value }, set: { number.set($0) }))
    let log = Log<Int>()
    binding.value.sink { (value: Int) in
      log.values.append(value)
      if value == 1 { onThreads(1) { _ in binding.value.withLock { $0 += 1 } } }
    }.store(in: &log.cancellables)
    binding.value.wrappedValue += 1
    #expect(number.value == 2 && log.values == [0, 1, 2])
  }

  @Test func whatSetWritesIntoAStateIsPublishedAndToldWhenItHasReturned() {
    let state = UIState(wrappedValue: 0)
    let log = Log<String>()
    state.sink { (value: Int) in log.values.append("\(value)") }.store(in: &log.cancellables)
    state.objectWillChange.sink { log.values.append("told") }.store(in: &log.cancellables)
    func set(_ value: Int) {
      state.wrappedValue = value
      log.values.append("set")
    }
    UIBinding(get: { state.wrappedValue }, set: set).wrappedValue = 1
    let publisher = state.eraseToAnyPublisher()
    UIBinding(publisher: publisher, get: { state.wrappedValue }, set: set).wrappedValue = 2
    #expect(log.values == ["0", "set", "told", "1", "told", "2", "set"])
  }

  private func diffs(of binding: UIBinding<Int>) -> Log<String> {
    let log = Log<String>()
    binding.sink { (diff: DiffedValue<Int>) in
      log.values.append("\(diff.old.map { "\($0)" } ?? "nil") -> \(diff.new)")
    }.store(in: &log.cancellables)
    return log
  }

  /// Whoever came later was told of the last write, as a change.
  @Test func aLateSubscriberOfABindingWithoutAPublisherGetsTheValueAsItIs() {
    let number = Counter()
    let binding = UIBinding(get: { number.value }, set: { number.set($0) })
    let first = diffs(of: binding)
    binding.wrappedValue = 5
    let second = diffs(of: binding)
    number.set(7)
    let third = diffs(of: binding)
    binding.wrappedValue = 8
    #expect(first.values == ["nil -> 0", "0 -> 5", "7 -> 8"])
    #expect(second.values == ["nil -> 5", "7 -> 8"])
    #expect(third.values == ["nil -> 7", "7 -> 8"])
  }

  @Test func threadsThatWriteAndSubscribeAgreeOnTheLastValue() {
    for _ in 0..<50 {
      let number = Counter()
      let binding = Shared(UIBinding(get: { number.value }, set: { number.set($0) }))
      let last = [Counter(), Counter()]
      let cancellables = [Shared<AnyCancellable?>(nil), Shared(nil)]
      onThreads(3) { thread in
        if thread < 2 {
          cancellables[thread].value = binding.value.sink { (value: Int) in last[thread].set(value) }
        } else {
          for _ in 0..<20 { binding.value.wrappedValue += 1 }
        }
      }
      #expect(number.value == 20 && last.map(\.value) == [20, 20])
    }
  }

  /// It stopped the program, as if it were a write.
  @Test func aBindingWithoutAPublisherCanBeSubscribedToWithinItsChange() {
    let number = Counter()
    let binding = UIBinding(get: { number.value }, set: { number.set($0) })
    let log = Log<Int>()
    binding.withLock { value in
      value += 1
      binding.sink { log.values.append($0) }.store(in: &log.cancellables)
    }
    #expect(number.value == 1 && log.values == [0, 1])
  }

  /// It was not told of that write.
  @Test func theFirstSubscriberThatComesWithinSetGetsTheWrite() {
    let number = Counter()
    let binding = Shared<UIBinding<Int>?>(nil)
    let log = Shared<Log<String>?>(nil)
    binding.value = UIBinding(
      get: { number.value },
      set: { value in
        if log.value == nil, let binding = binding.value { log.value = diffs(of: binding) }
        number.set(value)
      })
    binding.value?.wrappedValue = 1
    binding.value?.wrappedValue = 2
    #expect(log.value?.values == ["nil -> 0", "nil -> 1", "1 -> 2"])
    (binding.value, log.value) = (nil, nil)
  }

  /// Each began with what it had found itself, so that the differences did not add up.
  @Test func writesThatSetMakesThroughTheBindingFollowEachOther() {
    let number = Counter()
    let binding = Shared<UIBinding<Int>?>(nil)
    binding.value = UIBinding(
      get: { number.value },
      set: { value in
        number.set(value)
        if value > 10 { binding.value?.wrappedValue = value - 5 }
      })
    let log = binding.value.map { diffs(of: $0) }
    binding.value?.wrappedValue = 20
    number.set(3)
    binding.value?.wrappedValue = 4
    #expect(log?.values == ["nil -> 0", "0 -> 10", "10 -> 10", "10 -> 10", "3 -> 4"])
    binding.value = nil
  }

  @Test func aBindingWithoutSubscribersIsNotReadAsItIsWritten() {
    let number = Counter()
    let binding = UIBinding<Int>(
      get: {
        number.add()
        return 0
      }, set: { _ in })
    binding.wrappedValue = 1
    #expect(number.value == 0)
  }

  @Test func aConstantFinishes() {
    var isFinished = false
    let stream = UIBinding.constant(1).sink { _ in
      isFinished = true
    } receiveValue: { _ in
    }
    #expect(isFinished)
    stream.cancel()
  }

  @Test func partsOfPartsAreBindings() {
    struct Family: Equatable { var mother = Person(); var father = Person() }
    @UIState var family = Family()
    $family.mother.name.wrappedValue = "Eve"
    $family.father(\.age).wrappedValue += 1
    #expect(family == Family(mother: Person(name: "Eve"), father: Person(age: 31)))
  }

  @Test func withLockOfABindingIsOneStep() {
    let state = UIState(wrappedValue: Person(age: 0))
    let age: UIBinding<Int> = state.observe(\.age)
    let shared = Shared(age)
    onThreads(8) { _ in
      for _ in 0..<100 {
        shared.value.withLock { $0 += 1 }
        shared.value.wrappedValue += 1
      }
    }
    #expect(state.age == 1600)
  }

  @Test func aBindingKeepsItsStateAlive() {
    var state: UIState<Int>? = UIState(wrappedValue: 1)
    let binding: UIBinding<Int> = state!.observe()
    state = nil
    binding.wrappedValue = 2
    #expect(binding.wrappedValue == 2)
  }

  @Test func equalityHashingAndDescriptionsAreThoseOfTheValue() {
    #expect(UIBinding.constant(1) == .constant(1) && UIBinding.constant(1) != .constant(2))
    #expect(Set([UIBinding.constant(1), .constant(1)]).count == 1)
    #expect(UIBinding.constant(1).description == "1" && UIBinding.constant("a").debugDescription == "\"a\"")
  }

  @Test func whatIsWrittenThroughADiffOfABindingWithoutAPublisherIsSeenWithTheNextWrite() {
    let number = Counter()
    let binding = UIBinding(get: { number.value }, set: { number.set($0) })
    let log = diffs(of: binding)
    binding.bind { (value: inout Int) in value += 10 }.store(in: &log.cancellables)
    #expect(number.value == 10 && log.values == ["nil -> 0"])
    binding.wrappedValue = 5
    #expect(number.value == 15 && log.values == ["nil -> 0", "10 -> 5"])
  }

  @Test func aPartIsPublishedAtEachChangeOfTheWhole() {
    @UIState var person = Person()
    let log = Log<Int>()
    $person(\.age).publisher.sink { log.values.append($0) }.store(in: &log.cancellables)
    person.name = "Bob"
    #expect(log.values == [30, 30])
  }

  @Test func aPartOfABindingWithAPublisherPutsTheOthersBack() {
    let person = Shared(Person())
    let binding = UIBinding(
      publisher: Empty().eraseToAnyPublisher(), get: { person.value }, set: { person.value = $0 })
    func grow(_ age: inout Int) {
      person.value.name = "Bob"
      age += 1
    }
    grow(&binding.wrappedValue.age)
    #expect(person.value == Person(name: "Alice", age: 31))
  }
}
