// Checks what is typed into a sign-up form.

import Dispatch
public import Weir
import WeirDispatch

/// Checks the email address, the password and its repetition that are typed into a form.
///
/// A message waits until nothing was typed into its fields for a while, and leaves fields alone that are still empty.
/// `isValid` follows each keystroke: it is `true` exactly while all three fields are filled in correctly. It goes by
/// the texts that subscribers of the fields have been told of, the last of which is stored just after. In the commonly
/// copied version it is true with an empty password, and for as long as the messages are late.
///
/// Correct a text before it is set: where somebody who is told of a text, or of the `isValid` that follows from it,
/// sets that very field, the first text is stored last, as of any `@Published`, and nobody is told of it again;
/// `isValid` goes by the second one then. The other fields may be set there. Who is told of a message may set any
/// field, except where the scheduler runs work at once, as `ImmediateScheduler` does: there the first message is stored
/// last, and stays.
///
/// For one thread, or one serial queue: the one on which messages appear, by default the main queue.
public final class FormValidator: ObservableObject {
  /// The email address.
  @Published public var email = ""
  /// The password.
  @Published public var password = ""
  /// The password again.
  @Published public var confirmPassword = ""

  /// What is wrong with the email address.
  @Published public private(set) var emailError: String?
  /// What is wrong with the password.
  @Published public private(set) var passwordError: String?
  /// What is wrong with the repetition.
  @Published public private(set) var confirmPasswordError: String?
  /// `true` if all fields are filled in correctly.
  @Published public private(set) var isValid = false

  /// What the fields were said to become last.
  private var newest = (email: "", password: "", confirmation: "")
  private var check: AnyCancellable?

  /// Creates a form whose messages appear on the main queue, 300 milliseconds after the last keystroke in their fields.
  public convenience init() { self.init(scheduler: DispatchQueue.main) }

  /// Creates a form whose messages appear 300 milliseconds after the last keystroke in their fields.
  ///
  /// - Parameter scheduler: Where messages appear.
  public init<Context: Scheduler>(scheduler: Context) {
    let pause = Context.SchedulerTimeType.Stride.milliseconds(300)
    $email.debounce(for: pause, scheduler: scheduler).map(Self.emailError).assign(to: &$emailError)
    $password.debounce(for: pause, scheduler: scheduler).map(Self.passwordError).assign(to: &$passwordError)
    $password.combineLatest($confirmPassword)
      .debounce(for: pause, scheduler: scheduler)
      .map(Self.confirmationError)
      .assign(to: &$confirmPasswordError)
    check = $email.combineLatest($password, $confirmPassword).sink { [weak self] texts in self?.follow(texts) }
  }

  /// Stores whether the texts are correct: again where somebody who was told of that has set a field, as what follows
  /// from that text was stored before.
  private func follow(_ texts: (String, String, String)) {
    newest = texts
    repeat { isValid = isCorrect } while isValid != isCorrect
  }

  private var isCorrect: Bool { Self.isValid(newest.email, newest.password, newest.confirmation) }

  /// What is wrong with an email address; nothing while it is empty.
  ///
  /// It takes what people have: ASCII letters, digits and `._%+-`, an `@`, and a name of a domain with a dot and 2 to
  /// 64 letters at its end. That is a check of typing, not of the standard: it refuses quoted and international
  /// addresses, and takes `a..b@-.com`, which no server does.
  ///
  /// - Parameter email: The email address.
  /// - Returns: The message; `nil` if there is none.
  public static func emailError(_ email: String) -> String? {
    let pattern = /[A-Z0-9a-z._%+\-]+@[A-Za-z0-9.\-]+\.[A-Za-z]{2,64}/
    return email.isEmpty || email.wholeMatch(of: pattern) != nil ? nil : "Invalid email format"
  }

  /// What is wrong with a password; nothing while it is empty.
  ///
  /// - Parameter password: The password.
  public static func passwordError(_ password: String) -> String? {
    if password.isEmpty { return nil }
    if password.count < 8 { return "Password must be at least 8 characters" }
    if !password.contains(where: \.isNumber) { return "Password must contain a number" }
    return nil
  }

  /// What is wrong with the repetition of a password; nothing while it is empty.
  ///
  /// - Parameters:
  ///   - password: The password.
  ///   - confirmation: The password again.
  public static func confirmationError(_ password: String, _ confirmation: String) -> String? {
    confirmation.isEmpty || password == confirmation ? nil : "Passwords don't match"
  }

  /// `true` if all fields are filled in correctly.
  ///
  /// - Parameters:
  ///   - email: The email address.
  ///   - password: The password.
  ///   - confirmation: The password again.
  public static func isValid(_ email: String, _ password: String, _ confirmation: String) -> Bool {
    !email.isEmpty && emailError(email) == nil && !password.isEmpty && passwordError(password) == nil
      && password == confirmation
  }
}
