// Thresholds of a project's own: reading them, and which one holds.

import Testing

@testable import GaugeRunner

@Suite struct ThresholdTests {
  private func parse(_ text: String) throws -> [Threshold] {
    try Threshold.parse(Array(("benchmark,metric,percent,absolute\n" + text).utf8), path: "t.csv")
  }

  private func key(_ benchmark: String, _ metric: String, _ parameters: String = "") -> ResultRow.Key {
    ResultRow.Key(benchmark: benchmark, parameters: parameters, metric: metric)
  }

  @Test func theLastLineThatFitsHolds() throws {
    let thresholds = try parse("# slow ones\na/*,time,5,\n*,latency_*,20,100\n\"a/b[n=2]\",time,,3\na/b,time,7,\n")
    #expect(thresholds.relative(key("a/b", "time", "n=2")) == 0.07)
    #expect(thresholds.absolute(key("a/b", "time", "n=2")) == 3)
    #expect(thresholds.absolute(key("a/b", "time")) == nil)
    #expect(thresholds.relative(key("a/c", "time")) == 0.05)
    #expect(thresholds.relative(key("z", "latency_p99")) == 0.2 && thresholds.absolute(key("z", "latency_p99")) == 100)
    #expect(thresholds.relative(key("z", "time")) == nil)
  }

  @Test(arguments: [
    ("a,time,x,", "t.csv:2: field 'percent': expected a number, found 'x'"),
    ("a,time,-1,", "t.csv:2: field 'percent': expected 0 to 1000000, found '-1'"),
    ("a,time,2000000,", "t.csv:2: field 'percent': expected 0 to 1000000, found '2000000'"),
    ("a,time,,-1", "t.csv:2: field 'absolute': expected 0 or more, found '-1'"),
    ("a,time,1,nan", "t.csv:2: field 'absolute': expected a number, found 'nan'"),
    ("a,time,,", "t.csv:2: field 'percent': expected a number here or in 'absolute', found ''"),
    (",time,1,", "t.csv:2: field 'benchmark': expected a name, found ''"),
    ("a,,1,", "t.csv:2: field 'metric': expected a name, found ''"),
    ("a,time,1", "t.csv:2: expected 4 fields, found 3"),
  ])
  func mistakesAreNamedByFileLineAndField(line: String, complaint: String) {
    #expect {
      try parse(line + "\n")
    } throws: { error in
      "\(error)" == complaint
    }
  }

  /// It was refused: no more than a per cent could be.
  @Test func anAbsoluteDifferenceMayBeMegabytesOrMilliseconds() throws {
    let thresholds = try parse("*,peak_resident,,2000000\na,time,1000000,3e9\n")
    #expect(thresholds.absolute(key("a", "peak_resident")) == 2e6)
    #expect(thresholds.absolute(key("a", "time")) == 3e9 && thresholds.relative(key("a", "time")) == 1e4)
  }

  @Test func optionsNameAMetricOrMeanTheTime() {
    #expect(Threshold(option: "5") == Threshold(benchmark: "*", metric: "time", relative: 0.05, absolute: nil))
    #expect(
      Threshold(option: "latency_*=12.5")
        == Threshold(benchmark: "*", metric: "latency_*", relative: 0.125, absolute: nil))
    for text in ["", "time", "time=", "=5", "time=-1", "time=nan", "time=1e9", "time=5 %"] {
      #expect(Threshold(option: text) == nil, "\(text)")
    }
  }

  @Test func `too many lines and too long patterns are refused`() {
    #expect(throws: ResultFile.Failure.self) { try parse(String(repeating: "a,time,1,\n", count: 1001)) }
    #expect(throws: ResultFile.Failure.self) { try parse(String(repeating: "a*", count: 251) + ",time,1,\n") }
  }
}
