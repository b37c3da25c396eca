// "Combine Reactive — Expert Decisions", the section "NEVER Do": what not to do, what comes of it, and what to do.
//
// Corrected: what the document advises against stands beside its advice under a name of its own; results that it drops
// are dropped in so many words; a failing publisher's `sink` with one closure does not compile, other than it says (the
// overload is there for `Never` alone, which a test shows); `{ ... }` is filled in. A queue of the test's own stands
// for `DispatchQueue.global()` where the test asks on which queue a value came. Types that the document leaves out are
// made up. Subjects go to queues as they are: they are `Sendable` here, other than in Combine.

import Combine
import Foundation
import TestKit
import Testing

private struct User: Equatable { var name = "Ann" }
private struct Value: Equatable { var number = 0 }

// MARK: Subscription Management

private final class Forgetful {
  var data: Int?
  private let publisher: AnyPublisher<Int, Never>
  init(_ publisher: AnyPublisher<Int, Never>) { self.publisher = publisher }

  // ❌ Subscription cancelled immediately
  func loadData() {
    _ = publisher.sink { value in
      self.data = value  // Never called!
    }
    // sink returns AnyCancellable that's immediately deallocated
  }
}

private final class Careful {
  var data: Int?
  private let publisher: AnyPublisher<Int, Never>
  init(_ publisher: AnyPublisher<Int, Never>) { self.publisher = publisher }

  // ✅ Store in Set<AnyCancellable>
  private var cancellables = Set<AnyCancellable>()

  func loadData() {
    publisher.sink { value in
      self.data = value
    }
    .store(in: &cancellables)
  }

  func forget() { cancellables = [] }
}

private final class Screen {
  @Published var text = ""
  var shown: [String] = []
  var cancellables = Set<AnyCancellable>()

  func updateUI(_ value: String) { shown.append(value) }

  // ❌ Retain cycle — ViewModel never deallocates
  func sinkStrongly(_ publisher: some Publisher<String, Never>) {
    publisher
      .sink { value in
        self.updateUI(value)  // Strong capture!
      }
      .store(in: &cancellables)
  }

  // ✅ Use [weak self]
  func sinkWeakly(_ publisher: some Publisher<String, Never>) {
    publisher
      .sink { [weak self] value in
        self?.updateUI(value)
      }
      .store(in: &cancellables)
  }

  // ❌ Strong reference to self — retain cycle
  func assignStrongly(_ publisher: some Publisher<String, Never>) {
    publisher
      .assign(to: \.text, on: self)  // Retains self!
      .store(in: &cancellables)
  }

  // ✅ Use sink with weak self
  func sinkIntoText(_ publisher: some Publisher<String, Never>) {
    publisher
      .sink { [weak self] value in
        self?.text = value
      }
      .store(in: &cancellables)
  }

  // Or use assign(to:) with @Published (no retain cycle)
  func assignToPublished(_ publisher: some Publisher<String, Never>) {
    publisher
      .assign(to: &$text)  // Safe — doesn't return cancellable
  }
}

// MARK: Subject Misuse

// ❌ External code can send values
private class OpenViewModel {
  let users = PassthroughSubject<[User], Never>()  // Public subject!
}

// ✅ Expose as Publisher
private class ViewModel {
  private let usersSubject = PassthroughSubject<[User], Never>()

  var users: AnyPublisher<[User], Never> {
    usersSubject.eraseToAnyPublisher()
  }

  func load() { usersSubject.send([User()]) }
}

extension Publisher {
  /// Taken where no `sink` with one closure is there.
  @_disfavoredOverload
  fileprivate func sink(receiveValue: @escaping (Output) -> Void) -> String { "there is no such `sink`" }
}

@Suite struct NeverDoTests {
  @Test func forgetToStoreSubscriptions() {
    let subject = PassthroughSubject<Int, Never>()
    let (forgetful, careful) = (Forgetful(subject.eraseToAnyPublisher()), Careful(subject.eraseToAnyPublisher()))
    forgetful.loadData()
    careful.loadData()
    subject.send(1)
    #expect(forgetful.data == nil)
    #expect(careful.data == 1)
    careful.forget()
  }

  /// Whether a screen is freed with the last reference from outside, and what it shows.
  private func isFreed(_ subscribe: (Screen, PassthroughSubject<String, Never>) -> Void) -> (Bool, [String]) {
    let subject = PassthroughSubject<String, Never>()
    weak var weakScreen: Screen?
    var shown: [String] = []
    do {
      let screen = Screen()
      weakScreen = screen
      subscribe(screen, subject)
      subject.send("a")
      shown = screen.shown + [screen.text]
    }
    defer { weakScreen?.cancellables = [] }
    return (weakScreen == nil, shown)
  }

  @Test func captureSelfStronglyInSinkClosures() {
    #expect(isFreed { $0.sinkStrongly($1) } == (false, ["a", ""]))
    #expect(isFreed { $0.sinkWeakly($1) } == (true, ["a", ""]))
  }

  @Test func assignToSelf() {
    #expect(isFreed { $0.assignStrongly($1) } == (false, ["a"]))
    #expect(isFreed { $0.sinkIntoText($1) } == (true, ["a"]))
    #expect(isFreed { $0.assignToPublished($1) } == (true, ["a"]))
  }

  @Test func exposeSubjectsDirectly() {
    var received: [[User]] = []
    let open = OpenViewModel()
    let first = open.users.sink { received.append($0) }
    // External code:
    open.users.send([])  // Breaks encapsulation
    #expect(received == [[]])
    let model = ViewModel()
    let second = model.users.sink { received.append($0) }
    #expect(!(model.users as Any is any Subject))
    model.load()
    #expect(received == [[], [User()]])
    first.cancel()
    second.cancel()
  }

