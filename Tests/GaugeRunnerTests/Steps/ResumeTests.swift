// `gauge run --resume` over files that break off at chosen places, and over files that it must refuse.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct ResumeTests {
  let folder: TemporaryFolder
  let executable: String
  let gauge: CapturedProgram
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    executable = try folder.fakeBenchmarks()
    gauge = CapturedProgram(in: folder.path)
    path = folder("f.csv")
  }

  /// Makes a whole file.
  ///
  /// - Returns: Its text.
  func measure(_ words: String...) throws -> String {
    _ = gauge(arguments: ["run", "--executable", executable, "--output", path, "--seed", "7"] + words)
    return try folder.read("f.csv")
  }

  func resume(_ words: String...) -> Int32 {
    gauge(arguments: ["run", "--resume", "--executable", executable, "--output", path] + words)
  }

  /// The text without its date.
  func undated(_ text: String) -> String {
    text.split(separator: "\n").filter { !$0.hasPrefix("# date: ") }.joined(separator: "\n")
  }

  @Test func `a file that was cut anywhere is completed to what it would have been`() throws {
    let text = try measure("good*", "--launches", "2")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0 + "\n" }
    let first = try #require(lines.firstIndex { $0.hasPrefix("good") })
    let bytes = Array(text.utf8)
    let head = lines[..<first].joined().utf8.count
    for cut in [head, head + 1, head + 75, (head + bytes.count) / 2, bytes.count - 30, bytes.count - 1] {
      try folder.write(String(decoding: bytes[..<cut], as: UTF8.self), to: "f.csv")
      let before = folder.launches().count
      #expect(resume() == 0, "\(gauge.error)")
      #expect(try undated(folder.read("f.csv")) == undated(text), "cut at \(cut) of \(bytes.count)")
      #expect(gauge.error.contains("gauge: going on with \(path), which holds "))
      let launched = folder.launches().count - before
      #expect(gauge.output.contains("\n\n3 benchmarks, \(launched) launch"))
      #expect(launched >= 1 && launched <= 9)
    }
  }

  @Test func `it goes on by the launches that the file names, whatever has been learnt since`() throws {
    let words = ["good/*", "--metrics", "time", "--earlier", folder("earlier")]
    func measured() throws -> String { try measure(words[0], words[1], words[2], words[3], words[4]) }
    _ = try measured()
    try folder.rememberRuns(ofWhich: "good/grid", "n=1", differsBy: 0.05, on: ResultFile.read(path).results.environment)
    let text = try measured()
    #expect(text.contains("\n# planned_launches: 60\n# more_launches: good/grid[n=1]=30 good/grid[n=2]=30\n"))
    try folder.rememberRuns(ofWhich: "good/grid", "n=2", differsBy: 0.05, on: ResultFile.read(path).results.environment)
    let bytes = Array(text.utf8)
    try folder.write(String(decoding: bytes[..<(bytes.count / 2)], as: UTF8.self), to: "f.csv")
    #expect(resume() == 0, "\(gauge.error)")
    #expect(try undated(folder.read("f.csv")) == undated(text))

    try folder.write(
      text.replacingOccurrences(of: "good/grid[n=2]=30\n", with: "good/grid[n=2]=none\n"), to: "f.csv")
    #expect(resume() == 65)
    #expect(
      gauge.error.contains(
        "field 'more_launches': expected TITLE=LAUNCHES, found 'good/grid[n=1]=30 good/grid[n=2]=none'"))
    // It was memory for so many launches.
    try folder.write(
      text.replacingOccurrences(of: "good/grid[n=2]=30\n", with: "good/grid[n=2]=1000000000\n"), to: "f.csv")
    #expect(resume() == 65)
    let line = 1 + text.split(separator: "\n").firstIndex { $0.hasPrefix("# more_launches:") }!
    #expect(
      gauge.error.contains(
        "f.csv:\(line): field 'more_launches': expected benchmarks that are measured, each with 20 to 60 launches"))
  }

  @Test func `a complete file says so and stays as it is`() throws {
    let text = try measure("good/*", "--launches", "2")
    let launches = folder.launches()
    #expect(resume() == 0)
    #expect(gauge.output == "nothing is left to do: \(path) is complete\n")
    #expect(try folder.read("f.csv") == text)
    #expect(folder.launches() == launches)
  }

  @Test func `a run that was killed before it could say so is complete, too`() throws {
    let text = try measure("good/*", "--launches", "2")
    let end = try #require(text.range(of: ResultFormat.end(after: 4)))
    #expect(end.upperBound == text.endIndex)
    try folder.write(String(text[..<end.lowerBound]), to: "f.csv")
    #expect(try ResultFile.read(path).results.incompleteness == "4 of 4 launches")
    #expect(resume() == 0)
    #expect(gauge.output == "nothing is left to do: \(path) is complete\n")
    #expect(try folder.read("f.csv") == text)
  }

  @Test func `an interrupted run makes once more what was disturbed before`() throws {
    // The first three launches have a neighbour.
    let executable = try folder.script(
      #"""
      if [ "$1" = list ]; then printf 'benchmark\ta\t\ttime\n'; exit 0; fi
      echo a >> '\#(folder("launches"))'
      turn=0.27
      if [ "$(wc -l < '\#(folder("launches"))')" -le 3 ]; then turn=0.4; fi
      printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1000\t10\t2.5\n' >&3
      printf "metric\treference_stores\tns/turn\tneither\tsampled\t1000\t10\t$turn\ndone\n" >&3
      """#, named: "Disturbed")
    let words = ["run", "--executable", executable, "--output", path]
    #expect(gauge(arguments: words + ["--metrics", "time", "--seed", "7"]) == 0, "\(gauge.error)")
    #expect(gauge.output.contains("1 benchmark, 23 launches in 0:"), "\(gauge.output)")
    #expect(gauge.output.contains(", 3 of them once more as somebody slowed others: \(path)\n"), "\(gauge.output)")
    let text = try folder.read("f.csv")
    // Without the end and the last launch.
    let cut = text.split(separator: "\n").dropLast(3).joined(separator: "\n") + "\n"
    try folder.write(cut, to: "f.csv")
    #expect(try ResultFile.read(path).results.incompleteness == "20 of 20 launches")
    #expect(gauge(arguments: words + ["--resume"]) == 0, "\(gauge.error)")
    #expect(gauge.output.contains("1 benchmark, 1 launch in 0:"), "\(gauge.output)")
    #expect(gauge.output.contains(" and 22 before, 1 of them once more as somebody slowed one: "), "\(gauge.output)")
    #expect(try undated(folder.read("f.csv")) == undated(text))
    #expect(gauge(arguments: words + ["--resume"]) == 0)
    #expect(gauge.output == "nothing is left to do: \(path) is complete\n")
  }

  @Test func `what broke or was skipped stays so, and the code is 3`() throws {
    let text = try measure("good/*", "traps", "skips", "--launches", "2", "--metrics", "time")
    #expect(resume() == 3)
    #expect(gauge.error.contains("1 benchmark broke:\n  traps: killed by signal 4"))
    // Everything but one launch of a good benchmark, the last in the file.
    let rows = text.split(separator: "\n")
    let last = try #require(rows.lastIndex { $0.hasPrefix("good") })
    let sequence = rows[last].split(separator: ",", omittingEmptySubsequences: false)[7]
    let kept = rows.filter { row in
      let fields = row.split(separator: ",", omittingEmptySubsequences: false)
      return fields.count < 12 || fields[7] != sequence
    }
    try folder.write(kept.joined(separator: "\n") + "\n", to: "f.csv")
    let before = folder.launches()
    #expect(resume() == 3)
    #expect(folder.launches().count == before.count + 1)
    #expect(Set(try folder.read("f.csv").split(separator: "\n")) == Set(rows))
  }

  @Test func `options are the file's: others are refused`() throws {
    let text = try measure("good/*", "--launches", "2")
    #expect(resume("--launches", "3") == 64)
    #expect(
      gauge.error.hasPrefix(
        "gauge run: error: \(path) was begun with other options: '--launches 2 --filter good/* --seed 7', not "
          + "'--launches 3'\nLeave them out"))
    #expect(resume("--seed", "8") == 64)
    #expect(resume("good/*", "--launches", "2", "--seed", "7") == 0)
    #expect(try folder.read("f.csv") == text)
  }

  @Test(arguments: [
    ("kernel", "Other 1.0"), ("machine_id", "0123"), ("executables", "FakeBenchmarks=0123"), ("cpu_count", "999"),
    ("allocator", "another"),
  ])
  func `another machine or build is refused with the field, and the file stays`(name: String, value: String) throws {
    let lines = try measure("good/*", "--launches", "2").split(separator: "\n")
    let changed = lines.map { $0.hasPrefix("# \(name): ") ? "# \(name): \(value)" : String($0) }
    try folder.write(changed.dropLast().joined(separator: "\n") + "\n", to: "f.csv")
    let text = try folder.read("f.csv")
    #expect(resume() == 65)
    #expect(gauge.error.contains("error: \(path) can't be gone on with: \(name) was '\(value)', is '"))
    #expect(gauge.error.hasSuffix("Without --resume a new run takes its place.\n"))
    #expect(try folder.read("f.csv") == text)
  }

  @Test func `files that can't be gone on with are told by line and field`() throws {
    #expect(gauge("run", "--resume", "--executable", executable, "--output", folder("none.csv")) == 66)
    #expect(gauge.error.hasPrefix("gauge run: error: \(folder("none.csv")): no such file\n"))
    try folder.write("", to: "f.csv")
    #expect(resume() == 65)
    #expect(gauge.error.contains("f.csv:1: expected '# gauge-results 1', found an empty line or file\n"))
    try folder.write(ResultFormat.head(environment: [("commit", "abc")]), to: "f.csv")
    #expect(resume() == 65)
    #expect(gauge.error.contains("f.csv: there is no line '# gauge_options: ...'"))
    try folder.write(
      ResultFormat.head(environment: [("commit", "abc"), ("gauge_options", "--sed 7")]), to: "f.csv")
    #expect(resume() == 65)
    #expect(gauge.error.contains("f.csv:3: field 'gauge_options': unknown option '--sed'\n"))
  }

  @Test func `rows of another plan are refused`() throws {
    let text = try measure("good/*", "--launches", "2")
    try folder.write(text.split(separator: "good/grid").joined(separator: "good/other"), to: "f.csv")
    // The filter, which begins like the name, is as it was.
    #expect(resume() == 65)
    #expect(gauge.error.contains("launch 0 of the run is one of good/other["), "\(gauge.error)")
  }
}
