// Tests of what the documentation page `StreamsAndConcurrency.md` says and no other test shows; `Tests/pages.csv` has
// all of its lines.

import Dispatch
import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct StreamsAndConcurrencyTests {
  @MainActor @Test func aSubjectDropsWhatItIsSentBetweenTheCalls() async {
    let (numbers, asked) = (PassthroughSubject<Int, Never>(), Counter())
    let first = Task {
      var iterator = numbers.handleEvents(receiveRequest: { _ in asked.add() }).values.makeAsyncIterator()
      numbers.send(1)
      return await iterator.next()
    }
    while asked.value == 0 { await Task.yield() }
    numbers.send(2)
    #expect(await first.value == 2)
  }

  private struct UncheckedPromise<Output>: @unchecked Sendable {
    let resolve: (Result<Output, any Error>) -> Void
    init(_ resolve: @escaping (Result<Output, any Error>) -> Void) { self.resolve = resolve }
  }

  private func published(
    _ load: @escaping @Sendable () async throws -> [String]
  ) -> some Publisher<[String], any Error> {
    Deferred {
      Future<[String], any Error> { promise in
        let promise = UncheckedPromise(promise)
        Task {
          do { promise.resolve(.success(try await load())) } catch { promise.resolve(.failure(error)) }
        }
      }
    }
  }

  @Test func whatAsynchronousCodeReturnsOrThrowsIsAStream() async throws {
    let loads = Counter()
    let names = published {
      loads.add()
      return ["a", "b"]
    }
    #expect(loads.value == 0)
    #expect(try await names.firstValue() == ["a", "b"])
    #expect(loads.value == 1)
    await #expect(throws: TestFailure.first) { try await published { throw TestFailure.first }.firstValue() }
  }

  private enum Sender {
    @TaskLocal static var name = "nobody"
  }

  @Test func aValueIsDeliveredInTheTaskOfItsSenderBeforeSendReturns() async {
    let numbers = PassthroughSubject<Int, Never>()
    let log = Log<String>()
    let token = numbers.sink { log.add("\($0) of \(Sender.name)") }
    Sender.$name.withValue("Ann") {
      numbers.send(1)
      #expect(log.all == ["1 of Ann"])
    }
    await MainActor.run {
      numbers.send(2)
      #expect(log.all == ["1 of Ann", "2 of nobody"])
    }
    token.cancel()
  }

  @MainActor @Test func whatCodeOfAnActorMakesIsDeliveredOnThePool() async {
    let mainQueue = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mainQueue, value: true)
    defer { DispatchQueue.main.setSpecific(key: mainQueue, value: nil) }
    let isOnMain = Log<Bool>()
    @Sendable func note() { isOnMain.add(DispatchQueue.getSpecific(key: mainQueue) ?? false) }
    var runs = 0
    let mapped = Just(1).mapAsync { _ in runs += 1 }.sink { @Sendable in note() }
    let made = asyncToPublisher { runs += 1 }
      .sink(receiveCompletion: { @Sendable _ in }, receiveValue: { @Sendable in note() })
    let elements = AnyPublisher.fromAsyncSequence(Just(1).values)
      .sink(receiveCompletion: { @Sendable _ in }, receiveValue: { @Sendable _ in note() })
    await untilTrue { @Sendable in isOnMain.all.count == 3 }
    #expect(isOnMain.all == [false, false, false])
    #expect(runs == 2)
    for token in [mapped, made, elements] { token.cancel() }
  }

  @MainActor private final class Box {
    var number = 0
  }

  @MainActor @Test func anAssignmentIsMadeOnTheSendersThreadUnchecked() {
    let (numbers, box) = (PassthroughSubject<Int, Never>(), Box())
    let token = numbers.assign(to: \.number, on: box)
    #expect(OtherThread { numbers.send(1) }.comesBack())
    #expect(box.number == 1)
    token.cancel()
  }

  private func isSendable<Value>(_: Value.Type) -> Bool { false }
  /// The compiler takes this one where it may.
  private func isSendable<Value: Sendable>(_: Value.Type) -> Bool { true }

  @Test func subjectsOfSendableValuesAndTokensAreSendable() {
    #expect(isSendable(PassthroughSubject<Int, TestFailure>.self))
    #expect(isSendable(CurrentValueSubject<Int, TestFailure>.self))
    #expect(isSendable(Future<Int, TestFailure>.self))
    #expect(isSendable(PassthroughRelay<Int>.self))
    #expect(isSendable(CurrentValueRelay<Int>.self))
    #expect(isSendable(ReplaySubject<Int, TestFailure>.self))
    #expect(isSendable(PublishedState<Int>.self))
    #expect(isSendable(AnyCancellable.self))
    #expect(isSendable(EventChannel<Int>.self))
    #expect(isSendable(EventBus.self))
  }

  /// What may not go from one thread to another may not do so by way of these.
  @Test func streamsOfOtherValuesAreNot() {
    #expect(!isSendable(PassthroughSubject<Unsendable, TestFailure>.self))
    #expect(!isSendable(CurrentValueSubject<Unsendable, TestFailure>.self))
    #expect(!isSendable(PassthroughRelay<Unsendable>.self))
    #expect(!isSendable(CurrentValueRelay<Unsendable>.self))
    #expect(!isSendable(ReplaySubject<Unsendable, TestFailure>.self))
    #expect(!isSendable(PublishedState<Unsendable>.self))
    #expect(!isSendable(EventChannel<Unsendable>.self))
  }

  private final class Unsendable {
    var number = 0
  }
}
