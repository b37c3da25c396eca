// "Complete Combine Patterns Reference", the sections "Comprehensive ViewModel Pattern" and "Testing Combine Code",
// which tests the former.
// Long file: so are the two sections.
//
// Corrected: there is no SwiftUI, which the view model does not use, and no `YourApp`; `SearchViewModel` belongs to the
// main actor, on which XCTest runs its tests without saying so (`MainActor.assumeIsolated`); the two tests of it wait
// for the search and for its result instead of for half a second. Declarations are private to this file, but for the
// test case. `WeirExtras` has `ViewModelProtocol` and `CancellableStore`, `WeirTesting` the helpers, without their
// mistakes.

import Combine
import Foundation
import XCTest

// MARK: - Base ViewModel Protocol

private protocol ViewModelProtocol: ObservableObject {
  associatedtype Input
  associatedtype Output

  func transform(input: Input) -> Output
}

// MARK: - Cancellable Store

private final class CancellableStore {
  var cancellables = Set<AnyCancellable>()

  func store(_ cancellable: AnyCancellable) {
    cancellables.insert(cancellable)
  }

  func cancelAll() {
    cancellables.forEach { $0.cancel() }
    cancellables.removeAll()
  }
}

// MARK: - Search ViewModel with Full Pattern

@MainActor
private final class SearchViewModel: ObservableObject {

  // MARK: - Input

  struct Input {
    let searchText: AnyPublisher<String, Never>
    let refresh: AnyPublisher<Void, Never>
    let loadMore: AnyPublisher<Void, Never>
    let itemSelected: AnyPublisher<SearchResult, Never>
  }

  // MARK: - Output

  struct Output {
    let results: AnyPublisher<[SearchResult], Never>
    let isLoading: AnyPublisher<Bool, Never>
    let error: AnyPublisher<Error?, Never>
    let isEmpty: AnyPublisher<Bool, Never>
    let selectedItem: AnyPublisher<SearchResult, Never>
  }

  // MARK: - Published State

  @Published private(set) var results: [SearchResult] = []
  @Published private(set) var isLoading = false
  @Published private(set) var error: Error?
  @Published var searchText = ""

  // MARK: - Private

  private let searchService: SearchServiceProtocol
  private var cancellables = Set<AnyCancellable>()
  private var currentPage = 1
  private var hasMorePages = true
  private let selectedItemSubject = PassthroughSubject<SearchResult, Never>()

  // MARK: - Init

  init(searchService: SearchServiceProtocol) {
    self.searchService = searchService
    setupSearchPipeline()
  }

  // MARK: - Transform

  func transform(input: Input) -> Output {
    // Handle search text changes
    input.searchText
      .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
      .removeDuplicates()
      .sink { [weak self] text in
        self?.searchText = text
        self?.performSearch(query: text, isRefresh: true)
      }
      .store(in: &cancellables)

    // Handle refresh
    input.refresh
      .sink { [weak self] in
        guard let self = self else { return }
        self.performSearch(query: self.searchText, isRefresh: true)
      }
      .store(in: &cancellables)

    // Handle load more
    input.loadMore
      .filter { [weak self] in
        guard let self = self else { return false }
        return !self.isLoading && self.hasMorePages
      }
      .sink { [weak self] in
        guard let self = self else { return }
        self.loadNextPage()
      }
      .store(in: &cancellables)

    // Handle item selection
    input.itemSelected
      .sink { [weak self] item in
        self?.selectedItemSubject.send(item)
      }
      .store(in: &cancellables)

    // Build output
    return Output(
      results: $results.eraseToAnyPublisher(),
      isLoading: $isLoading.eraseToAnyPublisher(),
      error: $error.eraseToAnyPublisher(),
      isEmpty: $results.map { $0.isEmpty }.eraseToAnyPublisher(),
      selectedItem: selectedItemSubject.eraseToAnyPublisher()
    )
  }

  // MARK: - Private Methods

  private func setupSearchPipeline() {
    $searchText
      .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
      .removeDuplicates()
      .filter { !$0.isEmpty }
      .sink { [weak self] query in
        self?.performSearch(query: query, isRefresh: true)
      }
      .store(in: &cancellables)
  }

  private func performSearch(query: String, isRefresh: Bool) {
    guard !query.isEmpty else {
      results = []
      return
    }

    if isRefresh {
      currentPage = 1
      hasMorePages = true
    }

    isLoading = true
    error = nil

    Task {
      do {
        let response = try await searchService.search(query: query, page: currentPage)

        if isRefresh {
          results = response.results
        } else {
          results.append(contentsOf: response.results)
        }

        hasMorePages = response.hasMorePages
        currentPage = response.currentPage

      } catch {
        self.error = error
      }

      isLoading = false
    }
  }

