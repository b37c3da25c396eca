// Which rows and columns a matrix has, and what it comes to.

import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

extension ComparisonMatrix {
  /// A row with a verdict.
  static func entry(
    _ benchmark: String, _ verdict: Verdict?, change: Double? = nil, metric: Metric = .time, reason: String = ""
  ) -> ComparisonEntry {
    ComparisonEntry(
      key: ResultRow.Key(benchmark: benchmark, parameters: "", metric: metric.name), metric: metric, before: nil,
      after: nil,
      change: change.map {
        Change(scale: .ratio, estimate: Estimate($0, Interval($0 - 0.01, $0 + 0.01)))
      }, judgement: verdict.map { .judged($0) } ?? .shown, reason: reason)
  }

  /// A variant with rows.
  static func column(_ number: Int, _ name: String, _ entries: [ComparisonEntry], broken: [String] = []) -> Column {
    var comparison = Comparison(base: Results(), new: Results())
    comparison.replace(entries, terms: "")
    comparison.add(
      faults: broken.map { BenchmarkFault(benchmark: $0, parameters: "", reason: "exit code 9", output: "") },
      onlyInBase: [], onlyInNew: [])
    return Column(number: number, name: name, comparison: comparison)
  }

  /// Three variants: one slower and with more instructions, one that breaks and leaves something open, one unbuilt.
  static let sample = ComparisonMatrix(
    base: "the same without it",
    columns: [
      column(
        1, "variable=WORK=2",
        [
          entry("a", .worse, change: 2), entry("a", .worse, change: 1.5, metric: .instructions),
          entry("b", .same, reason: "not measured: the counts are identical"),
          entry("b", .same, change: 1, metric: .instructions), entry("c", .same, change: 1.001),
        ]),
      column(
        2, "option=-Xswiftc -Ounchecked",
        [
          entry("a", .notEnoughData, change: 1.01, reason: "the time was up"),
          entry("b", .better, change: 0.9), entry("b", .same, change: 1, metric: .instructions),
        ], broken: ["c"]),
      Column(number: 3, name: "toolchain=/opt/none", failure: "can't be built: it doesn't build"),
    ], terms: "Terms.")
}

@Suite struct ComparisonMatrixTests {
  @Test func `rows are the times, and what else some variant changes`() {
    let rows = ComparisonMatrix.sample.rows
    #expect(
      rows.map { "\($0.key.title) \($0.key.metric)" } == ["a time", "a instructions", "b time", "c time"])
    #expect(rows.map(\.isSame) == [false, false, false, false])
    #expect(rows[1].entries.map { $0?.verdict } == [.worse, nil])
  }

  @Test func `cells have the verdict, the change with its interval, and a mark for what is said besides`() {
    var footnotes = Footnotes()
    let table = ComparisonMatrix.sample.table(ComparisonMatrix.sample.rows, 0..<2, &footnotes)
    #expect(
      table.columns.map(\.title) == ["benchmark", "metric", "1: variable=WORK=2", "2: option=-Xswiftc -Ounchecked"])
    #expect(
      table.rows.map { Array($0.cells.dropFirst(2)) } == [
        ["worse +100.0 % [+99.0, +101.0]", "not enough data +1.0 % [0, +2.0] [1]"],
        ["worse +50.0 % [+49.0, +51.0]", "–"],
        ["same [2]", "better -10.0 % [-11.0, -9.0]"], ["same +0.1 % [-0.9, +1.1]", "broke"],
      ])
    #expect(footnotes.lines == ["[1] the time was up", "[2] not measured: the counts are identical"])
  }

  @Test func `a variant is summed up in a line`() {
    let matrix = ComparisonMatrix.sample
    #expect(
      matrix.columns.map(matrix.summary) == [
        "1: variable=WORK=2: 2 worse, 0 better, 3 same, 0 not enough data; median change of the times +0.1 %",
        "2: option=-Xswiftc -Ounchecked: 1 broke, 0 worse, 1 better, 1 same, 1 not enough data; "
          + "median change of the times -4.5 %",
        "3: toolchain=/opt/none: can't be built: it doesn't build",
      ])
    #expect(matrix.faults.map(\.reason) == ["with option=-Xswiftc -Ounchecked: exit code 9"])
  }

  @Test func `the exit code is the gravest`() {
    func code(_ columns: ComparisonMatrix.Column...) -> ExitCode {
      ComparisonMatrix(base: "", columns: columns, terms: "").exitCode
    }
    func column(_ verdict: Verdict?) -> ComparisonMatrix.Column {
      ComparisonMatrix.column(1, "", [ComparisonMatrix.entry("a", verdict)])
    }
    let broken = ComparisonMatrix.column(1, "", [], broken: ["a"])
    #expect(ComparisonMatrix.sample.exitCode == .broke && code(column(.worse), broken) == .broke)
    #expect(code(column(.better), column(.worse)) == .worse && code(column(.better), column(.same)) == .better)
    #expect(code(column(.notEnoughData), column(.same)) == .notEnoughData && code(column(.same)) == .same)
    #expect(code(column(nil), column(nil)) == .incomparable && code(column(nil), column(.same)) == .same)
  }
}
