// "Combine Deep Dive", the sections from "Schedulers" to "Custom Publishers".
//
// Corrected: `map` takes no throwing closure: `tryMap`; `ThrottledSubscriber` lacks its failure type and
// `receive(completion:)`, and `urlSession.publisher` is `dataTaskPublisher(for:)`. `URLSession` is in
// FoundationNetworking, and its network a stand-in. Types that the document leaves out, and those of UIKit (`spinner`,
// `titleLabel`), stand at the top. The statements stand in tests; subscriptions that it drops are kept; `print` is the
// tests' own. The example of timers and `RunLoop.main` is `TimerPublisherTests/testRunLoopForTimers`, beside the other
// timers.

import Combine
import Foundation
import TestKit
import Testing
import WeirTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct User: Decodable, Equatable { let name: String }
private enum APIError: Error { case network(Error) }

private final class Spinner {
  var isAnimating = true
  func stopAnimating() { isAnimating = false }
}
private final class Label { var title = "" }

private class PrintSubscriber<Input, Failure: Error>: Subscriber {
  func receive(subscription: Subscription) {
    subscription.request(.unlimited)  // request all values
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    print("Received: \(input)")
    return .none  // don't request more (unlimited already requested)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    print("Completed: \(completion)")
  }
}

// Subscribers.Demand controls how many values to receive
// .unlimited — receive everything
// .max(n) — receive up to n more
// .none — receive nothing more right now

private class ThrottledSubscriber: Subscriber {
  typealias Failure = Never

  var subscription: Subscription?
  var processed: [String] = []

  func receive(subscription: Subscription) {
    self.subscription = subscription
    subscription.request(.max(1))  // only request 1 at a time
  }

  func receive(_ input: String) -> Subscribers.Demand {
    process(input)
    // After processing, request 1 more
    return .max(1)  // incremental backpressure
  }

  func receive(completion: Subscribers.Completion<Never>) { subscription = nil }

  private func process(_ input: String) { processed.append(input) }
}

private class ViewModel {
  var cancellables = Set<AnyCancellable>()  // holds subscriptions alive
  let publisher: AnyPublisher<Int, Never>
  var handled: [Int] = []

  init(_ publisher: AnyPublisher<Int, Never>) { self.publisher = publisher }

  func setup() {
    // .store(in:) ties cancellable lifetime to this Set
    publisher
      .sink { [weak self] value in
        self?.handleValue(value)  // weak self prevents retain cycle
      }
      .store(in: &cancellables)
  }

  func handleValue(_ value: Int) { handled.append(value) }

  deinit {
    // cancellables cleared → all subscriptions cancelled automatically
  }
}

// Expose only AnyPublisher from APIs — hide implementation details
private func fetchUser(id: String) -> AnyPublisher<User, APIError> {
  StubProtocol.session.dataTaskPublisher(for: userURL(id))
    .map(\.data)
    .decode(type: User.self, decoder: JSONDecoder())
    .mapError { APIError.network($0) }
    .eraseToAnyPublisher()  // hide concrete publisher type
}

private func userURL(_ id: String) -> URL { StubProtocol.url("200", "{\"name\": \"\(id)\"}") }

// Publisher that emits a value after a delay, with cancellation
private struct DelayedPublisher<Output>: Publisher {
  typealias Failure = Never
  let value: Output
  let delay: TimeInterval

  func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Never {
    let subscription = DelayedSubscription(
      subscriber: subscriber,
      value: value,
      delay: delay
    )
    subscriber.receive(subscription: subscription)
  }
}

private class DelayedSubscription<S: Subscriber>: Subscription
where S.Failure == Never {
  private var subscriber: S?
  private var workItem: DispatchWorkItem?
  private let value: S.Input
  private let delay: TimeInterval

  init(subscriber: S, value: S.Input, delay: TimeInterval) {
    self.subscriber = subscriber
    self.value = value
    self.delay = delay
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0, let subscriber else { return }
    _ = subscriber
    let item = DispatchWorkItem { [weak self] in
      guard let self, let subscriber = self.subscriber else { return }
      _ = subscriber.receive(self.value)
      subscriber.receive(completion: .finished)
      self.subscriber = nil
    }
    workItem = item
    DispatchQueue.main.asyncAfter(deadline: .now() + delay, execute: item)
  }

  func cancel() {
    workItem?.cancel()
    subscriber = nil
  }
}

@Suite struct SubscribersTests {
  @Test func schedulers() async {
    let (spinner, url) = (Spinner(), userURL("Ann"))
    var cancellables = Set<AnyCancellable>()
    let users: [User] = await withCheckedContinuation { continuation in
      var users: [User] = []
      func updateUI(with user: User) {
        dispatchPrecondition(condition: .onQueue(.main))
        users.append(user)
      }

      StubProtocol.session.dataTaskPublisher(for: url)
        .subscribe(on: DispatchQueue.global(qos: .background))  // network on bg thread
        .tryMap { try JSONDecoder().decode(User.self, from: $0.data) }
        .receive(on: DispatchQueue.main)  // deliver to subscriber on main thread
        .sink(
          receiveCompletion: { _ in
            spinner.stopAnimating()
            continuation.resume(returning: users)
          },
          receiveValue: { user in updateUI(with: user) }
        )
        .store(in: &cancellables)
    }
    #expect(users == [User(name: "Ann")] && !spinner.isAnimating)
  }

