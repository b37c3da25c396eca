// The readers of results, limits and histories, and of what packages, kept builds and launches say of themselves.

import CFuzz
import Foundation
import Gauge
import HostileFiles

@testable import GaugeRunner

/// Ends the process, with the file written down.
func giveUp(_ reason: String) -> Never { reason.withCString { fuzz_give_up($0) } }

/// Ends the process where a refusal does not name the file, a line of it and a reason.
private func check(_ failure: ResultFile.Failure, of bytes: [UInt8]) {
  let lines = 1 + bytes.count { $0 == UInt8(ascii: "\n") }
  guard case .malformed("f.csv", let line, _, let message) = failure, (1...lines).contains(line), !message.isEmpty
  else {
    giveUp("it was refused without a place: \(failure)")
  }
}

private func text(of results: Results) -> String {
  ResultFormat.head(environment: results.environment) + results.rows.map(ResultFormat.line).joined()
    + results.faults.map(ResultFormat.line).joined()
}

/// A run of two benchmarks with everything that a file may have.
private let sample: Results = {
  var results = Results()
  results.environment = [
    ("date", "2025-01-01"), ("machine_id", "a1"), ("cpu_model", "Xeon"), ("commit", "0123456789"),
    ("executables", "b1"),
    ("limits", "d=subject/send"), ("results", "x\ny"),
  ]
  func add(_ metric: Metric, _ values: [Double], _ benchmark: String, _ parameters: String = "") {
    for (launch, value) in values.enumerated() {
      results.rows.append(
        ResultRow(
          benchmark: benchmark, parameters: parameters, metric: metric, launch: launch, sequence: results.rows.count,
          iterations: 100, samples: 10, outcome: .value(value)))
    }
  }
  for sinks in [1, 2] {
    add(.time, [100, 101, 99.5, 100.25], "subject/send", "sinks=\(sinks)")
    add(.throughput, [1e7, 1.01e7], "subject/send", "sinks=\(sinks)")
    add(.allocations, [3, 3, 3], "subject/send", "sinks=\(sinks)")
  }
  for percentile in ["50", "99", "99.9"] { add(.latency(percentile: percentile), [10, 20, 30], "d") }
  results.rows.append(
    ResultRow(
      benchmark: "d", parameters: "", metric: .openLoopRate, launch: 0, sequence: 50, iterations: 0, samples: 0,
      outcome: .unavailable("no \"threads\", here\nnor there")))
  results.faults = [
    BenchmarkFault(
      benchmark: "queue/push", parameters: "n=2", reason: "killed by signal 4 | really",
      output: "Fatal error: index | out of range\n```")
  ]
  return results
}()

/// Whether a file is one of few for which what takes long is done, too: always the same ones.
private func isChosen(_ bytes: [UInt8]) -> Bool { bytes.reduce(into: UInt8(0)) { $0 &+= $1 } % 32 == 0 }

extension Reader {
  static let results = Reader(
    name: "results", originals: [Array(text(of: sample).utf8)],
    words: [
      "# gauge-results 1",
      "benchmark,parameters,metric,unit,polarity,kind,launch,sequence,iterations,samples,value,note",
    ]
  ) { bytes in
    do throws(ResultFile.Failure) {
      let found = try ResultFile.parse(bytes, path: "f.csv").results
      // What was read is what the file says: written and read again, it is the same.
      let again = try ResultFile.parse(Array(text(of: found).utf8), path: "f.csv").results
      if again.rows != found.rows || again.faults != found.faults { giveUp("what was written reads as something else") }
      _ = try WholeLaunches(bytes, path: "f.csv")
      let comparison = Comparison(base: sample, new: found)
      _ = comparison.exitCode
      _ = try? MergedResults([("a.csv", found), ("b.csv", sample)])
      guard isChosen(bytes) else { return }
      for format in ReportFormat.allCases {
        _ = format.files(comparison, base: sample, new: found, width: 80)
        _ = format.files(found, title: "t")
      }
      _ = History().lines(adding: found, hash: "h")
      _ = EarlierRun(found).text
    } catch {
      check(error, of: bytes)
    }
  }

  static let limits = Reader(
    name: "limits",
    originals: [
      Array(
        """
        # limits
        what,benchmark,parameters,less,less_parameters,divisor,metric,limit
        "a row, first",subject/send,sinks=1,,,1,allocations,50
        each more,subject/send,sinks=2,subject/send,sinks=1,9,time,5.5

        """.utf8)
    ]
  ) { bytes in
    do throws(ResultFile.Failure) {
      let rows = MeasuredRows.grouped(sample)
      for limit in try CostLimit.parse(bytes, path: "f.csv") { _ = limit.outcome(in: rows) }
    } catch {
      check(error, of: bytes)
    }
  }

