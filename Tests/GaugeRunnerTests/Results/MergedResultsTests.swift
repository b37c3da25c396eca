// Merging result files: what is kept, and what doesn't belong together.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct MergedResultsTests {
  func part(_ benchmark: String, machine: String = "a1", commit: String = "c", build: String = "1") -> Results {
    var results = Results.run(machine: machine)
    results.environment += [
      ("commit", commit), ("executables", "Fast=\(build)"), ("limits", "\(benchmark)=limit/x"),
      ("gauge_options", benchmark), ("several_threads", "\(benchmark) t"),
    ]
    results.add(.time, [1, 2], to: benchmark)
    return results
  }

  func merged(_ first: Results, _ second: Results) throws -> Results {
    try MergedResults([("one.csv", first), ("two.csv", second)]).results
  }

  @Test func `shards of one machine are one run`() throws {
    var second = part("b")
    second.faults = [BenchmarkFault(benchmark: "c", parameters: "", reason: "died", output: "")]
    let results = try merged(part("a"), second)
    #expect(results.rows.map(\.benchmark) == ["a", "a", "b", "b"])
    #expect(results.rows.map(\.sequence) == [0, 1, 2, 3])
    #expect(results.faults.map(\.sequence) == [2])
    #expect(results.environment("machine_id") == "a1")
    #expect(results.environment("limits") == "a=limit/x;b=limit/x")
    #expect(results.environment("gauge_options") == "a | b")
    #expect(results.environment("several_threads") == "a b t")
    #expect(results.environment("executables") == "Fast=1")
  }

  @Test func `launches that were made once more stand for none that another part lacks`() throws {
    var (first, second) = (part("a"), part("b"))
    for index in 2..<6 { first.rows.append(.sample("a", launch: index, sequence: index)) }
    first.hasEnd = true
    first.environment.append((Results.plannedField, "4"))
    second.environment.append((Results.plannedField, "4"))
    let results = try merged(first, second)
    #expect(results.rows.map(\.sequence) == Array(0..<8))
    #expect(results.incompleteness == "8 of 10 launches")
  }

  @Test func `of unlike machines the times are like no others`() throws {
    let results = try merged(part("a"), part("b", machine: "a2"))
    #expect(results.environment("machine_id") == "unavailable: merged from unlike machines: a1 | a2")
    #expect(Likeness.differences(results, results) == ["machine_id missing"])
  }

  @Test func `other commits, other builds and the same launch twice are refused`() {
    func complaint(_ first: Results, _ second: Results) -> String {
      do {
        _ = try merged(first, second)
        return ""
      } catch {
        return (error as? MergedResults.Conflict).map { "\($0.path): \($0.message)" } ?? "\(error)"
      }
    }
    #expect(complaint(part("a"), part("b", commit: "d")) == "two.csv: commit is 'd', that of one.csv is 'c'")
    #expect(
      complaint(part("a"), part("b", build: "2")) == "two.csv: Fast is another build than before: 2, not 1")
    #expect(complaint(part("a"), part("a")) == "two.csv: launch 0 of time of a is in one.csv too")
  }
}
