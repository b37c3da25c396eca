// Tests of `AnySendablePublisher`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct AnySendablePublisherTests {
  private enum Prices {
    private static let subject = PassthroughSubject<Int, Never>()
    static let all = subject.eraseToAnySendablePublisher()
    static func send(_ price: Int) { subject.send(price) }
  }

  /// That it compiles is half of the test: the closure of a detached task is `Sendable`.
  @Test func anotherTaskSubscribes() async {
    let received = Shared<[Int]>([])
    let token = await Task.detached { Prices.all.sink { received.value.append($0) } }.value
    Prices.send(7)
    token.cancel()
    Prices.send(8)
    #expect(received.value == [7])
  }

  @Test func passesOnEverySignal() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    AnySendablePublisher(subject).subscribe(recorder)
    recorder.request(.max(1))
    subject.send(1)
    subject.send(2)
    subject.send(completion: .failure(.first))
    #expect(recorder.log.dropFirst() == ["1", "failed first"])
  }
}
