// Tests of the registration form, in virtual time.

import Combine
import Testing
import WeirTesting

@testable import RegistrationForm

/// A server that answers when the test says so.
@MainActor
private final class TestRegistry: Registry {
  var questions: [(name: String, answer: PassthroughSubject<Bool, RegistryError>)] = []
  var registrations: [(registration: Registration, answer: PassthroughSubject<Int, RegistryError>)] = []

  func isFree(_ name: String) -> AnyPublisher<Bool, RegistryError> {
    questions.append((name, PassthroughSubject()))
    return questions[questions.count - 1].answer.eraseToAnyPublisher()
  }

  func register(_ registration: Registration) -> AnyPublisher<Int, RegistryError> {
    registrations.append((registration, PassthroughSubject()))
    return registrations[registrations.count - 1].answer.eraseToAnyPublisher()
  }

  func answer(_ isFree: Bool) { questions.last?.answer.send(isFree) }
}

@MainActor
struct RegistrationFormTests {
  private let clock = TestScheduler()
  private let registry = TestRegistry()
  private let form: RegistrationForm

  init() { form = RegistrationForm(registry: registry, scheduler: clock) }

  private func fillIn() {
    form.name = "ada"
    form.password = "analytical"
    form.confirmation = "analytical"
    clock.advance(by: .milliseconds(300))
    registry.answer(true)
  }

  @Test func namesAreAskedForWhenNothingIsTypedForAMoment() {
    for name in ["a", "ad", "ada"] {
      form.name = name
      clock.advance(by: .milliseconds(200))
    }
    #expect(registry.questions.isEmpty)
    #expect(form.nameState == .checking)
    clock.advance(by: .milliseconds(100))
    #expect(registry.questions.map(\.name) == ["ada"])
    registry.answer(true)
    #expect(form.nameState == .free)
  }

  @Test func anAnswerToAnOlderQuestionIsNotTaken() {
    form.name = "ada"
    clock.advance(by: .milliseconds(300))
    form.name = "grace"
    registry.questions[0].answer.send(true)
    #expect(form.nameState == .checking)
    clock.advance(by: .milliseconds(300))
    registry.questions[1].answer.send(false)
    #expect(form.nameState == .taken)
  }

  @Test func aNameThatCannotBeIsNotAskedFor() {
    form.name = "ada!"
    #expect(form.nameState == .invalid)
    form.name = ""
    #expect(form.nameState == .empty)
    clock.run()
    #expect(registry.questions.isEmpty)
  }

  @Test func aServerThatCannotBeReachedLeavesTheNameUnknownAndTheFormAlive() {
    form.name = "ada"
    clock.advance(by: .milliseconds(300))
    registry.questions[0].answer.send(completion: .failure(.unreachable))
    #expect(form.nameState == .unknown)
    form.name = "adam"
    clock.advance(by: .milliseconds(300))
    registry.answer(true)
    #expect(form.nameState == .free)
  }

  @Test(arguments: [
    ("", "", nil), ("short", "", "eight characters at least"), ("analytical", "engine", "the passwords differ"),
    ("analytical", "analytical", nil),
  ])
  func whatIsWrongWithAPassword(password: String, confirmation: String, problem: String?) {
    form.password = password
    form.confirmation = confirmation
    #expect(form.passwordProblem == problem)
  }

  @Test func theFormMayBeSubmittedOnceAllIsRight() {
    let allowed = form.$canSubmit.record()
    fillIn()
    form.confirmation = "analytic"
    form.confirmation = "analytical"
    allowed.expect(values: [false, true, false, true])
  }

  @Test func itIsSubmittedOnce() {
    form.submit()
    #expect(registry.registrations.isEmpty)
    fillIn()
    form.submit()
    form.submit()
    #expect(registry.registrations.map(\.registration) == [Registration(name: "ada", password: "analytical")])
    #expect(form.submission == .underWay)
    registry.registrations[0].answer.send(7)
    registry.registrations[0].answer.send(completion: .finished)
    #expect(form.submission == .done(account: 7))
    form.submit()
    #expect(registry.registrations.count == 1)
  }

  @Test func afterAFailureItMayBeSubmittedAgain() {
    fillIn()
    form.submit()
    registry.registrations[0].answer.send(completion: .failure(.unreachable))
    #expect(form.submission == .failed(.unreachable))
    form.submit()
    #expect(registry.registrations.count == 2)
    registry.registrations[1].answer.send(completion: .failure(.nameTaken))
    #expect(form.nameState == .taken)
    #expect(!form.canSubmit)
  }

  @Test func aFormThatIsFreedStopsWaiting() {
    var form: RegistrationForm? = RegistrationForm(registry: registry, scheduler: clock)
    weak let freed = form
    form?.name = "ada"
    form = nil
    #expect(freed == nil)
    clock.run()
    #expect(registry.questions.isEmpty)
  }
}
