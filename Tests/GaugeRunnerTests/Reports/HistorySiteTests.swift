// The files of a site: links, changes, numbers, and nothing of a name that is more than a name.

import Foundation
import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct HistorySiteTests {
  /// A commit's name.
  static func hash(_ number: Int) -> String { String(repeating: "\(number + 10)", count: 20) }

  /// A run of a commit.
  static func run(
    _ number: Int, time: Double, allocations: Double, machine: String = "a1", toolchain: String = "Swift 6.3"
  ) -> Results {
    var results = Results.run(machine: machine)
    results.environment[0].value = "2026-01-\(number + 10)T00:00:00Z"
    results.environment += [
      ("commit", hash(number)), ("subject", "Number \(number)"), ("toolchain", toolchain),
      ("allocator", "hooks over the C library's allocator"),
    ]
    results.add(.time, [time * 0.99, time, time * 1.02], to: "words/count", parameters: "n=1")
    results.add(.allocations, [allocations], to: "words/count", parameters: "n=1")
    results.add(.allocations, [3], to: "words/split")
    return results
  }

  static func runs() -> [Results] {
    (0..<20).map { run($0, time: $0 < 10 ? 1000 : 1100, allocations: $0 < 15 ? 2 : 4) }
  }

  /// The files of a site by their names.
  static func files(_ history: History, commits: String? = "https://example.org/c/") -> [String: String] {
    let site = HistorySite(history, HistorySeries.all(of: history, byToolchain: true), commits: commits)
    return Dictionary(uniqueKeysWithValues: site.files.map { ($0.name, $0.text) })
  }

  /// What a file of data assigns.
  static func value(_ text: String?, of variable: String) throws -> [String: Any] {
    let text = try #require(text)
    let start = "var \(variable) = "
    #expect(text.hasPrefix(start) && text.hasSuffix(";\n"))
    let json = try JSONSerialization.jsonObject(with: Data(text.dropFirst(start.count).dropLast(2).utf8))
    return try #require(json as? [String: Any])
  }

  /// The courses of a metric.
  static func courses(_ text: String?, of name: String) throws -> [[String: Any]] {
    let metrics = try #require(try value(text, of: "gaugeBenchmark")["metrics"] as? [[String: Any]])
    let metric = try #require(metrics.first { $0["name"] as? String == name })
    return try #require(metric["courses"] as? [[String: Any]])
  }

  @Test func `every benchmark has a page and its data, and the start page leads there`() throws {
    let files = Self.files(try History.of(Self.runs()))
    #expect(
      files.keys.sorted() == [
        "benchmarks/words-count-n=1-.html", "benchmarks/words-split.html", "data/words-count-n=1-.js",
        "data/words-split.js", "index.html", "runs.js", "site.js",
      ])
    let start = try #require(files["index.html"])
    #expect(start.contains("2 benchmarks over 20 runs, measured from 2026-01-10 to 2026-01-29."))
    #expect(start.contains("<a href=\"benchmarks/words-count-n=1-.html#time\"><code>words/count[n=1]</code></a>"))
    #expect(start.contains("<a href=\"https://example.org/c/\(Self.hash(15))\">2525252525</a>"))
    #expect(start.contains("<td>Number 15</td><td>2026-01-25</td>"))
    #expect(start.contains("<script src=\"site.js\"></script>"))
    let page = try #require(files["benchmarks/words-count-n=1-.html"])
    #expect(page.contains("<h1>words/count[n=1]</h1>") && page.contains("<a href=\"../index.html\">"))
    #expect(
      page.contains(
        """
        <script src="../runs.js"></script>
        <script src="../data/words-count-n=1-.js"></script>
        <script src="../site.js"></script>
        """))
    #expect(files["site.js"]?.hasPrefix(ReportScript.text) == true)
    let runs = try #require(try Self.value(files["runs.js"], of: "gaugeRuns")["runs"] as? [[Any]])
    #expect(runs.count == 20 && runs[3][2] as? String == Self.hash(3) && runs[3][4] as? String == "Number 3")
  }

  @Test func `without an address commits lead nowhere, and neither do those without a name`() throws {
    let files = Self.files(try History.of(Self.runs()), commits: nil)
    #expect(files["index.html"]?.contains("<td>2525252525</td>") == true)
    var runs = Self.runs()
    for index in runs.indices { runs[index].environment.removeAll { $0.name == "commit" } }
    let nameless = Self.files(try History.of(runs))
    #expect(nameless["index.html"]?.contains("example.org") == false)
  }

  @Test func `changes are those of the history, the newest first`() throws {
    let history = try History.of(Self.runs())
    let files = Self.files(history)
    for (metric, series) in [
      ("allocations", HistorySeries.all(of: history)[0]), ("time", HistorySeries.all(of: history)[1]),
    ] {
      let courses = try Self.courses(files["data/words-count-n=1-.js"], of: metric)
      let changes = try #require(courses[0]["changes"] as? [[Any]])
      #expect(courses.count == 1 && changes.compactMap { $0[0] as? Int } == series.changes.map(\.index))
      #expect(changes.compactMap { $0[1] as? Double } == series.changes.map(\.before))
      #expect(changes.compactMap { $0[2] as? Double } == series.changes.map(\.after))
      #expect(changes.compactMap { $0[3] as? String } == series.changes.map(\.verdict.rawValue))
      #expect(!changes.isEmpty)
    }
    let lately = try #require(files["index.html"]?.components(separatedBy: "<h2>Worst")[0])
    let rows = lately.components(separatedBy: "<tbody")
    #expect(rows.count == 3)
    #expect(rows[1].contains("allocations") && rows[1].contains(">+100.0 %</td><td>worse</td>"))
    #expect(rows[2].contains("1.00 µs</td>") && rows[2].contains(">+10.0 %</td><td>worse</td>"), "\(rows[2])")
    // What was lost, the most first.
    let worst = try #require(files["index.html"]?.components(separatedBy: "<h2>Worst")[1])
    let lost = worst.components(separatedBy: "<tbody")
    #expect(lost[1].contains(">2</td>") && lost[1].contains(">4</td>") && lost[2].contains("+10.0 %"), "\(worst)")
  }

  @Test func `numbers of two commits are those of a comparison of their files`() throws {
    var noise = Noise(seed: 4)
    let runs = (0..<3).map { number -> Results in
      var results = Self.run(number, time: 100, allocations: Double(number))
      results.add(.latency(percentile: "50"), noise.launches(9, around: 40), to: "words/count", parameters: "n=1")
      return results
    }
    let files = Self.files(try History.of(runs))
    let comparison = Comparison(base: runs[0], new: runs[2])
    #expect(comparison.entries.count >= 4)
    for entry in comparison.entries where entry.key.title == "words/count[n=1]" {
      let course = try Self.courses(files["data/words-count-n=1-.js"], of: entry.key.metric)[0]
      func numbers(_ name: String) throws -> [Double] {
        let all = try #require(course[name] as? [Any] ?? course["medians"] as? [Any])
        return all.compactMap { ($0 as? NSNumber)?.doubleValue }
      }
      for (side, place) in [(entry.before, 0), (entry.after, 2)] {
        let estimate = try #require(side)
        let found = (try numbers("medians")[place], try numbers("lows")[place], try numbers("highs")[place])
        let wanted = (estimate.value, estimate.interval.lower, estimate.interval.upper)
        for (one, other) in [(found.0, wanted.0), (found.1, wanted.1), (found.2, wanted.2)] {
          #expect(abs(one - other) <= 1e-9 * abs(other), "\(entry.key)")
        }
      }
    }
  }

  @Test func `each machine and each toolchain has its course, counts that of the toolchain`() throws {
    let runs = (0..<6).map { number in
      Self.run(
        number, time: 100, allocations: 2, machine: number.isMultiple(of: 2) ? "a1" : "b2",
        toolchain: number < 4 ? "Swift 6.2" : "Swift 6.3")
    }
    let files = Self.files(try History.of(runs))
    let times = try Self.courses(files["data/words-count-n=1-.js"], of: "time")
    #expect(times.compactMap { $0["machine"] as? String } == ["a1", "a1", "b2", "b2"].map { "Xeon, machine \($0)" })
    #expect(times.compactMap { $0["runs"] as? [Int] } == [[0, 2], [4], [1, 3], [5]])
    let counts = try Self.courses(files["data/words-count-n=1-.js"], of: "allocations")
    #expect(counts.compactMap { $0["toolchain"] as? String } == ["Swift 6.2", "Swift 6.3"])
    #expect(counts.compactMap { $0["machine"] as? String } == ["", ""] && counts[0]["lows"] is NSNull)
    #expect(files["index.html"]?.contains("<th scope=\"col\">measured by</th>") == true)
    // Times of the machines are not to be compared: each has its number.
    let listed = try #require(try Self.value(files["runs.js"], of: "gaugeRuns")["runs"] as? [[Any]])
    #expect(listed.compactMap { $0[5] as? Int } == [0, 1, 0, 1, 0, 1])
    #expect(listed.allSatisfy { $0[6] as? String == "hooks over the C library's allocator" })
  }

  @Test func `launches are there by their tenths`() throws {
    let files = Self.files(try History.of(Self.runs()))
    let course = try Self.courses(files["data/words-count-n=1-.js"], of: "time")[0]
    let deciles = try #require(course["deciles"] as? [[Double]])
    #expect(deciles.count == 20 && deciles[0].count == 11)
    #expect(deciles[0][0] == 990 && deciles[0][5] == 1000 && deciles[0][10] == 1020)
  }

  @Test func `the same history gives the same bytes`() throws {
    let history = try History.of(Self.runs())
    #expect(Self.files(history) == Self.files(try History.of(Self.runs())))
  }

  @Test func `a history without runs has a page that says so`() {
    let files = Self.files(History())
    #expect(files.keys.sorted() == ["index.html", "runs.js", "site.js"])
    #expect(files["index.html"]?.contains("0 benchmarks over 0 runs.") == true)
  }

  private static func hostile(_ name: String) throws -> [(name: String, text: String)] {
    let history = try History.of([HostileNames.run(name), HostileNames.run(name, factor: 2)])
    let series = HistorySeries.all(of: history, byToolchain: true)
    return HistorySite(history, series, commits: "https://example.org/").files
  }

  @Test(arguments: HostileNames.all) func `no page takes a name for more than a name`(name: String) throws {
    let (innocent, hostile) = (try Self.hostile("innocent"), try Self.hostile(name))
    #expect(innocent.count == hostile.count)
    for (one, other) in zip(innocent, hostile) {
      let parts = other.name.split(separator: "/", omittingEmptySubsequences: false)
      #expect(parts.count == one.name.split(separator: "/").count && !parts.contains(".."), "\(other.name)")
      if one.name.hasSuffix(".html") {
        for mark in ["<", "\""] {
          #expect(
            one.text.unicodeScalars.count { $0 == mark.unicodeScalars.first }
              == other.text.unicodeScalars.count { $0 == mark.unicodeScalars.first }, "\(mark) in \(other.name)")
        }
      } else if one.name != "site.js" {
        _ = try Self.value(other.text, of: one.name == "runs.js" ? "gaugeRuns" : "gaugeBenchmark")
      }
      if one.name != "site.js" {
        #expect(!other.text.unicodeScalars.contains { $0.isControl && $0 != "\n" && $0 != "\t" }, "\(other.name)")
      }
    }
  }
}
