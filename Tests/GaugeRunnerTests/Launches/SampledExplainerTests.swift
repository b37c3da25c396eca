// Tests of explaining by sampled launches, with the instrument's own benchmarks.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct SampledExplainerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func explanation(
    of name: String, mayWait: Bool = false, executable: String = CallgrindTests.benchmarks, looks: [Int] = [2],
    tell: (String) -> Void = { _ in }
  ) -> Explanation {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let symboliser = Symboliser(lines: SourceLines(besides: "swift", path: path), scratch: folder("addresses"))
    let point = BenchmarkPoint.sample(name, passes: [.profile], executable: executable)
    return withoutActuallyEscaping(tell) { tell in
      SampledExplainer(
        symboliser: symboliser, environment: [:], scratch: folder("scratch"), tell: tell, looks: looks, budget: 20
      ).explanation(base: point, new: point, after: Explanation(unavailable: "no counts"), mayWait: mayWait)
    }
  }

  @Test func `both sides are sampled, and too few pairs say nothing`() {
    let explanation = explanation(of: "gauge/allocate")
    #expect(explanation.quantities.map(\.kind) == [.cpu])
    #expect(explanation.quantities.allSatisfy { $0.before > 0 && $0.after > 0 }, "\(explanation.quantities)")
    #expect(explanation.leading == nil)
    #expect(
      explanation.notes.prefix(2) == ["no counts", "not explained: 2 pairs of launches were sampled, too few to tell"])
    #expect(explanation.flameGraphs().count == 1)
  }

  @Test func `where no difference shows more is sampled`() {
    var told: [String] = []
    let explanation = explanation(of: "gauge/allocate", looks: [1, 3]) { told.append($0) }
    #expect(
      told == [
        "sampling 1 pairs of launches of gauge/allocate", "sampling 2 more pairs of launches of gauge/allocate",
      ])
    #expect(explanation.notes.contains("not explained: 3 pairs of launches were sampled, too few to tell"))
  }

  @Test func `what can't be sampled is said`() throws {
    let broken = try folder.script("exit 1", named: "broken")
    let explanation = explanation(of: "a", mayWait: true, executable: broken)
    #expect(explanation.notes.first == "not explained: no counts")
    #expect(explanation.notes.count == 3)
    #expect(explanation.notes.dropFirst().allSatisfy { $0.contains("is unavailable: a launch broke: ") })
  }
}
