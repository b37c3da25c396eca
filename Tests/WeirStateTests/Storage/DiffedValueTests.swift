// Tests of changes as values.

import TestKit
import Testing
import Weir
import WeirState

@Suite struct DiffedValueTests {
  private func diff(_ old: Person?, _ new: Person) -> DiffedValue<Person> {
    DiffedValue(old: old, get: new, set: { _ in })
  }

  @Test func changesOfParts() {
    let change = diff(Person(), Person(age: 31))
    #expect(change.hasChanged(keyPath: \.age) && !change.hasChanged(keyPath: \.name))
    #expect(diff(nil, Person()).hasChanged(keyPath: \.name))
    var seen: [Int?] = []
    change.ifChanged(keyPath: \.age) { seen += [$0, $1] }
    change.ifChanged(keyPath: \.name) { _, _ in seen.append(-1) }
    #expect(seen == [30, 31])
    #expect(change.map(keyPath: \.age) == DiffedValue(old: 30, get: 31, set: { _ in }))
  }

  @Test func aValueThatIsNilIsAValue() {
    let subject = ValueSubject<Int?>(wrappedValue: 1)
    var values: [Int?] = []
    var diffs: [DiffedValue<Int?>] = []
    let token = subject.sink { (diff: DiffedValue<Int?>) in
      values.append(diff.new)
      diffs.append(diff)
    }
    subject.wrappedValue = nil
    subject.wrappedValue = 2
    #expect(values == [1, nil, 2])
    #expect(diffs.map(\.new) == values && diffs.map(\.old) == [nil, .some(1), .some(nil)])
    #expect(DiffedValue<Int?>(old: 1, get: nil, set: { _ in }).new == nil)
    token.cancel()
  }

  @Test func membersReadNewAndWriteTheState() {
    var written: [Person] = []
    let change = DiffedValue(old: nil, get: Person(), set: { written.append($0) })
    change.age = 31
    change.map(keyPath: \.name).new = "Bob"
    change.set(Person(name: "Carol"))
    #expect(written == [Person(age: 31), Person(name: "Bob"), Person(name: "Carol")])
    #expect(change.age == 30 && change.greeting == "Hello, Alice" && change.get() == Person())
  }

  @Test func aDiffThatWasNotAskedForInTimeHasNoOldValue() {
    let state = UIState(wrappedValue: 0)
    let recorder = RecordingSubscriber<DiffedValue<Int>, Never>()
    state.subscribe(recorder)
    recorder.request(.max(1))
    state.wrappedValue = 1
    state.wrappedValue = 2
    recorder.request(.max(2))
    state.wrappedValue = 3
    #expect(recorder.values.map(\.old) == [nil, nil, 2] && recorder.values.map(\.new) == [0, 2, 3])
    #expect(recorder.values[1].hasChanged(keyPath: \.self))
  }

  @Test func aBindingsDiffWritesIntoTheBinding() {
    @UIState var person = Person()
    DiffedValue(old: nil, binding: $person()).name = "Bob"
    #expect(person.name == "Bob")
  }

  @Test func theDescriptionIsThatOfTheNewValue() {
    let change = DiffedValue(old: 1, get: 2, set: { _ in })
    #expect("\(change)" == "2" && String(reflecting: change) == "DiffedValue(old: Optional(1), new: 2)")
  }

  @Test func whatReadsTheValueIsCalledNowAndWhereAMemberIsWritten() {
    let (person, calls) = (Shared(Person()), Counter())
    let get = { () -> Person in
      calls.add()
      return person.value
    }
    let change = DiffedValue(old: nil, get: get, set: { person.value = $0 })
    #expect(change.name == "Alice" && calls.value == 1)
    person.value.name = "Bob"
    change.age = 31
    #expect(person.value == Person(name: "Bob", age: 31) && calls.value == 2)
  }

  /// It was announced when it had been made.
  @Test func aWriteThroughADiffIsAnnouncedBeforeItIsMade() {
    @UIState var person = Person()
    let log = Log<Int>()
    $person.objectWillChange.sink { log.values.append(person.age) }.store(in: &log.cancellables)
    let change = Shared<DiffedValue<Person>?>(nil)
    $person.sink { (diff: DiffedValue<Person>) in change.value = diff }.store(in: &log.cancellables)
    change.value?.age = 31
    change.value?.map(keyPath: \.age).new = 32
    change.value?.new = Person(age: 33)
    #expect(log.values == [30, 31, 32] && person.age == 33)
  }
}
