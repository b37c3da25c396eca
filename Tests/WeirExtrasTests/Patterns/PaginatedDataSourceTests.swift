// Tests of `PaginatedDataSource`.

import TestKit
import Testing
import Weir
import WeirExtras

private struct Item: Identifiable, Equatable { let id: Int }

private typealias Page = PageResponse<Item>

@Suite struct PaginatedDataSourceTests {
  private let scheduler = ManualScheduler()
  private let fetched = Shared<[Int]>([])
  private let pages = Shared<[PassthroughSubject<PageResponse<Item>, any Error>]>([])

  private func makeSource() -> PaginatedDataSource<Item> {
    PaginatedDataSource(scheduler: scheduler) { [fetched, pages] number in
      fetched.value.append(number)
      let page = PassthroughSubject<Page, any Error>()
      pages.value.append(page)
      return page.eraseToAnyPublisher()
    }
  }

  private func answer(_ index: Int, _ page: PageResponse<Item>) {
    pages.value[index].send(page)
    pages.value[index].send(completion: .finished)
    scheduler.run()
  }

  @Test func loadsPageAfterPage() {
    let source = makeSource()
    source.loadFirstPage()
    source.loadNextPage()
    #expect(source.isLoading)
    answer(0, Page(items: [Item(id: 1)], page: 1, hasMore: true))
    #expect(!source.isLoading)
    source.loadNextPage()
    answer(1, Page(items: [Item(id: 2)], page: 2, hasMore: false))
    source.loadNextPage()
    #expect(fetched.value == [1, 2])
    #expect(source.items == [Item(id: 1), Item(id: 2)])
    #expect(!source.hasMorePages)
  }

  /// The number may be a server's mistake.
  @Test func noPageFollowsTheOneWithTheHighestNumber() {
    let source = makeSource()
    source.loadFirstPage()
    answer(0, Page(items: [Item(id: 1)], page: .max, hasMore: true))
    #expect(!source.hasMorePages)
    source.loadNextPage()
    #expect(fetched.value == [1])
    #expect(source.items == [Item(id: 1)])
    #expect(!source.isLoading)
  }

  /// The former page was let go of while the property that keeps it was being set, which stops the program where what
  /// that runs comes back.
  @Test func whatTheCancellationOfAPageRunsMayLoadTheFirstPage() {
    let page = PassthroughSubject<Page, any Error>()
    weak var loading: PaginatedDataSource<Item>?
    let source = PaginatedDataSource<Item>(scheduler: ImmediateScheduler.shared) { [fetched] number in
      fetched.value.append(number)
      return page.handleEvents(receiveCancel: { if fetched.value.count < 4 { loading?.loadFirstPage() } })
        .eraseToAnyPublisher()
    }
    loading = source
    source.loadFirstPage()
    source.loadFirstPage()
    #expect(fetched.value == [1, 1, 1] && source.isLoading)
    page.send(Page(items: [Item(id: 1)], page: 1, hasMore: false))
    page.send(completion: .finished)
    #expect(source.items == [Item(id: 1)] && !source.isLoading)
  }

  /// The sink of a page does nothing when it is cancelled before it has a subscription.
  @Test func aPageIsCancelledBeforeItHasASubscription() {
    let later = ManualScheduler()
    let source = PaginatedDataSource<Item>(scheduler: ImmediateScheduler.shared) { [fetched] page in
      fetched.value.append(page)
      return Just(Page(items: [Item(id: fetched.value.count)], page: page, hasMore: true))
        .setFailureType(to: (any Error).self).subscribe(on: later).eraseToAnyPublisher()
    }
    source.loadFirstPage()
    source.loadFirstPage()
    later.run()
    #expect(source.items == [Item(id: 2)])
    #expect(!source.isLoading)
  }

  /// In the commonly copied version the old page ended up in the new list, and the first page was never loaded.
  @Test func loadingTheFirstPageAgainCancelsThePageUnderWay() {
    let source = makeSource()
    source.loadFirstPage()
    answer(0, Page(items: [Item(id: 1)], page: 1, hasMore: true))
    source.loadNextPage()
    source.loadFirstPage()
    answer(1, Page(items: [Item(id: 2)], page: 2, hasMore: true))
    #expect(source.items == [])
    #expect(source.isLoading)
    answer(2, Page(items: [Item(id: 3)], page: 1, hasMore: true))
    #expect(fetched.value == [1, 2, 1])
    #expect(source.items == [Item(id: 3)])
    #expect(!source.isLoading)
  }

