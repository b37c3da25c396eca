// Which benchmarks get more launches, by runs that were made with a known scatter.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct NeededLaunchesTests {
  /// Runs of 12 launches in which some benchmarks differ by more than the others.
  private func earlier(_ deviations: [String: Double], count: Int = 20) -> [EarlierRun] {
    var runs = MadeRuns(seed: 1)
    runs.offset = 0.001
    runs.spread = 0.002
    return (0..<count).map { _ in
      // In one order, as each draws from the same noise.
      var factors: [String: Double] = [:]
      for (name, deviation) in deviations.sorted(by: { $0.key < $1.key }) {
        factors[name] = 1 + deviation * runs.noise.normal()
      }
      return EarlierRun(runs.run(factors: factors))
    }
  }

  private func points(_ count: Int = 12) -> [BenchmarkPoint] { (0..<count).map { .sample("b\($0)") } }

  @Test func whatDiffersMuchGetsMoreAndTheRestWhatIsPlanned() throws {
    let needed = NeededLaunches(earlier(["b3": 0.006, "b7": 0.05]), of: points(), planned: 12)
    #expect(Set(needed.launches.keys) == ["b3", "b7"])
    // At most three times the launches of others, and half of all together: 72 of 144.
    #expect(try (13...36).contains(#require(needed.launches["b3"])))
    #expect(needed.launches["b7"] == 36)
  }

  @Test func theyGetHalfOfAllTogetherAtMostAndAsMuchAsOthersThatNeedAsMany() throws {
    let odd = ["b1": 0.05, "b2": 0.05, "b3": 0.05, "b4": 0.05, "b5": 0.006]
    let needed = NeededLaunches(earlier(odd), of: points(), planned: 12)
    let more = needed.launches.mapValues { $0 - 12 }
    #expect(more.values.reduce(0, +) == 72)
    let few = try #require(more["b5"])
    #expect((1...18).contains(few))
    for title in ["b1", "b2", "b3", "b4"] { #expect(abs(try #require(more[title]) - (72 - few) / 4) <= 1, "\(title)") }
  }

  /// The defect: a run with more launches let the next one plan more still, and that one fewer.
  @Test func whatItHasGivenStays() throws {
    var runs = MadeRuns(seed: 2)
    runs.benchmarks = ["b0"]
    runs.offset = 0
    runs.spread = 0.1
    runs.launches = 12
    let first = NeededLaunches(runs.earlier(40), of: points(1), planned: 12)
    let given = try #require(first.launches["b0"])
    #expect(given == 18)
    runs.launches = given
    let second = NeededLaunches(runs.earlier(40), of: points(1), planned: 12)
    #expect(second == first)
    runs.spread = 0.002
    #expect(NeededLaunches(runs.earlier(40), of: points(1), planned: 12) == NeededLaunches())
  }

  @Test func aPlanIsOfBenchmarksThatAreMeasuredAndOfNoMoreLaunchesThanMayBe() throws {
    func fits(_ text: String) throws -> Bool {
      try #require(NeededLaunches(text: text)).fits(points(2), planned: 12)
    }
    #expect(try fits("") && fits("b0=12 b1=36"))
    #expect(try !fits("b0=37") && !fits("b0=1") && !fits("b2=20") && !fits("b0=1000000000"))
  }

  @Test func tooFewRunsAndSeveralThreadsTellNothing() {
    let runs = earlier(["b3": 0.05])
    #expect(NeededLaunches(Array(runs.dropLast()), of: points(), planned: 12) == NeededLaunches())
    #expect(NeededLaunches([], of: points(), planned: 12) == NeededLaunches())
    var threads = points()
    for index in threads.indices { threads[index].hasThreads = true }
    #expect(NeededLaunches(runs, of: threads, planned: 12) == NeededLaunches())
    #expect(NeededLaunches(runs, of: [.sample("unheard-of")], planned: 12) == NeededLaunches())
  }

  @Test func theTextIsReadBack() throws {
    let needed = try #require(NeededLaunches(text: "a/b[size=16;when-full=drop]=28 c=40"))
    #expect(needed.launches == ["a/b[size=16;when-full=drop]": 28, "c": 40])
    #expect(needed.text == "a/b[size=16;when-full=drop]=28 c=40")
    #expect(NeededLaunches(text: "") == NeededLaunches())
    for wrong in ["a", "a=", "a=b", "a=0", "a=-1", "a=1 a=2"] {
      #expect(NeededLaunches(text: wrong) == nil, "\(wrong)")
    }
  }
}
