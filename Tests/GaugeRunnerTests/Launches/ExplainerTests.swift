// Tests of explaining benchmarks under callgrind, with the instrument's own.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct ExplainerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func explainer(_ callgrind: Callgrind?) -> Explainer {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let symboliser = Symboliser(lines: SourceLines(besides: "swift", path: path), scratch: folder("addresses"))
    return Explainer(callgrind: callgrind, symboliser: symboliser, environment: [:])
  }

  private func point(_ name: String, passes: [LaunchRequest.Pass] = [.counts]) -> BenchmarkPoint {
    .sample(name, passes: passes, executable: CallgrindTests.benchmarks)
  }

  @Test(.enabled(if: CallgrindTests.isInstalled)) func `benchmarks are profiled, several in one process`() throws {
    let callgrind = Callgrind(folder: folder("scratch"), path: ProcessInfo.processInfo.environment["PATH"] ?? "")
    let profiles = explainer(callgrind).profiles([point("gauge/allocate"), point("gauge/empty"), point("none")])
    guard case .profile(let allocate)? = profiles["gauge/allocate"], case .profile(let empty)? = profiles["gauge/empty"]
    else {
      Issue.record("\(profiles)")
      return
    }
    #expect(allocate.operations == 1000)
    #expect(allocate.allocations.total == 1000)
    #expect(allocate.releases.total >= 1000)
    #expect(allocate.retains.total == 0)
    #expect(allocate.instructions.total > 50_000)
    // Built for debugging, the operation and the loop around it are not one function.
    #expect(empty.instructions.total < allocate.instructions.total)
    guard case .unavailable? = profiles["none"] else {
      Issue.record("a benchmark that is not there has a profile")
      return
    }
  }

  @Test func `what can't be counted is said`() {
    let threads = explainer(Callgrind(folder: folder("scratch"), path: folder.path))
    let pair = (base: point("a"), new: point("a"))
    #expect(threads.explanations([pair])["a"]?.lines == ["not explained: before: " + Callgrind.absence])
    _ = folder
  }

  @Test func `benchmarks of several threads are not run`() throws {
    _ = try folder.script("exit 1", named: "valgrind")
    let callgrind = try #require(Callgrind(folder: folder("scratch"), path: folder.path))
    let pair = (base: point("a", passes: [.time]), new: point("a", passes: [.time]))
    let lines = explainer(callgrind).explanations([pair])["a"]?.lines ?? []
    #expect(lines.first?.contains("can't be counted") == true)
  }

  @Test func `a valgrind that fails is told of`() throws {
    _ = try folder.script("exit 1", named: "valgrind")
    let callgrind = try #require(Callgrind(folder: folder("scratch"), path: folder.path))
    let executable = try folder.script("exit 0", named: "benchmarks")
    let broken = BenchmarkPoint.sample("a", passes: [.counts], executable: executable)
    let lines = explainer(callgrind).explanations([(broken, broken)])["a"]?.lines
    #expect(lines == ["not explained: before: under valgrind it did not come to its end"])
  }
}
