// Tests that a sender passes a subscriber that its own thread has cancelled, through all that stands between.

import TestKit
import Testing
import WeirQueues

@testable import Weir

@Suite struct CancellingMeanwhileTests {
  private typealias Relay = PassthroughSubject<Int, Never>

  /// Sends 1 to a subject whose sink has another thread cancel it, and then do something that must come back.
  ///
  /// - Parameters:
  ///   - stream: What the sink subscribes to.
  ///   - subject: Where 1 is sent.
  ///   - prepare: What is done before that.
  ///   - body: What the other thread does.
  /// - Returns: What the sink received.
  private func values(
    of stream: some Publisher<Int, Never>, through subject: Relay, after prepare: () -> Void = {},
    cancelledThen body: @escaping () -> Void
  ) -> [Int] {
    let values = Shared([Int]())
    let own = Shared<AnyCancellable?>(nil)
    own.value = stream.sink { value in
      values.value.append(value)
      guard values.value.count == 1 else { return }
      let other = OtherThread {
        own.value?.cancel()
        body()
      }
      #expect(other.comesBack(), "a send waits for a subscriber that its thread has cancelled")
    }
    prepare()
    subject.send(1)
    own.value = nil
    return values.value
  }

  @Test(arguments: ThreadSafetyTests.Joining.allCases)
  func aSenderPassesWhatItHasCancelledBehindWhatJoinsStreams(_ joining: ThreadSafetyTests.Joining) {
    let left = Relay(), right = Relay()
    let received = values(of: joining.join(left, right), through: left, after: { right.send(0) }) {
      left.send(4)
      right.send(5)
      left.send(completion: .finished)
    }
    #expect(received == [1])
  }

  @Test(arguments: Between.allCases)
  func aSenderPassesWhatItHasCancelledBehindOtherOperators(_ between: Between) {
    let left = Relay(), right = Relay()
    let received = values(of: between.stream(of: left).merge(with: right), through: left) {
      left.send(2)
      right.send(3)
    }
    #expect(received == [1])
  }

  /// What stands between a subject and the operator that joins it with another one.
  enum Between: CaseIterable, Sendable {
    case map, scan, dropFirst, append, prepend, catching, retry, merge, zip, buffer, untilOutput, erasure

    func stream(of subject: PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never> {
      let never = Empty<Int, Never>(completeImmediately: false)
      return switch self {
      case .map: subject.map { $0 }.eraseToAnyPublisher()
      case .scan: subject.scan(0) { $0 + $1 }.eraseToAnyPublisher()
      case .dropFirst: subject.dropFirst(0).eraseToAnyPublisher()
      case .append: subject.append(never).eraseToAnyPublisher()
      case .prepend: subject.prepend(Empty()).eraseToAnyPublisher()
      case .catching: subject.setFailureType(to: Stop.self).catch { _ in never }.eraseToAnyPublisher()
      case .retry: subject.setFailureType(to: Stop.self).retry(1).assertNoFailure().eraseToAnyPublisher()
      case .merge: subject.merge(with: never).merge(with: never).eraseToAnyPublisher()
      case .zip: subject.zip([1, 1, 1].publisher).map { $0 * $1 }.eraseToAnyPublisher()
      case .buffer: subject.buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
      case .untilOutput: subject.prefix(untilOutputFrom: never).eraseToAnyPublisher()
      case .erasure: subject.eraseToAnyPublisher()
      }
    }

    struct Stop: Error {}
  }

  /// Where a sink that is being given its first value waits for the thread that cancels it.
  @Test func aSenderPassesWhatItHasCancelledWithinItsFirstValue() {
    let latest = CurrentValueSubject<Int, Never>(1)
    let own = Shared<AnyCancellable?>(nil)
    let received = Shared([Int]())
    let sent = Counter()
    let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }) { value in
      received.value.append(value)
      guard received.value.count == 1 else { return }
      let other = OtherThread {
        own.value?.cancel()
        latest.send(2)
        latest.send(completion: .finished)
        sent.add()
      }
      #expect(other.comesBack(), "a send waits for a subscriber that its thread has cancelled")
    }
    own.value = AnyCancellable(sink)
    latest.merge(with: Empty(completeImmediately: false)).subscribe(sink)
    #expect(received.value == [1])
    #expect(sent.value == 1)
    own.value = nil
  }

  @Test func aSubscriptionThatIsKeptKeepsNoOperator() {
    let left = Relay(), right = Relay()
    weak var closure: Token?
    var kept: [any Subscription] = []
    do {
      let token = Token()
      closure = token
      let sink = left.append(right)
        .handleEvents(receiveSubscription: { kept.append($0) })
        .merge(with: Empty(completeImmediately: false))
        .handleEvents(receiveSubscription: { kept.append($0) })
        .buffer(size: 1, prefetch: .byRequest, whenFull: .customError { token.never() })
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(token) {} })
      #expect(closure != nil)
      sink.cancel()
    }
    #expect(kept.count == 2)
    #expect(closure == nil)
  }

  /// The streams are cancelled by the thread that cancels, before its `cancel` returns, as their cancellation may wait
  /// for the one that is delivering.
  @Test(arguments: ThreadSafetyOperatorTests.Joining.allCases)
  func whoCancelsCancelsTheStreamsItself(_ joining: ThreadSafetyOperatorTests.Joining) {
    let left = Relay(), right = Relay()
    let log = Shared([Int]())
    let own = Shared<AnyCancellable?>(nil)
    let cancelled = { log.value.append(currentThreadIdentity()) }
    let stream = joining.join(
      left.handleEvents(receiveCancel: cancelled).eraseToAnyPublisher(),
      right.handleEvents(receiveCancel: cancelled).eraseToAnyPublisher())
    own.value = stream.sink { _ in
      let identity = Shared(0), count = Shared(0)
      let other = OtherThread {
        identity.value = currentThreadIdentity()
        own.value?.cancel()
        count.value = log.value.count
      }
      #expect(other.comesBack())
      #expect(count.value == 2, "cancelled when `cancel` has returned")
      #expect(log.value.allSatisfy { $0 == identity.value })
    }
    if joining.needsBoth { right.send(0) }
    left.send(1)
    #expect(log.value.count == 2, "each once")
    own.value = nil
  }

  private final class Token {
    func never() -> Never { fatalError("nothing is full here") }
  }

  /// They were cancelled when the delivery was over.
  @Test func whatIsCancelledWithinADeliveryIsCancelledAtOnceWhateverOthersHaveLeft() {
    let (first, second) = (Relay(), Relay())
    let (worked, own) = (Shared(0), Shared<AnyCancellable?>(nil))
    own.value = first.handleEvents(receiveOutput: { _ in worked.value += 1 }).merge(with: second).sink { value in
      guard value == 1 else { return }
      #expect(OtherThread { second.send(completion: .finished) }.comesBack())
      own.value?.cancel()
      first.send(2)
    }
    first.send(1)
    #expect(worked.value == 1)
  }
}
