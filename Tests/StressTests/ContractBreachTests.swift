// Publishers that break their contract and call from several threads at once: what they call ends in a message or in no
// harm, never in freed memory.

import TestKit
import Testing
import Weir

@Suite(.serialized) struct ContractBreachTests {
  /// A publisher's own subscription, as users write them.
  private final class Foreign: Subscription {
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }

  /// Hands its subscriber out, for anybody to call.
  private struct Careless<Output>: Publisher {
    typealias Failure = Never
    let subscriber: Shared<AnySubscriber<Output, Never>?>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      self.subscriber.value = AnySubscriber(subscriber)
      subscriber.receive(subscription: Foreign())
    }
  }

  /// Notices a closure that runs after what it captures was freed.
  private final class Guarded: @unchecked Sendable {
    private let tracked: LifetimeTracked

    init(_ lifetimes: Lifetimes) { tracked = lifetimes.track(42) }

    func use() { if tracked.number != 42 { Issue.record("freed") } }
  }

  private enum End: CaseIterable { case cancel, finish, cancelSink }

  /// Two threads send while a third ends the stream.
  @Test(arguments: 0..<3) private func aSinkCalledByTwoThreadsAtOnceIsFreedOnceAndNotUsedAfter(_ end: Int) {
    let end = End.allCases[end]
    let lifetimes = Lifetimes()
    let (rounds, values) = (400, 20)
    let finished = Counter()
    for _ in 0..<rounds {
      let guarded = Guarded(lifetimes)
      let subscriber = Shared<AnySubscriber<Int, Never>?>(nil)
      let sink = Subscribers.Sink<Int, Never>(
        receiveCompletion: { _ in
          guarded.use()
          finished.add()
        }, receiveValue: { _ in guarded.use() })
      var cancellable: AnyCancellable?
      switch end {
      case .cancelSink: Careless(subscriber: subscriber).subscribe(sink)
      default:
        cancellable = Careless<Int>(subscriber: subscriber)
          .sink(
            receiveCompletion: { _ in
              guarded.use()
              finished.add()
            }, receiveValue: { _ in guarded.use() })
      }
      let called = subscriber.value!
      let isCancelled = Shared(cancellable)
      cancellable = nil
      onThreads(3) { thread in
        if thread < 2 {
          for value in 0..<values { _ = called.receive(value) }
        } else {
          switch end {
          case .cancel: isCancelled.value = nil
          case .finish: called.receive(completion: .finished)
          case .cancelSink: sink.cancel()
          }
        }
      }
      _ = called.receive(-1)
      isCancelled.value = nil
    }
    #expect(finished.value == (end == .finish ? rounds : 0))
  }

  /// The second thread calls while the first is in the operator's closure.
  @Test func anOperatorCalledByTwoThreadsAtOnceSaysSo() async {
    await #expect(processExitsWith: .failure) {
      let subscriber = Shared<AnySubscriber<String, Never>?>(nil)
      let sink = Careless(subscriber: subscriber)
        .scan("") { all, next in
          if next == "1" { onThreads(1) { _ in _ = subscriber.value?.receive("2") } }
          return all + next
        }
        .sink { _ in }
      _ = subscriber.value?.receive("1")
      sink.cancel()
    }
    await #expect(processExitsWith: .failure) {
      let subscriber = Shared<AnySubscriber<String, Never>?>(nil)
      let sink = Careless(subscriber: subscriber)
        .removeDuplicates { _, next in
          if next == "2" { onThreads(1) { _ in _ = subscriber.value?.receive("3") } }
          return false
        }
        .sink { _ in }
      for value in ["1", "2"] { _ = subscriber.value?.receive(value) }
      sink.cancel()
    }
    await #expect(processExitsWith: .failure) {
      let subscriber = Shared<AnySubscriber<String, Never>?>(nil)
      let sink = Careless(subscriber: subscriber)
        .reduce("") { all, next in
          if next == "1" { onThreads(1) { _ in subscriber.value?.receive(completion: .finished) } }
          return all + next
        }
        .sink { _ in }
      _ = subscriber.value?.receive("1")
      sink.cancel()
    }
  }

  /// They meet sooner or later.
  @Test func operatorsWithoutClosuresSayItToo() async {
    await #expect(processExitsWith: .failure) {
      let subscriber = Shared<AnySubscriber<String, Never>?>(nil)
      let sink = Careless(subscriber: subscriber).collect().sink { _ in }
      onThreads(2) { _ in while true { _ = subscriber.value!.receive("a string that is not kept in place") } }
      sink.cancel()
    }
    await #expect(processExitsWith: .failure) {
      let subscriber = Shared<AnySubscriber<String, Never>?>(nil)
      let sink = Careless(subscriber: subscriber).map { $0 }.prefix(.max).collect(3).sink { _ in }
      onThreads(2) { _ in while true { _ = subscriber.value!.receive("a string that is not kept in place") } }
      sink.cancel()
    }
  }

  /// The second thread calls while the first is in the scheduler, which runs the job at once.
  @Test func anOperatorOnASchedulerSaysItToo() async {
    await #expect(processExitsWith: .failure) {
      let subscriber = Shared<AnySubscriber<String, Never>?>(nil)
      let sink = Careless(subscriber: subscriber)
        .receive(on: ImmediateScheduler.shared)
        .sink { if $0 == "1" { onThreads(1) { _ in _ = subscriber.value?.receive("2") } } }
      _ = subscriber.value?.receive("1")
      sink.cancel()
    }
    await #expect(processExitsWith: .failure) {
      let subscriber = Shared<AnySubscriber<String, Never>?>(nil)
      let sink = Careless(subscriber: subscriber)
        .delay(for: 0, scheduler: ImmediateScheduler.shared)
        .sink { if $0 == "1" { onThreads(1) { _ in subscriber.value?.receive(completion: .finished) } } }
      _ = subscriber.value?.receive("1")
      sink.cancel()
    }
  }

  /// What a thread sends to its own source in an operator's closure is no breach.
  @Test func nestedValuesOfAForeignPublisherPass() {
    let subscriber = Shared<AnySubscriber<String, Never>?>(nil)
    let received = Shared([String]())
    let sink = Careless(subscriber: subscriber)
      .scan("") { all, next in
        if next == "1" { _ = subscriber.value?.receive("2") }
        return all + next
      }
      .sink { received.value.append($0) }
    _ = subscriber.value?.receive("1")
    _ = subscriber.value?.receive("3")
    #expect(received.value == ["2", "1", "13"])
    sink.cancel()
  }

  /// Serial calls of a foreign publisher may come from a new thread each time.
  @Test func serialValuesOfManyThreadsPass() {
    let subscriber = Shared<AnySubscriber<String, Never>?>(nil)
    let received = Shared([[String]]())
    let sink = Careless(subscriber: subscriber).collect(2).sink { received.value.append($0) }
    for number in 1...4 { onThreads(1) { _ in _ = subscriber.value?.receive("\(number)") } }
    #expect(received.value == [["1", "2"], ["3", "4"]])
    sink.cancel()
  }
}
