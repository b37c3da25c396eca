// Tests of `firstValue` and `async`.

import TestKit
import Testing
import Weir
import WeirExtras
import WeirQueues

@Suite struct FirstValueTests {
  private let lifetimes = Lifetimes()

  @Test func asksForOneValueAndCancels() async throws {
    let source = ScriptedPublisher<Int, TestFailure>()
    source.subscription?.onRequest = { _ in source.send(7) }
    #expect(try await source.firstValue() == 7)
    #expect(source.subscription?.history == [.requested(.max(1)), .cancelled])
  }

  /// The commonly copied version waited for ever.
  @Test func anEmptyStreamThrows() async {
    await #expect(throws: NoValueError()) { try await Empty<Int, TestFailure>().firstValue() }
    await #expect(throws: NoValueError()) { try await Empty<Int, any Error>().async() }
    #expect("\(NoValueError())" == "the stream finished without a value")
  }

  /// The commonly copied version never returned nil: it waited for ever.
  @Test func anEmptyStreamThatCannotFailGivesNil() async {
    let value: Int? = await Empty<Int, Never>().firstValue()
    #expect(value == nil)
  }

  @Test func bothFormsCompileForAStreamThatCannotFail() async throws {
    let plain = await Just(1).firstValue()
    let optional: Int? = await Just(2).firstValue()
    let throwing: Int = try await Just(3).firstValue()
    #expect(plain == .some(1) && optional == 2 && throwing == 3)
    await #expect(throws: NoValueError()) {
      let _: Int = try await Empty<Int, Never>().firstValue()
    }
  }

  @Test func passesAnErrorOn() async {
    await #expect(throws: TestFailure.second) { try await Fail<Int, TestFailure>(error: .second).firstValue() }
    await #expect(throws: TestFailure.first) { try await Fail<Int, any Error>(error: TestFailure.first).async() }
  }

  /// The commonly copied version took no notice.
  @Test func cancellingTheTaskCancelsTheStream() async {
    let (asked, cancelled) = (Counter(), Counter())
    let task = Task {
      try await PassthroughSubject<Int, TestFailure>()
        .handleEvents(receiveCancel: { cancelled.add() }, receiveRequest: { _ in asked.add() }).firstValue()
    }
    await untilTrue { asked.value == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(cancelled.value == 1)
    let optional = Task {
      await PassthroughSubject<Int, Never>().handleEvents(receiveRequest: { _ in asked.add() }).firstValue()
    }
    await untilTrue { asked.value == 2 }
    optional.cancel()
    #expect(await optional.value == nil)
  }

  /// The commonly copied version leaked the subscription of a synchronous publisher.
  @Test func nothingIsKept() async throws {
    do {
      let tracked = lifetimes.track(4)
      let value = try await Just(tracked).setFailureType(to: TestFailure.self).map(\.number).firstValue()
      #expect(value == 4)
    }
    #expect(lifetimes.live == 0)
  }

  /// Counts the subscribers that have asked for their value, which `firstValue` does as it subscribes.
  private struct CountingPublisher: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure

    let upstream: PassthroughSubject<Int, TestFailure>
    let asked: Counter

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
      upstream.subscribe(subscriber)
      asked.add()
    }
  }

  /// In the commonly copied version these threads wrote the same variables.
  @Test func valuesAndEndsOfManyThreadsGiveOneValue() async throws {
    for round in 0..<50 {
      let subject = PassthroughSubject<Int, TestFailure>()
      let asked = Counter()
      let task = Task { [stream = Unchecked(CountingPublisher(upstream: subject, asked: asked))] in
        try await stream.value.firstValue()
      }
      await untilTrue { asked.value == 1 }
      onThreads(8) { number in
        subject.send(round)
        if number == 7 { subject.send(completion: .finished) }
      }
      let value = try await task.value
      #expect(value == round)
    }
  }
}
