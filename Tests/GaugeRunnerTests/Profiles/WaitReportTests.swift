// What waits come to: the parts of each thread's time, and the waits that others are due to.

import Testing

@testable import GaugeRunner

@Suite struct WaitReportTests {
  private func told(_ report: WaitReport) -> [String] {
    report.entries.map { entry in
      let chain = entry.chain.map { $0.function?.function ?? "" }
      return "\(Int(entry.time)) \(entry.site.cause) \(entry.site.function?.function ?? "")"
        + (entry.site.waker.map { " for \($0.function)" } ?? "") + (chain.isEmpty ? "" : " under \(chain)")
    }
  }

  @Test func `the parts of a thread's time add up, and the rest is not seen`() {
    var made = MadeWaits()
    made.thread(running: 100, ready: 50, waiting: 830)
    made.thread(200..<700, running: 0, waiting: 500)
    made.wait(1, "mutex", 0..<400, in: "f")
    made.wait(1, "sleep", 400..<700, in: "f")
    made.wait(1, "semaphore", 700..<800, in: "begin", owner: .harness)
    made.wait(2, "semaphore", 200..<700, in: "worker", owner: .idle)
    let report = made.report()
    #expect(report.threads.map(\.name) == ["1", "2"])
    #expect(report.threads[0].waiting == ["mutex": 400, "sleep": 300, "harness": 100, "unlisted": 30])
    #expect(report.threads[0].unseen == 20)
    #expect(report.threads[1].waiting == ["idle": 500] && report.threads[1].unseen == 0)
    #expect(report.allThreads.span == 1500 && report.allThreads.running == 100 && report.allThreads.unseen == 20)
    // What is idle or the harness's is nobody's bottleneck.
    #expect(told(report) == ["400 mutex f", "300 sleep f"])
    #expect(report.waited == 700 && report.span == 1000)
  }

  @Test func `who waits for a thread that waits waits for what that waits for`() {
    var made = MadeWaits()
    made.thread(running: 0, waiting: 1000)
    made.thread(running: 400, waiting: 600)
    made.wait(1, "mutex", 0..<1000, in: "reader", wokenBy: 2, in: "writer")
    made.wait(2, "sleep", 300..<900, in: "retry")
    let report = made.report()
    #expect(told(report) == ["600 sleep retry under [\"reader\"]", "400 mutex reader for writer"])
    #expect(report.isOfMeasuringThread)
  }

