// What launches have otherwise, also under valgrind and where they count.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct LaunchChangeTests {
  @Test func `variables are set, libraries come before the user's`() {
    let change = LaunchChange(variables: ["A": "1", "B": "2"], preloads: ["/a.so", "/b.so"])
    #expect(
      change.environment(from: ["A": "0", "C": "3"]) == ["A": "1", "B": "2", "C": "3", "LD_PRELOAD": "/a.so:/b.so"])
    #expect(change.environment(from: ["LD_PRELOAD": "/u.so"])["LD_PRELOAD"] == "/a.so:/b.so:/u.so")
    #expect(change.names == ["A", "B", "LD_PRELOAD"])
    #expect(LaunchChange().environment(from: ["A": "0"]) == ["A": "0"])
    #expect(LaunchChange().isEmpty && LaunchChange().names.isEmpty && !change.isEmpty)
  }

  @Test func `a preloaded library serves what is counted`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "libGaugeHooks.so")
    let libraries = LaunchChange(preloads: ["/x/liba.so"]).libraries(beside: folder("E"))
    #expect(libraries.jemalloc == nil)
    #expect(libraries.description == "hooks over liba.so (/x/liba.so)")
    #expect(Likeness.allocators(named: libraries.description) == "hooks over liba.so")
    #expect(
      libraries.environment(from: ["LD_PRELOAD": "/x/liba.so"])["LD_PRELOAD"] == folder("libGaugeHooks.so")
        + ":/x/liba.so")
    #expect(
      LaunchChange(variables: ["A": "1"]).libraries(beside: folder("E"))
        == CountingLibraries(beside: folder("E"), cache: ""))
  }

  @Test func `what varies is handed on under valgrind, what is fixed there tells nothing`() {
    let environment = ["A": "1", "LD_PRELOAD": "/a.so", "B": "2", "TZ": "x"]
    let pinned = Callgrind.pinned(environment, for: ["p"], handing: ["A", "LD_PRELOAD", "TZ"])
    #expect(pinned["A"] == "1" && pinned["LD_PRELOAD"] == "/a.so" && pinned["B"] == nil && pinned["TZ"] == "UTC")
    #expect(Callgrind.pinned(environment, for: ["p"])["A"] == nil)
    #expect(Callgrind.obstacle(to: LaunchChange(variables: ["A": "1"], preloads: ["/a.so"])) == nil)
    #expect(
      Callgrind.obstacle(to: LaunchChange(variables: ["TZ": "", "A": "", "LC_ALL": ""]))
        == "launches that count have LC_ALL and TZ fixed")
  }

  /// A valgrind that fails, as one does that can't run what is preloaded.
  @Test func `what can't run under valgrind beside a library is not counted, and not broken`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.script("exit 9", named: "valgrind")
    let program = try folder.script("", named: "E")
    var callgrind = try #require(Callgrind(folder: folder("scratch"), path: folder.path))
    let launch = PlannedLaunch(
      point: .sample("a", executable: program), pass: .counts, launch: 0, sequence: 0, budget: 1)
    func outcome() -> LaunchOutcome {
      callgrind.outcome(of: launch, environment: [:], limit: .seconds(10), stoppingOn: nil)
    }
    guard case .broken = outcome() else { return #expect(Bool(false), "\(outcome())") }
    callgrind.preloads = true
    guard case .measured(let measurements) = outcome() else { return #expect(Bool(false), "\(outcome())") }
    #expect(!measurements.isEmpty)
    for measurement in measurements {
      guard case .unavailable(let reason) = measurement.outcome else { return #expect(Bool(false), "\(measurement)") }
      #expect(reason.hasPrefix("not counted under valgrind beside the preloaded library: "))
    }
  }
}
