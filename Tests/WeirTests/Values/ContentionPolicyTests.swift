// Tests of what senders do while another thread is delivering.

import TestKit
import Testing
import Weir

@Suite struct ContentionPolicyTests {
  /// A way to send to a subject of either kind.
  private struct Source {
    let send: (Int) -> Void
    let depth: () -> Int
    let publisher: AnyPublisher<Int, Never>

    init(passthrough policy: ContentionPolicy) {
      let subject = PassthroughSubject<Int, Never>(contention: policy)
      (send, depth, publisher) = (subject.send, { subject.handOverDepth }, subject.eraseToAnyPublisher())
    }

    init(currentValue policy: ContentionPolicy) {
      let subject = CurrentValueSubject<Int, Never>(0, contention: policy)
      (send, depth) = (subject.send, { subject.handOverDepth })
      publisher = subject.filter { $0 != 0 }.eraseToAnyPublisher()
    }

    static func all(_ policy: ContentionPolicy) -> [Source] {
      [Source(passthrough: policy), Source(currentValue: policy)]
    }
  }

  /// One sink stalls in its first value until other threads are done with what they send meanwhile.
  @Test func underHandOverSendersReturnWhileASinkStalls() {
    for source in Source.all(.handOver) {
      let values = Shared([Int]())
      let sink = source.publisher.sink { value in
        values.value.append(value)
        guard value == 1 else { return }
        onThreads(2) { number in for index in 0..<50 { source.send(100 * (number + 1) + index) } }
        #expect(source.depth() == 100)
      }
      source.send(1)
      // With much to do, another thread goes on.
      while source.depth() > 0 { yieldThread() }
      #expect(values.value.count == 101)
      for number in 1...2 {
        #expect(values.value.filter { $0 / 100 == number } == (0..<50).map { 100 * number + $0 })
      }
      sink.cancel()
    }
  }

  @Test func underWaitSendersBlockUntilTheDeliveryIsOver() {
    for source in Source.all(.wait) {
      let values = Shared([Int]())
      let stage = Counter()
      let sink = source.publisher.sink { value in
        values.value.append(value)
        guard value == 1 else { return }
        stage.add()
        // The other thread is about to send, and can't get through while this delivery lasts.
        stage.wait(for: 2)
        for _ in 0..<200 { yieldThread() }
        #expect(values.value == [1])
      }
      onThreads([
        { source.send(1) },
        {
          stage.wait(for: 1)
          stage.add()
          source.send(2)
          #expect(values.value.contains(2), "delivered when `send` returns")
        },
      ])
      #expect(values.value == [1, 2])
      #expect(source.depth() == 0)
      sink.cancel()
    }
  }

  @Test func underWaitEverySenderDeliversItsOwnValues() {
    for source in Source.all(.wait) {
      let delivered = Shared([Int]())
      let sender = Shared(-1)
      let strangers = Counter()
      let sink = source.publisher.sink { value in
        if sender.value != -1 { strangers.add() }
        sender.value = value
        delivered.value.append(value)
        sender.value = -1
      }
      onThreads(3) { number in for index in 1...2_000 { source.send(10_000 * number + index) } }
      #expect(strangers.value == 0)
      for number in 0..<3 {
        #expect(delivered.value.filter { $0 / 10_000 == number } == (1...2_000).map { 10_000 * number + $0 })
      }
      sink.cancel()
    }
  }

  @Test func underWaitANestedSendIsDeliveredAtOnce() {
    for source in Source.all(.wait) {
      var values: [Int] = []
      let sink = source.publisher.sink { value in
        values.append(value)
        if value < 4 { source.send(value + 1) }
        values.append(-value)
      }
      source.send(1)
      #expect(values == [1, 2, 3, 4, -4, -3, -2, -1])
      sink.cancel()
    }
  }

  @Test func underWaitCancellationsDoNotWait() {
    let subject = PassthroughSubject<Int, Never>(contention: .wait)
    let other = Shared<AnyCancellable?>(nil)
    let values = Shared([Int]())
    let first = subject.sink { _ in onThreads(1) { _ in other.value?.cancel() } }
    other.value = subject.sink { values.value.append($0) }
    subject.send(1)
    subject.send(2)
    #expect(values.value == [])
    first.cancel()
  }

  @Test func underWaitTheCompletionEndsTheStreamOnce() {
    for _ in 0..<100 {
      let subject = CurrentValueSubject<Int, Never>(0, contention: .wait)
      let completions = Counter()
      let sink = subject.sink(receiveCompletion: { _ in completions.add() }, receiveValue: { _ in })
      onThreads(3) { number in
        subject.send(number)
        subject.send(completion: .finished)
        subject.send(number)
      }
      #expect(completions.value == 1)
      sink.cancel()
    }
  }
}
