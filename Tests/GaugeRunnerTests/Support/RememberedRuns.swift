// Earlier runs of the fake benchmarks, in which one of them differed from run to run.

import Gauge

@testable import GaugeRunner

extension TemporaryFolder {
  /// Remembers twenty runs in the folder `earlier`.
  ///
  /// - Parameters:
  ///   - benchmark: The benchmark whose runs differ; the others hardly do.
  ///   - parameters: Its parameters.
  ///   - deviation: The standard deviation of its runs, as a part of its time.
  ///   - environment: The machine, as a result file has it.
  func rememberRuns(
    ofWhich benchmark: String, _ parameters: String, differsBy deviation: Double,
    on environment: [(name: String, value: String)]
  ) throws {
    var noise = Noise(seed: 3)
    for number in 0..<20 {
      var results = Results()
      results.environment = environment.filter { Likeness.fields.contains($0.name) }
      results.environment += [("executables", "E=\(benchmark)"), ("date", "2026-11-25T19:\(10 + number):00Z")]
      for row in [("good", ""), ("good/grid", "n=1"), ("good/grid", "n=2")] {
        let isOdd = row == (benchmark, parameters)
        let centre = 100 * (1 + (isOdd ? deviation * noise.normal() : 0))
        results.add(.time, noise.launches(16, around: centre, spread: 0.001), to: row.0, parameters: row.1)
        results.add(.referenceLoop, noise.launches(16, around: 1, spread: 0.001), to: row.0, parameters: row.1)
      }
      try EarlierRuns(folder: self("earlier")).add(results, hash: "\(parameters)\(number)")
    }
  }
}
