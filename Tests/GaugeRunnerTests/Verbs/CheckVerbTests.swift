// `gauge check` over files, and over a run of a fake executable.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct CheckVerbTests {
  let folder: TemporaryFolder
  let gauge: CapturedProgram

  init() throws {
    folder = try TemporaryFolder()
    gauge = CapturedProgram(in: folder.path)
    let file = try ResultFileWriter.replacing(folder("results.csv"), environment: [])
    try file.append([.sample("a", metric: .allocations, .value(2))])
  }

  func check(_ lines: String...) throws -> Int32 {
    let text = CSV.record(CostLimit.columns) + lines.map { $0 + "\n" }.joined()
    return gauge("check", "--limits", try folder.write(text, to: "limits.csv"), folder("results.csv"))
  }

  @Test func `the verdict is the exit code, and worse before missing`() throws {
    #expect(try check("few,a,,,,1,allocations,2") == 0)
    #expect(gauge.output.contains("ok         2      2  few\n"))
    #expect(try check("few,a,,,,1,allocations,1") == 2)
    #expect(gauge.output.contains("ABOVE         2      1  few\n"))
    #expect(try check("other,b,,,,1,allocations,1") == 7)
    #expect(gauge.output.contains("no row allocations of b\n"))
    #expect(try check("other,b,,,,1,allocations,1", "few,a,,,,1,allocations,1") == 2)
    #expect(gauge.output.hasSuffix("1 above, 1 missing, 0 within the limits of \(folder("limits.csv"))\n"))
  }

  @Test func `a small value is told from its limit`() throws {
    #expect(try check("rare,a,,,,500,allocations,0.001") == 2)
    #expect(gauge.output.contains("ABOVE     0.004  0.001  rare\n"))
  }

  @Test func `without a file the named benchmarks are measured`() throws {
    let executable = try folder.fakeBenchmarks()
    let limits = try folder.write(CSV.record(CostLimit.columns) + "slow,good/*,,,,1,time,0\n", to: "limits.csv")
    #expect(gauge("check", "--limits", limits, "--executable", executable) == 7)
    let named = try folder.write(CSV.record(CostLimit.columns) + "slow,good,,,,1,time,1e9\n", to: "limits.csv")
    #expect(gauge("check", "--limits", named, "--executable", executable) == 0, "\(gauge.output)\(gauge.error)")
  }

  /// An author's own metric was no metric, a benchmark that is gone was a wrong filter, and nothing was checked.
  @Test func `an author's own metric is measured, and what is not there is missing`() throws {
    let executable = try folder.script(
      #"""
      if [ "$1" = list ]; then printf 'benchmark\tqueue\t\ttime,custom\n'; exit; fi
      printf 'gauge-launch\t1\n' >&3
      if [ "$7" = custom ]; then printf 'metric\tdepth\t1\tlower\tsampled\t1\t1\t4\n' >&3; fi
      printf 'done\n' >&3
      """#)
    func check(_ lines: String) throws -> Int32 {
      let limits = try folder.write(CSV.record(CostLimit.columns) + lines, to: "limits.csv")
      return gauge("check", "--limits", limits, "--executable", executable)
    }
    #expect(try check("deep,queue,,,,1,depth,4\n") == 0, "\(gauge.output)\(gauge.error)")
    #expect(try check("deep,queue,,,,1,depth,3\ngone,gone,,,,1,depth,4\n") == 2, "\(gauge.output)\(gauge.error)")
    #expect(gauge.output.contains("no row depth of gone\n"), "\(gauge.output)")
    #expect(try check("deep,queue,,,,1,depht,4\n") == 7, "\(gauge.output)\(gauge.error)")
    #expect(try check("none,queue,,,,1,instructions,4\n") == 7, "\(gauge.output)\(gauge.error)")
    #expect(try check("") == 0, "\(gauge.output)\(gauge.error)")
  }

  /// Nothing was judged where a benchmark broke.
  @Test func `what breaks is told beside what is above`() throws {
    let limits = CSV.record(CostLimit.columns) + "slow,good,,,,1,time,1\nlost,traps,,,,1,time,1\n"
    let path = try folder.write(limits, to: "limits.csv")
    #expect(gauge("check", "--limits", path, "--executable", try folder.fakeBenchmarks()) == 3)
    #expect(gauge.output.contains("1 above, 1 missing, 0 within the limits of \(path)\n"), "\(gauge.output)")
    #expect(gauge.output.contains("broke: traps: killed by signal 4"), "\(gauge.output)")
  }

  @Test func `mistakes have their codes`() throws {
    #expect(try check("few,a,,,,1,allocations,x") == 65)
    #expect(gauge.error.contains("limits.csv:2: field 'limit': expected a number, found 'x'"))
    #expect(gauge("check", "--limits", folder("none.csv"), folder("results.csv")) == 66)
    #expect(gauge("check", folder("results.csv")) == 66)
    #expect(gauge("check", "a", "b") == 64)
    #expect(gauge("check", folder("results.csv"), "--limits", folder("limits.csv"), "--executable", "x") == 64)
    #expect(gauge.error.contains("either RESULTS.csv, which was measured before, or --executable PATH"))
  }

  @Test func `a run that broke or isn't whole is within no limits`() throws {
    let file = try ResultFileWriter.replacing(folder("results.csv"), environment: [("planned_launches", "2")])
    try file.append([.sample("a", metric: .allocations, .value(2))])
    #expect(try check("few,a,,,,1,allocations,2") == 3)
    #expect(gauge.output.contains("the run is incomplete: 1 of 2 launches\n"))
    try file.append(BenchmarkFault(benchmark: "b", parameters: "", reason: "died", output: ""))
    #expect(try check("few,a,,,,1,allocations,2") == 3)
    #expect(gauge.output.contains("broke: b: died\n"))
  }
}
