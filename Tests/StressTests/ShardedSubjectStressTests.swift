// Senders with lanes of their own, on an event loop and on a concurrent queue, with heap payloads.

import Dispatch
import TestKit
import Testing
import Weir
import WeirDispatch
import WeirExtras

@Suite(.serialized) struct ShardedSubjectStressTests {
  private let lifetimes = Lifetimes()

  private func check(_ scheduler: some Scheduler) {
    let (senders, perSender) = (3, 20_000)
    let inbox = Inbox(senders: senders)
    do {
      let subject = ShardedSubject<Message, Never>(on: scheduler)
      let finished = DispatchSemaphore(value: 0)
      let token = subject.sink(
        receiveCompletion: { _ in
          inbox.complete()
          finished.signal()
        }, receiveValue: inbox.receive)
      onThreads(senders) { [lifetimes] sender in
        var random = SplitMix(seed: UInt64(sender))
        let lane = subject.makeLane()
        for number in 0..<perSender {
          lane.send(Message(sender: sender, number: number, lifetimes))
          // So that lanes are left, and found again.
          if random.next() % 64 == 0 { for _ in 0..<random.next() % 64 { yieldThread() } }
        }
      }
      subject.send(completion: .finished)
      finished.wait()
      token.cancel()
    }
    #expect(inbox.faults == 0)
    #expect(inbox.numbers == Array(repeating: Array(0..<perSender), count: senders))
    #expect(inbox.completions == 1)
  }

  @Test func losesNothingOnAnEventLoop() {
    let loop = EventLoopScheduler()
    check(loop)
    loop.shutDown()
    #expect(lifetimes.live == 0)
  }

  @Test func losesNothingOnAConcurrentQueue() {
    let queue = DispatchQueue(label: "stress.shards", attributes: .concurrent)
    check(queue)
    queue.sync(flags: .barrier) {}
    #expect(lifetimes.live == 0)
  }
}
