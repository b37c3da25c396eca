// "Complete Combine Patterns Reference", the section "Memory Management Patterns".
//
// Corrected: `NSLock` needs Foundation; the types that it leaves out (`Item`, `ItemServiceProtocol`) stand at the top;
// `print` is the tests' own. Declarations are private to this file. `WeirExtras` has all of these without their
// mistakes.

import Combine
import Foundation
import Testing

private struct Item: Equatable { let id: String }

private protocol ItemServiceProtocol {
  func fetchItem(id: String) -> AnyPublisher<Item, Error>
}

// MARK: - Safe Subscription Manager

private final class SubscriptionManager {
  private var cancellables = Set<AnyCancellable>()
  private let lock = NSLock()

  func store(_ cancellable: AnyCancellable) {
    lock.lock()
    defer { lock.unlock() }
    cancellables.insert(cancellable)
  }

  func cancel(where predicate: (AnyCancellable) -> Bool) {
    lock.lock()
    defer { lock.unlock() }
    cancellables = cancellables.filter { !predicate($0) }
  }

  func cancelAll() {
    lock.lock()
    defer { lock.unlock() }
    cancellables.forEach { $0.cancel() }
    cancellables.removeAll()
  }

  deinit {
    cancelAll()
  }
}

// MARK: - Scoped Subscriptions

extension AnyCancellable {

  /// Store in a Set while also allowing manual cancellation
  fileprivate func store(
    in set: inout Set<AnyCancellable>,
    key: String,
    replacingExisting: Bool = true
  ) {
    if replacingExisting {
      // Cancel and remove any existing subscription with same key
      // (Requires tracking keys separately or using a dictionary)
    }
    store(in: &set)
  }
}

// MARK: - Auto-Cancelling Subscriptions

@propertyWrapper
private struct AutoCancellingSubscription {
  private var cancellable: AnyCancellable?

  var wrappedValue: AnyCancellable? {
    get { cancellable }
    set {
      cancellable?.cancel()
      cancellable = newValue
    }
  }

  init() {
    cancellable = nil
  }
}

// MARK: - Usage with Auto-Cancellation

private final class DetailViewModel: ObservableObject {
  @Published var item: Item?
  @Published var isLoading = false

  @AutoCancellingSubscription private var loadSubscription: AnyCancellable?

  private let service: ItemServiceProtocol

  init(service: ItemServiceProtocol) {
    self.service = service
  }

  func loadItem(id: String) {
    isLoading = true

    // Previous subscription automatically cancelled
    loadSubscription = service.fetchItem(id: id)
      .receive(on: DispatchQueue.main)
      .sink(
        receiveCompletion: { [weak self] completion in
          self?.isLoading = false
          if case .failure(let error) = completion {
            print("Error: \(error)")
          }
        },
        receiveValue: { [weak self] item in
          self?.item = item
        }
      )
  }
}

/// Answers when the test says so.
private final class ItemService: ItemServiceProtocol {
  let answers = ["1": PassthroughSubject<Item, Error>(), "2": PassthroughSubject<Item, Error>()]

  func fetchItem(id: String) -> AnyPublisher<Item, Error> { answers[id]!.eraseToAnyPublisher() }
}

@Suite struct MemoryManagementPatternsTests {
  @Test func safeSubscriptionManager() {
    let subject = PassthroughSubject<Int, Never>()
    var log: [String] = []
    do {
      let manager = SubscriptionManager()
      let second = subject.sink { log.append("b\($0)") }
      manager.store(subject.sink { log.append("a\($0)") })
      manager.store(second)
      subject.send(1)
      manager.cancel { $0 == second }
      subject.send(2)
      #expect(Set(log) == ["a1", "b1", "a2", "b2"] || Set(log) == ["a1", "b1", "a2"])
      withKnownIssue("the document's code does not cancel what is held elsewhere") { #expect(!log.contains("b2")) }
      second.cancel()
    }
    subject.send(3)
    #expect(!log.contains("a3") && !log.contains("b3"))
  }

  @Test func scopedSubscriptions() {
    let subject = PassthroughSubject<Int, Never>()
    var log: [String] = []
    var subscriptions = Set<AnyCancellable>()
    subject.sink { log.append("a\($0)") }.store(in: &subscriptions, key: "search")
    subject.sink { log.append("b\($0)") }.store(in: &subscriptions, key: "search")
    subject.send(1)
    withKnownIssue("the document's code replaces nothing") { #expect(log == ["b1"]) }
  }

  @MainActor @Test func usageWithAutoCancellation() async {
    let service = ItemService()
    let model = DetailViewModel(service: service)
    model.loadItem(id: "1")
    #expect(model.isLoading)
    model.loadItem(id: "2")
    service.answers["1"]!.send(Item(id: "old"))
    service.answers["2"]!.send(Item(id: "new"))
    service.answers["2"]!.send(completion: .finished)
    for await isLoading in Combine.AsyncPublisher(model.$isLoading) where !isLoading { break }
    #expect(model.item == Item(id: "new"))
    service.answers["1"]!.send(completion: .failure(ExampleError()))
    #expect(!model.isLoading)
  }
}
