// Threads that send and end at once: the next one gets the memory of one that has ended, and its identity with it.

import TestKit
import Testing
import Weir
import WeirExtras
import WeirQueues

/// A thread's identity; reading it orders nothing.
private final class Identity { let word = AtomicWord(0) }

@Suite(.serialized) struct ShortLivedThreadsStressTests {
  private let lifetimes = Lifetimes()

  /// Sends from a thread long enough alone to own a gate, and once that is about to end from two at once, of which one
  /// often has its memory.
  ///
  /// - Returns: How many values were sent, in the order of their numbers by each of the three.
  private func sendFromShortLivedThreads(to subject: some Subject<Message, Never>) -> Int {
    let subject = Shared(subject)
    let ended = Counter()
    func start(_ sender: Int, _ count: Int) {
      // Nobody waits for the thread itself.
      _ = OtherThread { [lifetimes] in
        for number in 0..<count { subject.value.send(Message(sender: sender, number: number, lifetimes)) }
        ended.add()
      }
    }
    start(0, 100)
    ended.wait(for: 1)
    start(1, 50)
    start(2, 50)
    ended.wait(for: 3)
    return 200
  }

  private func expect(_ inbox: Inbox, has count: Int) {
    #expect(inbox.faults == 0)
    #expect(inbox.isInOrder)
    #expect(inbox.count == count)
  }

  @Test func aPassthroughSubjectTellsThemApart() {
    for _ in 0..<200 {
      let subject = PassthroughSubject<Message, Never>()
      let inbox = Inbox(senders: 3)
      let subscription = subject.sink { inbox.receive($0) }
      let sent = sendFromShortLivedThreads(to: subject)
      expect(inbox, has: sent)
      subscription.cancel()
    }
    #expect(lifetimes.live == 0)
  }

  @Test func aCurrentValueSubjectTellsThemApart() {
    for _ in 0..<200 {
      let subject = CurrentValueSubject<Message, Never>(Message(sender: 0, number: -1, lifetimes))
      let inbox = Inbox(senders: 3)
      let subscription = subject.sink { inbox.receive($0) }
      let sent = sendFromShortLivedThreads(to: subject)
      expect(inbox, has: sent + 1)
      subscription.cancel()
    }
    // A thread holds the subject, and with it the newest message, until it has ended.
    while lifetimes.live > 0 { yieldThread() }
  }

  @Test(arguments: [ContentionPolicy.wait, .handOver])
  func aReplaySubjectTellsThemApart(_ contention: ContentionPolicy) {
    for _ in 0..<100 {
      let subject = ReplaySubject<Message, Never>(bufferSize: 300, contention: contention)
      let (inbox, late) = (Inbox(senders: 3), Inbox(senders: 3))
      // What was handed over may come on another thread, behind the end of those who sent.
      let received = Counter()
      func listen(_ inbox: Inbox) -> AnyCancellable {
        subject.sink {
          inbox.receive($0)
          received.add()
        }
      }
      let subscription = listen(inbox)
      let sent = sendFromShortLivedThreads(to: subject)
      received.wait(for: sent)
      let second = listen(late)
      received.wait(for: 2 * sent)
      for inbox in [inbox, late] { expect(inbox, has: sent) }
      subscription.cancel()
      second.cancel()
    }
    while lifetimes.live > 0 { yieldThread() }
  }

  /// Threads that subscribe, get what is kept, send on top of it and end, as short as those before them.
  @Test func aReplaySubjectTellsThoseWhoSubscribeApart() {
    for _ in 0..<100 {
      let subject = Shared(ReplaySubject<Message, Never>(bufferSize: 300))
      let inboxes = (0..<4).map { _ in Inbox(senders: 4) }
      let ended = Counter()
      func start(_ sender: Int) {
        _ = OtherThread { [lifetimes] in
          let subscription = subject.value.sink { inboxes[sender].receive($0) }
          for number in 0..<30 { subject.value.send(Message(sender: sender, number: number, lifetimes)) }
          subscription.cancel()
          ended.add()
        }
      }
      start(0)
      ended.wait(for: 1)
      for sender in 1...3 { start(sender) }
      ended.wait(for: 4)
      for (sender, inbox) in inboxes.enumerated() {
        #expect(inbox.faults == 0)
        #expect(inbox.isInOrder)
        #expect(inbox.numbers[0] == Array(0..<30))
        #expect(inbox.numbers[sender] == Array(0..<30))
      }
    }
    while lifetimes.live > 0 { yieldThread() }
  }

  /// Who gets the identity of a thread that has ended gets the gate that this one owned, and sees what it did there:
  /// nothing else orders the two for ThreadSanitizer, which doesn't know how the C library passes on their memory.
  @Test func anHeirSeesWhatTheEndedOwnerDid() {
    expectHeirs { PassthroughSubject<Int, Never>() }
    expectHeirs { CurrentValueSubject<Int, Never>(-1) }
    expectHeirs { ReplaySubject<Int, Never>(bufferSize: 300) }
  }

  private func expectHeirs(of make: () -> some Subject<Int, Never>) {
    var heirs = 0
    for _ in 0..<10_000 where heirs < 50 {
      let subject = Shared(make())
      let received = Shared([Int]())
      let subscription = subject.value.filter { $0 >= 0 }.sink { received.value.append($0) }
      let identities = (0..<2).map { _ in Identity() }
      for (sender, identity) in identities.enumerated() {
        _ = OtherThread {
          for number in 0..<100 { subject.value.send(100 * sender + number) }
          identity.word.relaxedStore(currentThreadIdentity())
        }
        while identity.word.relaxedLoad() == 0 { yieldThread() }
        // It is about to end.
        for _ in 0..<20 { yieldThread() }
      }
      if identities[0].word.relaxedLoad() == identities[1].word.relaxedLoad() { heirs += 1 }
      subject.value.send(completion: .finished)
      #expect(received.value == Array(0..<200))
      subscription.cancel()
    }
    #expect(heirs > 0)
  }

  @Test func aSharedReplayTellsThemApart() {
    for _ in 0..<100 {
      let subject = PassthroughSubject<Message, Never>()
      let shared = subject.shareReplay(bufferSize: 300)
      let (inbox, late) = (Inbox(senders: 3), Inbox(senders: 3))
      let subscription = shared.sink { inbox.receive($0) }
      let sent = sendFromShortLivedThreads(to: subject)
      let second = shared.sink { late.receive($0) }
      for inbox in [inbox, late] { expect(inbox, has: sent) }
      subscription.cancel()
      second.cancel()
    }
    while lifetimes.live > 0 { yieldThread() }
  }
}
