// Tests of the subscriber behind asynchronous sequences: what it asks for, and whom it tells what.

import TestKit
import Testing

@testable import Weir

@Suite struct PullSubscriberTests {
  typealias Puller = PullSubscriber<Int, TestFailure>

  private let puller = Puller()
  private let subscription = RecordingSubscription()

  /// A task that waits for a value, after it has begun to.
  private func waiting() async -> Task<Result<Int?, TestFailure>, Never> {
    let before = puller.waitingCount
    let puller = puller
    let task = Task { () -> Result<Int?, TestFailure> in
      do throws(TestFailure) { return .success(try await puller.next()) } catch { return .failure(error) }
    }
    while puller.waitingCount == before { await Task.yield() }
    return task
  }

  @Test func asksForOneValuePerCall() async {
    puller.receive(subscription: subscription)
    #expect(subscription.history == [])
    let first = await waiting()
    #expect(subscription.history == [.requested(.max(1))])
    #expect(puller.receive(7) == .none)
    #expect(await first.value == .success(7))
    let second = await waiting()
    #expect(subscription.history == [.requested(.max(1)), .requested(.max(1))])
    _ = puller.receive(8)
    #expect(await second.value == .success(8))
  }

  @Test func callsBeforeTheSubscriptionAreAskedForTogether() async {
    let tasks = [await waiting(), await waiting(), await waiting()]
    puller.receive(subscription: subscription)
    #expect(subscription.history == [.requested(.max(3))])
    for value in 1...3 { _ = puller.receive(value) }
    for (task, value) in zip(tasks, 1...3) { #expect(await task.value == .success(value)) }
  }

  /// The count of what is outstanding overflowed.
  @Test(arguments: [false, true]) func anyNumberMayBeAskedForAhead(isEarly: Bool) async {
    let puller = Puller(.backpressure(.max))
    if !isEarly { puller.receive(subscription: subscription) }
    let first = Task { try? await puller.next() }
    while puller.waitingCount == 0 { await Task.yield() }
    if isEarly { puller.receive(subscription: subscription) }
    let second = Task { try? await puller.next() }
    while puller.waitingCount == 1 { await Task.yield() }
    #expect(
      subscription.history.first == .requested(.unlimited) || subscription.history.first == .requested(.max(.max)))
    for value in 1...2 { _ = puller.receive(value) }
    #expect(await first.value == 1)
    #expect(await second.value == 2)
  }

  @Test func aSecondSubscriptionIsCancelled() {
    puller.receive(subscription: subscription)
    let second = RecordingSubscription()
    puller.receive(subscription: second)
    #expect(second.history == [.cancelled])
    #expect(subscription.history == [])
  }

  @Test func theOneThatHasWaitedLongestIsToldOfTheError() async {
    puller.receive(subscription: subscription)
    let tasks = [await waiting(), await waiting()]
    puller.receive(completion: .failure(.second))
    #expect(await tasks[0].value == .failure(.second))
    #expect(await tasks[1].value == .success(nil))
    #expect(subscription.history == [.requested(.max(1)), .requested(.max(1))])
  }

  @Test func anErrorWithoutAudienceIsKeptForTheNextCall() async throws {
    puller.receive(subscription: subscription)
    puller.receive(completion: .failure(.first))
    puller.receive(completion: .failure(.second))
    await #expect(throws: TestFailure.first) { try await puller.next() }
    #expect(try await puller.next() == nil)
  }