  static let thresholds = Reader(
    name: "thresholds", originals: [Array("benchmark,metric,percent,absolute\na*,time,5,\n*,allocations,,2\n".utf8)],
    words: ["*", "**", "?", "*a*a*a*a*a*a*a*a"]
  ) { bytes in
    let key = ResultRow.Key(benchmark: String(repeating: "a", count: 2000), parameters: "n=1", metric: "time")
    do throws(ResultFile.Failure) {
      for threshold in try Threshold.parse(bytes, path: "f.csv") { _ = threshold.matches(key) }
    } catch {
      check(error, of: bytes)
    }
  }

  static let history: Reader = {
    var whole = ""
    for run in 0..<3 {
      let before = whole.isEmpty ? History() : (try? History(Array(whole.utf8), path: "f.csv")) ?? History()
      whole += before.lines(adding: sample, hash: "\(run)")
    }
    return Reader(name: "history", originals: [Array(whole.utf8)], words: [History.version, "# 3 commit: x"]) { bytes in
      do throws(ResultFile.Failure) {
        let history = try History(bytes, path: "f.csv")
        let series = HistorySeries.all(of: history)
        _ = series.map(trendPlot)
        _ = history.lines(adding: sample, hash: "h")
        _ = history.text(inserting: sample, hash: "h", at: 0)
        _ = HistorySite(history, series, commits: nil).files
      } catch {
        check(error, of: bytes)
      }
    }
  }()

  static let earlierRun = Reader(
    name: "earlier-run", originals: [Array(EarlierRun(sample).text.utf8)], words: [EarlierRun.version]
  ) { bytes in
    do throws(ResultFile.Failure) {
      let run = try EarlierRun(bytes, path: "f.csv")
      let again = try EarlierRun(Array(run.text.utf8), path: "f.csv")
      if again.levels != run.levels { giveUp("what was written reads as something else") }
    } catch {
      check(error, of: bytes)
    }
  }

  static let package = Reader(
    name: "package",
    originals: [
      #"{"targets":[{"name":"Fast","type":"executable","path":"Benchmarks/Fast","target_dependencies":["Gauge"]}]}"#,
      #"{"targets":[{"name":"é","type":"test","path":"x"},{"name":"B","type":"executable","path":"/B"}]}"#,
    ].map { Array($0.utf8) }, words: ["\\u0000", "\\ud800", "1e400", "[[[[", "\"target_dependencies\":"]
  ) { bytes in
    guard let found = try? JSONDecoder().decode(BenchmarkPackage.Description.self, from: Data(bytes)) else { return }
    if BenchmarkPackage.Targets(found).benchmarks.count > found.targets.count { giveUp("targets come from nowhere") }
  }

  static let keptBuild: Reader = {
    let file = KeptBuild.File(
      path: "B", hash: String(repeating: "0a", count: 32), size: 12_345, isExecutable: true)
    let build = KeptBuild(
      saved: "2025-01-01T00:00:00Z", commit: "0123456789", terms: BuildTerms(of: [], toolchain: { "" }), results: file,
      executables: ["B"], files: [file])
    return Reader(name: "kept-build", originals: [Array(build.text.utf8)], words: ["../", "\\u0000", "1e400"]) {
      bytes in
      guard let build = try? KeptBuild(bytes, path: "f.json") else { return }
      for file in [build.results] + build.files where file.path.hasPrefix("/") || file.path.contains("..") {
        if !KeptBuild.isPlain(file.path) { giveUp("a path leads out of its folder") }
      }
      _ = CommandFailure.megabytes(build.size)
      _ = build.files.map { CommandFailure.megabytes($0.size) }
      _ = build.terms.refusals(here: build.terms, toolchain: { "" })
    }
  }()

  static let list = Reader(
    name: "list",
    originals: [
      "benchmark\ta/b\tn=1\ttime,counts\nbenchmark\tc\t\ttime\ta/b\tfast,slow\tthreads\nflawed\tfor debugging\n",
      "run-fixture\nbenchmark\ta\t\ttime,latency,allocations\t\ttag\n",
    ].map { Array($0.utf8) }, words: ["benchmark", "time", "counts", "threads", SuiteList.runFixture, SuiteList.flawed]
  ) { bytes in
    _ = try? BenchmarkList.parse(String(decoding: bytes, as: UTF8.self), of: "/bin/b").map(\.title)
  }

  static let report: Reader = {
    var report = LaunchReport()
    report.measurements = [
      Measurement(.time, .value(12.5), iterations: 100, samples: 10),
      Measurement(.allocations, .unavailable("a\tb\nc")),
    ]
    report.ending = .done
    let others = [
      "\(LaunchReport.header)\nskipped\tno \\\\ reason\n", "\(LaunchReport.header)\nfailed\tbroke\n",
    ]
    return Reader(
      name: "report", originals: ([report.text] + others).map { Array($0.utf8) }, words: ["metric", "done"]
    ) {
      bytes in
      guard let found = try? LaunchReport(text: String(decoding: bytes, as: UTF8.self)) else { return }
      guard found.ending != nil else { return }
      if (try? LaunchReport(text: found.text)) != found { giveUp("what was written reads as something else") }
    }
  }()
}
