// Distances to limits: what is paired, and per what.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct LimitsTests {
  private func limits(_ pairs: String) -> Limits {
    var results = Results.run()
    results.environment.append((Limits.field, pairs))
    return Limits(in: results)
  }

  private func rows(_ fill: (inout Results) -> Void) -> [ResultRow.Key: MeasuredRows] {
    var results = Results.run()
    fill(&results)
    return MeasuredRows.grouped(results)
  }

  @Test func theEnvironmentLineIsReadBack() {
    var points = ["b/c", "a/b", "limit/x"].map { BenchmarkPoint.sample($0) }
    points[0].limit = "limit/x"
    points[1].limit = "limit/y"
    let written = Limits(of: points)
    #expect(written.fields.map(\.name) == ["limits"])
    #expect(written.fields.first?.value == "a/b=limit/y;b/c=limit/x")
    #expect(limits("a/b=limit/y;b/c=limit/x") == written)
    #expect(Limits(of: [.sample("a")]).fields.isEmpty)
  }

  @Test(arguments: ["", "nonsense", "a/b", "=", ";;", "a=b=c"])
  func otherLinesNameNoLimits(text: String) {
    #expect(limits(text).fields.isEmpty)
  }

  @Test func theDistanceIsPerElementAndOfMedians() throws {
    let rows = rows { results in
      results.add(.time, [300, 310, 500], to: "a/b")
      results.add(.timePerElement, [30, 31, 50], to: "a/b")
      results.add(.time, [2, 2, 9], to: "limit/x")
    }
    let distance = try #require(limits("a/b=limit/x").distance(of: "a/b", "", at: Limits.Points(rows)))
    #expect(distance.limit == "limit/x")
    #expect(distance.ratio == 15.5)
  }

  @Test func theLimitIsTakenAtTheSameParametersElseAtItsFirst() {
    let rows = rows { results in
      for (parameters, time) in [("n=2", 4.0), ("n=1", 2), ("n=3", 8)] {
        results.add(.time, [time], to: "limit/x", parameters: parameters)
        results.add(.time, [16], to: "a", parameters: parameters)
        results.add(.time, [16], to: "b", parameters: "m=1")
      }
    }
    let limits = limits("a=limit/x;b=limit/x")
    #expect(limits.distance(of: "a", "n=3", at: Limits.Points(rows))?.ratio == 2)
    #expect(limits.distance(of: "a", "n=3", at: Limits.Points(rows))?.limit == "limit/x[n=3]")
    #expect(limits.distance(of: "b", "m=1", at: Limits.Points(rows))?.ratio == 8)
    #expect(limits.distance(of: "b", "m=1", at: Limits.Points(rows))?.limit == "limit/x[n=1]")
  }

  @Test func whatWasNotMeasuredHasNoDistance() {
    let rows = rows { results in
      results.add(.time, [16], to: "a")
      results.add(.time, [0], to: "limit/zero")
      results.add(.time, unavailable: "no clock", to: "limit/none")
    }
    for limit in ["limit/zero", "limit/none", "limit/absent"] {
      #expect(limits("a=\(limit)").distance(of: "a", "", at: Limits.Points(rows)) == nil)
    }
    #expect(limits("b=a").distance(of: "b", "", at: Limits.Points(rows)) == nil)
    #expect(limits("").distance(of: "a", "", at: Limits.Points(rows)) == nil)
  }
}
