// "Combine Deep Dive", the section "Operators".
//
// Corrected: each chain of alternatives is cut into the pieces whose types fit, over publishers made up for them;
// `{ ... }` is filled in; of several ways to handle one error each has a failing publisher of its own. `RunLoop.main`
// and `DispatchQueue.main` are one virtual clock here. Types that the document leaves out, and those of UIKit
// (`loginButton`, `searchTextField`), stand at the top. Three of its remarks are wrong, and the tests say what is true:
// `flatMap` merges and is not "switchMap-like", `assertNoFailure` stops the program in release builds, too, and
// `timeout` finishes, unless it is given a `customError`.

import Combine
import Testing
import WeirTesting

private struct User: Equatable {
  var id: Int
  static let empty = User(id: 0)
}

private enum AppError: Error, Equatable { case network(ExampleError) }

private func fetchUser(id: Int) -> AnyPublisher<User, ExampleError> {
  id < 0
    ? Fail(error: ExampleError()).eraseToAnyPublisher()
    : Just(User(id: id)).setFailureType(to: ExampleError.self)
      .eraseToAnyPublisher()
}

private let clock = TestScheduler()
private enum RunLoop { static var main: TestScheduler<VirtualTime, Never> { clock } }
private enum DispatchQueue { static var main: TestScheduler<VirtualTime, Never> { clock } }

private final class LoginButton { var isEnabled = false }
private final class SearchTextField { let textPublisher = PassthroughSubject<String, Never>() }

/// What a stream that ends at once publishes.
private func values<P: Publisher>(_ publisher: P) -> [P.Output] {
  var values: [P.Output] = []
  _ = publisher.sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
  return values
}

@Suite(.serialized) struct OperatorsTests {
  @Test func transformingValues() {
    let publisher = ["1", "x", "3"].publisher.setFailureType(to: ExampleError.self)
    func parse(_ user: User) throws -> String {
      if user.id > 2 { throw ExampleError() }
      return "user \(user.id)"
    }

    #expect(values([1, 2].publisher.map { $0 * 2 }) == [2, 4])
    #expect(values(publisher.compactMap { Int($0) }) == [1, 3])
    #expect(values(publisher.compactMap { Int($0) }.flatMap { id in fetchUser(id: id) }) == [User(id: 1), User(id: 3)])
    #expect(values([1, 2].publisher.flatMap(maxPublishers: .max(3)) { [$0, $0].publisher }) == [1, 1, 2, 2])
    #expect(values([1, 2, 3].publisher.scan(0) { acc, next in acc + next }) == [1, 3, 6])
    #expect(values(publisher.compactMap { Int($0) }.flatMap(fetchUser(id:)).tryMap { try parse($0) }) == ["user 1"])
    var error: AppError?
    _ = fetchUser(id: -1).mapError { AppError.network($0) }
      .sink(receiveCompletion: { if case .failure(let failure) = $0 { error = failure } }, receiveValue: { _ in })
    #expect(error == .network(ExampleError()))
  }

  /// The document calls it "switchMap-like".
  @Test func flatMapMerges() {
    let (outer, first, second) = (
      PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>(),
      PassthroughSubject<String, Never>()
    )
    var merged: [String] = []
    var switched: [String] = []
    var cancellables = Set<AnyCancellable>()
    outer.flatMap { [first, second][$0] }.sink { merged.append($0) }.store(in: &cancellables)
    outer.map { [first, second][$0] }.switchToLatest().sink { switched.append($0) }.store(in: &cancellables)
    outer.send(0)
    first.send("a")
    outer.send(1)
    first.send("old")
    second.send("b")
    #expect(merged == ["a", "old", "b"])
    #expect(switched == ["a", "b"])
  }

  @Test func filtering() {
    let publisher = [-1, 2, 2, 11, 12, 5, 120].publisher
    let users = [User(id: 1), User(id: 1), User(id: 2)].publisher

    #expect(values(publisher.filter { $0 > 0 }) == [2, 2, 11, 12, 5, 120])
    #expect(values(publisher.removeDuplicates()) == [-1, 2, 11, 12, 5, 120])
    #expect(values(users.removeDuplicates(by: { $0.id == $1.id })) == [User(id: 1), User(id: 2)])
    #expect(values(publisher.first()) == [-1])
    #expect(values(publisher.first(where: { $0 > 10 })) == [11])
    #expect(values(publisher.dropFirst(3)) == [11, 12, 5, 120])
    #expect(values(publisher.drop(while: { $0 < 10 })) == [11, 12, 5, 120])
    #expect(values(publisher.prefix(5)) == [-1, 2, 2, 11, 12])
    #expect(values(publisher.prefix(while: { $0 < 100 })) == [-1, 2, 2, 11, 12, 5])
    // As one chain, which they are in the document.
    let chain =
      publisher
      .filter { $0 > 0 }
      .removeDuplicates()
      .drop(while: { $0 < 10 })
      .prefix(5)
      .prefix(while: { $0 < 100 })
    #expect(values(chain) == [11, 12, 5])
  }

