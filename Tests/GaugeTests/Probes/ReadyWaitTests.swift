// The account of waits for a processor, with a played thread.

import Testing

@testable import Gauge

/// A thread that loses its processor now and then, its clock, and the system's account of it.
final class WaitingThread {
  var now: UInt64 = 5_000_000_000
  var waited: UInt64 = 700
  var error: Int32 = 0
  private(set) var readings = 0
  /// What it waits before and behind the next readings.
  var waitsBeforeReading: [UInt64] = []
  var waitsBehindReading: [UInt64] = []

  /// An account of it.
  func account(isOfTheTimed: Bool = true) -> ReadyWait {
    ReadyWait(isOfTheTimed: isOfTheTimed, source: ReadyWait.Source(account: read, clock: { self.now }))
  }

  private func read() -> (nanoseconds: UInt64, error: Int32) {
    readings += 1
    if !waitsBeforeReading.isEmpty { wait(waitsBeforeReading.removeFirst()) }
    now += 3000
    let told = waited
    if !waitsBehindReading.isEmpty { wait(waitsBehindReading.removeFirst()) }
    return (told, error)
  }

  func work(_ nanoseconds: UInt64) { now += nanoseconds }

  func wait(_ nanoseconds: UInt64) {
    now += nanoseconds
    waited += nanoseconds
  }

  /// A batch that works, and waits in between.
  func batch(_ work: UInt64, waiting wait: UInt64 = 0) -> (start: UInt64, end: UInt64) {
    let start = now
    self.work(work)
    self.wait(wait)
    return (start, now)
  }
}

@Suite struct ReadyWaitTests {
  private let thread = WaitingThread()

  private func notice(_ batch: (start: UInt64, end: UInt64), in waits: inout ReadyWait) {
    waits.notice(from: batch.start, to: batch.end)
  }

  @Test func whatWasBeforeTheBeginningDoesNotCount() {
    var waits = thread.account()
    waits.begin()
    notice(thread.batch(1_000_000, waiting: 300), in: &waits)
    #expect(waits.look() == 300)
    notice(thread.batch(1_000_000, waiting: 60), in: &waits)
    notice(thread.batch(1_000_000, waiting: 40), in: &waits)
    #expect(waits.look() == 100)
    #expect(waits.measurement(operations: 4, samples: 3).outcome == .value(100))
    waits.begin()
    #expect(waits.nanoseconds == 0)
  }

  @Test func waitsOutsideOfBatchesAreNone() {
    var waits = thread.account()
    waits.begin()
    thread.wait(2_000_000)
    notice(thread.batch(1_000_000, waiting: 4_000_000), in: &waits)
    thread.wait(3_000_000)
    notice(thread.batch(1_000_000), in: &waits)
    #expect(waits.look() == 4_000_000)
  }

  /// A reading that is interrupted tells of a wait that is in no batch, or doesn't: it is read again.
  @Test(arguments: [([6_000_000], []), ([], [6_000_000]), ([5_000_000, 1_000_000], []), ([1_000_000], [5_000_000])])
  func waitsAroundAReadingAreNone(before: [UInt64], behind: [UInt64]) {
    var waits = thread.account()
    waits.begin()
    notice(thread.batch(1_000_000, waiting: 4_000_000), in: &waits)
    (thread.waitsBeforeReading, thread.waitsBehindReading) = (before, behind)
    #expect(abs(waits.look() - 4_000_000) <= 10_000)
    notice(thread.batch(1_000_000), in: &waits)
    #expect(waits.look() == 0)
    #expect(thread.readings <= 7)
  }

  @Test func aReadingThatIsAlwaysInterruptedEnds() {
    var waits = thread.account()
    waits.begin()
    notice(thread.batch(1_000_000), in: &waits)
    thread.waitsBeforeReading = Array(repeating: 1_000_000, count: 100)
    #expect(waits.look() == 0)
  }

  @Test func everythingUpToNowMayBeOneBatch() {
    var waits = thread.account(isOfTheTimed: false)
    waits.begin()
    thread.wait(9_000_000)
    thread.work(50_000_000)
    waits.noticeAll()
    #expect(waits.look() == 9_000_000)
  }

  @Test func anAccountThatShrinksAddsNothing() {
    var waits = thread.account()
    waits.begin()
    thread.waited = 300
    notice(thread.batch(1000), in: &waits)
    #expect(waits.look() == 0)
    notice(thread.batch(1000, waiting: 50), in: &waits)
    #expect(waits.look() == 50)
  }

  @Test func anAccountThatCantBeReadSaysWhy() {
    thread.error = 13
    var waits = thread.account()
    waits.begin()
    #expect(waits.look() == 0 && thread.readings == 1)
    #expect(
      waits.measurement(operations: 1, samples: 1)
        == Measurement(.readyWait, .unavailable("the waits for a processor: Permission denied")))
  }

  @Test(arguments: [true, false]) func theSystemsAccountsGrow(isOfThisThread: Bool) {
    var waits = ReadyWait(source: isOfThisThread ? .thisThread : .allThreads)
    waits.begin()
    guard waits.absence == nil else { return }  // the system keeps none
    for _ in 0..<3 {
      let before = waits.nanoseconds
      waits.noticeAll()
      _ = waits.look()
      #expect(waits.nanoseconds >= before)
    }
  }
}
