// Threads that feed an event loop at all points of its wait, and loops that come and go.

import Dispatch
import TestKit
import Testing
import Weir
import WeirDispatch
import WeirExtras

@Suite(.serialized) struct EventLoopStressTests {
  private let lifetimes = Lifetimes()

  /// Lets others run for a while that the seed makes, now and then.
  private func rest(_ random: inout SplitMix) {
    guard random.next() % 32 == 0 else { return }
    for _ in 0..<random.next() % 64 { yieldThread() }
  }

  @Test(arguments: [Duration.zero, .microseconds(5), .microseconds(50)]) func fallsAsleepAndLosesNothing(
    limit: Duration
  ) {
    let (senders, perSender) = (3, 10_000)
    let inbox = Inbox(senders: senders)
    do {
      let loop = EventLoopScheduler(spinningFor: limit)
      let subjects = (0..<senders).map { _ in PassthroughSubject<Message, Never>() }
      let tokens = subjects.map { $0.receive(on: loop).sink(receiveValue: inbox.receive) }
      onThreads(senders) { [lifetimes] sender in
        var random = SplitMix(seed: UInt64(sender))
        for number in 0..<perSender {
          subjects[sender].send(Message(sender: sender, number: number, lifetimes))
          rest(&random)
        }
      }
      loop.shutDown()
      for token in tokens { token.cancel() }
    }
    #expect(inbox.faults == 0)
    #expect(inbox.numbers == Array(repeating: Array(0..<perSender), count: senders))
    #expect(lifetimes.live == 0)
  }

  /// Loops that are shut down while they are fed, and loops whose last reference goes wherever it happens to.
  @Test func loopsComeAndGo() {
    for seed in 0..<300 as Range<UInt64> {
      do {
        let (loop, runs, accepted) = (EventLoopScheduler(), Counter(), Counter())
        onThreads(3) { [lifetimes] thread in
          var random = SplitMix(seed: seed * 3 + UInt64(thread))
          for number in 0..<20 {
            let tracked = lifetimes.track(number)
            switch random.next() % 8 {
            case 0: loop.schedule(after: loop.now.advanced(by: .microseconds(number))) { tracked.touch() }
            case 1:
              loop.schedule(after: loop.now, interval: .microseconds(1)) { tracked.touch() }.cancel()
            default:
              accepted.add()
              loop.schedule {
                tracked.touch()
                runs.add()
                withExtendedLifetime(loop) {}
              }
            }
            rest(&random)
          }
          if seed % 3 == 0, thread == 0 { loop.shutDown() }
        }
        if seed % 3 == 1 { loop.shutDown() }
        if seed % 3 == 1 { #expect(runs.value == accepted.value) }
      }
    }
    while lifetimes.live > 0 { yieldThread() }
    #expect(lifetimes.live == 0)
  }

  @Test func repetitionsAreCancelledFromAnywhere() {
    let loop = EventLoopScheduler()
    onThreads(3) { [lifetimes] thread in
      var random = SplitMix(seed: UInt64(thread))
      var tokens: [any Cancellable] = []
      for number in 0..<5_000 {
        let tracked = lifetimes.track(number)
        let date = loop.now.advanced(by: .microseconds(Int(random.next() % 200)))
        tokens.append(loop.schedule(after: date, interval: .microseconds(50)) { tracked.touch() })
        if tokens.count > 20 { tokens.remove(at: Int(random.next() % 20)).cancel() }
        rest(&random)
      }
      for token in tokens { token.cancel() }
    }
    loop.shutDown()
    #expect(lifetimes.live == 0)
  }
}
