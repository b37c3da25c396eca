// The samples of the seed documents that are no names of the module, without their mistakes, in virtual time.

import TestKit
import Testing
import Weir
import WeirExtras

/// Seed 001, "Form Validation".
private final class LoginViewModel: ObservableObject {
  @Published var username = ""
  @Published var password = ""
  @Published private(set) var isLoginEnabled = false

  init() {
    Publishers.CombineLatest($username, $password)
      .map { username, password in username.count >= 3 && password.count >= 8 }
      .assign(to: &$isLoginEnabled)
  }
}

/// Seed 001, "Custom Publishers": a second request scheduled a second delivery there.
private struct DelayedPublisher<Output, Context: Scheduler>: Publisher {
  typealias Failure = Never

  let value: Output
  let delay: Context.SchedulerTimeType.Stride
  let scheduler: Context

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    Just(value).delay(for: delay, scheduler: scheduler).receive(subscriber: subscriber)
  }
}

/// Seed 001, "Custom Subscriber".
private final class PrintSubscriber<Input, Failure: Error>: Subscriber {
  var lines: [String] = []

  func receive(subscription: any Subscription) { subscription.request(.unlimited) }

  func receive(_ input: Input) -> Subscribers.Demand {
    lines.append("Received: \(input)")
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) { lines.append("Completed: \(completion)") }
}

/// Seed 001, "Backpressure": it had no `receive(completion:)` there, and kept its subscription.
private final class ThrottledSubscriber: Subscriber {
  typealias Failure = Never
  var subscription: (any Subscription)?
  var processed: [String] = []

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.max(1))
  }

  func receive(_ input: String) -> Subscribers.Demand {
    processed.append(input)
    return .max(1)
  }

  func receive(completion: Subscribers.Completion<Never>) { subscription = nil }
}

/// Seed 000, "Usage with Auto-Cancellation".
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

/// Seed 000, "Usage Example", without its user and theme types.
private final class StateManager {
  @PublishedState var currentUser: String?
  @PublishedState var isOnboarded: Bool = false

  var log: [String] = []
  private var cancellables = Set<AnyCancellable>()

  init() {
    $currentUser
      .sink { [unowned self] user in log.append("User changed: \(user ?? "nil")") }
      .store(in: &cancellables)
  }
}

@Suite struct SeedSampleTests {
  private let scheduler = ManualScheduler()

  @Test func aLoginIsEnabledByBothFields() {
    let model = LoginViewModel()
    #expect(!model.isLoginEnabled)
    model.username = "ann"
    model.password = "secret12"
    #expect(model.isLoginEnabled)
    model.username = ""
    #expect(!model.isLoginEnabled)
  }

  @Test func aDelayedValueComesOnceHoweverOftenItIsAskedFor() {
    let recorder = RecordingSubscriber<Int, Never>()
    DelayedPublisher(value: 7, delay: .seconds(2), scheduler: scheduler).subscribe(recorder)
    recorder.request(.max(1))
    recorder.request(.max(1))
    scheduler.advance(by: .milliseconds(1_999))
    #expect(recorder.values == [])
    scheduler.advance(by: .seconds(9))
    #expect(recorder.values == [7])
    #expect(recorder.completions == [.finished])
  }

  @Test func customSubscribersCompileAndEnd() {
    let printing = PrintSubscriber<Int, Never>()
    [1, 2].publisher.subscribe(printing)
    #expect(printing.lines == ["Received: 1", "Received: 2", "Completed: finished"])
    let throttled = ThrottledSubscriber()
    ["a", "b"].publisher.subscribe(throttled)
    #expect(throttled.processed == ["a", "b"])
    #expect(throttled.subscription == nil)
  }

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

  @Test func aStateManagerTellsOfItsUser() {
    let manager = StateManager()
    manager.currentUser = "Ann"
    manager.isOnboarded = true
    #expect(manager.log == ["User changed: nil", "User changed: Ann"])
    #expect(manager.isOnboarded)
  }

  /// Seed 001, "Search with Debounce", with the newest question's answer only.
  @Test func aSearchWaitsForAPauseAndSkipsWhatIsEmptyOrTheSame() {
    let texts = PassthroughSubject<String, Never>()
    var asked: [String] = []
    let cancellable = texts.debounce(for: .milliseconds(300), scheduler: scheduler).removeDuplicates()
      .filter { !$0.isEmpty }
      .flatMapLatest { query -> Just<[String]> in
        asked.append(query)
        return Just([query])
      }
      .sink { _ in }
    for text in ["a", "ab", "abc"] { texts.send(text) }
    scheduler.advance(by: .milliseconds(300))
    texts.send("")
    scheduler.advance(by: .milliseconds(300))
    texts.send("abc")
    scheduler.advance(by: .milliseconds(300))
    #expect(asked == ["abc", "abc"])
    withExtendedLifetime(cancellable) {}
  }
}
