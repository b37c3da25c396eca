// Launches that share a process of valgrind count what they count alone.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct CallgrindBatchTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func launch(
    _ benchmark: String, _ sequence: Int, _ parameters: String = "", executable: String = CallgrindTests.benchmarks
  ) -> PlannedLaunch {
    PlannedLaunch(
      point: .sample(benchmark, parameters, passes: [.counts], executable: executable), pass: .counts, launch: 0,
      sequence: sequence, budget: 1)
  }

  private func outcomes(_ launches: [PlannedLaunch], named name: String = "scratch") throws -> [Int: LaunchOutcome] {
    let callgrind = try #require(
      Callgrind(folder: folder(name), path: ProcessInfo.processInfo.environment["PATH"] ?? ""))
    return callgrind.outcomes(of: launches, environment: [:], limit: .seconds(3600), stoppingOn: nil)
  }

  @Test(.enabled(if: CallgrindTests.isInstalled)) func `company changes no count`() throws {
    let launches = [
      launch("gauge/allocate", 3), launch("gauge/demonstration", 5, "words=64"), launch("gauge/retain", 8),
      launch("gauge/empty", 9),
    ]
    let together = try outcomes(launches)
    #expect(Set(together.keys) == [3, 5, 8, 9])
    #expect(try outcomes(launches.reversed(), named: "another-scratch-folder") == together)
    #expect(try outcomes([launches[1]])[5] == together[5])
    guard case .measured(let measurements) = together[3] else {
      Issue.record("gauge/allocate is not measured")
      return
    }
    #expect(measurements.map(\.metric) == Metric.counted)
    // Alone the request is an argument, and its launch no fork: the same but for what that leaves on the heap.
    let callgrind = try #require(
      Callgrind(folder: folder("alone"), path: ProcessInfo.processInfo.environment["PATH"] ?? ""))
    let alone = callgrind.outcome(of: launches[3], environment: [:], limit: .seconds(3600), stoppingOn: nil)
    #expect(alone == together[9])
  }

  @Test(.enabled(if: CallgrindTests.isInstalled)) func `what breaks is left to be run alone`() throws {
    let outcomes = try outcomes([launch("gauge/empty", 0), launch("gauge/none", 1), launch("gauge/retain", 2)])
    #expect(Set(outcomes.keys) == [0, 2])
    #expect(try self.outcomes([launch("a", 0, executable: folder("none"))]).isEmpty)
    #expect(try self.outcomes([]).isEmpty)
  }
}