  /// "Race condition — undefined behavior", says the document; here a subject takes it, and delivers one at a time.
  @Test func sendFromSeveralThreads() async {
    let (value1, value2) = (Value(number: 1), Value(number: 2))
    let subject = PassthroughSubject<Value, Never>()
    let values: [Value] = await withCheckedContinuation { continuation in
      var cancellable: AnyCancellable?
      cancellable = subject.collect(2).sink {
        continuation.resume(returning: $0)
        cancellable?.cancel()
      }
      DispatchQueue.global().async {
        subject.send(value1)
      }
      DispatchQueue.global().async {
        subject.send(value2)
      }
    }
    #expect(values == [value1, value2] || values == [value2, value1])
  }

  @Test func serializeAccess() async {
    // ✅ Serialize access
    let subject = PassthroughSubject<Value, Never>()
    let serialQueue = DispatchQueue(label: "subject.serial")

    let values: [Value] = await withCheckedContinuation { continuation in
      var cancellable: AnyCancellable?
      cancellable = subject.collect(3).sink {
        continuation.resume(returning: $0)
        cancellable?.cancel()
      }
      for number in 1...3 {
        let value = Value(number: number)
        serialQueue.async {
          subject.send(value)
        }
      }
    }
    #expect(values.map(\.number) == [1, 2, 3])
  }

  @Test func flatMapWhenYouMeanMap() {
    var names: [String] = []
    let publisher = [User(name: "Ann"), User(name: "Bob")].publisher
    // ❌ Confusing — flatMap for non-publisher transformation
    _ =
      publisher
      .flatMap { user -> AnyPublisher<String, Never> in
        Just(user.name).eraseToAnyPublisher()  // Overkill!
      }
      .sink { (name: String) -> Void in names.append(name) } as AnyCancellable

    // ✅ Use map for simple transformation
    _ =
      publisher
      .map { user in user.name }
      .sink { (name: String) -> Void in names.append(name) } as AnyCancellable
    #expect(names == ["Ann", "Bob", "Ann", "Bob"])
  }

  /// The document says that the compiler allows one closure for a publisher that fails.
  @Test func forgetToHandleErrorsInSink() {
    let failing = Just(1).setFailureType(to: ExampleError.self).append(Fail(error: ExampleError()))
    let outcome = failing.sink(receiveValue: { _ in })
    #expect(outcome == "there is no such `sink`")
    let token: Any = Just(1).sink(receiveValue: { _ in })
    #expect(token is AnyCancellable)

    var log: [String] = []
    func handleError(_ error: ExampleError) { log.append("\(error)") }
    func handleValue(_ value: Int) { log.append("\(value)") }
    // ✅ Handle both completion and value
    let cancellable =
      failing
      .sink(
        receiveCompletion: { completion in
          if case .failure(let error) = completion {
            handleError(error)
          }
        },
        receiveValue: { value in
          handleValue(value)
        }
      )
    #expect(log == ["1", "ExampleError()"])
    cancellable.cancel()
  }

  private final class SearchScreen {
    var results: [String] = []
    var isOnMain: [Bool] = []
    func search(_ text: String) -> [String] { [text] }
  }

  private let key = DispatchSpecificKey<Bool>()

  @Test func debounceWithoutSchedulerOnMain() async {
    DispatchQueue.main.setSpecific(key: key, value: true)
    let background = DispatchQueue(label: "background")
    let queues: [Bool] = await withCheckedContinuation { continuation in
      let searchText = PassthroughSubject<String, Never>()
      var cancellables = Set<AnyCancellable>()
      let collected = PassthroughSubject<Bool, Never>()
      let first = SearchScreen()
      func shows(_ screen: SearchScreen, _ text: String) {
        screen.results = screen.search(text)
        collected.send(DispatchQueue.getSpecific(key: key) == true)
      }
      collected.collect(1).first().sink(receiveValue: { (queues: [Bool]) -> Void in
        continuation.resume(returning: queues)
        cancellables = []
        withExtendedLifetime(first) {}
      }).store(in: &cancellables)
      // ❌ Debouncing on background scheduler, updating UI
      searchText
        .debounce(for: .milliseconds(1), scheduler: background)
        .sink { [weak first] text in
          if let first { shows(first, text) }  // UI update on background thread!
        }
        .store(in: &cancellables)
      searchText.send("a")
    }
    #expect(queues == [false])
    #expect(await resultOnMain { $0.debounce(for: .milliseconds(1), scheduler: DispatchQueue.main) })
    // Or explicitly receive on main
    #expect(
      await resultOnMain {
        $0.debounce(for: .milliseconds(1), scheduler: DispatchQueue.global()).receive(on: DispatchQueue.main)
      })
  }

  /// ✅ Receive on main for UI updates
  private func resultOnMain<P: Publisher>(
    _ chain: @escaping (PassthroughSubject<String, Never>) -> P
  ) async -> Bool where P.Output == String, P.Failure == Never {
    let searchText = PassthroughSubject<String, Never>()
    let screen = SearchScreen()
    var cancellable: AnyCancellable?
    let isOnMain: Bool = await withCheckedContinuation { continuation in
      cancellable = chain(searchText).sink { [weak screen] text in
        screen?.results = screen?.search(text) ?? []
        continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
      }
      searchText.send("a")
    }
    cancellable?.cancel()
    return isOnMain && screen.results == ["a"]
  }
}
