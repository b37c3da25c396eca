// A benchmark as its author declares it: a name, a grid of parameters, and a body that sets up and measures.

/// One benchmark of a `BenchmarkSuite`: its body runs once per launch, and measures one closure.
///
/// ```swift
/// Benchmark("array/sort", over: .values("count", [10, 1000])) { run in
///   let shuffled = (0..<run["count"]).map { ($0 &* 7919) % run["count"] }
///   run.elements = run["count"]
///   run.measure { shuffled.sorted() }
/// }
/// ```
///
/// What stands before `measure` is setup and what stands behind it is teardown; neither is measured. A body may throw,
/// and it may await:
///
/// ```swift
/// Benchmark("queue/round-trip", tags: ["slow"]) { run in
///   let queue = try await EchoQueue.connect()
///   try await run.measure { try await queue.echo(1) }
///   await queue.close()
/// }
/// ```
public struct Benchmark {
  /// Which threads take part in the measured operation.
  public enum Threads: Sendable {
    /// The thread of the body alone: counts repeat exactly, and instructions can be counted at all.
    case single
    /// Other threads take part: counts vary from launch to launch and are judged by statistics.
    case several
  }

  /// What happens in a launch.
  enum Body {
    case synchronous((BenchmarkRun) throws -> Void)
    case asynchronous(@Sendable (BenchmarkRun) async throws -> Void)
  }

  /// Name, unique in its suite: ASCII letters, digits and `/ . _ -`. The part before the first `/` is its family.
  public let name: String
  /// The axes of its parameter grid; a benchmark without axes has one point.
  public let axes: [BenchmarkAxis]
  /// Which threads take part in the measured operation.
  public let threads: Threads
  /// What can be measured of it.
  public let passes: Set<LaunchRequest.Pass>
  /// Operations per second that are started for latency in an open loop; `nil` where none is measured.
  ///
  /// A closed loop starts an operation when the one before has ended, and so leaves out just those that would have
  /// suffered from it (coordinated omission). A server that stalls for 100 ms every second, and takes 10 µs otherwise,
  /// has a p99.99 of 10 µs in a closed loop: one operation in 90 000 is slow. Its clients come on a schedule of their
  /// own, and one in ten of them comes during a stall. At 1000 operations per second in an open loop it has a p99 of 90
  /// ms and a p99.9 of 99 ms, which is what they feel.
  public let openLoopRate: Int?
  /// Name of the benchmark that does the least that this one must do.
  public let limit: String?
  /// Words that choose it together with others: `gauge run --tag WORD`.
  public let tags: [String]
  /// The author's own metrics, which the body records.
  public let metrics: [Metric]
  let body: Body
  /// Whether the operation may go on in another thread than it began in.
  var isAsynchronous: Bool { if case .asynchronous = body { true } else { false } }

  /// Declares a benchmark with a synchronous body.
  ///
  /// - Parameters:
  ///   - name: Name, unique in its suite: ASCII letters, digits and `/ . _ -`.
  ///   - axes: The axes of its parameter grid; it is measured at each point of their product.
  ///   - threads: Whether other threads than the body's take part in the measured operation.
  ///   - passes: What to measure of it. Latency in an open loop is measured where there is a rate
  ///     for it, whatever is said here.
  ///   - openLoopRate: Operations per second to start for latency in an open loop, on a fixed schedule, at least 1:
  ///     each latency runs from the moment when the operation should have started. `nil` measures none.
  ///   - limit: Name of a benchmark of the same suite that does the least that this one must do, so that reports can
  ///     show the distance: at the same parameters where it has them, otherwise at its first point.
  ///   - tags: Words by which it can be chosen together with others, made of ASCII letters, digits and `. _ -`.
  ///   - metrics: Metrics of the author's own, which the body records with `BenchmarkRun.record(_:_:)` in launches made
  ///     for that. `custom` is measured where there are any, whatever `passes` says.
  ///   - body: Sets up, calls `measure` once, and tears down. It runs on the main thread, once per launch. An error it
  ///     throws fails the launch; `BenchmarkSkipped` skips it.
  public init(
    _ name: String, over axes: BenchmarkAxis..., threads: Threads = .single,
    passes: Set<LaunchRequest.Pass> = Set(LaunchRequest.Pass.allCases), openLoopRate: Int? = nil, limit: String? = nil,
    tags: [String] = [], metrics: [Metric] = [], body: @escaping (BenchmarkRun) throws -> Void
  ) {
    self.init(
      name, axes, threads, passes, openLoopRate, limit, tags, metrics, .synchronous(body))
  }

  /// Declares a benchmark with an asynchronous body.
  ///
  /// - Parameters:
  ///   - name: Name, unique in its suite: ASCII letters, digits and `/ . _ -`.
  ///   - axes: The axes of its parameter grid; it is measured at each point of their product.
  ///   - threads: Whether other threads than the body's take part in the measured operation. Swift's concurrency may
  ///     resume a body on any of its threads, so `.several` is the default here.
  ///   - passes: What to measure of it. Latency in an open loop is measured where there is a rate
  ///     for it, whatever is said here.
  ///   - openLoopRate: Operations per second to start for latency in an open loop, on a fixed schedule, at least 1:
  ///     each latency runs from the moment when the operation should have started. `nil` measures none.
  ///   - limit: Name of a benchmark of the same suite that does the least that this one must do, so that reports can
  ///     show the distance: at the same parameters where it has them, otherwise at its first point.
  ///   - tags: Words by which it can be chosen together with others, made of ASCII letters, digits and `. _ -`.
  ///   - metrics: Metrics of the author's own, which the body records with `BenchmarkRun.record(_:_:)` in launches made
  ///     for that. `custom` is measured where there are any, whatever `passes` says.
  ///   - body: Sets up, calls `measure` once, and tears down. It runs in a task, off the main thread, once per launch.
  ///     An error it throws fails the launch; `BenchmarkSkipped` skips it.
  @_disfavoredOverload
  public init(
    _ name: String, over axes: BenchmarkAxis..., threads: Threads = .several,
    passes: Set<LaunchRequest.Pass> = Set(LaunchRequest.Pass.allCases), openLoopRate: Int? = nil, limit: String? = nil,
    tags: [String] = [], metrics: [Metric] = [], body: @escaping @Sendable (BenchmarkRun) async throws -> Void
  ) {
    self.init(
      name, axes, threads, passes, openLoopRate, limit, tags, metrics, .asynchronous(body))
  }

  private init(
    _ name: String, _ axes: [BenchmarkAxis], _ threads: Threads, _ passes: Set<LaunchRequest.Pass>,
    _ openLoopRate: Int?, _ limit: String?, _ tags: [String], _ metrics: [Metric], _ body: Body
  ) {
    self.name = name
    self.axes = axes
    self.threads = threads
    var passes = passes.subtracting([.openLatency, .custom, .profile])
    if openLoopRate != nil { passes.insert(.openLatency) }
    if !metrics.isEmpty { passes.insert(.custom) }
    self.passes = passes
    self.openLoopRate = openLoopRate
    self.limit = limit
    self.tags = tags
    self.metrics = metrics
    self.body = body
  }
}
