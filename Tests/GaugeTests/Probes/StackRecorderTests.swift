// Recording stacks, each kind in a process of its own: what is recorded adds up to what is counted.

import Foundation
import Testing

@testable import Gauge

#if os(Linux)
  @Suite(.enabled(if: !Products.areSanitized)) struct StackRecorderTests {
    /// Path of a file that is not there.
    private let file = NSTemporaryDirectory() + "gauge-stacks-" + UUID().uuidString

    /// Runs a launch; the words of its file, none where there is none.
    private func launch(
      _ benchmark: String, _ parameters: String = "", _ kind: LaunchRequest.Profile.Kind, rate: Int = 10_000,
      environment: [String: String] = [:]
    ) throws -> (report: LaunchReport, words: [UInt64]) {
      defer { try? FileManager.default.removeItem(atPath: file) }
      let report = try Products.launch(
        benchmark, parameters, pass: .profile, preload: kind == .cpu ? [] : [Products.hooks], environment: environment,
        profile: LaunchRequest.Profile(kind, rate: rate, file: file)
      ).report
      let data = (try? Data(contentsOf: URL(fileURLWithPath: file))) ?? Data()
      let words = stride(from: 0, to: data.count - data.count % 8, by: 8).map { offset in
        data[offset..<offset + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
      return (report, words)
    }

    /// The weights of all records, added up.
    private func totals(_ words: [UInt64]) -> [UInt64] {
      var totals = [UInt64](repeating: 0, count: 4)
      var place = 16 + Int(words[12] + 7) / 8 + Int(words[13] + 7) / 8
      while place < words.count {
        let end = place + 1 + Int(words[place])
        place += 1
        while place < end {
          for index in 0..<Int(words[place + 3]) { totals[index] += words[place + 4 + index] }
          place += Int(words[place])
        }
      }
      return totals
    }

    private func value(_ metric: Metric, in report: LaunchReport) throws -> Double {
      let measurement = try #require(report.measurements.first { $0.metric.name == metric.name })
      guard case .value(let value) = measurement.outcome else {
        Issue.record("\(measurement)")
        return .nan
      }
      return value
    }

    @Test(arguments: [1, 2, 3]) func timeIsSampledWithEachClock(clock: UInt64) throws {
      let (report, words) = try launch(
        "gauge/loop", "turns=10000", .cpu, environment: ["GAUGE_SAMPLING_CLOCK": "\(clock)"])
      #expect(report.ending == .done)
      let told = try #require(report.measurements.last)
      #expect(told.metric == .profiledOperations && told.iterations > 0)
      // A coarser clock stands in for one that isn't permitted; the coarsest may not have ticked within so short a time.
      #expect(words[3] >= clock)
      #expect(words[4] == 100_000)
      #expect(words[5] != 0 && words[6] != 0 && words[7] != 0)
      if words[3] < 3 { #expect(told.samples > 0 && totals(words)[0] == UInt64(told.samples) * 100_000) }
    }

    @Test func aClockThatDoesNotExistIsUnavailable() throws {
      let (report, words) = try launch("gauge/empty", "", .cpu, environment: ["GAUGE_SAMPLING_CLOCK": "4"])
      #expect(words.isEmpty)
      #expect(
        report.measurements == [
          Measurement(.profiledOperations, .unavailable("threads can't be sampled: Invalid argument"))
        ])
    }

    @Test(arguments: [("gauge/allocate", ""), ("gauge/demonstration", "words=64"), ("gauge/await", "")])
    func stacksOfAllocationsAddUpToTheExactCounters(benchmark: String, parameters: String) throws {
      let exact = try Products.launch(benchmark, parameters, pass: .allocations, preload: [Products.hooks]).report
      let (report, words) = try launch(benchmark, parameters, .allocations)
      #expect(report.ending == .done)
      let totals = totals(words)
      #expect(Double(totals[0]) == (try value(.allocations, in: exact)) * 1000)
      #expect(Double(totals[1]) == (try value(.allocatedBytes, in: exact)) * 1000)
      #expect(totals[2] <= totals[0] && totals[3] <= totals[1])
    }

    @Test(arguments: [("gauge/retain", ""), ("gauge/allocate", ""), ("gauge/demonstration", "words=64")])
    func stacksOfReferencesAddUpToTheExactCounters(benchmark: String, parameters: String) throws {
      let pinned = ["SWIFT_DETERMINISTIC_HASHING": "1"]
      let exact = try Products.launch(
        benchmark, parameters, pass: .references, preload: [Products.hooks], environment: pinned
      ).report
      let (report, words) = try launch(benchmark, parameters, .references, environment: pinned)
      #expect(report.ending == .done)
      let totals = totals(words)
      #expect(Double(totals[0]) == (try value(.arcRetains, in: exact)) * 1000)
      #expect(Double(totals[1]) == (try value(.arcReleases, in: exact)) * 1000)
    }

    @Test func whatCannotBeWrittenIsSaid() throws {
      let report = try Products.launch(
        "gauge/empty", pass: .profile, profile: LaunchRequest.Profile(.cpu, file: "/nowhere/stacks")
      ).report
      #expect(
        report.measurements == [
          Measurement(
            .profiledOperations,
            .unavailable("the stacks can't be written to /nowhere/stacks: No such file or directory"))
        ])
    }

    @Test func withoutHooksNoCallIsRecorded() throws {
      let report = try Products.launch(
        "gauge/empty", pass: .profile, profile: LaunchRequest.Profile(.allocations, file: file)
      ).report
      #expect(report.measurements == [Measurement(.profiledOperations, .unavailable(HeapHooks.absence))])
    }

    @Test func threadsOfAGroupAreSampled() throws {
      let (report, words) = try launch("gauge/lock", "threads=2", .cpu)
      #expect(report.ending == .done)
      #expect(words[6] == 0)
      #expect(try #require(report.measurements.last).iterations > 0)
    }
  }
#endif