  @Test func `only the part that lies within the wait counts, and chains may be long`() {
    var made = MadeWaits()
    for _ in 1...3 { made.thread(running: 0, waiting: 1000) }
    made.wait(1, "join", 500..<900, in: "a", wokenBy: 2)
    made.wait(2, "mutex", 0..<700, in: "b", wokenBy: 3, in: "c")
    made.wait(3, "I/O", 600..<1000, in: "c")
    #expect(
      told(made.report()) == ["100 I/O c under [\"a\", \"b\"]", "100 mutex b for c under [\"a\"]", "200 join a"])
  }

  @Test func `a wait that a pool's thread ends is told with who woke that thread`() {
    var made = MadeWaits()
    made.thread(running: 0, waiting: 1000)
    made.thread(running: 500, waiting: 500)
    made.wait(2, "futex", 0..<200, in: "worker", owner: .idle, wokenBy: 1, in: "store")
    made.wait(1, "dispatch", 200..<500, in: "read", wokenBy: 2, isOfPool: true)
    made.wait(2, "futex", 600..<800, in: "worker", owner: .idle, wokenBy: 1, isOfPool: true)
    made.wait(1, "dispatch", 800..<1000, in: "read", wokenBy: 2, isOfPool: true)
    let sites = made.report().entries.map(\.site)
    #expect(sites.map(\.isEndedByPool) == [true, true])
    #expect(sites.map(\.poolWaker?.function) == ["store", nil])
    #expect(
      sites.map(WaitText.words) == [
        "read waits (dispatch) until a thread of a pool ends it, which store had woken",
        "read waits (dispatch) until a thread of a pool ends it",
      ])
  }

  @Test func `who waits for one of several threads waits for all that end`() {
    var made = MadeWaits()
    made.thread(running: 0, waiting: 1000)
    made.thread(0..<600, running: 600, waiting: 0, maker: 1)
    made.thread(0..<900, running: 300, waiting: 600, maker: 1)
    // One that stays is not waited for, and what others have made isn't either.
    made.thread(running: 0, waiting: 1000, maker: 1)
    made.thread(0..<900, running: 0, waiting: 900)
    made.wait(1, "join", 0..<600, in: "a", wokenBy: 2)
    made.wait(1, "join", 600..<900, in: "a", wokenBy: 3)
    made.wait(3, "mutex", 0..<600, in: "b", wokenBy: 2, in: "b")
    made.wait(4, "condition", 0..<1000, in: "pool")
    made.wait(5, "sleep", 0..<900, in: "c")
    #expect(told(made.report()) == ["300 mutex b for b under [\"a\"]", "600 join a"])
  }

  @Test func `a join is told first where hardly anything else is waited for`() {
    var made = MadeWaits()
    made.thread(running: 0, waiting: 1000)
    made.thread(running: 901, waiting: 99)
    made.wait(1, "join", 0..<1000, in: "a", wokenBy: 2)
    made.wait(2, "sleep", 0..<99, in: "b")
    #expect(told(made.report()) == ["901 join a", "99 sleep b under [\"a\"]"])
  }

  @Test func `the way back from a wait is not due to what it was for`() {
    var made = MadeWaits()
    made.thread(running: 900, waiting: 100)
    made.thread(running: 500, waiting: 500)
    made.wait(1, "condition", 500..<600, in: "produce", wokenBy: 2, in: "consume")
    made.wait(2, "condition", 100..<560, in: "consume", wokenBy: 1, in: "produce", at: 500)
    #expect(told(made.report()) == ["100 condition produce for consume"])
  }

  @Test func `threads that wait for each other end the chain`() {
    var made = MadeWaits()
    made.thread(running: 0, waiting: 1000)
    made.thread(running: 0, waiting: 1000)
    made.wait(1, "mutex", 0..<1000, in: "a", wokenBy: 2, in: "b")
    made.wait(2, "mutex", 0..<1000, in: "b", wokenBy: 1, in: "a")
    let report = made.report()
    #expect(report.entries.reduce(0) { $0 + $1.time } == 1000)
    #expect(report.entries[0].chain.count == WaitReport.deepest)
  }

  @Test func `where the thread that measures doesn't wait every thread counts`() {
    var made = MadeWaits()
    made.thread(running: 995, waiting: 5)
    made.thread(running: 0, waiting: 1000)
    made.wait(1, "mutex", 0..<5, in: "a")
    made.wait(2, "sleep", 0..<1000, in: "b")
    let report = made.report()
    #expect(!report.isOfMeasuringThread && report.span == 2000 && report.waited == 1005)
    #expect(told(report) == ["1000 sleep b", "5 mutex a"])
    #expect(told(made.report(measuring: nil)) == ["1000 sleep b", "5 mutex a"])
  }

  @Test func `a place is the program's innermost function, and Dispatch's waits are its own`() {
    func name(_ symbol: String, isLibrary: Bool = false) -> Symboliser.Name {
      Symboliser.Name(frame: ProfileFrame(function: symbol, object: "a", isLibrary: isLibrary), symbol: symbol)
    }
    let queue = WaitReport.Place(of: [
      name("run"), name("change"), name("sync", isLibrary: true), name("_dispatch_sync_f_slow", isLibrary: true),
    ])
    #expect(queue.owner == .program && queue.cause == "dispatch")
    #expect(queue.function?.function == "change" && queue.caller?.function == "run")
    let semaphore = WaitReport.Place(of: [
      name("f"), name("dispatch_semaphore_wait", isLibrary: true), name("_dispatch_sema4_wait", isLibrary: true),
    ])
    #expect(semaphore.cause == nil && semaphore.caller == nil)
    #expect(WaitReport.Place(of: [name("body"), name("$s5Gauge6WaiterO3runyyF", isLibrary: true)]).owner == .harness)
    #expect(WaitReport.Place(of: [name("$s5Gauge12BenchmarkRunC7measure"), name("body")]).owner == .program)
    let worker = [name("_dispatch_worker_thread", isLibrary: true)]
    #expect(WaitReport.Place(of: worker).owner == .idle)
    // Whoever called it may be of the program.
    #expect(WaitReport.Place(of: worker, isWhole: false).owner == .program)
  }
}
