// Reading result files: whole, broken off, damaged and foreign.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct ResultFileTests {
  static let head = ResultFormat.head(environment: [("commit", "abc"), ("note", "a: b\nc")])
  static let row = ResultFormat.line(.sample())

  func parse(_ text: String) throws -> ResultFile.Contents {
    try ResultFile.parse(Array(text.utf8), path: "f.csv")
  }

  @Test func `what was written is read`() throws {
    let rows: [ResultRow] = [
      .sample(), .sample(launch: 1, sequence: 4), .sample(metric: .allocations, .unavailable("no \"hooks\",\nsorry")),
      .sample("other", parameters: "n=1", metric: .latency(percentile: "99.9"), .value(1e-9)),
    ]
    let faults = [
      BenchmarkFault(
        benchmark: "b", parameters: "", reason: "killed | dead", output: "a\n | b\\", launch: 1, sequence: 9),
      BenchmarkFault(benchmark: "c", parameters: "x=y", reason: "silent", output: ""),
    ]
    let contents = try parse(
      Self.head + rows.map(ResultFormat.line).joined() + faults.map(ResultFormat.line).joined())
    #expect(contents.results.rows == rows)
    #expect(contents.results.faults == faults)
    #expect(contents.results.environment.map(\.name) == ["commit", "note"])
    #expect(contents.results.environment("note") == "a: b\nc")
    #expect(contents.warnings.isEmpty)
  }

  @Test func `more environment lines or launches than are taken are refused with their place`() throws {
    let lines = (1...1000).map { (name: "n\($0)", value: "") }
    #expect(try parse(ResultFormat.head(environment: lines)).results.environment.count == 1000)
    #expect(
      throws: ResultFile.Failure.malformed(
        path: "f.csv", line: 1002, field: nil, message: "more than 1000 environment lines")
    ) { try parse(ResultFormat.head(environment: lines + [("m", "")])) }
    let rows = (0...20_000).map { ResultFormat.line(.sample(launch: $0)) }
    #expect(
      throws: ResultFile.Failure.malformed(
        path: "f.csv", line: 20_005, field: "launch", message: "more than 20000 launches of subject/send")
    ) { try parse(Self.head + rows.joined()) }
  }

  @Test func `a file without rows is read`() throws {
    let contents = try parse(Self.head)
    #expect(contents.results.rows.isEmpty)
    #expect(contents.lastLaunch == nil)
  }

  @Test func `the last launch is known by its first line`() throws {
    let fault = BenchmarkFault(benchmark: "b", parameters: "", reason: "died", output: "", sequence: 9)
    let rows: [ResultRow] = [
      .sample(), .sample(launch: 1, sequence: 3), .sample(metric: .throughput, launch: 1, sequence: 3),
    ]
    let text = Self.head + rows.map(ResultFormat.line).joined()
    let last = try #require(try parse(text).lastLaunch)
    #expect(last == (6, 3))
    let broken = try #require(try parse(text + ResultFormat.line(fault)).lastLaunch)
    #expect(broken == (8, 9))
  }

  @Test func `line ends of another system are read`() throws {
    let text = (Self.head + Self.row).split(separator: "\n").joined(separator: "\r\n") + "\r\n"
    #expect(try parse(text).results.rows == [.sample()])
  }

  @Test func `a last line that breaks off anywhere is left out with a warning`() throws {
    let last = ResultFormat.line(.sample(launch: 1, .unavailable("quoted, \"text\"")))
    for length in 1..<last.count {
      let contents = try parse(Self.head + Self.row + last.prefix(length))
      #expect(contents.results.rows == [.sample()])
      #expect(contents.warnings == ["f.csv:6: the last line breaks off and was left out"])
      #expect(contents.brokenLine == 6)
    }
  }

  static let damaged: [(String, ResultFile.Failure)] = [
    ("", wrong(1, nil, "expected '# gauge-results 1', found an empty line or file")),
    ("a,b\n1,2\n", wrong(1, nil, "not a result file: expected '# gauge-results 1', found 'a,b'")),
    ("# gauge-results 2\n", wrong(1, nil, "a result file of version '2'; this gauge reads version 1")),
    ("# gauge-results 1\n# odd\n", wrong(2, nil, "expected an environment line '# name: value', found '# odd'")),
    (
      "# gauge-results 1\n# a: b\nbenchmark,value\n",
      wrong(
        3, nil,
        "expected the header '\(ResultFormat.columns.joined(separator: ","))', found 'benchmark,value'")
    ),
    (
      "# gauge-results 1\n# a: b\n",
      wrong(
        3, nil,
        "expected the header '\(ResultFormat.columns.joined(separator: ","))', found the end of the file")
    ),
    (String(head.dropLast()), wrong(4, nil, "the file breaks off within its header")),
    (head + row + "a,b\n", wrong(6, nil, "expected 12 fields, found 2")),
    (head + ",,time,ns/op,lower,sampled,0,0,1,1,1,\n", wrong(5, "benchmark", "expected a name, found ''")),
    (
      head + "b,,time,ns/op,less,sampled,0,0,1,1,1,\n",
      wrong(5, "polarity", "expected 'lower', 'higher' or 'neither', found 'less'")
    ),
    (
      head + "b,,time,ns/op,lower,guessed,0,0,1,1,1,\n",
      wrong(5, "kind", "expected 'exact' or 'sampled', found 'guessed'")
    ),
    (
      head + "b,,time,ns/op,lower,sampled,-1,0,1,1,1,\n",
      wrong(5, "launch", "expected a whole number from 0, found '-1'")
    ),
    (
      head + "b,,time,ns/op,lower,sampled,0,0,1,many,1,\n",
      wrong(5, "samples", "expected a whole number from 0, found 'many'")
    ),
    (head + "b,,time,ns/op,lower,sampled,0,0,1,1,fast,\n", wrong(5, "value", "expected a number, found 'fast'")),
    (head + "b,,time,ns/op,lower,sampled,0,0,1,1,nan,\n", wrong(5, "value", "expected a number, found 'nan'")),
    (
      head + "b,,time,ns/op,lower,sampled,0,0,1,1,,\n",
      wrong(5, "note", "expected 'unavailable: ' and a reason, as there is no value, found ''")
    ),
    (
      head + "b,,fault,,neither,sampled,0,0,1,1,,died\n",
      wrong(5, "note", "expected 'fault: ' and a reason, found 'died'")
    ),
    (head + "b,,time,n\"s,lower,sampled,0,0,1,1,1,\n", wrong(5, "unit", "a quote within an unquoted field")),
    (head + "b,,time,ns,lower,sampled,0,0,1,1,\"1,\nx\n", wrong(5, "value", "the quote is never closed")),
    (head + row + row, wrong(6, "launch", "time of subject/send has launch 0 already on line 5")),
  ]

  static func wrong(_ line: Int, _ field: String?, _ message: String) -> ResultFile.Failure {
    .malformed(path: "f.csv", line: line, field: field, message: message)
  }

  @Test(arguments: damaged) func `damage is told by line, field and what was expected`(
    text: String, failure: ResultFile.Failure
  ) {
    #expect(throws: failure) { try parse(text) }
  }

  @Test func `text in another encoding is refused on its line`() {
    let bytes = Array(Self.head.utf8) + Array("caf".utf8) + [0xe9] + Array(",\n".utf8)
    #expect(throws: Self.wrong(5, nil, "not UTF-8 text")) { try ResultFile.parse(bytes, path: "f.csv") }
  }

  @Test func `failures read as file, line, field and message`() {
    #expect("\(Self.wrong(7, "value", "expected a number"))" == "f.csv:7: field 'value': expected a number")
    #expect("\(Self.wrong(7, nil, "odd"))" == "f.csv:7: odd")
    #expect("\(ResultFile.Failure.missing(path: "f.csv"))" == "f.csv: no such file")
  }

  @Test func `a missing file and a folder are told apart`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: ResultFile.Failure.missing(path: folder("none.csv"))) { try ResultFile.read(folder("none.csv")) }
    #expect(throws: ResultFile.Failure.unreadable(path: folder.path, reason: "Is a directory")) {
      try ResultFile.read(folder.path)
    }
  }
}
