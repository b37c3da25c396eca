// Sides of `gauge ab`: what stands while they are measured, and what both do at once.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct AbSideTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func side(_ name: String, _ executable: String) throws -> AbSide {
    try AbSide(
      folder("results/\(name).csv"), head: [], points: [point(executable)], scratch: folder("scratch/\(name)"),
      environment: ["PATH": "/usr/bin:/bin"], signals: PendingSignals(blocking: []))
  }

  private func point(_ executable: String) -> BenchmarkPoint {
    var point = BenchmarkPoint(executable: executable, benchmark: "a", parameters: "", passes: [.time])
    point.hasRunFixture = true
    return point
  }

  private func plan(_ executable: String) -> LaunchPlan {
    LaunchPlan([PlannedLaunch(point: point(executable), pass: .time, launch: 0, sequence: 0, budget: 10)])
  }

  /// An executable whose launch ends only when the named one's has begun.
  private func waiting(for other: String, as name: String) throws -> String {
    try folder.script(
      #"""
      if [ "$1" = fixture ]; then echo "$2 $GAUGE_RUN_FOLDER" >> '\#(folder("calls"))'; exit; fi
      touch '\#(folder(name + ".begun"))'
      while ! [ -e '\#(folder(other + ".begun"))' ]; do sleep 0.01; done
      printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t2.5\ndone\n' >&3
      """#, named: name)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
  func `both run at once, each into its file`() throws {
    let executables = [try waiting(for: "new", as: "base"), try waiting(for: "base", as: "new")]
    let sides = [try side("base", executables[0]), try side("new", executables[1])]
    let plans = zip(sides, executables.map { plan($0) }).map { (side: $0, plan: $1) }
    // Launches that run one after the other would wait for each other until they are killed, and leave a fault each.
    #expect(try AbSide.carryOutAtOnce(plans) == nil)
    for side in sides {
      let results = try side.results
      #expect(results.rows.map(\.benchmark) == ["a"])
      #expect(results.faults.isEmpty)
    }
  }

  @Test func `a file that is ended is whole`() throws {
    let side = try side("base", "/bin/true")
    #expect(try !side.results.hasEnd)
    try side.end(after: 0)
    #expect(try side.results.hasEnd)
  }

  @Test func `each has fixtures of its own`() throws {
    let executables = [try waiting(for: "new", as: "base"), try waiting(for: "base", as: "new")]
    let sides = [try side("base", executables[0]), try side("new", executables[1])]
    for side in sides { try side.setUp() }
    for side in sides { #expect(side.tearDown() == []) }
    let folders = ["base", "new"].map { folder("scratch/\($0)/run") }
    #expect(
      try folder.read("calls").split(separator: "\n").map(String.init)
        == folders.map { "set-up \($0)" } + folders.map { "tear-down \($0)" })
  }

  @Test func `a file that can't be written is named`() throws {
    try folder.write("", to: "results")
    let failure = #expect(throws: ResultFile.Failure.self) { try side("base", "/bin/true") }
    #expect(failure.map { "\($0)" }?.contains(folder("results")) == true, "\(String(describing: failure))")
  }
}
