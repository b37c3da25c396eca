// Damaged files of every kind that gauge reads:
// a right answer or a complaint that names the line, never a crash or a hang.

import Foundation
import Gauge
import GaugeStatistics
import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct MutatedFilesTests {
  /// Files of each kind; the environment variable GAUGE_MUTATIONS asks for others than the usual
  /// few: 100,000 is the whole.
  static let count = ProcessInfo.processInfo.environment["GAUGE_MUTATIONS"].flatMap(Int.init) ?? 600

  /// What is wrong with a complaint; `nil` where it names the file and a line of it.
  func oddity(_ failure: ResultFile.Failure, _ bytes: [UInt8]) -> String? {
    guard case .malformed(let path, let line, _, let message) = failure else {
      return "no complaint of a file: \(failure)"
    }
    let lines = 1 + bytes.count { $0 == UInt8(ascii: "\n") }
    return path == "f.csv" && (1...lines).contains(line) && !message.isEmpty ? nil : "\(failure) of \(lines) lines"
  }

  func resultText(_ results: Results) -> String {
    ResultFormat.head(environment: results.environment) + results.rows.map(ResultFormat.line).joined()
      + results.faults.map(ResultFormat.line).joined()
  }

  @Test func `damaged result files are read right or refused with a place`() throws {
    var results = reportedSuite(seed: 1, benchmarks: 2)
    results.rows = results.rows.filter { $0.launch < 6 }
    for (launch, percentile) in ["50", "99", "99.9"].enumerated() {
      results.add(.latency(percentile: percentile), [10, 20, 30].map { $0 * Double(launch + 1) }, to: "d")
    }
    results.add(.openLoopRate, unavailable: "no \"threads\", here\nnor there", to: "d")
    results.faults = [reportedFault]
    results.environment.append(("limits", "d=subject/send"))
    var mutations = Mutations(resultText(results), seed: 20_261_121)
    var (read, refused) = (0, 0)
    for number in 0..<Self.count {
      let bytes = mutations.next()
      do throws(ResultFile.Failure) {
        let found = try ResultFile.parse(bytes, path: "f.csv").results
        read += 1
        // What was read is what the file says: written and read again, it is the same.
        let again = try ResultFile.parse(Array(resultText(found).utf8), path: "f.csv").results
        #expect(again.rows == found.rows && again.faults == found.faults, "mutation \(number)")
        _ = try WholeLaunches(bytes, path: "f.csv")
        let comparison = Comparison(base: results, new: found)
        #expect(ExitCode.allCases.contains(comparison.exitCode))
        _ = try? MergedResults([("a.csv", found), ("b.csv", results)])
        if number.isMultiple(of: 40) {
          for format in ReportFormat.allCases {
            _ = format.files(comparison, base: results, new: found, width: 80)
            _ = format.files(found, title: "t")
          }
          _ = History().lines(adding: found, hash: "h")
        }
      } catch {
        refused += 1
        #expect(oddity(error, bytes) == nil, "mutation \(number)")
      }
    }
    #expect(read > Self.count / 20 && refused > Self.count / 20, "\(read) read, \(refused) refused")
  }

  @Test func `damaged limits are read right or refused with a place`() throws {
    let text = """
      # limits
      what,benchmark,parameters,less,less_parameters,divisor,metric,limit
      "a row, first",a,n=1,,,1,instructions,50
      each more,a,n=10,a,n=1,9,instructions,5.5

      """
    var results = Results.run()
    results.add(.instructions, [48.5], to: "a", parameters: "n=1")
    let rows = MeasuredRows.grouped(results)
    var mutations = Mutations(text, seed: 7)
    for number in 0..<Self.count {
      let bytes = mutations.next()
      do throws(ResultFile.Failure) {
        for limit in try CostLimit.parse(bytes, path: "f.csv") { _ = limit.outcome(in: rows) }
      } catch {
        #expect(oddity(error, bytes) == nil, "mutation \(number)")
      }
    }
  }

  @Test func `damaged histories are read right or refused with a place`() throws {
    var text = ""
    for run in 0..<3 {
      let before = text.isEmpty ? History() : try History(Array(text.utf8), path: "f.csv")
      text += before.lines(adding: reportedSuite(seed: UInt64(run), benchmarks: 1), hash: "\(run)")
    }
    var mutations = Mutations(text, seed: 11)
    for number in 0..<Self.count {
      let bytes = mutations.next()
      do throws(ResultFile.Failure) {
        let history = try History(bytes, path: "f.csv")
        _ = HistorySeries.all(of: history).map(\.changes)
        _ = HistorySeries.all(of: history).map(trendPlot)
        _ = history.lines(adding: Results.run(), hash: "h")
        if number.isMultiple(of: 20) {
          _ = HistorySite(history, HistorySeries.all(of: history, byToolchain: true), commits: nil).files
        }
        // What was read is what the file says: written anew with a run in front, the rest is the same.
        let moved = history.text(inserting: Results.run(), hash: "h", at: 0)
        let again = try History(Array(moved.utf8), path: "f.csv")
        #expect(again.entries.count == history.entries.count, "mutation \(number)")
        #expect(Set(again.entries.map(\.key)) == Set(history.entries.map(\.key)), "mutation \(number)")
      } catch {
        #expect(oddity(error, bytes) == nil, "mutation \(number)")
      }
    }
  }

  @Test func `damaged package descriptions are read or refused`() {
    let text =
      #"{"targets":[{"name":"Fast","type":"executable","path":"Benchmarks/Fast"},{"name":"é","type":"test","path":"x"}]}"#
    var mutations = Mutations(text, seed: 13)
    var read = 0
    for _ in 0..<Self.count {
      let description = try? JSONDecoder().decode(BenchmarkPackage.Description.self, from: Data(mutations.next()))
      if let description {
        read += 1
        #expect(BenchmarkPackage.Targets(description).benchmarks.count <= description.targets.count)
      }
    }
    #expect(read < Self.count)
  }

  @Test func `damaged thresholds and earlier runs are read right or refused with a place`() throws {
    let thresholds = "benchmark,metric,percent,absolute\na*,time,5,\n*,allocations,,2\n"
    var mutations = Mutations(thresholds, seed: 17)
    for number in 0..<Self.count {
      let bytes = mutations.next()
      do throws(ResultFile.Failure) {
        _ = try Threshold.parse(bytes, path: "f.csv")
      } catch {
        #expect(oddity(error, bytes) == nil, "mutation \(number)")
      }
    }
    mutations = Mutations(EarlierRun(reportedSuite(seed: 1, benchmarks: 2)).text, seed: 19)
    for number in 0..<Self.count {
      let bytes = mutations.next()
      do throws(ResultFile.Failure) {
        _ = try EarlierRun(bytes, path: "f.csv")
      } catch {
        #expect(oddity(error, bytes) == nil, "mutation \(number)")
      }
    }
  }

  @Test func `damaged files of stacks are read or refused`() {
    var stacks = WrittenStacks()
    stacks.map = "55d000001000-55d000003000 r-xp 00001000 08:01 12    /bin/program"
    stacks.types = "1f\tModule.Box\n"
    stacks.add([5, 6], code: 0x55d0_0000_1004, frame: 0x1000, pointer: 0xff0, base: 0x1000, stack: [0x1010, 3, 0, 0])
    stacks.add([9], code: 3, frame: 4, pointer: 8, base: 16, stack: [], chains: [(0x50, [7, 8])])
    let plain = stacks.bytes
    stacks.addWaits()
    let waits = stacks.bytes
    stacks.addTimeline()
    let timeline = stacks.bytes
    stacks.addExperiments()
    for (original, seed) in [(plain, 23), (waits, 31), (timeline, 37), (stacks.bytes, 41)] as [([UInt8], UInt64)] {
      var mutations = Mutations(original, seed: seed)
      for _ in 0..<Self.count {
        let bytes = mutations.next()
        guard let file = try? SampleFile(bytes) else { continue }
        let unwinder = StackUnwinder(file, objects: { _ in nil })
        for record in file.records {
          #expect(unwinder.unwind(record).frames.count <= StackUnwinder.deepest + bytes.count)
        }
        if let record = file.timeline {
          let timeline = Timeline(record, stacks: [], types: file.types, title: "t")
          #expect(timeline.events.count <= record.events.count && timeline.blocks.count <= record.events.count)
          for form in TimelineFormat.allCases { _ = form.file(timeline) }
        }
        if let record = file.experiments {
          let predicted = VirtualSpeedUp(function: "f", share: 1, launches: [record.experiments])
          #expect(predicted.gains.allSatisfy { !$0.estimate.value.isNaN })
        }
        guard let record = file.waits else { continue }
        let report = WaitReport(record, causes: file.types, places: [], measuringThread: file.rootThread)
        #expect(report.threads.count == record.threads.count)
        #expect(!WaitText(report: report).text(width: 80, colour: false).isEmpty)
      }
    }
  }

  @Test func `damaged dumps of callgrind are read or refused`() {
    let dump = CallgrindDumpTests.dump("gauge operation 1000", 309_031)
    let empty = CallgrindDumpTests.dump("gauge empty 1000", 9031)
    var mutations = Mutations(dump, seed: 29)
    for _ in 0..<Self.count {
      let text = String(decoding: mutations.next(), as: UTF8.self)
      _ = CallgrindDump.measurements([text, empty])
      if let graph = CallgrindGraph(text) { #expect(graph.nodes.allSatisfy { $0.ownTotal >= 0 }) }
    }
  }

  @Test func `damaged symbols have a name or none`() {
    for symbol in [
      "$s13ExplainCorpus6SeriesV7summarySiyF", "$sSa5countSivg", "$s4main3FooVyxSgAcA3BarRzlWlTm",
      "$sSTsSeRzrlE6filterySay7ElementQzGSbACKXEKFSaySiG_Tg5",
    ] {
      var mutations = Mutations(symbol, seed: 31)
      for _ in 0..<Self.count {
        let damaged = String(decoding: mutations.next(), as: UTF8.self)
        _ = FunctionName.stable(SwiftDemangling.declaration(of: damaged) ?? damaged)
      }
    }
  }
}
