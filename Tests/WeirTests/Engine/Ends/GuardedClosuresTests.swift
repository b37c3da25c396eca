// Tests of a sink's closures: when they run, and who frees them.

import TestKit
import Testing

@testable import Weir

@Suite struct GuardedClosuresTests {
  /// The handlers and the state that they share with a sink.
  private final class Fixture {
    let state = SubscriptionState()
    let handlers: GuardedClosures<Int, TestFailure>
    let log: Shared<[String]>

    init(_ lifetimes: Lifetimes, isTrusted: Bool = true, onValue: @escaping (Int) -> Void = { _ in }) {
      let inValue = lifetimes.track()
      let inCompletion = lifetimes.track()
      let log = Shared([String]())
      self.log = log
      handlers = GuardedClosures(
        receiveValue: {
          inValue.touch()
          log.value.append("\($0)")
          onValue($0)
        },
        receiveCompletion: {
          inCompletion.touch()
          log.value.append("\($0)")
        })
      if isTrusted { handlers.trust() }
    }

    func receive(_ value: Int) { handlers.receive(value, unless: state) }

    func finish() {
      handlers.finish(.finished) { state.end() != .over }
    }

    func cancel() {
      _ = state.end()
      handlers.retireUnlessBusy()
    }
  }

  private let lifetimes = Lifetimes()

  @Test func runTheValueClosureUntilTheStreamIsOver() {
    let fixture = Fixture(lifetimes)
    fixture.receive(1)
    fixture.receive(2)
    fixture.finish()
    fixture.receive(3)
    #expect(fixture.log.value == ["1", "2", "finished"])
    #expect(lifetimes.live == 0)
  }

  @Test func areFreedByTheCanceller() {
    let fixture = Fixture(lifetimes)
    fixture.receive(1)
    fixture.cancel()
    #expect(lifetimes.live == 0)
    fixture.receive(2)
    fixture.cancel()
    #expect(fixture.log.value == ["1"])
  }

  @Test func areFreedByTheRunningValueIfItIsCancelledFromAnotherThread() {
    var fixture: Fixture?
    var liveInside = 0
    fixture = Fixture(lifetimes) { [lifetimes] _ in
      onThreads(1) { _ in fixture?.cancel() }
      liveInside = lifetimes.live
    }
    fixture?.receive(1)
    #expect(liveInside == 2)
    #expect(lifetimes.live == 0)
    fixture = nil
  }

  @Test func areFreedByTheOutermostValueIfItEndsInside() {
    var fixture: Fixture?
    var liveInside: [Int] = []
    fixture = Fixture(lifetimes) { [lifetimes] value in
      if value < 3 { fixture?.receive(value + 1) } else { fixture?.finish() }
      liveInside.append(lifetimes.live)
    }
    fixture?.receive(1)
    #expect(liveInside == [2, 2, 2])
    #expect(fixture?.log.value == ["1", "2", "3", "finished"])
    #expect(lifetimes.live == 0)
    fixture = nil
  }

  @Test func areFreedWithTheHandlers() {
    do {
      let fixture = Fixture(lifetimes)
      fixture.receive(1)
      #expect(lifetimes.live == 2)
    }
    #expect(lifetimes.live == 0)
  }

  @Test func canBeTakenOutAndAreEmptyAfterwards() {
    let fixture = Fixture(lifetimes)
    fixture.handlers.receiveValue(5)
    fixture.handlers.receiveCompletion(.failure(.first))
    fixture.cancel()
    fixture.handlers.receiveValue(6)
    fixture.handlers.receiveCompletion(.finished)
    #expect(fixture.log.value == ["5", "failure(TestKit.TestFailure.first)"])
  }

  @Test(arguments: [true, false])
  func theClosuresAreGivenToAFirstStreamOnly(_ isTrusted: Bool) {
    let fixture = Fixture(lifetimes, isTrusted: false)
    let first = unsafe fixture.handlers.retainedClosures(unless: fixture.state)
    unsafe #expect(first != nil)
    unsafe first?.release()
    if isTrusted { fixture.handlers.trust() }
    if fixture.state.beginActivation() { _ = fixture.state.endActivation() }
    let second = unsafe fixture.handlers.retainedClosures(unless: fixture.state)
    unsafe #expect(second == nil)
    fixture.finish()
    let late = unsafe fixture.handlers.retainedClosures(unless: fixture.state)
    unsafe #expect(late == nil)
  }
}
