// The view model of a registration form: it checks while one types, asks the server, and submits once.

import Combine
import WeirExtras

/// What the server says of registrations.
@MainActor
protocol Registry {
  /// Whether a name is free.
  func isFree(_ name: String) -> AnyPublisher<Bool, RegistryError>
  /// Registers somebody; what comes is the number of the account.
  func register(_ registration: Registration) -> AnyPublisher<Int, RegistryError>
}

/// Why the server didn't do what it was asked for.
enum RegistryError: Error, Equatable {
  case unreachable
  case nameTaken
}

/// What is submitted.
struct Registration: Equatable, Sendable {
  var name: String
  var password: String
}

/// The form. Views observe its properties; everything happens on the main actor.
@MainActor
final class RegistrationForm: ObservableObject {
  /// What is known of the name.
  enum NameState: Equatable, Sendable {
    case empty
    case invalid
    case checking
    case free
    case taken
    case unknown
  }

  /// How far the submission is.
  enum Submission: Equatable, Sendable {
    case none
    case underWay
    case done(account: Int)
    case failed(RegistryError)
  }

  @Published var name = ""
  @Published var password = ""
  @Published var confirmation = ""

  @Published private(set) var nameState = NameState.empty
  @Published private(set) var passwordProblem: String?
  @Published private(set) var canSubmit = false
  @Published private(set) var submission = Submission.none

  private let submissions = PassthroughSubject<Void, Never>()
  private let registry: any Registry
  private var subscriptions: Set<AnyCancellable> = []

  /// Makes an empty form.
  ///
  /// - Parameters:
  ///   - registry: The server.
  ///   - scheduler: Where pauses in typing are timed: the main queue, or the scheduler of a test.
  init(registry: any Registry, scheduler: some Scheduler) {
    self.registry = registry
    checkName(scheduler)
    checkPassword()
    allowSubmission()
    submitOnce()
  }

  /// Submits the form, if it may be and isn't on its way.
  func submit() { submissions.send() }

  /// Asks for a name when nothing was typed for a moment; the answer to an older question is not waited for.
  private func checkName(_ scheduler: some Scheduler) {
    $name
      .removeDuplicates()
      .flatMapLatest { [registry] name -> AnyPublisher<NameState, Never> in
        if name.isEmpty { return Just(.empty).eraseToAnyPublisher() }
        guard name.allSatisfy({ $0.isLetter || $0.isNumber }) else { return Just(.invalid).eraseToAnyPublisher() }
        return Just(name)
          .delay(for: .milliseconds(300), scheduler: scheduler)
          .flatMap { registry.isFree($0) }
          .map { $0 ? NameState.free : .taken }
          .replaceError(with: .unknown)
          .prepend(.checking)
          .eraseToAnyPublisher()
      }
      .assign(to: &$nameState)
  }

  private func checkPassword() {
    $password.combineLatest($confirmation) { password, confirmation -> String? in
      if password.isEmpty { return nil }
      if password.count < 8 { return "eight characters at least" }
      return password == confirmation ? nil : "the passwords differ"
    }
    .removeDuplicates()
    .assign(to: &$passwordProblem)
  }

  private func allowSubmission() {
    Publishers.CombineLatest4($nameState, $passwordProblem, $password, $submission)
      .map { nameState, problem, password, submission in
        let isFilledIn = nameState == .free && problem == nil && !password.isEmpty
        switch submission {
        case .none, .failed: return isFilledIn
        case .underWay, .done: return false
        }
      }
      .removeDuplicates()
      .assign(to: &$canSubmit)
  }

  /// While a registration is on its way, no other one begins.
  private func submitOnce() {
    submissions
      .compactMap { [weak self] in
        guard let self, canSubmit else { return nil }
        return Registration(name: name, password: password)
      }
      .flatMapFirst { [registry] (registration: Registration) in
        registry.register(registration)
          .map { Submission.done(account: $0) }
          .catch { Just(.failed($0)) }
          .prepend(.underWay)
      }
      .sink { [weak self] submission in
        self?.submission = submission
        if submission == .failed(.nameTaken) { self?.nameState = .taken }
      }
      .store(in: &subscriptions)
  }
}
