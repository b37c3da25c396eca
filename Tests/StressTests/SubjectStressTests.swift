// Subjects that many threads use at once.

import TestKit
import Testing
import Weir

@Suite(.serialized) struct SubjectStressTests {
  private let lifetimes = Lifetimes()

  @Test(arguments: [2, 3, 5], [1, 3])
  func concurrentSendersLoseAndDuplicateNothing(senders: Int, sinks: Int) {
    let lifetimes = lifetimes
    let perSender = 12_000 / senders
    do {
      let subject = PassthroughSubject<Message, Never>()
      let inboxes = (0..<sinks).map { _ in Inbox(senders: senders) }
      let cancellables = inboxes.map { subject.sink(receiveValue: $0.receive) }
      onThreads(senders) { sender in
        for number in 0..<perSender { subject.send(Message(sender: sender, number: number, lifetimes)) }
      }
      for inbox in inboxes {
        #expect(inbox.faults == 0)
        #expect(inbox.numbers == Array(repeating: Array(0..<perSender), count: senders))
      }
      withExtendedLifetime(cancellables) {}
    }
    #expect(lifetimes.live == 0)
  }

  /// Nested sends go ahead of what other threads have handed over; nothing gets lost between the two.
  @Test func contendedSendsWithNestedSendsLoseNothing() {
    let lifetimes = lifetimes
    let senders = 3
    let perSender = 3_000
    do {
      let subject = PassthroughSubject<Message, Never>()
      let inbox = Inbox(senders: 2 * senders)
      let nesting = subject.sink { message in
        guard message.sender < senders else { return }
        subject.send(Message(sender: message.sender + senders, number: message.number, lifetimes))
      }
      let cancellable = subject.sink(receiveValue: inbox.receive)
      onThreads(senders) { sender in
        for number in 0..<perSender { subject.send(Message(sender: sender, number: number, lifetimes)) }
      }
      #expect(inbox.faults == 0)
      #expect(inbox.numbers == Array(repeating: Array(0..<perSender), count: 2 * senders))
      nesting.cancel()
      cancellable.cancel()
    }
    #expect(lifetimes.live == 0)
  }

  /// With limited demand values may be dropped, but none beyond the demand arrives.
  @Test func demandIsNeverExceeded() {
    let lifetimes = lifetimes
    let subject = PassthroughSubject<Message, Never>()
    let recorder = RecordingSubscriber(of: Message.self, failingWith: Never.self)
    subject.subscribe(recorder)
    let requested = Counter()
    onThreads(4) { thread in
      for number in 0..<2_000 {
        if thread < 2 {
          subject.send(Message(sender: thread, number: number, lifetimes))
        } else if number.isMultiple(of: 4) {
          requested.add()
          recorder.request(.max(1))
        }
      }
    }
    #expect(recorder.values.count <= requested.value)
    let before = recorder.values.count
    for number in 0..<2_000 { subject.send(Message(sender: 9, number: number, lifetimes)) }
    #expect(recorder.values.count == requested.value)
    #expect(before <= requested.value)
    recorder.cancel()
  }

  @Test func subscribersComeAndGoWhileOthersSend() {
    let lifetimes = lifetimes
    let faults = Counter()
    do {
      let subject = PassthroughSubject<Message, Never>()
      let steady = Inbox(senders: 2)
      let steadyCancellable = subject.sink(receiveValue: steady.receive)
      let perSender = 4_000
      onThreads(4) { thread in
        var random = SplitMix(seed: UInt64(thread))
        if thread < 2 {
          for number in 0..<perSender { subject.send(Message(sender: thread, number: number, lifetimes)) }
        } else {
          for _ in 0..<800 {
            let guarded = lifetimes.track(7)
            let inbox = Inbox(senders: 2)
            let cancellable = subject.sink { message in
              if guarded.number != 7 { faults.add() }
              inbox.receive(message)
            }
            for _ in 0..<Int.random(in: 0...20, using: &random) { _ = faults.value }
            if Bool.random(using: &random) { cancellable.cancel() }
            withExtendedLifetime(cancellable) {}
            faults.add(inbox.faults)
          }
        }
      }
      #expect(steady.faults == 0)
      #expect(steady.numbers == Array(repeating: Array(0..<perSender), count: 2))
      #expect(faults.value == 0)
      steadyCancellable.cancel()
    }
    #expect(lifetimes.live == 0)
  }

  /// Everything at once; whatever order the threads meet in, each subscriber sees values in order, then one completion.
  @Test func completingWhileOthersSendSubscribeAndCancel() {
    let lifetimes = lifetimes
    for round in 0..<250 {
      do {
        let subject = PassthroughSubject<Message, TestFailure>()
        let early = Inbox(senders: 2)
        let earlyCancellable = subject.sink(receiveCompletion: { _ in early.complete() }, receiveValue: early.receive)
        let late = (0..<10).map { _ in Inbox(senders: 2) }
        let kept = Shared([AnyCancellable]())
        onThreads(4) { thread in
          var random = SplitMix(seed: UInt64(round * 4 + thread))
          switch thread {
          case 0, 1: for number in 0..<40 { subject.send(Message(sender: thread, number: number, lifetimes)) }
          case 2:
            for (index, inbox) in late.enumerated() {
              let cancellable = subject.sink(
                receiveCompletion: { _ in inbox.complete() }, receiveValue: inbox.receive)
              if index.isMultiple(of: 3) { cancellable.cancel() } else { kept.value.append(cancellable) }
            }
          default:
            for _ in 0..<Int.random(in: 0...300, using: &random) { _ = early.faults }
            subject.send(completion: .finished)
          }
        }
        #expect(early.completions == 1)
        for (index, inbox) in ([early] + late).enumerated() {
          #expect(inbox.faults == 0)
          #expect(inbox.isInOrder)
          let cancelsItself = index > 0 && (index - 1).isMultiple(of: 3)
          #expect(inbox.completions == 1 || (cancelsItself && inbox.completions == 0))
        }
        subject.send(Message(sender: 0, number: 99, lifetimes))
        #expect(early.numbers[0].last != 99)
        earlyCancellable.cancel()
        kept.value = []
      }
      #expect(lifetimes.live == 0)
    }
  }

  /// One thread drops the only reference to the cancellable while another sends.
  @Test func droppingTheCancellableWhileValuesFlow() {
    let lifetimes = lifetimes
    let faults = Counter()
    for _ in 0..<500 {
      let subject = PassthroughSubject<Message, Never>()
      let kept: Shared<AnyCancellable?>
      do {
        let guarded = lifetimes.track(11)
        kept = Shared(subject.sink { if guarded.number != 11 || !$0.isIntact { faults.add() } })
      }
      let started = Counter()
      onThreads([
        {
          for number in 0..<60 {
            subject.send(Message(sender: 0, number: number, lifetimes))
            started.add()
          }
        },
        {
          started.wait(for: 5)
          kept.value = nil
        },
      ])
      #expect(lifetimes.live == 0)
    }
    #expect(faults.value == 0)
  }

  /// A whole chain is cancelled from several threads; the upstream hears of it once.
  @Test func cancellingFromManyThreadsCancelsTheUpstreamOnce() {
    for _ in 0..<300 {
      let publisher = ScriptedPublisher(of: Int.self, failingWith: Never.self)
      let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
      publisher.map { $0 + 1 }.subscribe(sink)
      onThreads(3) { _ in sink.cancel() }
      #expect(publisher.subscription?.history == [.requested(.unlimited), .cancelled])
    }
  }
}