  @Test func cancellingATaskCancelsTheUpstreamAndEndsEveryWait() async {
    puller.receive(subscription: subscription)
    let tasks = [await waiting(), await waiting()]
    tasks[1].cancel()
    for task in tasks { #expect(await task.value == .success(nil)) }
    #expect(subscription.history == [.requested(.max(1)), .requested(.max(1)), .cancelled])
    #expect(puller.receive(1) == .none)
    puller.receive(completion: .failure(.first))
    #expect(try! await puller.next() == nil)
  }

  /// The task has not gone on yet, but waits no more.
  @Test func aValueThatWasGivenBeforeTheCancellationArrives() async {
    puller.receive(subscription: subscription)
    let task = await waiting()
    _ = puller.receive(7)
    task.cancel()
    #expect(await task.value == .success(7))
  }

  @Test func cancelledBeforeTheSubscriptionItCancelsThat() async {
    let task = await waiting()
    puller.cancel()
    #expect(await task.value == .success(nil))
    puller.receive(subscription: subscription)
    #expect(subscription.history == [.cancelled])
  }

  @Test func aValueThatNobodyAskedForIsKept() async throws {
    puller.receive(subscription: subscription)
    #expect(puller.receive(1) == .none)
    #expect(puller.receive(2) == .none)
    #expect(try await puller.next() == 1)
    puller.receive(completion: .finished)
    #expect(try await puller.next() == 2)
    #expect(try await puller.next() == nil)
    #expect(subscription.history == [.requested(.max(1))])
  }

  /// Two changes of an object at once, while a task waits for one: the program stopped.
  @Test func whatAnObjectTellsUnaskedIsKept() async {
    let changes = ObservableObjectPublisher()
    let puller = PullSubscriber<Void, Never>()
    changes.subscribe(puller)
    let task = Task { () -> Bool in await puller.next() != nil }
    while puller.waitingCount == 0 { await Task.yield() }
    changes.send()
    changes.send()
    #expect(await task.value)
    #expect(await puller.next() != nil)
    puller.cancel()
    #expect(await puller.next() == nil)
  }

  @Test func ignoresAValueBeforeTheSubscription() async {
    let task = await waiting()
    #expect(puller.receive(1) == .none)
    puller.receive(subscription: subscription)
    #expect(subscription.history == [.requested(.max(1))])
    #expect(puller.receive(2) == .none)
    #expect(await task.value == .success(2))
  }

  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(.first)])
  func endsBeforeTheSubscriptionToo(_ completion: Subscribers.Completion<TestFailure>) async {
    let task = await waiting()
    puller.receive(completion: completion)
    #expect(await task.value == (completion == .finished ? .success(nil) : .failure(.first)))
    puller.receive(subscription: subscription)
    #expect(subscription.history == [.cancelled])
  }

  @Test func endsOnce() async throws {
    puller.receive(subscription: subscription)
    puller.receive(completion: .finished)
    puller.receive(completion: .failure(.first))
    puller.receive(completion: .finished)
    #expect(puller.receive(1) == .none)
    #expect(try await puller.next() == nil)
    #expect(try await puller.next() == nil)
    #expect(subscription.history == [])
  }

  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(.first), nil])
  func letsGoOfTheUpstreamAtTheEnd(_ completion: Subscribers.Completion<TestFailure>?) {
    weak var freed: RecordingSubscription?
    do {
      let subscription = RecordingSubscription()
      freed = subscription
      puller.receive(subscription: subscription)
    }
    #expect(freed != nil)
    if let completion { puller.receive(completion: completion) } else { puller.cancel() }
    #expect(freed == nil)
  }

  // MARK: What is kept

  @Test func aValueThatIsReadyIsTakenWithoutWaiting() async throws {
    let source = ScriptedPublisher<Int, TestFailure>()
    source.subscription?.onRequest = { [unowned source] _ in source.send(source.subscription!.history.count) }
    source.subscribe(puller)
    for number in 1...3 { #expect(try await puller.next() == number) }
    #expect(source.subscription?.history == Array(repeating: .requested(.max(1)), count: 3))
  }

  @Test(arguments: [
    (AsyncBuffering.unbounded, [1, 2, 3, 4, 5]), (.oldest(2), [1, 2]), (.newest(2), [4, 5]),
    (.oldest(9), [1, 2, 3, 4, 5]),
  ])
  func keepsWhatItIsTold(_ buffering: AsyncBuffering, _ kept: [Int]) async throws {
    let puller = Puller(buffering)
    puller.receive(subscription: subscription)
    #expect(subscription.history == [.requested(.unlimited)])
    for value in 1...5 { #expect(puller.receive(value) == .none) }
    puller.receive(completion: .failure(.first))
    for value in kept { #expect(try await puller.next() == value) }
    await #expect(throws: TestFailure.first) { try await puller.next() }
    #expect(try await puller.next() == nil)
    #expect(subscription.history == [.requested(.unlimited)])
  }

  @Test func asksForSoManyAhead() async throws {
    let puller = Puller(.backpressure(2))
    puller.receive(subscription: subscription)
    #expect(subscription.history == [.requested(.max(2))])
    for value in 1...2 { _ = puller.receive(value) }
    #expect(try await puller.next() == 1)
    #expect(subscription.history == [.requested(.max(2)), .requested(.max(1))])
    _ = puller.receive(3)
    #expect(try await puller.next() == 2)
    #expect(try await puller.next() == 3)
    #expect(subscription.history.count == 4)
  }

  @Test func cancellingDropsWhatIsKept() async throws {
    let lifetimes = Lifetimes()
    let puller = PullSubscriber<LifetimeTracked, TestFailure>(.unbounded)
    puller.receive(subscription: subscription)
    for value in 1...3 { _ = puller.receive(lifetimes.track(value)) }
    #expect(try await puller.next()?.number == 1)
    #expect(lifetimes.live == 2)
    puller.cancel()
    #expect(lifetimes.live == 0)
    #expect(try await puller.next() == nil)
    #expect(subscription.history == [.requested(.unlimited), .cancelled])
  }

  @Test func aTaskThatIsCancelledTakesNothingThatIsKept() async throws {
    let puller = Puller(.unbounded)
    puller.receive(subscription: subscription)
    _ = puller.receive(1)
    let taken = try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await puller.next()
    }.value
    #expect(taken == nil)
    #expect(subscription.history == [.requested(.unlimited), .cancelled])
  }

  /// Each value is taken by one of the tasks, in order by each; none is lost.
  @Test(arguments: [AsyncBuffering.unbounded, .backpressure(0), .backpressure(3)])
  func severalTasksShareTheValues(_ buffering: AsyncBuffering) async {
    let puller = PullSubscriber<Int, Never>(buffering)
    (0..<2_000).publisher.subscribe(puller)
    let taken = await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var taken: [Int] = []
          while let value = await puller.next() {
            taken.append(value)
            if value % 100 == 0 { await Task.yield() }
          }
          return taken
        }
      }
      var all: [[Int]] = []
      for await taken in group { all.append(taken) }
      return all
    }
    for values in taken { #expect(values == values.sorted()) }
    #expect(taken.flatMap { $0 }.sorted() == Array(0..<2_000))
  }

  @Test func anImpossibleNumberTraps() async {
    await #expect(processExitsWith: .failure) { _ = Puller(.oldest(0)) }
    await #expect(processExitsWith: .failure) { _ = Puller(.newest(-1)) }
    await #expect(processExitsWith: .failure) { _ = Puller(.backpressure(-1)) }
  }

  @Test func theHandleCancelsWhenItIsGone() {
    withExtendedLifetime(PullHandle<Int, TestFailure>(PullSubscriber())) {
      $0.subscriber.receive(subscription: subscription)
    }
    #expect(subscription.history == [.cancelled])
  }
}

extension PullSubscriber {
  /// How many calls wait for a value.
  var waitingCount: Int {
    lock.lock()
    defer { lock.unlock() }
    return (waiter == nil ? 0 : 1) + laterWaiters.count
  }
}
