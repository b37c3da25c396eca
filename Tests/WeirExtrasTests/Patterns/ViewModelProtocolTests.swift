// A commonly copied search view model, without its mistakes, in virtual time.

import TestKit
import Testing
import Weir
import WeirExtras

private final class SearchViewModel: ViewModelProtocol {
  struct Input {
    let searchText: AnyPublisher<String, Never>
    let refresh: AnyPublisher<Void, Never>
  }

  struct Output {
    let results: AnyPublisher<[String], Never>
    let isLoading: AnyPublisher<Bool, Never>
  }

  @Published private(set) var results: [String] = []
  @Published private(set) var isLoading = false

  private let search: (String) -> AnyPublisher<[String], TestFailure>
  private let scheduler: ManualScheduler
  private let subscriptions = CancellableStore()

  init(scheduler: ManualScheduler, search: @escaping (String) -> AnyPublisher<[String], TestFailure>) {
    self.scheduler = scheduler
    self.search = search
  }

  nonisolated func transform(input: Input) -> Output {
    let typed = input.searchText.debounce(for: .milliseconds(300), scheduler: scheduler).removeDuplicates()
    let refreshed = input.refresh.withLatestFrom(input.searchText)
    let answers = typed.merge(with: refreshed)
      .handleEvents(receiveOutput: { [weak self] _ in self?.isLoading = true })
      .flatMapLatest { [search] in search($0).replaceError(with: []) }
    subscriptions.sink(answers) { [weak self] results in
      self?.results = results
      self?.isLoading = false
    }
    return Output(results: $results.eraseToAnyPublisher(), isLoading: $isLoading.eraseToAnyPublisher())
  }
}

@MainActor
private final class CountingModel: ViewModelProtocol {
  @Published private(set) var count = 0
  private var subscription: AnyCancellable?

  func transform(input: AnyPublisher<Void, Never>) -> Published<Int>.Publisher {
    subscription = input.sink { [unowned self] in count += 1 }
    return $count
  }
}

@Suite struct ViewModelProtocolTests {
  @MainActor @Test func aClassOnTheMainActorConforms() {
    func outputs<Model: ViewModelProtocol>(of model: Model, _ input: Model.Input) -> Model.Output {
      model.transform(input: input)
    }
    let clicks = PassthroughSubject<Void, Never>()
    var counts: [Int] = []
    let token = outputs(of: CountingModel(), clicks.eraseToAnyPublisher()).sink { counts.append($0) }
    #expect(counts == [0])
    token.cancel()
  }

  /// In the commonly copied version a slow answer to an old question won, and there was a second pipeline.
  @Test func anOldAnswerNeverWins() {
    let scheduler = ManualScheduler()
    let answers = ["a": PassthroughSubject<[String], TestFailure>(), "ab": PassthroughSubject<[String], TestFailure>()]
    var asked: [String] = []
    let model = SearchViewModel(scheduler: scheduler) { query in
      asked.append(query)
      return answers[query]!.eraseToAnyPublisher()
    }
    let (texts, refresh) = (CurrentValueSubject<String, Never>("a"), PassthroughSubject<Void, Never>())
    let output = model.transform(
      input: .init(searchText: texts.eraseToAnyPublisher(), refresh: refresh.eraseToAnyPublisher()))
    var results: [[String]] = []
    let cancellable = output.results.sink { results.append($0) }
    scheduler.advance(by: .milliseconds(300))
    texts.send("ab")
    scheduler.advance(by: .milliseconds(300))
    answers["ab"]!.send(["new"])
    answers["a"]!.send(["old"])
    #expect(asked == ["a", "ab"])
    #expect(results == [[], ["new"]])
    #expect(!model.isLoading)
    refresh.send()
    #expect(asked == ["a", "ab", "ab"])
    answers["ab"]!.send(completion: .failure(.first))
    #expect(results == [[], ["new"], []])
    withExtendedLifetime(cancellable) {}
  }
}