  @Test func mainQueueForNetworkResults() async {
    let result = StubProtocol.session.dataTaskPublisher(for: userURL("Ann"))
      .receive(on: DispatchQueue.main)  // ✅ correct for network results
      .handleEvents(receiveOutput: { _ in dispatchPrecondition(condition: .onQueue(.main)) })
    #expect(await events(of: result).0.count == 1)
  }

  @Test func sink() {
    var cancellables = Set<AnyCancellable>()
    var log: [String] = []
    func process(_ value: Int) { log.append("\(value)") }
    func handle(_ error: ExampleError) { log.append("\(error)") }
    let failing = Just(1).setFailureType(to: ExampleError.self).append(Fail(error: ExampleError()))
    let lines = printed {
      for publisher in [failing.eraseToAnyPublisher(), failing.prefix(1).eraseToAnyPublisher()] {
        publisher
          .sink(
            receiveCompletion: { completion in
              switch completion {
              case .finished: print("Done")
              case .failure(let error): handle(error)
              }
            },
            receiveValue: { value in
              process(value)
            }
          )
          .store(in: &cancellables)
      }
    }
    #expect(log == ["1", "ExampleError()", "1"] && lines == ["Done"])

    // Non-failing publisher — single closure
    Just(2)
      .sink { value in process(value) }
      .store(in: &cancellables)
    #expect(log.last == "2")
  }

  @Test func assign() {
    final class Screen {
      @Published var localLoadingState = false
      func follow(_ viewModel: Loader) {
        // assign(to:) — for @Published properties, avoids retain cycles
        viewModel.$isLoading
          .assign(to: &$localLoadingState)  // tied to this object's lifetime, no retain cycle
      }
    }
    final class Loader { @Published var isLoading = true }
    let subject = PassthroughSubject<String, Never>()
    weak var weakLabel: Label?
    let cancellable: AnyCancellable
    do {
      let titleLabel = Label()
      weakLabel = titleLabel
      // assign(to:on:) — creates strong reference to object (retain cycle risk with self)
      cancellable =
        subject
        .assign(to: \.title, on: titleLabel)  // ⚠️ strongly retains titleLabel
    }
    subject.send("hello")
    #expect(weakLabel?.title == "hello")
    cancellable.cancel()
    #expect(weakLabel == nil)

    let loader = Loader()
    weak var weakScreen: Screen?
    do {
      let screen = Screen()
      weakScreen = screen
      screen.follow(loader)
      #expect(screen.localLoadingState)
      loader.isLoading = false
      #expect(!screen.localLoadingState)
    }
    #expect(weakScreen == nil)
  }

  @Test func customSubscriber() {
    let lines = printed { [1, 2].publisher.subscribe(PrintSubscriber()) }
    #expect(lines == ["Received: 1", "Received: 2", "Completed: finished"])
  }

  @Test func backpressure() {
    let throttled = ThrottledSubscriber()
    ["a", "b"].publisher.subscribe(throttled)
    #expect(throttled.processed == ["a", "b"])
    #expect(throttled.subscription == nil)
  }

  @Test func builtInBackpressureOperators() {
    let publisher = PassthroughSubject<Int, Never>()
    let clock = TestScheduler()
    var cancellables = Set<AnyCancellable>()
    var (single, batches, timed): ([Int], [[Int]], [[Int]]) = ([], [], [])
    // Buffer — absorb bursts, apply backpressure to upstream
    publisher
      .buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest)
      .sink { single.append($0) }
      .store(in: &cancellables)

    // collect — buffer N items then emit as array
    publisher
      .collect(10)  // emit arrays of 10
      .sink { batch in batches.append(batch) }
      .store(in: &cancellables)

    // collect with time window; the clock stands for `RunLoop.main`
    publisher
      .collect(.byTimeOrCount(clock, .seconds(1), 100))
      .sink { batch in timed.append(batch) }
      .store(in: &cancellables)
    for number in 1...11 { publisher.send(number) }
    #expect(timed == [])
    clock.advance(by: .seconds(1))
    publisher.send(completion: .finished)
    #expect(single == Array(1...11) && batches == [Array(1...10), [11]] && timed == [Array(1...11)])
  }

  @Test func memoryManagement() {
    let subject = PassthroughSubject<Int, Never>()
    weak var weakModel: ViewModel?
    do {
      let model = ViewModel(subject.eraseToAnyPublisher())
      weakModel = model
      model.setup()
      subject.send(1)
      #expect(model.handled == [1])
    }
    #expect(weakModel == nil)
    subject.send(2)
  }

  @Test func typeErasure() async {
    #expect(await events(of: fetchUser(id: "Ann")).0 == [User(name: "Ann")])
  }

  @MainActor @Test func customPublisher() async {
    #expect(await events(of: DelayedPublisher(value: 7, delay: 0.001)).0 == [7])
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    DelayedPublisher(value: 8, delay: 0).subscribe(recorder)
    recorder.cancel()
    #expect(await events(of: DelayedPublisher(value: 9, delay: 0.001)).0 == [9])
    #expect(recorder.values == [])
  }

  /// Without its mistake: a second request schedules a second delivery there, and two threads may do so at once.
  @Test func aDelayedValueComesOnceHoweverOftenItIsAskedFor() {
    let clock = TestScheduler()
    let recorder = RecordingSubscriber<Int, Never>()
    Just(7).delay(for: .seconds(2), scheduler: clock).subscribe(recorder)
    onThreads(4) { _ in recorder.request(.max(1)) }
    clock.advance(by: .seconds(9))
    #expect(recorder.values == [7] && recorder.completions == [.finished])
  }
}
