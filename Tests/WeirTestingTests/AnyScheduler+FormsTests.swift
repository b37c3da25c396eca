// Tests of the schedulers that a program and its tests put in place of each other.

import Dispatch
import TestKit
import Testing
import Weir
import WeirDispatch
import WeirTesting

@Suite struct AnySchedulerFormsTests {
  /// What takes the scheduler of a program.
  private struct Search {
    let scheduler: AnySchedulerOf<DispatchQueue>

    func results(_ words: some Publisher<String, Never>) -> some Publisher<String, Never> {
      words.delay(for: .milliseconds(300), scheduler: scheduler).map { $0 + "!" }
    }
  }

  @Test func anImmediateSchedulerWaitsForNothing() {
    let recorder = Search(scheduler: .immediate).results(Just("a")).record()
    #expect(recorder.values == ["a!"])
    var count = 0
    let scheduler = AnyScheduler<VirtualTime, Never>.immediate(now: VirtualTime(nanoseconds: 5))
    scheduler.schedule { count += 1 }
    scheduler.schedule(after: VirtualTime(nanoseconds: 9)) { count += 1 }
    scheduler.schedule(after: VirtualTime(nanoseconds: 9), interval: 1) { count += 1 }.cancel()
    #expect(count == 3 && scheduler.now.nanoseconds == 5 && scheduler.minimumTolerance == 0)
  }

  @Test func aTestSchedulerStandsForAQueue() {
    let queue = DispatchQueue.test
    let recorder = Search(scheduler: queue.eraseToAnyScheduler()).results(Just("a")).record()
    queue.advance(by: .milliseconds(299))
    #expect(recorder.values == [])
    queue.advance(by: .milliseconds(1))
    #expect(recorder.values == ["a!"])
    #expect(DispatchQueue.test.now.dispatchTime.uptimeNanoseconds == 1)
  }

  @Test func anUnimplementedSchedulerIsToldOf() {
    _ = Search(scheduler: .unimplemented("search"))
    withKnownIssue {
      AnySchedulerOf<DispatchQueue>.unimplemented("search").schedule {}
    } matching: { issue in
      issue.comments.contains { $0.rawValue == "the unimplemented scheduler 'search' was given an action" }
    }
    withKnownIssue {
      _ = AnyScheduler<VirtualTime, Never>.unimplemented(now: VirtualTime()).now
    } matching: { issue in
      issue.comments.contains { $0.rawValue == "an unimplemented scheduler was asked for the time" }
    }
  }

  @Test func theMainSchedulerIsTheMainQueue() async {
    let isMain = await withCheckedContinuation { continuation in
      AnySchedulerOf<DispatchQueue>.main.schedule { continuation.resume(returning: isOnMainQueue()) }
    }
    #expect(isMain)
  }

  /// Traps elsewhere.
  private func isOnMainQueue() -> Bool {
    dispatchPrecondition(condition: .onQueue(.main))
    return true
  }
}
