// Threads that send and end at once: the next one gets the memory of one that has ended, and its identity with it.

import TestKit
import Testing
import Weir

@Suite(.serialized) struct ShortLivedThreadsStressTests {
  private let lifetimes = Lifetimes()

  /// Threads that nobody waits for, each of which ends behind its values; several at a time, in pairs whose first one sends
  /// long enough alone to own the subject.
  private func sendFromShortLivedThreads(_ rounds: Int, to subject: some Subject<Message, Never>) -> Int {
    let subject = Shared(subject)
    let ended = Counter()
    let counts = [100, 10]
    for round in 0..<rounds {
      for place in counts.indices {
        _ = OtherThread { [lifetimes] in
          let first = round * counts[place]
          for number in first..<first + counts[place] {
            subject.value.send(Message(sender: place, number: number, lifetimes))
          }
          ended.add()
        }
      }
      // Two rounds at most are under way, so that memory is taken over while others send.
      ended.wait(for: 2 * round)
    }
    ended.wait(for: 2 * rounds)
    return rounds * counts.reduce(0, +)
  }

  @Test func aPassthroughSubjectLosesNothing() {
    let subject = PassthroughSubject<Message, Never>()
    let inbox = Inbox(senders: 2)
    let subscription = subject.sink { inbox.receive($0) }
    let sent = sendFromShortLivedThreads(300, to: subject)
    #expect(inbox.faults == 0)
    #expect(inbox.count == sent)
    #expect(inbox.numbers.allSatisfy { Set($0).count == $0.count })
    subscription.cancel()
    #expect(lifetimes.live == 0)
  }

  @Test func aCurrentValueSubjectLosesNothing() {
    do {
      let subject = CurrentValueSubject<Message, Never>(Message(sender: 0, number: -1, lifetimes))
      let inbox = Inbox(senders: 2)
      let subscription = subject.sink { inbox.receive($0) }
      let sent = sendFromShortLivedThreads(300, to: subject)
      #expect(inbox.faults == 0)
      #expect(inbox.count == sent + 1)
      #expect(inbox.numbers.allSatisfy { Set($0).count == $0.count })
      subscription.cancel()
    }
    #expect(lifetimes.live == 0)
  }
}
