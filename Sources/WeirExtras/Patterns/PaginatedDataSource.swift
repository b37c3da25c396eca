// Loads a list page by page.

import Dispatch
public import Weir
import WeirDispatch

/// One page of a list.
public struct PageResponse<Item> {
  /// What is on the page.
  public let items: [Item]
  /// The page's number. `Int.max` is the last one, whatever `hasMore` says.
  public let page: Int
  /// `true` if there is a further page.
  public let hasMore: Bool

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - items: What is on the page.
  ///   - page: The page's number.
  ///   - hasMore: `true` if there is a further page.
  public init(items: [Item], page: Int, hasMore: Bool) {
    self.items = items
    self.page = page
    self.hasMore = hasMore
  }
}

extension PageResponse: Sendable where Item: Sendable {}
extension PageResponse: Equatable where Item: Equatable {}

/// Loads a list page by page, one page at a time.
///
/// Unlike in the commonly copied version, loading the first page while another one is under way cancels that one, so
/// that the old page can't end up in the new list; and it keeps one subscription, not one per page.
///
/// For one thread, or one serial queue: the one on which pages are received, by default the main queue. Whoever is told
/// of a change there may load a page at once; the properties tell of that when the telling is over.
public final class PaginatedDataSource<Item: Identifiable>: ObservableObject {
  /// What was loaded.
  @Published public private(set) var items: [Item] = []
  /// `true` while a page is being loaded.
  @Published public private(set) var isLoading = false
  /// Why the last page failed.
  @Published public private(set) var error: (any Error)?
  /// `true` if there is a further page.
  @Published public private(set) var hasMorePages = true

  private enum Property { case items, isLoading, error, hasMorePages }

  private struct State {
    var items: [Item] = []
    var isLoading = false
    var error: (any Error)?
    var hasMorePages = true
    var currentPage = 0
  }

  /// What holds. The published properties follow it, as a subscriber that is told of one may change it meanwhile.
  private var state = State()
  /// Which properties don't tell yet what holds, in order.
  private var untold: [Property] = []
  private var isTelling = false
  /// How many pages have been begun.
  private var begun = 0
  private var load: AnyCancellable?
  private let fetchPage: (Int) -> AnyPublisher<PageResponse<Item>, any Error>

  /// Creates a list whose pages are received on the main queue.
  ///
  /// - Parameter fetchPage: Loads the page with a number; the first is 1.
  public convenience init(fetchPage: @escaping (Int) -> AnyPublisher<PageResponse<Item>, any Error>) {
    self.init(scheduler: DispatchQueue.main, fetchPage: fetchPage)
  }

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - scheduler: Where pages are received.
  ///   - fetchPage: Loads the page with a number; the first is 1.
  public init<Context: Scheduler>(
    scheduler: Context, fetchPage: @escaping (Int) -> AnyPublisher<PageResponse<Item>, any Error>
  ) {
    self.fetchPage = { fetchPage($0).receive(on: scheduler).eraseToAnyPublisher() }
  }

  /// Empties the list and loads the first page, instead of whatever page is under way.
  public func loadFirstPage() {
    load?.cancel()
    state = State(error: state.error)
    untold += [.items, .hasMorePages]
    loadNextPage()
  }

  /// Loads the next page, unless one is under way or there is none.
  public func loadNextPage() {
    guard !state.isLoading, state.hasMorePages else { return }
    state.isLoading = true
    state.error = nil
    let page = Subscribers.Sink<PageResponse<Item>, any Error>(
      receiveCompletion: { [weak self] in self?.finish($0) }, receiveValue: { [weak self] in self?.add($0) })
    begun += 1
    let number = begun
    // Kept while the property is set: what its cancellation runs may come back here.
    let former = load
    // Before the page may come, or fail, at once: whoever hears of that may load the next one.
    load = page.asCancellable()
    former?.cancel()
    tell([.isLoading, .error])
    // Whoever was told may have begun another one instead.
    if number == begun { fetchPage(state.currentPage + 1).subscribe(page) }
  }

  private func add(_ response: PageResponse<Item>) {
    state.items.append(contentsOf: response.items)
    state.currentPage = response.page
    state.hasMorePages = response.hasMore && response.page < .max
    tell([.items, .hasMorePages])
  }

  private func finish(_ completion: Subscribers.Completion<any Error>) {
    state.isLoading = false
    if case .failure(let error) = completion {
      state.error = error
      tell([.isLoading, .error])
    } else {
      tell([.isLoading])
    }
  }

  /// Sets the published properties to what holds. Within that, what a subscriber does waits for its return: a property
  /// that is being set would be set to the older value after it.
  private func tell(_ properties: [Property]) {
    untold += properties
    guard !isTelling else { return }
    isTelling = true
    while !untold.isEmpty {
      switch untold.removeFirst() {
      case .items: items = state.items
      case .isLoading: isLoading = state.isLoading
      case .error: error = state.error
      case .hasMorePages: hasMorePages = state.hasMorePages
      }
    }
    isTelling = false
  }
}
