// "Complete Combine Patterns Reference", the section "Real-World Patterns".
//
// Corrected: `NSPredicate` evaluates no format on Linux: the address is matched by a regular expression. Declarations
// are private to this file. `WeirExtras` has all of these without their mistakes.

import Combine
import Foundation
import Testing

// MARK: - Pagination with Combine

private final class PaginatedDataSource<Item: Identifiable> {

  @Published private(set) var items: [Item] = []
  @Published private(set) var isLoading = false
  @Published private(set) var error: Error?
  @Published private(set) var hasMorePages = true

  private var currentPage = 0
  private var cancellables = Set<AnyCancellable>()

  private let fetchPage: (Int) -> AnyPublisher<PageResponse<Item>, Error>

  init(fetchPage: @escaping (Int) -> AnyPublisher<PageResponse<Item>, Error>) {
    self.fetchPage = fetchPage
  }

  func loadFirstPage() {
    currentPage = 0
    items = []
    hasMorePages = true
    loadNextPage()
  }

  func loadNextPage() {
    guard !isLoading, hasMorePages else { return }

    isLoading = true
    error = nil

    fetchPage(currentPage + 1)
      .receive(on: DispatchQueue.main)
      .sink(
        receiveCompletion: { [weak self] completion in
          self?.isLoading = false
          if case .failure(let error) = completion {
            self?.error = error
          }
        },
        receiveValue: { [weak self] response in
          guard let self = self else { return }
          self.items.append(contentsOf: response.items)
          self.currentPage = response.page
          self.hasMorePages = response.hasMore
        }
      )
      .store(in: &cancellables)
  }
}

private struct PageResponse<Item> {
  let items: [Item]
  let page: Int
  let hasMore: Bool
}

// MARK: - Form Validation with Combine

private final class FormValidator: ObservableObject {

  @Published var email = ""
  @Published var password = ""
  @Published var confirmPassword = ""

  @Published private(set) var emailError: String?
  @Published private(set) var passwordError: String?
  @Published private(set) var confirmPasswordError: String?
  @Published private(set) var isValid = false

  private var cancellables = Set<AnyCancellable>()

  init() {
    setupValidation()
  }

  private func setupValidation() {
    // Email validation
    $email
      .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
      .map { email -> String? in
        if email.isEmpty { return nil }
        let emailRegex = "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,64}"
        let isValid = email.range(of: "^\(emailRegex)$", options: .regularExpression) != nil
        return isValid ? nil : "Invalid email format"
      }
      .assign(to: &$emailError)

    // Password validation
    $password
      .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
      .map { password -> String? in
        if password.isEmpty { return nil }
        if password.count < 8 { return "Password must be at least 8 characters" }
        if !password.contains(where: { $0.isNumber }) {
          return "Password must contain a number"
        }
        return nil
      }
      .assign(to: &$passwordError)

    // Confirm password validation
    Publishers.CombineLatest($password, $confirmPassword)
      .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
      .map { password, confirm -> String? in
        if confirm.isEmpty { return nil }
        return password == confirm ? nil : "Passwords don't match"
      }
      .assign(to: &$confirmPasswordError)

    // Overall form validity
    Publishers.CombineLatest4(
      $email.map { !$0.isEmpty },
      $emailError.map { $0 == nil },
      $passwordError.map { $0 == nil },
      $confirmPasswordError.map { $0 == nil }
    )
    .map { hasEmail, emailValid, passwordValid, confirmValid in
      hasEmail && emailValid && passwordValid && confirmValid
    }
    .assign(to: &$isValid)
  }
}

// MARK: - Network State Publisher

private enum NetworkState<T> {
  case idle
  case loading
  case loaded(T)
  case failed(Error)

  var isLoading: Bool {
    if case .loading = self { return true }
    return false
  }

  var value: T? {
    if case .loaded(let value) = self { return value }
    return nil
  }

  var error: Error? {
    if case .failed(let error) = self { return error }
    return nil
  }
}

extension Publisher {
  fileprivate func mapToNetworkState() -> AnyPublisher<NetworkState<Output>, Never> {
    map { NetworkState.loaded($0) }
      .catch { Just(NetworkState.failed($0)) }
      .prepend(.loading)
      .eraseToAnyPublisher()
  }
}

@Suite struct RealWorldPatternsTests {
  private struct Entry: Identifiable, Equatable { let id: Int }

  @MainActor @Test func paginationWithCombine() async {
    var asked: [Int] = []
    let source = PaginatedDataSource<Entry> { page in
      asked.append(page)
      if page == 3 { return Fail(error: ExampleError()).eraseToAnyPublisher() }
      return Just(PageResponse(items: [Entry(id: page)], page: page, hasMore: true)).setFailureType(to: Error.self)
        .eraseToAnyPublisher()
    }
    source.loadFirstPage()
    source.loadNextPage()
    for _ in 1...3 {
      for await isLoading in AsyncPublisher(source.$isLoading) where !isLoading { break }
      source.loadNextPage()
    }
    for await isLoading in AsyncPublisher(source.$isLoading) where !isLoading { break }
    #expect(asked == [1, 2, 3, 3])
    #expect(source.items == [Entry(id: 1), Entry(id: 2)])
    #expect(source.error is ExampleError && source.hasMorePages)
  }

  @MainActor @Test func formValidationWithCombine() async {
    let form = FormValidator()
    form.email = "nobody"
    form.password = "short"
    form.confirmPassword = "other"
    for await error in AsyncPublisher(form.$confirmPasswordError) where error != nil { break }
    for await error in AsyncPublisher(form.$emailError) where error != nil { break }
    for await error in AsyncPublisher(form.$passwordError) where error != nil { break }
    #expect(form.emailError == "Invalid email format")
    #expect(form.passwordError == "Password must be at least 8 characters")
    #expect(form.confirmPasswordError == "Passwords don't match")
    #expect(!form.isValid)
    form.email = "ann@example.org"
    form.password = "long enough 1"
    form.confirmPassword = "long enough 1"
    for await isValid in AsyncPublisher(form.$isValid) where isValid { break }
    #expect(form.emailError == nil && form.passwordError == nil && form.confirmPasswordError == nil)
  }

  @MainActor @Test func whatIsWrongWithTheForm() {
    let form = FormValidator()
    form.email = "ann@example.org"
    withKnownIssue("the document's form is valid without a password") { #expect(!form.isValid) }
  }

  @Test func networkStatePublisher() {
    func states<P: Publisher>(of publisher: P) -> [NetworkState<P.Output>] {
      var states: [NetworkState<P.Output>] = []
      _ = publisher.mapToNetworkState().sink { states.append($0) }
      return states
    }
    let loaded = states(of: Just(7))
    #expect(loaded.map(\.isLoading) == [true, false] && loaded.map(\.value) == [nil, 7])
    let failed = states(of: Fail<Int, ExampleError>(error: ExampleError()))
    #expect(failed.map(\.isLoading) == [true, false] && failed.last?.error is ExampleError)
    #expect(!NetworkState<Int>.idle.isLoading)
  }
}
