// What can be gone on from, for files cut at any byte.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct WholeLaunchesTests {
  static let head = ResultFormat.head(environment: [("commit", "abc")])

  /// The rows of a launch of two metrics, or the fault of one.
  static func launch(_ number: Int) -> String {
    if number == 2 {
      let fault = BenchmarkFault(
        benchmark: "b", parameters: "", reason: "died", output: "a\nb", launch: number, sequence: number)
      return ResultFormat.line(fault)
    }
    return ResultFormat.line(.sample(launch: number, sequence: number))
      + ResultFormat.line(.sample(metric: .throughput, launch: number, sequence: number))
  }

  static let launches = (0..<5).map(launch)

  func whole(_ text: some StringProtocol) throws -> WholeLaunches {
    try WholeLaunches(Array(text.utf8), path: "f.csv")
  }

  @Test func `a file that ends with a line is whole`() throws {
    for count in 0...5 {
      let text = Self.head + Self.launches.prefix(count).joined()
      let whole = try whole(text)
      #expect(whole.length == text.utf8.count)
      #expect(Set(whole.results.rows.map(\.sequence) + whole.results.faults.map(\.sequence)) == Set(0..<count))
    }
  }

  @Test func `a file that breaks off anywhere keeps whole launches, all but one at least`() throws {
    for count in 0..<5 {
      let before = Self.head + Self.launches.prefix(count).joined()
      for cut in 1..<Self.launches[count].utf8.count {
        let text = before + Self.launches[count].prefix(cut)
        guard !text.hasSuffix("\n") else { continue }
        let whole = try whole(text)
        let kept = Set(whole.results.rows.map(\.sequence) + whole.results.faults.map(\.sequence))
        #expect(kept == Set(0..<kept.count))
        #expect(kept.count >= count - 1 && kept.count <= count)
        #expect(whole.length == (Self.head + Self.launches.prefix(kept.count).joined()).utf8.count)
      }
    }
  }

  @Test func `a line that ends with a page leaves its launch in doubt`() throws {
    let first = ResultFormat.line(.sample("a", sequence: 0))
    let padding = String(
      repeating: "x",
      count: 4096 - (ResultFormat.head(environment: [("padding", "")]) + first + Self.launches[1]).utf8.count)
    let head = ResultFormat.head(environment: [("padding", padding)])
    let whole = try whole(head + first + Self.launches[1])
    #expect(whole.results.rows == [.sample("a", sequence: 0)])
    #expect(whole.length == (head + first).utf8.count)
  }

  @Test func `a file without a whole head can't be gone on from`() throws {
    #expect(throws: ResultFile.Failure.self) { try whole("") }
    #expect(throws: ResultFile.Failure.self) { try whole(Self.head.dropLast()) }
    #expect(throws: ResultFile.Failure.missing(path: "/nowhere/f.csv")) { try WholeLaunches("/nowhere/f.csv") }
  }
}
