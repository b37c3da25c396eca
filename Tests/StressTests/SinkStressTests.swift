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

  private typealias Sink = Subscribers.Sink<Int, Never>

  /// Another library's publisher: it keeps its subscribers for good, and not their subscriptions.
  private final class Keeper: Publisher {
    typealias Output = Int
    typealias Failure = Never

    private final class Idle: Subscription {
      func request(_ demand: Subscribers.Demand) {}
      func cancel() {}
    }

    private var kept: [Any] = []

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Int, Downstream.Failure == Never {
      kept.append(subscriber)
      subscriber.receive(subscription: Idle())
    }
  }

  /// The optimiser frees the subscription of a sink that is cancelled as early as it may: not before the sink knows
  /// whose it was. From freed memory it wouldn't know, and leave its closures to a publisher that keeps them.
  @Test func aCancelledSinkKnowsWhoseSubscriptionItWas() {
    let lifetimes = Lifetimes()
    let publisher = Keeper()
    cancelEach(of: publisher, lifetimes, count: 500 + lifetimes.live)
    #expect(lifetimes.made == 500)
    #expect(lifetimes.live == 0)
    withExtendedLifetime(publisher) {}
  }

  @inline(never) private func cancelEach(of publisher: Keeper, _ lifetimes: Lifetimes, count: Int) {
    for _ in 0..<count {
      let guarded = Guarded(lifetimes)
      let cancellable = publisher.sink { _ in _ = guarded.use() }
      cancellable.cancel()
    }
  }

  /// The publisher's thread calls the sink whether it was cancelled or not, as one does that has not heard of it yet.
  ///
  /// The pauses between values vary, so that the cancellation meets every moment of a delivery. The threads meet once
  /// per batch only: meeting for every sink would cost more than the race itself.
  @Test func cancellingASinkWhileItReceivesFreesItsClosuresOnce() {
    let lifetimes = Lifetimes()
    let failures = Counter()
    let values = Counter()
    let (batches, batch) = (1_200, 50)
    let sinks = Shared([Sink]())
    let turn = Counter()
    let cancelled = Counter()
    let pause = { (count: Int) in for _ in 0..<count { _ = turn.value } }
    let makeSink = { () -> Sink in
      let guarded = Guarded(lifetimes)
      let sink = Sink(
        receiveCompletion: { _ in failures.add() },
        receiveValue: { _ in
          if !guarded.use() { failures.add() }
          values.add()
        })
      sink.receive(subscription: Subscriptions.empty)
      return sink
    }
    onThreads([
      {
        var random = SplitMix(seed: 1)
        for number in 0..<batches {
          sinks.value = (0..<batch).map { _ in makeSink() }
          for sink in sinks.value {
            turn.add()
            for value in 0..<Int.random(in: 1...30, using: &random) {
              _ = sink.receive(value)
              pause(Int.random(in: 0...40, using: &random))
            }
          }
          cancelled.wait(for: (number + 1) * batch)
          for sink in sinks.value { _ = sink.receive(-1) }
        }
      },
      {
        var random = SplitMix(seed: 2)
        for number in 0..<(batches * batch) {
          turn.wait(for: number + 1)
          let sink = sinks.value[number % batch]
          pause(Int.random(in: 0...100, using: &random))
          sink.cancel()
          cancelled.add()
        }
      },
    ])
    sinks.value = []
    #expect(failures.value == 0)
    #expect(values.value > 0)
    #expect(lifetimes.live == 0)
    #expect(lifetimes.made == batches * batch)
  }
}