  @Test func aFailedPageCanBeTriedAgain() {
    let source = makeSource()
    source.loadFirstPage()
    pages.value[0].send(completion: .failure(TestFailure.first))
    scheduler.run()
    #expect(source.error as? TestFailure == .first)
    #expect(!source.isLoading)
    source.loadNextPage()
    #expect(source.error == nil)
    #expect(fetched.value == [1, 1])
  }

  @Test func keepsNoPagesOrFetchesAlive() {
    let lifetimes = Lifetimes()
    do {
      let tracked = lifetimes.track()
      let source = PaginatedDataSource<Item>(scheduler: scheduler) { number in
        tracked.touch()
        return Just(Page(items: [], page: number, hasMore: true)).setFailureType(to: (any Error).self)
          .eraseToAnyPublisher()
      }
      for _ in 0..<5 {
        source.loadNextPage()
        scheduler.run()
      }
    }
    #expect(lifetimes.live == 0)
  }

  /// The page that was begun within the failure was cancelled, and counted as under way for ever.
  @Test func whoHearsOfAFailureMayTryAgainAtOnce() {
    let later = PassthroughSubject<Page, any Error>()
    let source = PaginatedDataSource<Item>(scheduler: ImmediateScheduler.shared) { [fetched] number in
      fetched.value.append(number)
      return fetched.value.count == 1
        ? Fail(error: TestFailure.first).eraseToAnyPublisher() : later.eraseToAnyPublisher()
    }
    let token = source.$error.sink { if $0 != nil { source.loadNextPage() } }
    source.loadFirstPage()
    #expect(fetched.value == [1, 1] && source.isLoading)
    later.send(Page(items: [Item(id: 1)], page: 1, hasMore: false))
    later.send(completion: .finished)
    #expect(source.items == [Item(id: 1)] && !source.isLoading)
    token.cancel()
  }

  /// The old page ended up in the new list.
  @Test func whoHearsOfItemsMayLoadTheFirstPageAgain() {
    let source = makeSource()
    var isFirst = true
    let token = source.$items.sink { items in
      if !items.isEmpty, isFirst {
        isFirst = false
        source.loadFirstPage()
      }
    }
    source.loadFirstPage()
    answer(0, Page(items: [Item(id: 1)], page: 1, hasMore: false))
    #expect(source.items == [] && source.isLoading && source.hasMorePages)
    answer(1, Page(items: [Item(id: 2)], page: 1, hasMore: true))
    #expect(source.items == [Item(id: 2)] && !source.isLoading)
    #expect(fetched.value == [1, 1])
    token.cancel()
  }

  /// The page was under way, but not counted, so that the next call fetched it again.
  @Test func whoHearsOfTheEndOfALoadMayLoadTheNextPage() {
    let source = makeSource()
    var told: [Bool] = []
    let token = source.$isLoading.dropFirst().sink { isLoading in
      told.append(isLoading)
      if !isLoading { source.loadNextPage() }
    }
    source.loadFirstPage()
    answer(0, Page(items: [Item(id: 1)], page: 1, hasMore: true))
    #expect(source.isLoading && told == [true, false, true])
    source.loadNextPage()
    answer(1, Page(items: [Item(id: 2)], page: 2, hasMore: false))
    #expect(fetched.value == [1, 2] && source.items == [Item(id: 1), Item(id: 2)] && !source.isLoading)
    token.cancel()
  }

  /// Two pages were fetched at once.
  @Test func whoHearsOfTheBeginningOfALoadMayBeginAnother() {
    let source = makeSource()
    var isFirst = true
    let token = source.$isLoading.dropFirst().sink { _ in
      if isFirst {
        isFirst = false
        source.loadFirstPage()
      }
    }
    source.loadNextPage()
    #expect(fetched.value == [1] && source.isLoading)
    answer(0, Page(items: [Item(id: 1)], page: 1, hasMore: true))
    #expect(source.items == [Item(id: 1)] && !source.isLoading)
    token.cancel()
  }
}