  @Test func timing() throws {
    let publisher = PassthroughSubject<Int, Never>()
    let (start, log) = (clock.now, Log())
    func at(_ text: String) { log.add("\(start.distance(to: clock.now).magnitude / 1_000_000): \(text)") }
    var cancellables = Set<AnyCancellable>()

    publisher
      .debounce(for: .milliseconds(300), scheduler: RunLoop.main)  // wait for quiet period
      .sink { at("debounce \($0)") }.store(in: &cancellables)
    publisher
      .throttle(for: .seconds(1), scheduler: RunLoop.main, latest: true)  // rate limit
      .sink { at("throttle \($0)") }.store(in: &cancellables)
    publisher
      .delay(for: .seconds(2), scheduler: DispatchQueue.main)  // delay each value
      .sink { at("delay \($0)") }.store(in: &cancellables)
    publisher
      .measureInterval(using: RunLoop.main)  // emit time between values
      .sink { at("interval \($0.magnitude / 1_000_000)") }.store(in: &cancellables)
    publisher.send(1)
    clock.advance(by: .milliseconds(100))
    publisher.send(2)
    clock.advance(by: .seconds(9))
    #expect(
      log.lines == [
        "0: interval 0", "0: throttle 1", "100: interval 100", "400: debounce 2", "1000: throttle 2", "2000: delay 1",
        "2100: delay 2",
      ])
  }

  /// The document says that it fails.
  @Test func timeoutFinishesUnlessItIsGivenAnError() {
    var ends: [String] = []
    let silent = PassthroughSubject<Int, ExampleError>()
    var cancellables = Set<AnyCancellable>()
    silent
      .timeout(.seconds(10), scheduler: DispatchQueue.main)
      .sink(receiveCompletion: { ends.append("\($0)") }, receiveValue: { _ in }).store(in: &cancellables)
    silent
      .timeout(.seconds(10), scheduler: DispatchQueue.main, customError: { ExampleError() })
      .sink(receiveCompletion: { ends.append("\($0)") }, receiveValue: { _ in }).store(in: &cancellables)
    clock.advance(by: .seconds(10))
    #expect(ends == ["finished", "failure(PatternTests.ExampleError())"])
  }

  @Test func combiningPublishers() {
    var cancellables = Set<AnyCancellable>()
    let (publisher1, publisher2) = ([1, 2].publisher, [3].publisher)
    #expect(printed { _ = Publishers.Merge(publisher1, publisher2).sink { print($0) } } == ["1", "2", "3"])

    let (userPublisher, postsPublisher) = (PassthroughSubject<User, Never>(), PassthroughSubject<[String], Never>())
    var profiles: [String] = []
    func showProfile(user: User, posts: [String]) { profiles.append("\(user.id): \(posts)") }
    Publishers.Zip(userPublisher, postsPublisher)
      .sink { user, posts in showProfile(user: user, posts: posts) }
      .store(in: &cancellables)
    userPublisher.send(User(id: 1))
    userPublisher.send(User(id: 2))
    postsPublisher.send(["a"])
    #expect(profiles == [#"1: ["a"]"#])

    let loginButton = LoginButton()
    let (usernamePublisher, passwordPublisher) = (
      PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>()
    )
    Publishers.CombineLatest(usernamePublisher, passwordPublisher)
      .map { username, password in username.count >= 3 && password.count >= 8 }
      .assign(to: \.isEnabled, on: loginButton)
      .store(in: &cancellables)
    usernamePublisher.send("ann")
    passwordPublisher.send("long enough")
    #expect(loginButton.isEnabled)
    passwordPublisher.send("short")
    #expect(!loginButton.isEnabled)

    let publisher = [5].publisher
    #expect(values(publisher.prepend(0, 1, 2)) == [0, 1, 2, 5])
    #expect(values(publisher.append(99, 100)) == [5, 99, 100])
  }

  @Test func errorHandling() {
    let defaultValue = User(id: 9)
    let errorSubject = PassthroughSubject<ExampleError, Never>()
    var errors = 0
    let cancellable = errorSubject.sink { _ in errors += 1 }
    var attempts = 0
    let publisher = Deferred {
      attempts += 1
      return fetchUser(id: -1)
    }

    let fallback =
      publisher
      .catch { error in  // replace failed publisher with fallback
        Just(defaultValue)
      }
    #expect(values(fallback) == [defaultValue])
    let reported =
      publisher
      .catch { error -> AnyPublisher<User, Never> in
        errorSubject.send(error)
        return Just(User.empty).eraseToAnyPublisher()
      }
    #expect(values(reported) == [User.empty] && errors == 1)
    attempts = 0
    #expect(values(publisher.retry(3)) == [] && attempts == 4)
    #expect(values(publisher.replaceError(with: defaultValue)) == [defaultValue])
    #expect(values(fetchUser(id: 1).assertNoFailure()) == [User(id: 1)])
    cancellable.cancel()
  }

  @Test func switching() {
    final class ViewModel { var results: [String] = [] }
    final class SearchAPI {
      var answers: [String: PassthroughSubject<[String], ExampleError>] = [:]
      func search(query: String) -> AnyPublisher<[String], ExampleError> {
        answers[query] = PassthroughSubject()
        return answers[query]!.eraseToAnyPublisher()
      }
    }
    let (searchTextField, searchAPI, viewModel) = (SearchTextField(), SearchAPI(), ViewModel())

    // switchToLatest — when upstream emits a publisher, subscribe to it, cancel previous
    let cancellable = searchTextField.textPublisher
      .debounce(for: .milliseconds(300), scheduler: RunLoop.main)
      .map { text in searchAPI.search(query: text) }  // Publisher<Publisher<Results, Error>, Never>
      .switchToLatest()  // cancel previous search, subscribe to latest
      .catch { _ in Just([]) }
      .receive(on: RunLoop.main)
      .assign(to: \.results, on: viewModel)
    searchTextField.textPublisher.send("a")
    clock.advance(by: .milliseconds(300))
    searchTextField.textPublisher.send("ab")
    clock.advance(by: .milliseconds(300))
    searchAPI.answers["ab"]!.send(["new"])
    searchAPI.answers["a"]!.send(["old"])
    clock.advance()
    #expect(viewModel.results == ["new"])
    searchAPI.answers["ab"]!.send(completion: .failure(ExampleError()))
    clock.advance()
    #expect(viewModel.results == [])
    cancellable.cancel()
  }

  private final class Log {
    var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
  }
}
