// Tests that a sender passes a subscriber that its own thread has cancelled, through all that stands between.

import TestKit
import Testing

@testable import Weir

@Suite struct JoinerSlotTests {
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

  @Test func nothingKeepsTheOperatorAfterTheEnd() {
    let left = Relay(), right = Relay()
    let ended = Shared(0)
    weak var link: Link?
    var sink: AnyCancellable? = left.merge(with: right)
      .handleEvents(receiveSubscription: { link = $0 as? Link })
      .merge(with: Empty(completeImmediately: false))
      .sink(receiveCompletion: { _ in ended.value += 1 }, receiveValue: { _ in })
    #expect(link != nil)
    sink?.cancel()
    sink = nil
    #expect(link == nil)
    #expect(ended.value == 0)
  }
}
