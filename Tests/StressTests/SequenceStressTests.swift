// Sequences whose demand comes from many threads.

import TestKit
import Testing
import Weir

@Suite(.serialized) struct SequenceStressTests {
  private let lifetimes = Lifetimes()

  @Test func requestsFromManyThreadsDeliverEachElementOnceInOrder() {
    let lifetimes = lifetimes
    for round in 0..<20 {
      let messages = (0..<3_000).map { Message(sender: 0, number: $0, lifetimes) }
      let inbox = Inbox(senders: 1)
      let subscription = Shared<(any Subscription)?>(nil)
      messages.publisher.subscribe(
        AnySubscriber<Message, Never>(
          receiveSubscription: { subscription.value = $0 },
          receiveValue: {
            inbox.receive($0)
            return $0.number.isMultiple(of: 10) ? .max(1) : .none
          }, receiveCompletion: { _ in inbox.complete() }))
      let requests = Counter()
      onThreads(3) { thread in
        var random = SplitMix(seed: UInt64(round * 3 + thread))
        for _ in 0..<100 {
          let count = Int.random(in: 1...12, using: &random)
          requests.add(count)
          subscription.value!.request(.max(count))
        }
      }
      // Every tenth element returns one more: the number of elements delivered follows from the demand alone.
      var expected = 0
      var demand = requests.value
      while expected < 3_000, demand > 0 {
        demand -= expected.isMultiple(of: 10) ? 0 : 1
        expected += 1
      }
      #expect(inbox.faults == 0)
      #expect(inbox.numbers[0] == Array(0..<expected))
      #expect(inbox.completions == (expected == 3_000 ? 1 : 0))
      subscription.value!.cancel()
    }
    #expect(lifetimes.live == 0)
  }

  @Test func cancellingWhileOtherThreadsRequestFreesEverything() {
    let lifetimes = lifetimes
    for round in 0..<300 {
      let inbox = Inbox(senders: 1)
      let subscription = Shared<(any Subscription)?>(nil)
      do {
        let messages = (0..<200).map { Message(sender: 0, number: $0, lifetimes) }
        messages.publisher.subscribe(
          AnySubscriber<Message, Never>(
            receiveSubscription: { subscription.value = $0 },
            receiveValue: {
              inbox.receive($0)
              return .none
            }, receiveCompletion: { _ in inbox.complete() }))
      }
      onThreads(3) { thread in
        var random = SplitMix(seed: UInt64(round * 3 + thread))
        if thread == 0 {
          for _ in 0..<Int.random(in: 0...200, using: &random) { _ = inbox.faults }
          subscription.value!.cancel()
        } else {
          for _ in 0..<20 { subscription.value!.request(.max(Int.random(in: 1...3, using: &random))) }
        }
      }
      #expect(inbox.faults == 0)
      #expect(inbox.isInOrder)
      #expect(inbox.completions == 0)
      #expect(lifetimes.live == 0)
    }
  }
}