  private func loadNextPage() {
    currentPage += 1
    performSearch(query: searchText, isRefresh: false)
  }
}

// MARK: - Supporting Types

private struct SearchResult: Identifiable, Hashable {
  let id: String
  let title: String
  let description: String
}

private struct SearchResponse {
  let results: [SearchResult]
  let currentPage: Int
  let hasMorePages: Bool
}

private protocol SearchServiceProtocol {
  func search(query: String, page: Int) async throws -> SearchResponse
}

// MARK: - Test Helpers

extension XCTestCase {

  /// Wait for publisher to emit expected values
  fileprivate func awaitPublisher<T: Publisher>(
    _ publisher: T,
    timeout: TimeInterval = 1.0,
    file: StaticString = #file,
    line: UInt = #line
  ) throws -> T.Output {
    var result: Result<T.Output, Error>?
    let expectation = self.expectation(description: "Awaiting publisher")

    let cancellable =
      publisher
      .first()
      .sink(
        receiveCompletion: { completion in
          switch completion {
          case .finished:
            break
          case .failure(let error):
            result = .failure(error)
          }
          expectation.fulfill()
        },
        receiveValue: { value in
          result = .success(value)
        }
      )

    waitForExpectations(timeout: timeout)
    cancellable.cancel()

    let unwrappedResult = try XCTUnwrap(
      result,
      "Publisher did not produce a result",
      file: file,
      line: line
    )

    return try unwrappedResult.get()
  }

  /// Collect all values from publisher
  fileprivate func collectValues<T: Publisher>(
    from publisher: T,
    during duration: TimeInterval = 0.1,
    file: StaticString = #file,
    line: UInt = #line
  ) -> [T.Output] {
    var values: [T.Output] = []
    let expectation = self.expectation(description: "Collecting values")

    let cancellable =
      publisher
      .sink(
        receiveCompletion: { _ in },
        receiveValue: { value in
          values.append(value)
        }
      )

    DispatchQueue.main.asyncAfter(deadline: .now() + duration) {
      expectation.fulfill()
    }

    // The document waits for half a second more, which a busy machine may take.
    waitForExpectations(timeout: duration + 3600)
    cancellable.cancel()

    return values
  }
}

// MARK: - Mock Publisher

private final class MockPublisher<Output, Failure: Error>: Publisher {

  private let subject = PassthroughSubject<Output, Failure>()
  private(set) var subscriberCount = 0

  func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
    subscriberCount += 1
    subject.receive(subscriber: subscriber)
  }

  func send(_ value: Output) {
    subject.send(value)
  }

  func send(completion: Subscribers.Completion<Failure>) {
    subject.send(completion: completion)
  }
}

// MARK: - Scheduler Mock

private final class TestScheduler: Scheduler {
  typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  typealias SchedulerOptions = DispatchQueue.SchedulerOptions

  var now: SchedulerTimeType {
    DispatchQueue.main.now
  }

  var minimumTolerance: SchedulerTimeType.Stride {
    DispatchQueue.main.minimumTolerance
  }

  private var scheduledActions: [(action: () -> Void, date: SchedulerTimeType)] = []

  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    action()
  }

  func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    scheduledActions.append((action, date))
  }

  func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    scheduledActions.append((action, date))
    return AnyCancellable {}
  }

  func advance(by interval: TimeInterval = 0) {
    let targetTime = now.advanced(by: .seconds(interval))
    let actionsToRun = scheduledActions.filter { $0.date <= targetTime }
    scheduledActions.removeAll { $0.date <= targetTime }
    actionsToRun.forEach { $0.action() }
  }

  func runAllScheduledActions() {
    let actions = scheduledActions
    scheduledActions.removeAll()
    actions.forEach { $0.action() }
  }
}

// MARK: - ViewModel Tests

final class SearchViewModelTests: XCTestCase {

  private var viewModel: SearchViewModel!
  private var mockService: MockSearchService!
  private var cancellables: Set<AnyCancellable>!

  override func setUp() {
    super.setUp()
    mockService = MockSearchService()
    viewModel = MainActor.assumeIsolated { SearchViewModel(searchService: mockService) }
    cancellables = []
  }

  override func tearDown() {
    cancellables = nil
    viewModel = nil
    mockService = nil
    super.tearDown()
  }

