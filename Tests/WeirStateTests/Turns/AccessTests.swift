// Tests of the way to a value that lives elsewhere.

import TestKit
import Testing

@testable import WeirState

@Suite struct AccessTests {
  private func access(to person: Shared<Person>) -> Access<Person> {
    Access(turn: TurnHandle(), read: { person.value }, write: { person.value = $0 })
  }

  @Test func writingAPartLeavesTheOthers() {
    let person = Shared(Person())
    let name = access(to: person).part(\.name)
    person.value.age = 31
    name.write("Bob")
    #expect(name.read() == "Bob" && person.value == Person(name: "Bob", age: 31))
  }

  @Test func whatTheBodyThrowsLeavesTheValue() {
    let person = Shared(Person())
    #expect(throws: TestFailure.self) {
      try access(to: person).change { person in
        person.age = 0
        throw TestFailure.first
      }
    }
    #expect(person.value == Person())
  }
}
