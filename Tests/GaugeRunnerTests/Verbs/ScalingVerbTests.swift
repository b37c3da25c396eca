// `gauge scaling` from file to text and codes.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct ScalingVerbTests {
  let folder: TemporaryFolder
  let gauge = CapturedProgram()

  init() throws { folder = try TemporaryFolder() }

  private func write(_ rows: [ResultRow]) throws -> String {
    let file = try ResultFileWriter.replacing(folder("f.csv"), environment: [])
    try file.append(rows)
    return folder("f.csv")
  }

  @Test func `the laws of a file are told`() throws {
    let path = try write(
      [1, 2, 4, 8, 16].map {
        .sample("a", parameters: "n=\($0)", metric: .instructions, .value(Double(7 * $0 * $0 + 3)))
      })
    #expect(gauge("scaling", path, "--metric", "instructions") == 0)
    #expect(gauge.output.contains("a: instructions over n\n  n=1  10\n"))
    #expect(gauge.output.contains("grows as n²: 7 · n² + 3, within"))
  }

  @Test func `a file without an axis, and a wrong line, have their codes`() throws {
    let path = try write([.sample()])
    #expect(gauge("scaling", path) == 6)
    #expect(gauge.error.contains("nothing in it was measured at several numbers"))
    #expect(gauge("scaling", path, "--metric", "tiem") == 6)
    #expect(gauge.error.contains("Is 'tiem' a metric of the file?"))
    #expect(gauge("scaling") == 64)
    #expect(gauge("scaling", folder("none.csv")) == 66)
  }
}
