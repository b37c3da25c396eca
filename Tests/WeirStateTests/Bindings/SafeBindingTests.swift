// Tests of what all states and bindings have in common.

import TestKit
import Testing
import Weir
import WeirState

@Suite struct SafeBindingTests {
  @Test func valuesAndPartsArePublished() {
    @UIState var person = Person()
    let people = Log<Person>()
    let names = Log<String>()
    let ages = Log<Int>()
    $person.justNew().sink { people.values.append($0) }.store(in: &people.cancellables)
    $person.justNew(\.name).sink { names.values.append($0) }.store(in: &names.cancellables)
    $person.extractNew(\.age).sink { ages.values.append($0) }.store(in: &ages.cancellables)
    person.age = 31
    #expect(people.values == [Person(), Person(age: 31)])
    #expect(names.values == ["Alice", "Alice"] && ages.values == [30, 31])
  }

  /// A kind of binding of the user's own gets the rest for nothing.
  private struct Own: SafeBinding {
    typealias Value = Person
    typealias Output = DiffedValue<Person>
    typealias Failure = Never
    let subject = CurrentValueSubject<DiffedValue<Person>, Never>(DiffedValue(old: nil, get: Person(), set: { _ in }))
    var wrappedValue: Person {
      get { subject.value.new }
      nonmutating set { subject.value = DiffedValue(old: subject.value.new, get: newValue, set: { _ in }) }
    }
    func receive<S: Subscriber>(subscriber: S) where S.Input == DiffedValue<Person>, S.Failure == Never {
      subject.receive(subscriber: subscriber)
    }
  }

  @Test func aBindingOfTheUsersOwnCanBeObserved() {
    let own = Own()
    let log = Log<Int>()
    own.observe(\.age).sink { (age: Int) in log.values.append(age) }.store(in: &log.cancellables)
    own.observe(\.age).wrappedValue = 31
    own.withLock { $0.age += 1 }
    own.observe().wrappedValue.name = "Bob"
    #expect(log.values == [30, 31, 32, 32] && own.wrappedValue == Person(name: "Bob", age: 32))
    #expect(Mirror(reflecting: own).children.count == 2)
  }
}
