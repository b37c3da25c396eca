// Static limits: values, differences of values, and what is missing.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct CostLimitTests {
  let rows: [ResultRow.Key: MeasuredRows]

  init() {
    var results = Results.run()
    results.add(.instructions, [48.5], to: "a", parameters: "n=1")
    results.add(.instructions, [93.5], to: "a", parameters: "n=10")
    results.add(.instructions, unavailable: "threads", to: "b")
    results.add(.allocations, [7, 6, 7], to: "c")
    results.add(.time, [7, 6, 8], to: "c")
    results.add(.allocations, [5, 5, 5.002], to: "d")
    rows = MeasuredRows.grouped(results)
  }

  func outcome(_ line: String) throws -> CostLimit.Outcome {
    let text = "# limits\n" + CSV.record(CostLimit.columns) + line + "\n"
    return try #require(try CostLimit.parse(Array(text.utf8), path: "limits.csv").first).outcome(in: rows)
  }

  @Test func `a value is held against its limit`() throws {
    #expect(try outcome("a row,a,n=1,,,1,instructions,50") == .within(48.5))
    #expect(try outcome("a row,a,n=1,,,1,instructions,48.5") == .within(48.5))
    #expect(try outcome("a row,a,n=1,,,1,instructions,48") == .above(48.5))
  }

  @Test func `a difference is divided`() throws {
    #expect(try outcome("each more,a,n=10,a,n=1,9,instructions,5") == .within(5))
    #expect(try outcome("each more,a,n=10,a,n=1,9,instructions,4.9") == .above(5))
  }

  @Test func `counts are the least of their launches, times the median`() throws {
    #expect(try outcome("threads,c,,,,1,allocations,6") == .within(6))
    #expect(try outcome("threads,c,,,,1,allocations,5") == .above(6))
    #expect(try outcome("rather than,c,,d,,1,allocations,1.5") == .within(1))
    #expect(try outcome("rather than,c,,d,,1,allocations,0.5") == .above(1))
    #expect(try outcome("a time,c,,,,1,time,6") == .above(7))
  }

  @Test func `what is missing is told`() throws {
    #expect(try outcome("a row,e,,,,1,instructions,48") == .missing("no row instructions of e"))
    #expect(try outcome("a row,b,,,,1,instructions,48") == .missing("b: unavailable: threads"))
  }

  @Test(arguments: [
    ("w,a,n=1,,,1,instructions,many", "limits.csv:3: field 'limit': expected a number, found 'many'"),
    ("w,a,n=1,,,0,instructions,1", "limits.csv:3: field 'divisor': expected more than 0, found '0'"),
    ("w,,n=1,,,1,instructions,1", "limits.csv:3: field 'benchmark': expected a name, found ''"),
  ])
  func `a bad line is named`(line: String, complaint: String) {
    #expect { try outcome(line) } throws: { "\($0)" == complaint }
  }

  @Test func `a file has so many limits`() {
    let line = "what,b,,,,1,allocations,1\n"
    let text = CSV.record(CostLimit.columns) + String(repeating: line, count: CostLimit.mostLines)
    #expect((try? CostLimit.parse(Array(text.utf8), path: "l").count) == 10_000)
    let failure = #expect(throws: ResultFile.Failure.self) { try CostLimit.parse(Array((text + line).utf8), path: "l") }
    #expect(failure?.description == "l:10002: more than 10000 records")
  }
}
