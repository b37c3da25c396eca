// "Combine Reactive — Expert Decisions", the section "Essential Patterns". The decision trees and tables around it have
// no code.
//
// Corrected: the types that it leaves out (`SearchResult`, `SearchServiceProtocol`, `User`, `Cart`) stand at the top;
// its `EventBus` has an initialiser for `shared`, and the test makes one of its own. Declarations are private to this
// file. What its `async()` does with a stream without a value (it waits for ever) can't be run to its end: see
// `FirstValueTests` of `WeirExtras`, which has it, and an `EventBus`.

import Combine
import Foundation
import Testing

private struct SearchResult: Equatable { let title: String }
private struct User: Equatable { let name: String }
private struct Cart: Equatable { var items = 0 }

private protocol SearchServiceProtocol {
  func search(query: String) -> AnyPublisher<[SearchResult], Error>
}

@MainActor
private final class SearchViewModel: ObservableObject {
  @Published var searchText = ""
  @Published private(set) var results: [SearchResult] = []
  @Published private(set) var isLoading = false
  @Published private(set) var error: Error?

  private let searchService: SearchServiceProtocol
  private var cancellables = Set<AnyCancellable>()

  init(searchService: SearchServiceProtocol) {
    self.searchService = searchService
    setupSearch()
  }

  private func setupSearch() {
    $searchText
      .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
      .removeDuplicates()
      .filter { !$0.isEmpty }
      .handleEvents(receiveOutput: { [weak self] _ in
        self?.isLoading = true
        self?.error = nil
      })
      .flatMap { [weak self] query -> AnyPublisher<[SearchResult], Never> in
        guard let self = self else {
          return Just([]).eraseToAnyPublisher()
        }
        return self.searchService.search(query: query)
          .catch { [weak self] error -> Just<[SearchResult]> in
            self?.error = error
            return Just([])
          }
          .eraseToAnyPublisher()
      }
      .receive(on: DispatchQueue.main)
      .sink { [weak self] results in
        self?.results = results
        self?.isLoading = false
      }
      .store(in: &cancellables)
  }
}

extension Publisher where Failure == Error {
  fileprivate func async() async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
      var cancellable: AnyCancellable?
      var didResume = false

      cancellable = first()
        .sink(
          receiveCompletion: { completion in
            guard !didResume else { return }
            didResume = true

            switch completion {
            case .finished:
              break  // Value handled in receiveValue
            case .failure(let error):
              continuation.resume(throwing: error)
            }
            cancellable?.cancel()
          },
          receiveValue: { value in
            guard !didResume else { return }
            didResume = true
            continuation.resume(returning: value)
          }
        )
    }
  }
}

private final class EventBus {
  static let shared = EventBus()

  // Private subjects
  private let userLoggedInSubject = PassthroughSubject<User, Never>()
  private let userLoggedOutSubject = PassthroughSubject<Void, Never>()
  private let cartUpdatedSubject = PassthroughSubject<Cart, Never>()

  // Public publishers (read-only)
  var userLoggedIn: AnyPublisher<User, Never> {
    userLoggedInSubject.eraseToAnyPublisher()
  }

  var userLoggedOut: AnyPublisher<Void, Never> {
    userLoggedOutSubject.eraseToAnyPublisher()
  }

  var cartUpdated: AnyPublisher<Cart, Never> {
    cartUpdatedSubject.eraseToAnyPublisher()
  }

  // Send methods
  func send(userLoggedIn user: User) {
    userLoggedInSubject.send(user)
  }

  func sendUserLoggedOut() {
    userLoggedOutSubject.send()
  }

  func send(cartUpdated cart: Cart) {
    cartUpdatedSubject.send(cart)
  }
}

@Suite struct EssentialPatternsTests {
  private struct Service: SearchServiceProtocol {
    func search(query: String) -> AnyPublisher<[SearchResult], Error> {
      query == "bad"
        ? Fail(error: ExampleError()).eraseToAnyPublisher()
        : Just([SearchResult(title: query)]).setFailureType(to: Error.self).eraseToAnyPublisher()
    }
  }

  @MainActor @Test func viewModelWithCombine() async {
    let model = SearchViewModel(searchService: Service())
    for text in ["a", "ab", "abc"] { model.searchText = text }
    for await results in AsyncPublisher(model.$results) where !results.isEmpty { break }
    #expect(model.results == [SearchResult(title: "abc")])
    model.searchText = "bad"
    for await error in AsyncPublisher(model.$error) where error != nil { break }
    for await results in AsyncPublisher(model.$results) where results.isEmpty { break }
    #expect(model.error is ExampleError)
  }

  @Test func combineToAsyncBridge() async throws {
    let fetchUserPublisher = Just(User(name: "Ann")).setFailureType(to: Error.self)

    // Usage
    let task = Task {
      let user = try await fetchUserPublisher.async()
      return user
    }
    #expect(try await task.value == User(name: "Ann"))
    await #expect(throws: ExampleError()) { try await Fail<Int, Error>(error: ExampleError()).async() }
  }

  @Test func eventBusPattern() {
    let bus = EventBus()
    var log: [String] = []
    var cancellables = Set<AnyCancellable>()
    bus.userLoggedIn.sink { log.append("in: \($0.name)") }.store(in: &cancellables)
    bus.userLoggedOut.sink { log.append("out") }.store(in: &cancellables)
    bus.cartUpdated.sink { log.append("cart: \($0.items)") }.store(in: &cancellables)
    bus.send(userLoggedIn: User(name: "Ann"))
    bus.send(cartUpdated: Cart(items: 2))
    bus.sendUserLoggedOut()
    #expect(log == ["in: Ann", "cart: 2", "out"])
    #expect(EventBus.shared === EventBus.shared)
  }
}
