// Tests of `FormValidator`, in virtual time.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct FormValidatorTests {
  private let scheduler = ManualScheduler()

  @Test(
    arguments: [
      ("", nil), ("ann@example.com", nil), ("a.b+c%d@mail.example.org", nil), ("ann", "Invalid email format"),
      ("ann@example", "Invalid email format"), ("ann@example.com ", "Invalid email format"),
      ("@example.com", "Invalid email format"),
    ] as [(String, String?)])
  func checksAddresses(address: String, message: String?) {
    #expect(FormValidator.emailError(address) == message)
  }

  @Test func checksPasswords() {
    #expect(FormValidator.passwordError("") == nil)
    #expect(FormValidator.passwordError("short1") == "Password must be at least 8 characters")
    #expect(FormValidator.passwordError("longenough") == "Password must contain a number")
    #expect(FormValidator.passwordError("longenough1") == nil)
    #expect(FormValidator.confirmationError("a", "b") == "Passwords don't match")
    #expect(FormValidator.confirmationError("a", "") == nil)
  }

  @Test func messagesWaitForAPause() {
    let form = FormValidator(scheduler: scheduler)
    form.email = "ann"
    form.password = "x"
    form.confirmPassword = "y"
    scheduler.advance(by: .milliseconds(299))
    #expect(form.emailError == nil)
    scheduler.advance(by: .milliseconds(1))
    #expect(form.emailError == "Invalid email format")
    #expect(form.passwordError == "Password must be at least 8 characters")
    #expect(form.confirmPasswordError == "Passwords don't match")
  }

  /// In the commonly copied version a form with an empty password was valid.
  @Test func aFormWithAnEmptyFieldIsNotValid() {
    let form = FormValidator(scheduler: scheduler)
    form.email = "ann@example.com"
    scheduler.advance(by: .seconds(1))
    #expect(!form.isValid)
    form.password = "longenough1"
    scheduler.advance(by: .seconds(1))
    #expect(!form.isValid)
    form.confirmPassword = "longenough1"
    #expect(form.isValid)
  }

  /// In the commonly copied version a form was valid until the messages had come.
  @Test func isNeverValidForAMoment() {
    let form = FormValidator(scheduler: scheduler)
    var states: [Bool] = []
    let cancellable = form.$isValid.removeDuplicates().sink { states.append($0) }
    form.email = "nonsense"
    form.password = "x"
    form.confirmPassword = "other"
    scheduler.advance(by: .seconds(1))
    #expect(states == [false])
    form.email = "ann@example.com"
    form.password = "longenough1"
    form.confirmPassword = "longenough1"
    form.password = "longenough2"
    #expect(states == [false, true, false])
    withExtendedLifetime(cancellable) {}
  }

  private func filledIn() -> FormValidator {
    let form = FormValidator(scheduler: scheduler)
    form.email = "ann@example.com"
    form.password = "longenough1"
    return form
  }

  /// The form stayed valid, with an empty field: what its subscriber was being told was stored last.
  @Test func isValidHoldsWhereItsSubscriberSetsAnotherField() {
    let form = filledIn()
    var last: Bool?
    let tokens = [
      form.$isValid.sink { [unowned form] isValid in if isValid { form.email = "" } },
      form.$isValid.sink { last = $0 },
    ]
    form.confirmPassword = "longenough1"
    #expect(form.email == "" && !form.isValid && last == false)
    withExtendedLifetime(tokens) {}
  }

  /// Who was told that `isValid` would change had the same effect.
  @Test func isValidHoldsWhereSomebodyWhoIsToldOfItSetsAnotherField() {
    let form = filledIn()
    var changes = 0
    let token = form.objectWillChange.sink { [unowned form] _ in
      changes += 1
      // The first is that of the field.
      if changes == 2 { form.email = "" }
    }
    form.confirmPassword = "longenough1"
    #expect(form.email == "" && !form.isValid && changes > 2)
    withExtendedLifetime(token) {}
  }

  @Test func isFreedWithItsMessages() {
    weak var weakForm: FormValidator?
    do {
      let form = FormValidator(scheduler: scheduler)
      weakForm = form
      form.email = "a"
      scheduler.advance(by: .seconds(1))
    }
    #expect(weakForm == nil)
  }

  @Test func whatIsTakenForAnAddress() {
    for address in ["a@b.co", "first.last+tag%x@sub-domain.example.org", "a..b@-.com"] {
      #expect(FormValidator.emailError(address) == nil)
    }
    for address in ["a@b", "a@b.c", "\"a b\"@c.org", "jos\u{E9}@example.org", "a@ex\u{E4}mple.org", "a@b.c0m", "@b.co"]
    {
      #expect(FormValidator.emailError(address) != nil)
    }
  }

  @Test func aMessageWaitsForItsOwnField() {
    let form = FormValidator(scheduler: scheduler)
    form.email = "ann"
    scheduler.advance(by: .milliseconds(200))
    form.password = "x"
    scheduler.advance(by: .milliseconds(100))
    #expect(form.emailError != nil && form.passwordError == nil)
  }
}
