// Streams that move to dispatch queues.

import Dispatch
import TestKit
import Testing
import Weir
import WeirDispatch

@Suite(.serialized) struct ReceiveOnStressTests {
  private let lifetimes = Lifetimes()

  static let queues: [DispatchQueue] = [
    DispatchQueue(label: "stress.serial"), DispatchQueue(label: "stress.concurrent", attributes: .concurrent),
    .global(),
  ]

  @Test(arguments: queues)
  func keepsOrderAndLosesNothing(queue: DispatchQueue) {
    let lifetimes = lifetimes
    do {
      let subject = PassthroughSubject<Message, Never>()
      let inbox = Inbox(senders: 1)
      let finished = DispatchSemaphore(value: 0)
      let cancellable = subject.receive(on: queue)
        .sink(
          receiveCompletion: { _ in
            inbox.complete()
            finished.signal()
          }, receiveValue: inbox.receive)
      for number in 0..<30_000 { subject.send(Message(sender: 0, number: number, lifetimes)) }
      subject.send(completion: .finished)
      finished.wait()
      #expect(inbox.faults == 0)
      #expect(inbox.numbers == [Array(0..<30_000)])
      #expect(inbox.completions == 1)
      cancellable.cancel()
    }
    Self.settle(queue, lifetimes)
  }

  /// Several threads feed one subject, whose stream moves to a concurrent queue: the gate keeps the mailbox's producer
  /// alone.
  @Test func manySendersIntoOneMailbox() {
    let lifetimes = lifetimes
    let senders = 3
    let perSender = 4_000
    do {
      let subject = PassthroughSubject<Message, Never>()
      let inbox = Inbox(senders: senders)
      let finished = DispatchSemaphore(value: 0)
      let cancellable = subject.receive(on: DispatchQueue.global())
        .sink(receiveCompletion: { _ in finished.signal() }, receiveValue: inbox.receive)
      onThreads(senders) { sender in
        for number in 0..<perSender { subject.send(Message(sender: sender, number: number, lifetimes)) }
      }
      subject.send(completion: .finished)
      finished.wait()
      #expect(inbox.faults == 0)
      #expect(inbox.numbers == Array(repeating: Array(0..<perSender), count: senders))
      cancellable.cancel()
    }
    Self.settle(.global(), lifetimes)
  }

  @Test func returnedDemandKeepsALimitedStreamGoing() {
    let finished = DispatchSemaphore(value: 0)
    let recorder = RecordingSubscriber(.max(1), perValue: .max(1), of: Int.self, failingWith: Never.self)
    recorder.onCompletion = { _ in finished.signal() }
    (0..<20_000).publisher.receive(on: DispatchQueue.global()).subscribe(recorder)
    finished.wait()
    #expect(recorder.values == Array(0..<20_000))
  }

  /// The cancellation meets the job at every stage; afterwards nothing arrives and nothing is left.
  @Test func cancellingRacesDelivery() {
    let lifetimes = lifetimes
    let queue = Self.queues[1]
    let faults = Counter()
    for round in 0..<600 {
      do {
        let subject = PassthroughSubject<Message, Never>()
        let guarded = lifetimes.track(5)
        let inbox = Inbox(senders: 1)
        let cancellable = subject.receive(on: queue)
          .sink { message in
            if guarded.number != 5 { faults.add() }
            inbox.receive(message)
          }
        let sent = Counter()
        onThreads([
          {
            for number in 0..<60 {
              subject.send(Message(sender: 0, number: number, lifetimes))
              sent.add()
            }
          },
          {
            sent.wait(for: round % 50)
            cancellable.cancel()
          },
        ])
        // What was under way may still run; a barrier passes when it is over.
        queue.sync(flags: .barrier) {}
        faults.add(inbox.faults)
        #expect(inbox.isInOrder)
        let received = inbox.count
        subject.send(Message(sender: 0, number: 999, lifetimes))
        queue.sync(flags: .barrier) {}
        #expect(inbox.count == received)
      }
      #expect(lifetimes.live == 0)
    }
    #expect(faults.value == 0)
  }

  /// Waits until the job that delivered the completion has let go of what it held; hangs if it never does.
  private static func settle(_ queue: DispatchQueue, _ lifetimes: Lifetimes) {
    while lifetimes.live > 0 {
      queue.sync(flags: .barrier) {}
      yieldThread()
    }
  }
}
