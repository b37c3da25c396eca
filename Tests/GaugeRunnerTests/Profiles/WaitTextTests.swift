// Waits on a terminal.

import Testing

@testable import GaugeRunner

@Suite struct WaitTextTests {
  private static var made: MadeWaits {
    var made = MadeWaits()
    made.thread(running: 0, ready: 10, waiting: 970)
    made.thread(0..<900, running: 300, waiting: 600)
    made.wait(1, "mutex", 0..<970, in: "reader()", wokenBy: 2, in: "writer()")
    made.wait(2, "sleep", 300..<900, in: "retry()")
    return made
  }

  @Test func `what is waited for comes first, then the threads`() {
    let text = WaitText(report: Self.made.report()).text(width: 110, colour: false)
    #expect(
      text.prefix(11) == [
        "  waits: 0.001 ms of 0.001 ms in the thread that measures, by what they are due to:",
        "  1. 61.9 % retry() sleeps",
        "     meanwhile reader() waits for the mutex that writer() holds",
        "  2. 38.1 % reader() waits for the mutex that writer() holds",
        "  where the time of threads went:",
        "  thread           span  running  ready  waiting  not seen  waiting for",
        "  1            0.001 ms    0.0 %  1.0 %   97.0 %     2.0 %  mutex 97.0 %",
        "  2            0.001 ms   33.3 %  0.0 %   66.7 %     0.0 %  sleep 66.7 %",
        "  all threads  0.002 ms   15.8 %  0.5 %   82.6 %     1.1 %  mutex 51.1 %, sleep 31.6 %",
        "  note: unavailable: tasks that wait for others: such a task holds no thread, and Swift's runtime tells nobody",
        "  of it; what its pool's threads wait for is shown",
      ])
    #expect(text.count == 11)
  }

  @Test func `where nothing waits that is said`() {
    var made = MadeWaits()
    made.thread(running: 1005, waiting: 0)
    let text = WaitText(report: made.report()).text(width: 110, colour: false)
    #expect(text.first == "  waits: 0 ms of 0.001 ms in all threads together")
    // What the system has accounted to another moment may be too much.
    #expect(text.contains { $0.hasPrefix("  1 ") && $0.contains(" -0.5 %") }, "\(text)")
  }

  @Test func `what is unknown is said`() {
    var made = Self.made
    made.unaccounted = 2
    made.unlisted = 3
    let text = WaitText(report: made.report()).text(width: 300, colour: false)
    #expect(text.contains { $0.hasPrefix("  1 ") && $0.contains("  unavailable  ") }, "\(text)")
    #expect(
      text.suffix(2) == [
        "  note: unavailable: time that threads stood ready without a processor: No such file or directory; it is part of "
          + "the waits",
        "  note: 3 waits were too many to follow: the list of waits is of those before",
      ])
  }

  @Test(
    arguments: [
      ("sleep", nil, "f() sleeps"), ("mutex", "g()", "f() waits for the mutex that g() holds"),
      ("rwlock", nil, "f() waits (rwlock) until its time is up or somebody unknown ends it"),
      ("barrier", nil, "f() waits (barrier) until somebody unknown ends it"),
      ("dispatch", "g()", "f() waits (dispatch) until g() ends it"),
      ("dispatch", nil, "f() waits (dispatch) until its time is up or somebody unknown ends it"),
      ("join", nil, "f() waits for a thread to end (join)"),
      ("I/O", nil, "f() waits (I/O)"), ("I/O", "g()", "f() waits (I/O) until g() ends it"),
      ("condition", "g()", "f() waits (condition) until g() ends it"),
    ] as [(String, String?, String)])
  func `each cause has its words`(cause: String, waker: String?, words: String) {
    let site = WaitReport.Site(
      cause: cause, function: MadeWaits.frame("f()"), waker: waker.map(MadeWaits.frame))
    #expect(WaitText.words(site) == words)
  }

  @Test func `a place has its line, and who calls it`() {
    var frame = MadeWaits.frame("f()")
    (frame.file, frame.line) = ("F.swift", 7)
    let site = WaitReport.Site(cause: "I/O", function: frame, caller: MadeWaits.frame("main()"))
    #expect(WaitText.words(site) == "f() (F.swift:7), called by main(), waits (I/O)")
    #expect(WaitText.words(WaitReport.Site(cause: "sleep")) == "a function without a name sleeps")
  }
}
