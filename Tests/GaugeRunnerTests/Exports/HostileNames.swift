// Names that try to be something else, and a run that has one of them in every place that a stranger can name.

import Foundation
import Gauge

@testable import GaugeRunner

/// Names from the file that scripts/checks/check-formats hands to the consumers' own parsers, too.
enum HostileNames {
  /// All of them.
  static let all: [String] = {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../../hostile-names.txt"
    return (Files.text(of: path) ?? "").split(separator: "\n").compactMap {
      try? JSONDecoder().decode(String.self, from: Data($0.utf8))
    }
  }()

  /// A run in which a benchmark, its parameter, a metric and its unit, the machine and a fault have a name. Families,
  /// the order of names, and the number of parameters don't depend on it.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - factor: By how much times are longer.
  static func run(_ name: String, factor: Double = 1) -> Results {
    var results = Results.run()
    results.environment.removeAll { $0.name == "cpu_model" }
    results.environment += [("cpu_model", name), ("toolchain", name), ("commit", name), ("note", name)]
    let (benchmark, metric) = ("a/" + name, Metric("z" + name, unit: "z" + name, polarity: .lower, kind: .exact))
    let value = String(String.UnicodeScalarView(name.unicodeScalars.filter { $0 != ";" }))
    for size in ["1", "2", "4"] {
      let parameters = "k=\(value);n=\(size)"
      results.add(.time, [10, 10.1, 10.2, 9.9, 9.8].map { $0 * factor }, to: benchmark, parameters: parameters)
      results.add(metric, [3, 3, 3, 3, 3].map { $0 * factor }, to: benchmark, parameters: parameters)
      results.add(.latency(percentile: "50"), [1, 2, 3], to: benchmark, parameters: parameters)
    }
    results.add(.openLoopRate, unavailable: name, to: "b/x")
    results.faults = [
      BenchmarkFault(benchmark: benchmark, parameters: value, reason: name, output: "a\n\(name)\nb")
    ]
    return results
  }

  /// A profile of functions of a name.
  static func profile(_ name: String) -> Profile {
    var profile = Profile(.cpu, operations: 1)
    let frame = ProfileFrame(function: name, object: name, file: name, line: 3)
    profile.add(5, at: [frame, ProfileFrame(function: "leaf", object: "o")])
    profile.notes = [name]
    return profile
  }
}
