// The forms that a list of benchmarks may take.

import Testing

@testable import Gauge

@Suite struct BenchmarkBuilderTests {
  private func named(_ name: String) -> Benchmark { Benchmark(name) { $0.measure {} } }

  @BenchmarkBuilder
  private func list(flag: Bool) -> [Benchmark] {
    named("one")
    if flag { named("optional") }
    if flag {
      named("yes")
    } else {
      named("no")
      named("never")
    }
    for number in 0..<2 { named("loop\(number)") }
    [named("array1"), named("array2")]
    if #available(macOS 15, *) { named("available") }
  }

  @BenchmarkBuilder
  private func emptyList() -> [Benchmark] {}

  @Test func everyFormKeepsItsOrder() {
    #expect(
      list(flag: true).map(\.name) == ["one", "optional", "yes", "loop0", "loop1", "array1", "array2", "available"])
    #expect(
      list(flag: false).map(\.name) == ["one", "no", "never", "loop0", "loop1", "array1", "array2", "available"])
    #expect(emptyList().isEmpty)
  }
}
