// The history file: what is added comes back, and damage is named.

import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct HistoryTests {
  func results(time: Double = 10) -> Results {
    var results = Results.run()
    results.environment.append(("gauge_options", "--quick"))
    results.add(.time, [time, time + 1, time + 2], to: "a", parameters: "n=1")
    results.add(.allocations, [2, 2], to: "a", parameters: "n=1")
    results.add(.throughput, [1, 2], to: "a", parameters: "n=1")
    return results
  }

  @Test func `runs come back as they were added`() throws {
    var text = History().lines(adding: results(), hash: "first")
    let one = try History(Array(text.utf8), path: "h.csv")
    text += one.lines(adding: results(time: 20), hash: "second")
    let history = try History(Array(text.utf8), path: "h.csv")
    #expect(history.runs.map(\.number) == [1, 2])
    #expect(history.run(of: "second")?.number == 2)
    #expect(history.run(of: "third") == nil)
    #expect(history.runs[0].environment["machine_id"] == "a1")
    #expect(history.runs[0].environment["gauge_options"] == nil)
    // The throughput follows from the time and is left out.
    #expect(history.entries.map(\.key.metric) == ["allocations", "time", "allocations", "time"])
    #expect(history.entries.map(\.estimate.value) == [2, 11, 2, 21])
    #expect(history.entries.map(\.metric.kind) == [.exact, .sampled, .exact, .sampled])
    #expect(history.wholeLength == nil)
    // Three launches: each tenth between the smallest and the largest. What all agree in has none.
    #expect(history.entries[1].deciles == [10, 10.2, 10.4, 10.6, 10.8, 11, 11.2, 11.4, 11.6, 11.8, 12])
    #expect(history.entries[0].deciles.isEmpty)
  }

  /// A history of runs of commits.
  func history(of commits: [String]) throws -> History {
    try History.of(
      commits.enumerated().map { number, commit in
        var results = self.results(time: Double(number))
        results.environment.append(("commit", commit))
        return results
      })
  }

  @Test func `a run belongs behind those of the commits before its own`() throws {
    let order = ["a": 0, "b": 1, "c": 2, "d": 3]
    let history = try history(of: ["b", "?", "d"])
    #expect(["a", "b", "c", "d", "?"].map { history.place(of: $0, in: order) } == [0, 2, 2, 3, 3])
    #expect(try self.history(of: ["?", "b"]).place(of: "a", in: order) == 1)
    #expect(try self.history(of: ["?"]).place(of: "a", in: order) == 1)
    #expect(History().place(of: "a", in: order) == 0)
  }

  @Test func `a run that is put in between leaves the others as they are`() throws {
    let before = try history(of: ["a", "c"])
    var results = self.results(time: 7)
    results.environment.append(("commit", "b"))
    for place in 0...2 {
      let text = before.text(inserting: results, hash: "new", at: place)
      let after = try History(Array(text.utf8), path: "h.csv")
      #expect(after.runs.map(\.number) == [1, 2, 3])
      var commits = ["a", "c"]
      commits.insert("b", at: place)
      #expect(after.runs.map(\.title) == commits)
      #expect(after.run(of: "new")?.number == place + 1)
      let old = after.runs.filter { $0.environment["results"] != "new" }
      #expect(old.map(\.environment) == before.runs.map(\.environment))
      let values = after.entries.filter { $0.run != place + 1 }
      #expect(values.map(\.estimate) == before.entries.map(\.estimate))
      #expect(values.map(\.deciles) == before.entries.map(\.deciles))
    }
    let appended = before.text(inserting: results, hash: "new", at: 2)
    #expect(appended.hasSuffix(before.lines(adding: results, hash: "new")))
  }

  @Test func `what follows from others is left out of groups of threads, too`() throws {
    var results = Results.run()
    for metric in [Metric.time(ofGroup: "g"), .meanTime(ofGroup: "g"), .throughput(ofGroup: "g")] {
      results.add(metric, [1, 2, 3])
    }
    let history = try History(Array(History().lines(adding: results, hash: "h").utf8), path: "h.csv")
    #expect(history.entries.map(\.key.metric) == ["time_g"])
  }

  @Test func `a last line that breaks off is left out`() throws {
    let text = History().lines(adding: results(), hash: "first")
    let history = try History(Array(text.utf8.dropLast(4)), path: "h.csv")
    #expect(history.entries.count == 1)
    #expect(history.brokenLine == text.split(separator: "\n").count)
    let whole = try History(Array(text.utf8), path: "h.csv")
    #expect(history.lacksRecords(history.runs[0], of: results()))
    #expect(!whole.lacksRecords(whole.runs[0], of: results()) && whole.brokenLine == nil)
    #expect(whole.removing(whole.runs[0]).runs.isEmpty && whole.removing(whole.runs[0]).entries.isEmpty)
    #expect(history.wholeLength.map { text.utf8.count - $0 } ?? 0 > 10)
  }

  @Test(arguments: [
    ("run\n", "h.csv:1: expected the fields"), ("# other\nrun,benchmark", "h.csv:2: expected the fields"),
  ])
  func `another file is refused`(text: String, complaint: String) {
    #expect { try History(Array((text + "\n").utf8), path: "h.csv") } throws: { "\($0)".hasPrefix(complaint) }
  }

  @Test func `as many runs as are taken are read, and one more is refused with its line`() throws {
    func text(_ runs: Int) -> [UInt8] {
      let lines = (1...runs).map { "# \($0) date: x\n" }.joined()
      return Array((History.version + "\n" + CSV.record(History.columns) + lines).utf8)
    }
    #expect(History.mostRuns == 20_000)
    #expect(try History(text(History.mostRuns), path: "h.csv").runs.last?.number == 20_000)
    #expect(
      throws: ResultFile.Failure.malformed(path: "h.csv", line: 20_003, field: "run", message: "more than 20000 runs")
    ) { try History(text(History.mostRuns + 1), path: "h.csv") }
  }

  @Test func `a run is not added where the file would have more than is read`() throws {
    let lines = Array("# 1 date: x\n1,a\n1,b\n".utf8)
    #expect(History().obstacle(toAdding: lines, behind: 0) == nil)
    #expect(History().obstacle(toAdding: lines, behind: (1 << 28) - lines.count - 1) == nil)
    #expect(History().obstacle(toAdding: lines, behind: (1 << 28) - lines.count) == "268435456 bytes or more")
    let records = Array(String(repeating: "1,a\n", count: 1_000_001).utf8)
    #expect(History().obstacle(toAdding: Array(records.dropLast(4)), behind: 0) == nil)
    #expect(History().obstacle(toAdding: records, behind: 0) == "more than 1000000 records")
  }

  @Test func `damage is named`() {
    let head = History.version + "\n" + CSV.record(History.columns) + "# 1 date: today\n"
    for (line, complaint) in [
      ("2,a,,time,ns/op,lower,sampled,3,1,1,1,", "h.csv:4: field 'run': expected a run that is described, found '2'"),
      ("1,a,,time,ns/op,lower,sampled,3,1,2,1,", "h.csv:4: field 'high': expected a number not below 'low', found '1'"),
      (
        "1,a,,time,ns/op,down,sampled,3,1,1,1,",
        "h.csv:4: field 'polarity': expected one of lower, higher, neither, found 'down'"
      ),
      (
        "1,a,,time,ns/op,lower,sampled,0,1,1,1,", "h.csv:4: field 'launches': expected a whole number from 1, found '0'"
      ),
      (
        "1,a,,time,ns/op,lower,sampled,3,1,1,1,1 2 3",
        "h.csv:4: field 'deciles': expected eleven numbers in rising order, or nothing, found '1 2 3'"
      ),
      (
        "1,a,,time,ns/op,lower,sampled,3,1,1,1,1 2 3 4 5 6 7 8 9 11 10",
        "h.csv:4: field 'deciles': expected eleven numbers in rising order, or nothing, found '1 2 3 4 5 6 7 8 9 11 10'"
      ),
      (
        "1,a,n=1,time,ns/op,lower,sampled,3,1,1,1,\n1,a,n=1,time,ns/op,lower,sampled,3,2,2,2,",
        "h.csv:5: field 'metric': expected what run 1 doesn't have of 'a[n=1]' yet, found 'time'"
      ),
      (
        "# 2 x: y\n2,a,,time,ns/op,lower,sampled,3,1,1,1,\n1,a,,time,ns/op,lower,sampled,3,2,2,2,",
        "h.csv:6: field 'run': expected 2 or more, as the records before it have, found '1'"
      ),
      ("# 0 x: y", "h.csv:4: expected '# RUN name: value', found '# 0 x: y'"),
    ] {
      #expect { try History(Array((head + line + "\n").utf8), path: "h.csv") } throws: { "\($0)" == complaint }
    }
  }

  @Test func `a complaint quotes little, and names have a limit`() {
    func failure(_ lines: String) -> String? {
      let text = History.version + "\n" + lines
      return #expect(throws: ResultFile.Failure.self) { try History(Array(text.utf8), path: "h") }?.description
    }
    let long = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(failure("#\(long)\n").map { $0.utf8.count < 300 } == true)
    for (fields, field) in [
      ("\(String(repeating: "b", count: 10_001)),,m,u", "benchmark"),
      ("b,\(String(repeating: "b", count: 10_001)),m,u", "parameters"),
      ("b,,\(String(repeating: "b", count: 10_001)),u", "metric"),
      ("b,,m,\(String(repeating: "b", count: 1001))", "unit"),
    ] {
      let lines = "# 1 commit: c\n" + CSV.record(History.columns) + "1,\(fields),lower,exact,1,1,1,1,\n"
      #expect(failure(lines)?.hasPrefix("h:4: field '\(field)': expected at most ") == true, "\(field)")
    }
  }

  @Test func `a run is known by its own hash, whatever its environment says`() throws {
    var results = Results.run()
    results.environment += [("results", "forged"), ("commit", "first"), ("commit", "second")]
    results.add(.allocations, [1])
    let history = try History(Array(History().lines(adding: results, hash: "own").utf8), path: "h")
    #expect(history.run(of: "own")?.number == 1 && history.run(of: "forged") == nil)
    #expect(history.runs[0].environment["commit"] == "first")
  }
}
