// A form whose button is enabled once all of its fields are right.

import Combine
import Foundation

@MainActor
final class SignUpViewModel: ObservableObject {
  @Published var name = ""
  @Published var password = ""
  @Published var confirmation = ""
  @Published private(set) var isValid = false
  @Published private(set) var hint: String?

  init() {
    let passwords = Publishers.CombineLatest($password, $confirmation)
      .map { password, confirmation -> Result<String, PasswordError> in
        if password.count < 8 { return .failure(.tooShort) }
        return password == confirmation ? .success(password) : .failure(.different)
      }
      .share()
    Publishers.CombineLatest($name.map { !$0.isEmpty }, passwords.map { (try? $0.get()) != nil })
      .map { $0 && $1 }
      .removeDuplicates()
      .assign(to: &$isValid)
    passwords
      .map { if case .failure(let error) = $0 { error.rawValue } else { nil } }
      .assign(to: &$hint)
  }
}

enum PasswordError: String, Error {
  case tooShort = "eight characters at least"
  case different = "the passwords differ"
}

@MainActor
func signUp() {
  let model = SignUpViewModel()
  var changes = 0
  let observer = model.objectWillChange.sink { changes += 1 }
  var states: [String] = []
  func note() { states.append("\(model.isValid) \(model.hint ?? "-")") }
  note()
  model.name = "ada"
  note()
  model.password = "analytical"
  note()
  model.confirmation = "analytical"
  note()
  model.name = ""
  note()
  print("sign-up:", states, changes > 4 ? "told of changes" : "told of \(changes) changes")
  withExtendedLifetime(observer) {}
}
