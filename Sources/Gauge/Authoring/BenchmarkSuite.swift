// The entry point of a benchmark executable: a list of benchmarks, and the verbs that a runner or a person gives it.

/// A benchmark executable: list the benchmarks, and mark the type `@main`.
///
/// ```swift
/// import Gauge
///
/// @main struct ArrayBenchmarks: BenchmarkSuite {
///   @BenchmarkBuilder static var benchmarks: [Benchmark] {
///     Benchmark("array/sum", over: .values("count", [10, 1000])) { run in
///       let numbers = Array(0..<run["count"])
///       run.elements = run["count"]
///       run.measure { opaque(numbers).reduce(0, +) }
///     }
///   }
/// }
/// ```
///
/// The executable is not run by hand as a rule: `gauge run` starts it anew for each launch. Given one of `gauge`'s own
/// verbs it becomes the `gauge` executable beside it, with itself as the executable to measure.
public protocol BenchmarkSuite {
  /// All benchmarks; names are unique.
  @BenchmarkBuilder static var benchmarks: [Benchmark] { get }
}

extension BenchmarkSuite {
  /// Runs the verb in the command line, and ends the process with its exit code.
  public static func main() {
    System.end(SuiteCommand(benchmarks: benchmarks).run(Array(CommandLine.arguments.dropFirst())))
  }
}
