// Search as you type: wait for a pause, ask, and drop the answer to an older question.

import Combine
import Foundation

@MainActor
final class SearchService {
  private let titles = ["combination", "combine", "commute", "swift", "swiftly"]
  private var pending: [String: PassthroughSubject<[String], any Error>] = [:]
  @Published private(set) var asked = ""

  func results(for query: String) -> AnyPublisher<[String], any Error> {
    let answer = PassthroughSubject<[String], any Error>()
    pending[query] = answer
    asked = query
    return answer.eraseToAnyPublisher()
  }

  func answer(_ query: String) {
    pending[query]?.send(titles.filter { $0.hasPrefix(query) })
    pending[query]?.send(completion: .finished)
  }

  func fail(_ query: String) { pending[query]?.send(completion: .failure(URLError(.timedOut))) }
}

@MainActor
final class SearchViewModel: ObservableObject {
  @Published var query = ""
  @Published private(set) var results: [String] = []
  private var cancellables = Set<AnyCancellable>()

  init(service: SearchService) {
    $query
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .debounce(for: .milliseconds(10), scheduler: DispatchQueue.main)
      .removeDuplicates()
      .filter { $0.count > 1 }
      .map { query in service.results(for: query).catch { _ in Just(["nothing found"]) } }
      .switchToLatest()
      .receive(on: DispatchQueue.main)
      .sink { [weak self] in self?.results = $0 }
      .store(in: &cancellables)
  }
}

@MainActor
func search() async {
  let service = SearchService()
  let model = SearchViewModel(service: service)
  var cancellables = Set<AnyCancellable>()
  var shown: [[String]] = []
  model.$results.dropFirst().sink { shown.append($0) }.store(in: &cancellables)

  func type(_ text: String, untilAsked query: String) async {
    model.query = text
    for await asked in service.$asked.values where asked == query { break }
  }
  await type("com", untilAsked: "com")
  await type(" swift ", untilAsked: "swift")
  service.answer("com")
  service.answer("swift")
  for await results in model.$results.values where !results.isEmpty { break }
  await type("zz", untilAsked: "zz")
  service.fail("zz")
  for await results in model.$results.values where results.count == 1 { break }
  print("search:", shown)
}
