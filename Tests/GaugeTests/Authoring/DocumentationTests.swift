// The examples of the documentation are code that compiles and runs: Examples.swift has each of them, line by line.

import Foundation
import Testing

@testable import Gauge

@Suite(.serialized) struct DocumentationTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let sources = tests.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources/Gauge")

  /// Lines that compile, as a test has them: without indentation, and with a `main` of its own.
  private static func lines(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
      .map { $0.hasPrefix("@main ") ? String($0.dropFirst(6)) : $0 }
  }

  /// The code blocks in the documentation comments of a file.
  private static func blocks(in source: String) -> [[String]] {
    let comments = source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("///") }.map { $0.dropFirst(3) }.joined(separator: "\n")
    let parts = comments.components(separatedBy: "```")
    return parts.filter { $0.hasPrefix("swift\n") }.map { lines($0.dropFirst("swift\n".count)) }
  }

  @Test func everyExampleIsCompiled() throws {
    let compiled = Self.lines(
      try String(contentsOf: Self.tests.appendingPathComponent("Examples.swift"), encoding: .utf8))
    let enumerator = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
    var examples = 0
    for case let file as URL in enumerator where file.pathExtension == "swift" {
      for block in Self.blocks(in: try String(contentsOf: file, encoding: .utf8)) {
        examples += 1
        let isCompiled = compiled.indices.contains { compiled[$0...].starts(with: block) }
        #expect(isCompiled, "\(file.lastPathComponent): \(block.joined(separator: "\n"))")
      }
    }
    #expect(examples >= 8)
  }

  @Test(arguments: ["array/sort", "queue/round-trip", "counter/contended", "lock/contended", "cache/lookup"])
  func everyExampleRuns(name: String) async throws {
    let ending = try await onOwnThread {
      let benchmark = try #require(Examples.benchmarks.first { $0.name == name })
      let point = GridPoint.grid(benchmark.axes)[0].text
      let recorded = RecordedReport()
      let request = LaunchRequest(benchmark: name, parameters: point, pass: .time, budget: 1)
      return Launch(benchmarks: [benchmark], request: request, report: recorded.makeWriter()).run()
    }
    #expect(ending == .done)
  }

  @Test func theSuitesOfTheExamplesAreFaultless() {
    #expect(Gauge.Suite.fault(in: Examples.benchmarks) == nil)
    #expect(Gauge.Suite.fault(in: ArrayBenchmarks.benchmarks) == nil)
    #expect(Gauge.Suite.fault(in: StoreBenchmarks.benchmarks) == nil)
    #expect(StoreBenchmarks.runFixture != nil && StoreBenchmarks.launchFixture == nil)
  }
}
