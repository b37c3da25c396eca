// Sinks that are cancelled by one thread while another delivers.

import TestKit
import Testing
import Weir

@Suite(.serialized) struct SinkStressTests {
  /// Notices a closure that runs after what it captures was freed.
  private final class Guarded: @unchecked Sendable {
    private let tracked: LifetimeTracked
    private var text: String

    init(_ lifetimes: Lifetimes) {
      tracked = lifetimes.track(42)
      text = String(repeating: "payload", count: 3)
    }

    func use() -> Bool { tracked.number == 42 && text.utf8.count == 21 }
    deinit { text = "freed" }
  }

  /// The publisher's thread calls the sink whether it was cancelled or not, as one does that has not heard of it yet.
  ///
  /// The pauses between values vary, so that the cancellation meets every moment of a delivery.
  @Test func cancellingASinkWhileItReceivesFreesItsClosuresOnce() {
    let lifetimes = Lifetimes()
    let failures = Counter()
    let values = Counter()
    let rounds = 60_000
    let current = Shared<Subscribers.Sink<Int, Never>?>(nil)
    let turn = Counter()
    let finished = Counter()
    let pause = { (count: Int) in for _ in 0..<count { _ = turn.value } }
    onThreads([
      {
        var random = SplitMix(seed: 1)
        for round in 1...rounds {
          do {
            let guarded = Guarded(lifetimes)
            current.value = Subscribers.Sink(
              receiveCompletion: { _ in failures.add() },
              receiveValue: { _ in
                if !guarded.use() { failures.add() }
                values.add()
              })
          }
          current.value!.receive(subscription: Subscriptions.empty)
          let sink = current.value!
          turn.set(round)
          for value in 0..<Int.random(in: 1...30, using: &random) {
            _ = sink.receive(value)
            pause(Int.random(in: 0...40, using: &random))
          }
          finished.wait(for: round)
          _ = sink.receive(-1)
        }
      },
      {
        var random = SplitMix(seed: 2)
        for round in 1...rounds {
          turn.wait(for: round)
          let sink = current.value!
          pause(Int.random(in: 0...100, using: &random))
          sink.cancel()
          finished.add()
        }
      },
    ])
    current.value = nil
    #expect(failures.value == 0)
    #expect(values.value > 0)
    #expect(lifetimes.live == 0)
    #expect(lifetimes.made == rounds)
  }
}
