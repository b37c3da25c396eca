// Tests of a promise's result and of those who wait for it.

import TestKit
import Testing
import WeirQueues

@testable import Weir

@Suite struct PromiseCoreTests {
  typealias Core = PromiseCore<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let core = Core()

  @Test func resolvesOnce() {
    #expect(core.outcome == nil)
    core.resolve(.success(1))
    core.resolve(.failure(.first))
    #expect(core.outcome == .success(1))
  }

  @Test func placesOfThoseWhoCancelAreClosedUp() {
    let recorders = (0..<100).map { _ in Recorder(.unlimited) }
    for recorder in recorders { core.subscribe(.of(recorder)) }
    #expect(core.state.withLock { $0.waiting.count } == 100)
    for recorder in recorders.dropLast(3) { recorder.cancel() }
    #expect(core.state.withLock { $0.live } == 3)
    #expect(core.state.withLock { $0.waiting.count } < 20)
    for recorder in recorders { recorder.cancel() }
    #expect(core.state.withLock { $0.live } == 0)
    core.resolve(.success(1))
    #expect(recorders.allSatisfy { $0.values.isEmpty })
  }

  /// What a mirror shows was read while another thread emptied it.
  @Test func subscriptionsAreDescribedWhileTheyEnd() {
    for round in 0..<500 {
      let core = Core()
      let recorder = Recorder(.unlimited)
      core.subscribe(.of(recorder))
      let subscription = Unchecked(recorder.subscriptions[0])
      onThreads([
        { for _ in 0..<4 { #expect(Mirror(reflecting: subscription.value).children.count == 4) } },
        { if round.isMultiple(of: 2) { core.resolve(.success(1)) } else { subscription.value.cancel() } },
      ])
      let children = Dictionary(
        uniqueKeysWithValues: Mirror(reflecting: subscription.value).children.map { ($0.label, $0.value) })
      #expect("\(children["downstream"]!)" == "nil")
    }
  }

  @Test func nobodyStaysInTheListWhoCancelledBeforeItsSubscriptionReturned() {
    let recorder = Recorder()
    recorder.onSubscription = { $0.cancel() }
    core.subscribe(.of(recorder))
    #expect(core.state.withLock { $0.live } == 0)
  }

  @Test func afterTheLastKeeperIsGoneNobodyWaits() {
    let first = Recorder(.unlimited)
    core.subscribe(.of(first))
    withExtendedLifetime(PromiseKeeper(core)) {}
    let second = Recorder(.unlimited)
    core.subscribe(.of(second))
    #expect(core.state.withLock { $0.waiting.count } == 0)
    #expect(first.history == [.subscription("Future")])
    #expect(second.history == [.subscription("Future")])
  }

  @Test func aLinkLetsGoOfTheCoreAtItsEnd() {
    let recorder = Recorder(.unlimited)
    core.subscribe(.of(recorder))
    let link = recorder.subscriptions[0] as? PromiseLink<Int, TestFailure>
    #expect(link?.core != nil)
    core.resolve(.success(1))
    #expect(link?.core == nil)
    #expect(link?.downstream == nil)
    #expect(link?.isOver == true)
  }

  /// Each was freed within the one that had begun to wait after it, so that the stack overflowed.
  @Test func aLongLineOfTasksIsLetGoOf() async {
    let core = core
    await withUnsafeContinuation { (continuation: WaitingTask.Continuation) in
      core.state.withLock { state in
        // One continuation stands for all: none of them is resumed from here.
        for _ in 0..<1_000_000 { unsafe state.task = WaitingTask(continuation, before: state.task) }
      }
      withExtendedLifetime(PromiseKeeper(core)) {}
      #expect(core.state.withLock { $0.task == nil && $0.isAbandoned })
      unsafe continuation.resume()
    }
  }
}
