// Tests of `@AutoCancellingSubscription`.

import TestKit
import Testing
import Weir
import WeirExtras

private final class Loader {
  @AutoCancellingSubscription var load: AnyCancellable?
  @AutoCancellingSubscription var begun: AnyCancellable? = AnyCancellable {}
}

private final class DetailViewModel: ObservableObject {
  @Published var item: String?
  @Published var isLoading = false

  @AutoCancellingSubscription private var loadSubscription: AnyCancellable?
  private let fetch: (String) -> AnyPublisher<String, TestFailure>

  init(fetch: @escaping (String) -> AnyPublisher<String, TestFailure>) { self.fetch = fetch }

  func loadItem(id: String) {
    isLoading = true
    $loadSubscription.replace {
      fetch(id).sink(
        receiveCompletion: { [weak self] _ in self?.isLoading = false },
        receiveValue: { [weak self] item in self?.item = item })
    }
  }
}

@Suite struct AutoCancellingSubscriptionTests {
  private let cancelled = Shared<[String]>([])

  private func cancellable(_ name: String) -> AnyCancellable { AnyCancellable { cancelled.value.append(name) } }

  @Test func assigningCancelsTheFormer() {
    let loader = Loader()
    let held = cancellable("a")
    loader.load = held
    loader.load = cancellable("b")
    #expect(cancelled.value == ["a"])
    loader.load = nil
    #expect(cancelled.value == ["a", "b"])
    #expect(loader.load == nil)
    #expect(loader.begun != nil)
  }

  /// In the commonly copied version the new pipeline always ran beside the old one for a moment.
  @Test func replacingCancelsBeforeItBuilds() {
    let loader = Loader()
    loader.load = cancellable("a")
    loader.$load.replace {
      cancelled.value.append("built")
      return cancellable("b")
    }
    #expect(cancelled.value == ["a", "built"])
    loader.$load.cancel()
    #expect(cancelled.value == ["a", "built", "b"])
  }

  @Test func isCancelledWithItsOwner() {
    do {
      let loader = Loader()
      loader.load = cancellable("a")
    }
    #expect(cancelled.value == ["a"])
  }

  @Test func aCancellationMayAssign() {
    let loader = Loader()
    loader.load = AnyCancellable { [unowned loader] in loader.load = cancellable("c") }
    loader.load = cancellable("b")
    #expect(cancelled.value == ["b"])
    #expect(loader.load != nil)
  }

  @Test func ofEightThreadsAssignmentsOneStays() {
    let loader = Loader()
    let count = Counter()
    onThreads(8) { _ in
      for _ in 0..<200 { loader.load = AnyCancellable { count.add() } }
    }
    #expect(count.value == 1_599)
  }

  /// The use that the commonly copied version shows. There the end of what is superseded ended the loading of what came
  /// after it, if it came in time.
  @Test func aSupersededLoadIsCancelledAndTheNewOneEndsTheLoading() {
    let answers = ["1": PassthroughSubject<String, TestFailure>(), "2": PassthroughSubject<String, TestFailure>()]
    let model = DetailViewModel { answers[$0]!.eraseToAnyPublisher() }
    model.loadItem(id: "1")
    model.loadItem(id: "2")
    answers["1"]!.send("old")
    answers["1"]!.send(completion: .finished)
    #expect(model.isLoading && model.item == nil)
    answers["2"]!.send("new")
    answers["2"]!.send(completion: .finished)
    #expect(!model.isLoading && model.item == "new")
  }

  /// It went on as long as somebody held it.
  @Test func isCancelledWithItsOwnerAlsoWhereSomebodyElseHoldsIt() {
    let held = cancellable("a")
    do {
      let loader = Loader()
      loader.load = held
    }
    #expect(cancelled.value == ["a"])
    withExtendedLifetime(held) {}
  }
}
