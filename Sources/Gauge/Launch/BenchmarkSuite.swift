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
  /// What has to stand during a whole run of `gauge run`: set up once before its first launch, in a process of its own,
  /// and torn down after the last. `nil`, the default, needs nothing.
  static var runFixture: Fixture? { get }
  /// What has to stand in each launch: set up before the body and torn down after it, in its process. `nil`, the
  /// default, needs nothing.
  static var launchFixture: Fixture? { get }
}

extension BenchmarkSuite {
  /// Nothing has to stand during a run.
  public static var runFixture: Fixture? { nil }
  /// Nothing has to stand in a launch.
  public static var launchFixture: Fixture? { nil }

  /// Runs the verb in the command line, and ends the process with its exit code.
  public static func main() {
    var command = SuiteCommand(benchmarks: benchmarks)
    command.runFixture = runFixture
    command.launchFixture = launchFixture
    System.end(command.run(Array(CommandLine.arguments.dropFirst())))
  }
}
