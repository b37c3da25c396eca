// Waits that tests make up.

@testable import GaugeRunner

/// Threads `1`, `2`, ... that wait on stacks, each of which is of one function.
struct MadeWaits {
  private(set) var threads: [WaitRecord.Thread] = []
  private(set) var waits: [WaitRecord.Wait] = []
  private var places: [WaitReport.Place] = []
  private var causes: [String] = []
  var unaccounted: Int32 = 0
  var unlisted = 0

  static func frame(_ function: String) -> ProfileFrame { ProfileFrame(function: function, object: "a") }

  /// Adds a thread that runs when it doesn't wait.
  mutating func thread(_ times: Range<Int> = 0..<1000, running: Int, ready: Int = 0, waiting: Int, maker: Int? = nil) {
    threads.append(
      .init(
        id: UInt64(threads.count + 1), name: "", start: times.lowerBound, end: times.upperBound, running: running,
        ready: ready, waiting: waiting, maker: maker.map { $0 - 1 }))
  }

  /// Adds a wait of a thread, from 1 on.
  mutating func wait(
    _ thread: Int, _ cause: String, _ times: Range<Int>, in function: String, owner: WaitReport.Place.Owner = .program,
    wokenBy waker: Int? = nil, in wakers: String? = nil, isOfPool: Bool = false, at woken: Int? = nil
  ) {
    causes.append(cause)
    waits.append(
      .init(
        thread: thread - 1, cause: UInt64(causes.count), start: times.lowerBound, end: times.upperBound,
        blocked: times.count, stack: stack(function, owner), waker: waker.map { $0 - 1 },
        wakerStack: isOfPool ? stack(nil, .idle) : wakers.map { stack($0, .program) },
        woken: woken ?? times.upperBound))
  }

  private mutating func stack(_ function: String?, _ owner: WaitReport.Place.Owner) -> Int {
    places.append(WaitReport.Place(owner: owner, function: function.map(Self.frame)))
    return places.count - 1
  }

  /// The report.
  func report(measuring: UInt64? = 1) -> WaitReport {
    WaitReport(
      WaitRecord(span: 1000, unaccounted: unaccounted, unlisted: unlisted, threads: threads, waits: waits),
      causes: Dictionary(uniqueKeysWithValues: causes.enumerated().map { (UInt64($0 + 1), $1) }), places: places,
      measuringThread: measuring)
  }
}
