// Must show: the hooks count what callgrind counts, in fifty programs; and one more in a million is told apart.
// Slow where it must be: one process of valgrind for sixteen programs.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct CorpusTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs the instrument's own benchmarks with the built command.
  private func gauge(_ arguments: String..., environment: [String: String] = [:]) throws -> Results {
    let path = folder(UUID().uuidString + ".csv")
    let run = try ProcessRun.capturing(
      Command(
        program: GaugeExecutableTests.gauge,
        arguments: ["run", "--executable", CallgrindTests.benchmarks, "--allow-debug", "--output", path] + arguments,
        environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }), limit: .seconds(3600))
    #expect(run.ending == .ended(.exited(0)), "\(run.output)")
    return try ResultFile.read(path).results
  }

  private func value(_ metric: Metric, of benchmark: String, in results: Results) -> Double? {
    let row = results.rows.first { $0.benchmark == benchmark && $0.metric.name == metric.name }
    guard case .value(let value)? = row?.outcome else { return nil }
    return value
  }

  @Test(.enabled(if: CallgrindTests.isInstalled)) func `the hooks count what callgrind counts`() throws {
    let results = try gauge("--tag", "corpus", "--metrics", "references,counts")
    let programs = Set(results.rows.map(\.benchmark))
    #expect(programs.count == 50)
    var counted = 0.0
    for program in programs {
      for (hook, callgrind) in [(Metric.arcRetains, Metric.retains), (.arcReleases, .releases)] {
        let (one, other) = (value(hook, of: program, in: results), value(callgrind, of: program, in: results))
        #expect(one != nil && one == other, "\(program): \(hook.name) \(one ?? -1), \(callgrind.name) \(other ?? -1)")
        counted += one ?? 0
      }
    }
    #expect(counted > 1000)
  }

  @Test(arguments: [("allocation", Metric.allocations), ("retain", .arcRetains)] as [(String, Metric)])
  func `one more in a million is told apart`(extra: String, metric: Metric) throws {
    guard CallgrindTests.isInstalled else { return }
    let arguments = ["gauge/rarely", "--metrics", "\(metric.name)", "--launches", "1"]
    func run(_ environment: [String: String]) throws -> Double {
      let results = try gauge(
        arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], environment: environment)
      return try #require(value(metric, of: "gauge/rarely", in: results))
    }
    let plain = try run([:])
    let more = try run(["GAUGE_DEMONSTRATION_ONE_IN_A_MILLION": extra])
    // Built for debugging, the one retained object is retained some times more on its way.
    let difference = ((more - plain) * 1e6).rounded()
    #expect(difference >= 1 && difference <= (metric == .allocations ? 1 : 4), "\(plain) and \(more)")
    #expect(abs(more - plain - difference * 1e-6) < 1e-9)
  }
}
