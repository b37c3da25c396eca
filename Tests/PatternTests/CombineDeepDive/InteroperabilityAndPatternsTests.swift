// "Combine Deep Dive", the sections "Combine + Swift Concurrency Interoperability" and "Common Patterns".
//
// Corrected: `.receive(on: .main)` is no expression of Swift: the queue is named; `Result` is a type of the
// application's own in the search, which stands in a class, as its property wrapper asks for. Types that the document
// leaves out stand at the top. Declarations are private to this file. `WeirExtras` has `asyncToPublisher` and
// `retryWithBackoff` without their mistakes.

import Combine
import Foundation
import TestKit
import Testing
import WeirTesting

private struct User: Equatable { let name: String }
private struct API { func fetchUser() async throws -> User { User(name: "Ann") } }
private struct Hit: Equatable { let title: String }

private let clock = TestScheduler()

// Wrap async function in a Deferred+Future
private func asyncToPublisher<T>(_ operation: @escaping () async throws -> T)
  -> AnyPublisher<T, Error>
{
  Deferred {
    Future { promise in
      Task {
        do { promise(.success(try await operation())) } catch { promise(.failure(error)) }
      }
    }
  }.eraseToAnyPublisher()
}

@MainActor
private class LoginViewModel: ObservableObject {
  @Published var username = ""
  @Published var password = ""
  @Published private(set) var isLoginEnabled = false

  init() {
    Publishers.CombineLatest($username, $password)
      .map { username, password in
        username.count >= 3 && password.count >= 8
      }
      .assign(to: &$isLoginEnabled)
  }
}

private struct SearchAPI {
  let answer: (String) -> AnyPublisher<[Hit], ExampleError>
  func search(query: String) -> AnyPublisher<[Hit], ExampleError> { answer(query) }
}

private final class Search {
  typealias Result = Hit
  /// Virtual time in the place of the main run loop's.
  enum RunLoop { static var main: TestScheduler<VirtualTime, Never> { clock } }

  @Published var searchText = ""
  @Published private(set) var results: [Result] = []
  let searchAPI: SearchAPI

  init(_ searchAPI: SearchAPI) {
    self.searchAPI = searchAPI
    $searchText
      .debounce(for: .milliseconds(300), scheduler: RunLoop.main)
      .removeDuplicates()
      .filter { !$0.isEmpty }
      .flatMap { [weak self] query -> AnyPublisher<[Result], Never> in
        self?.searchAPI.search(query: query)
          .catch { _ in Just([]) }
          .eraseToAnyPublisher() ?? Just([]).eraseToAnyPublisher()
      }
      .receive(on: RunLoop.main)
      .assign(to: &$results)
  }
}

extension Publisher {
  fileprivate func retryWithBackoff(
    maxRetries: Int,
    initialDelay: TimeInterval = 0.5
  ) -> AnyPublisher<Output, Failure> {
    self.catch { error -> AnyPublisher<Output, Failure> in
      guard maxRetries > 0 else {
        return Fail(error: error).eraseToAnyPublisher()
      }
      return Just(())
        .delay(for: .seconds(initialDelay), scheduler: DispatchQueue.global())
        .flatMap { _ in
          self.retryWithBackoff(
            maxRetries: maxRetries - 1,
            initialDelay: initialDelay * 2
          )
        }
        .eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
  }
}

@Suite(.serialized) struct InteroperabilityAndPatternsTests {
  @Test func publisherToAsyncSequence() async throws {
    var processed: [Int] = []
    func process(_ value: Int) { processed.append(value) }
    let publisher = [1, 2].publisher
    let failablePublisher = publisher.setFailureType(to: ExampleError.self).append(Fail(error: ExampleError()))

    // Convert any publisher to AsyncSequence (Swift 5.5+)
    let stream = publisher.values  // AsyncPublisher<P>
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == 1)

    for await value in publisher.values {
      process(value)
    }
    #expect(processed == [1, 2])

    // With error handling
    await #expect(throws: ExampleError()) {
      for try await value in failablePublisher.values {
        process(value)
      }
    }
    #expect(processed == [1, 2, 1, 2])
  }

  @Test func asyncAwaitToPublisher() async {
    let api = API()
    var cancellables = Set<AnyCancellable>()
    let shown: User = await withCheckedContinuation { continuation in
      func show(_ user: User) { continuation.resume(returning: user) }

      // Usage
      asyncToPublisher { try await api.fetchUser() }
        .receive(on: DispatchQueue.main)
        .sink(receiveCompletion: { _ in }, receiveValue: { show($0) })
        .store(in: &cancellables)
    }
    #expect(shown == User(name: "Ann"))
  }

  @MainActor @Test func formValidation() {
    let model = LoginViewModel()
    #expect(!model.isLoginEnabled)
    model.username = "ann"
    model.password = "secret12"
    #expect(model.isLoginEnabled)
    model.username = ""
    #expect(!model.isLoginEnabled)
  }

  @Test func searchWithDebounce() {
    var asked: [String] = []
    let search = Search(
      SearchAPI { query in
        asked.append(query)
        return query == "bad"
          ? Fail(error: ExampleError()).eraseToAnyPublisher()
          : Just([Hit(title: query)]).setFailureType(to: ExampleError.self).eraseToAnyPublisher()
      })
    for text in ["a", "ab", "abc"] { search.searchText = text }
    clock.advance(by: .milliseconds(300))
    #expect(search.results == [Hit(title: "abc")])
    for text in ["abc", "", "bad"] {
      search.searchText = text
      clock.advance(by: .milliseconds(300))
    }
    #expect(asked == ["abc", "bad"])
    #expect(search.results == [])
  }

  /// `flatMap` keeps old questions alive, as the document does not say; `flatMapLatest` of `WeirExtras` does not.
  @Test func anOldAnswerWinsOverANewOneThere() {
    let answers = ["a": PassthroughSubject<[Hit], ExampleError>(), "b": PassthroughSubject<[Hit], ExampleError>()]
    let search = Search(SearchAPI { answers[$0]!.eraseToAnyPublisher() })
    for text in ["a", "b"] {
      search.searchText = text
      clock.advance(by: .milliseconds(300))
    }
    answers["b"]!.send([Hit(title: "new")])
    answers["a"]!.send([Hit(title: "old")])
    clock.advance()
    withKnownIssue("the document's code merges answers") { #expect(search.results == [Hit(title: "new")]) }
  }

  @Test func retryWithExponentialBackoff() async {
    let attempts = Counter()
    let failing = Deferred {
      attempts.add()
      return Fail<Int, ExampleError>(error: ExampleError())
    }
    let (values, completion) = await events(of: failing.retryWithBackoff(maxRetries: 3, initialDelay: 0.001))
    #expect(values == [] && completion == .failure(ExampleError()))
    #expect(attempts.value == 4)
  }
}
