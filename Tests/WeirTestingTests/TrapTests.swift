// Tests of what the tools for tests refuse by stopping the program, and of what they say then.

import Dispatch
import Testing
import Weir
import WeirTesting

@Suite struct TrapTests {
  /// Whether the program said so before it stopped; in release builds it says nothing.
  private func said(_ message: String, _ result: ExitTest.Result?) -> Bool {
    #if DEBUG
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains("failed: " + message)
    #else
      result != nil
    #endif
  }

  @Test func aFrameWithoutLength() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = TestScheduler().record(Just(1), frame: .zero)
    }
    #expect(said("a frame takes time", result))
  }

  @Test func textsOfFramesWithoutLength() async {
    let results = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = try TestScheduler().hot("-a", values: ["a": 1], frame: .zero)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = try TestScheduler().cold("-a", values: ["a": 1], frame: .milliseconds(-1))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = try TestScheduler().record(Just(1), until: "-!", frame: .zero)
      },
    ]
    for result in results { #expect(said("a frame takes time", result)) }
  }

  /// Before, all that ever came was at frame 0.
  @Test func aFrameThatTheClockCantTell() async {
    let results = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = SecondsScheduler(now: Seconds(seconds: 1e9)).record(Just(1), frame: .nanoseconds(50))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = TestScheduler<Milliseconds, Never>(now: Milliseconds(count: 0))
        _ = scheduler.record(Just(1), frame: .microseconds(500))
      },
      // A moment is later by it, but not by as much.
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let scheduler = TestScheduler<Milliseconds, Never>(now: Milliseconds(count: 0))
        _ = scheduler.record(Just(1), frame: .microseconds(1_500))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = try SecondsScheduler(now: Seconds(seconds: 817_000_000))
          .hot("---a|", values: ["a": 1], frame: .nanoseconds(100))
      },
    ]
    for result in results {
      #expect(said("a frame takes more time than the scheduler's clock can tell apart at such a date", result))
    }
  }

  @Test func aLengthOfTimeThatIsNoNumber() async {
    let results = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = VirtualTime.Stride.seconds(Double.nan)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        TestScheduler().advance(by: Double.nan)
      },
      // Before, it was told that the number can't be converted to another type.
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        DispatchQueue.test.advance(by: Double.nan)
      },
    ]
    for result in results { #expect(said("a length of time has to be a number", result)) }
  }

  private typealias SecondsScheduler = TestScheduler<Seconds, Never>

  /// Before, the clock stood at no moment for ever, and such an action kept later ones from running in order.
  @Test func momentsThatAreNoNumbers() async {
    let results = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = SecondsScheduler(now: Seconds(seconds: .nan))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SecondsScheduler(now: Seconds(seconds: 0)).advance(to: Seconds(seconds: .nan))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SecondsScheduler(now: Seconds(seconds: 0)).advance(by: .seconds(.nan))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await SecondsScheduler(now: Seconds(seconds: 0)).advance(by: .seconds(.nan))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SecondsScheduler(now: Seconds(seconds: 0)).schedule(after: Seconds(seconds: .nan)) {}
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = SecondsScheduler(now: Seconds(seconds: 0))
          .schedule(after: Seconds(seconds: .nan), interval: 1) {}
      },
    ]
    for result in results { #expect(said("the moment of a clock or an action has to be a number", result)) }
    let interval = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SecondsScheduler(now: Seconds(seconds: 0)).schedule(after: Seconds(seconds: 0), interval: .seconds(.nan)) {}
    }
    #expect(said("the time between two runs has to be a number", interval))
  }

  @Test func marblesOfARecorderWithoutFrames() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = PublisherRecorder<Int, Never>()
      Just(1).subscribe(recorder)
      try recorder.expect("(a|)", values: ["a": 1])
    }
    #expect(said("marbles need a recorder that a TestScheduler made", result))
  }

  /// It was told that nothing had come as expected, or that there is a mistake in the text.
  @Test func marblesOfARecorderWithoutFramesToWhichNothingCame() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try PublisherRecorder<Int, Never>().expect("10ms", values: [:])
    }
    #expect(said("marbles need a recorder that a TestScheduler made", result))
  }
}
