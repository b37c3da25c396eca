// Threads that send and end at once: the next one gets the memory of one that has ended, and its identity with it.

import TestKit
import Testing
import Weir

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

  @Test func aPassthroughSubjectTellsThemApart() {
    for _ in 0..<200 {
      let subject = PassthroughSubject<Message, Never>()
      let inbox = Inbox(senders: 3)
      let subscription = subject.sink { inbox.receive($0) }
      let sent = sendFromShortLivedThreads(to: subject)
      #expect(inbox.faults == 0)
      #expect(inbox.isInOrder)
      #expect(inbox.count == sent)
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
      #expect(inbox.faults == 0)
      #expect(inbox.isInOrder)
      #expect(inbox.count == sent + 1)
      subscription.cancel()
    }
    // A thread holds the subject, and with it the newest message, until it has ended.
    while lifetimes.live > 0 { yieldThread() }
  }
}
