// Somebody fills in the form, on a main queue that runs as in an application.

import Combine
import Dispatch

/// A server that answers a little later, on the main queue.
@MainActor
final class Server: Registry {
  private var names: Set<String> = ["grace"]
  private(set) var questions: [String] = []

  func isFree(_ name: String) -> AnyPublisher<Bool, RegistryError> {
    questions.append(name)
    return answer(!names.contains(name))
  }

  func register(_ registration: Registration) -> AnyPublisher<Int, RegistryError> {
    guard names.insert(registration.name).inserted else {
      return Fail(error: .nameTaken).receive(on: DispatchQueue.main).eraseToAnyPublisher()
    }
    return answer(names.count)
  }

  private func answer<Answer>(_ answer: Answer) -> AnyPublisher<Answer, RegistryError> {
    Just(answer).setFailureType(to: RegistryError.self).receive(on: DispatchQueue.main).eraseToAnyPublisher()
  }
}

@main
struct Program {
  @MainActor
  static func main() async {
    let server = Server()
    let form = RegistrationForm(registry: server, scheduler: DispatchQueue.main)
    var log: [String] = []
    var subscriptions: Set<AnyCancellable> = []
    form.$nameState.dropFirst().sink { log.append("name \($0)") }.store(in: &subscriptions)
    form.$passwordProblem.dropFirst().sink { log.append($0 ?? "password fine") }.store(in: &subscriptions)
    form.$canSubmit.dropFirst().sink { log.append($0 ? "may be submitted" : "may not be submitted") }
      .store(in: &subscriptions)
    form.$submission.dropFirst().sink { log.append("submission \($0)") }.store(in: &subscriptions)

    for text in ["g", "gr", "grace"] { form.name = text }
    await reached(form.$nameState) { $0 == .taken }
    form.name = "grace!"
    form.name = "ada"
    await reached(form.$nameState) { $0 == .free }
    form.submit()
    form.password = "analytical"
    form.confirmation = "analytical"
    form.submit()
    form.submit()
    await reached(form.$submission) { $0 == .done(account: 2) }

    for line in log { print(line) }
    print("asked for: \(server.questions)")
    subscriptions.removeAll()
  }

  /// Waits for a value that is as it should be.
  @MainActor
  static func reached<Value>(_ values: Published<Value>.Publisher, _ isReached: (Value) -> Bool) async {
    for await value in values.values where isReached(value) { return }
  }
}
