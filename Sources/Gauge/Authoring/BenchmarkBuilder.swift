// The result builder that lets a suite list its benchmarks one per line, with `if` and `for`.

/// Collects the benchmarks of a suite.
@resultBuilder
public enum BenchmarkBuilder {
  /// A benchmark.
  public static func buildExpression(_ benchmark: Benchmark) -> [Benchmark] { [benchmark] }
  /// Benchmarks made elsewhere, for example by a function per family.
  public static func buildExpression(_ benchmarks: [Benchmark]) -> [Benchmark] { benchmarks }
  /// The benchmarks of a block, in order.
  public static func buildBlock(_ parts: [Benchmark]...) -> [Benchmark] { parts.flatMap(\.self) }
  /// `if` without `else`.
  public static func buildOptional(_ part: [Benchmark]?) -> [Benchmark] { part ?? [] }
  /// The first branch of `if` or `switch`.
  public static func buildEither(first part: [Benchmark]) -> [Benchmark] { part }
  /// Another branch of `if` or `switch`.
  public static func buildEither(second part: [Benchmark]) -> [Benchmark] { part }
  /// `for`.
  public static func buildArray(_ parts: [[Benchmark]]) -> [Benchmark] { parts.flatMap(\.self) }
  /// `if #available`.
  public static func buildLimitedAvailability(_ part: [Benchmark]) -> [Benchmark] { part }
}