  func testSearchDebouncing() {
    let expectation = self.expectation(description: "Search debounced")
    var queries: [String] = []

    mockService.onSearch = { query in
      DispatchQueue.main.async {
        queries.append(query)
        expectation.fulfill()
      }
    }

    MainActor.assumeIsolated {
      // Rapid typing simulation
      viewModel.searchText = "a"
      viewModel.searchText = "ab"
      viewModel.searchText = "abc"
    }

    waitForExpectations(timeout: 3600.0)

    // Should only have called search once due to debounce
    XCTAssertEqual(queries, ["abc"])
  }

  func testResultsPublished() throws {
    let expectedResults = [
      SearchResult(id: "1", title: "Result 1", description: "Desc 1")
    ]

    mockService.mockResponse = SearchResponse(
      results: expectedResults,
      currentPage: 1,
      hasMorePages: false
    )

    let results = try MainActor.assumeIsolated {
      viewModel.searchText = "test"

      return try awaitPublisher(viewModel.$results.filter { !$0.isEmpty }, timeout: 3600)
    }

    XCTAssertEqual(results, expectedResults)
  }

  /// The document has no example of this; it is what the view model is for.
  func testTransform() throws {
    mockService.mockResponse = SearchResponse(
      results: [SearchResult(id: "1", title: "One", description: "")], currentPage: 1, hasMorePages: false)
    let texts = PassthroughSubject<String, Never>()
    let selected = PassthroughSubject<SearchResult, Never>()
    let none = Empty<Void, Never>(completeImmediately: false).eraseToAnyPublisher()
    try MainActor.assumeIsolated {
      let output = viewModel.transform(
        input: .init(
          searchText: texts.eraseToAnyPublisher(), refresh: none, loadMore: none,
          itemSelected: selected.eraseToAnyPublisher()))
      var titles: [String] = []
      output.selectedItem.sink { titles.append($0.title) }.store(in: &cancellables)
      texts.send("one")
      let results = try awaitPublisher(output.results.filter { !$0.isEmpty }, timeout: 3600)
      selected.send(results[0])
      XCTAssertEqual(titles, ["One"])
      XCTAssertFalse(try awaitPublisher(output.isEmpty, timeout: 3600))
      XCTAssertNil(try awaitPublisher(output.error, timeout: 3600))
    }
  }

  func testCancellableStore() {
    let subject = PassthroughSubject<Int, Never>()
    let store = CancellableStore()
    var values: [Int] = []
    store.store(subject.sink { values.append($0) })
    subject.send(1)
    store.cancelAll()
    subject.send(2)
    XCTAssertEqual(values, [1])
    XCTAssertEqual(store.cancellables.count, 0)
  }

  func testHelpers() throws {
    XCTAssertEqual(try awaitPublisher([1, 2].publisher, timeout: 1, file: #file), 1)
    XCTAssertThrowsError(try awaitPublisher(Fail<Int, ExampleError>(error: ExampleError()), timeout: 1, file: #file))
    XCTAssertEqual(collectValues(from: [1, 2].publisher, during: 0), [1, 2])
  }

  func testMockPublisher() {
    let mock = MockPublisher<Int, Never>()
    var values: [Int] = []
    let cancellable = mock.sink { values.append($0) }
    mock.send(1)
    cancellable.cancel()
    mock.send(2)
    mock.send(completion: .finished)
    XCTAssertEqual(values, [1])
    // It never goes down.
    XCTAssertEqual(mock.subscriberCount, 1)
  }

  func testSchedulerMock() {
    let scheduler = TestScheduler()
    var log: [Int] = []
    let cancellable = [1, 2].publisher.delay(for: .seconds(100), scheduler: scheduler).sink { log.append($0) }
    scheduler.advance(by: 1)
    XCTAssertEqual(log, [])
    scheduler.advance(by: 1000)
    XCTAssertEqual(log, [1, 2])
    cancellable.cancel()
  }
}

// MARK: - Mock Service

private final class MockSearchService: SearchServiceProtocol {
  var mockResponse: SearchResponse?
  var mockError: Error?
  var onSearch: ((String) -> Void)?

  func search(query: String, page: Int) async throws -> SearchResponse {
    onSearch?(query)

    if let error = mockError {
      throw error
    }

    return mockResponse ?? SearchResponse(results: [], currentPage: 1, hasMorePages: false)
  }
}

/// The view model has the protocol's shape, though the document does not declare that.
extension SearchViewModel: @preconcurrency ViewModelProtocol {}
