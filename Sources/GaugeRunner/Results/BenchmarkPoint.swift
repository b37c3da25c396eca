// A benchmark at a point of its grid: what a launch runs, and what rows of results are of.

import Gauge

/// One benchmark at one point of its parameter grid.
struct BenchmarkPoint: Hashable, Sendable {
  /// Path of the executable that runs it.
  var executable: String
  /// Name of the benchmark, without parameters.
  var benchmark: String
  /// The point of the parameter grid, as `name=value` joined by `;`; empty without parameters.
  var parameters: String
  /// The passes that the benchmark takes part in.
  var passes: [LaunchRequest.Pass]
  /// Name of the benchmark that does the least that this one must do.
  var limit: String?
  /// Words that choose it together with others.
  var tags: [String] = []
  /// Whether several threads take part in it, so that its counts vary from launch to launch.
  var hasThreads = false
  /// Whether its executable has something that must stand during a run.
  var hasRunFixture = false
  /// What of its executable's build makes times worthless, such as `for debugging`.
  var flaw: String?

  /// The benchmark as people read it: `name` or `name[parameters]`.
  var title: String { parameters.isEmpty ? benchmark : "\(benchmark)[\(parameters)]" }
}

extension Glob {
  /// Whether the pattern fits a benchmark: its name alone, or its name with parameters.
  func matches(_ point: BenchmarkPoint) -> Bool {
    matches(point.benchmark) || matches(point.title)
  }
}
