// What a number is: its name, unit, which direction is better, and whether it repeats exactly.

/// A quantity that a launch measures of one benchmark.
///
/// The set is open: an author's own quantity is a `Metric` too, and travels through launch reports and result files
/// like the built-in ones.
public struct Metric: Hashable, Sendable {
  /// Which direction of change is an improvement.
  public enum Polarity: String, Sendable, CaseIterable {
    /// Smaller values are better, as for time.
    case lower
    /// Larger values are better, as for throughput.
    case higher
    /// Neither: the value describes the machine or the run and is never judged.
    case neither
  }

  /// How the value behaves from launch to launch of the same build.
  public enum Kind: String, Sendable, CaseIterable {
    /// Counted, the same in every launch: any difference is a change.
    case exact
    /// Varies from launch to launch: judged by statistics.
    case sampled
  }

  /// Identifier, `lower_snake_case`, unique within a result file.
  public var name: String
  /// Unit of the value, for example `ns/op`.
  public var unit: String
  /// Which direction of change is an improvement.
  public var polarity: Polarity
  /// Whether the value repeats exactly.
  public var kind: Kind

  /// Creates a metric.
  ///
  /// - Parameters:
  ///   - name: Identifier, `lower_snake_case`.
  ///   - unit: Unit of the value, for example `ns/op`.
  ///   - polarity: Which direction of change is an improvement.
  ///   - kind: Whether the value repeats exactly.
  public init(_ name: String, unit: String, polarity: Polarity = .lower, kind: Kind = .sampled) {
    self.name = name
    self.unit = unit
    self.polarity = polarity
    self.kind = kind
  }
}

extension Metric {
  /// Time of one operation, harness overhead and waits for a processor subtracted: the median over a launch's samples.
  /// That is what most operations take; the samples are of many operations each, so that where one in thousands takes
  /// long, most samples are without it.
  public static let time = Metric("time", unit: "ns/op")
  /// Time of one operation as `time`, but the mean over all operations of a launch: what rare ones take is in it.
  public static let meanTime = Metric("mean_time", unit: "ns/op")
  /// How many times as long as the median the mean of the operations is: above 1 by what operations take that are too
  /// rare for the median. A machine that is slower for a while changes both, and not this.
  public static let meanByMedian = Metric("mean_by_median", unit: "1")
  /// Time by which an operation was longer by the clock than in `mean_time`, as its thread stood ready without a
  /// processor. For operations of several threads it is the sum of their waits, and part of the times.
  public static let readyWait = Metric("ready_wait", unit: "ns/op", polarity: .neither)
  /// Time of one element as `time`, for benchmarks whose operation handles several.
  public static let timePerElement = Metric("time_per_element", unit: "ns/element")
  /// Elements per second: those of all operations by the time of all of them, as in `mean_time`.
  public static let throughput = Metric("throughput", unit: "elements/s", polarity: .higher)
  /// Bytes per second in the same way, for benchmarks whose author says how many bytes an operation handles.
  public static let bandwidth = Metric("bandwidth", unit: "B/s", polarity: .higher)
  /// Heap allocations of one operation, in all threads.
  public static let allocations = Metric("allocations", unit: "1/op", kind: .exact)
  /// Heap blocks freed by one operation, in all threads.
  public static let frees = Metric("frees", unit: "1/op", kind: .exact)
  /// Bytes requested from the heap by one operation, in all threads.
  public static let allocatedBytes = Metric("allocated_bytes", unit: "B/op", kind: .exact)
  /// The most heap bytes that one operation has at once beyond those before it, in all threads, as the allocator rounds
  /// them up: the same on the same allocator.
  public static let peakHeap = Metric("peak_heap", unit: "B/op", kind: .exact)
  /// What the hooks of the heap tell.
  public static let heap = [allocations, frees, allocatedBytes, peakHeap]
  /// Instructions of one operation, those of an empty one subtracted, under callgrind: the same on every machine that
  /// runs the same build.
  public static let instructions = Metric("instructions", unit: "1/op", kind: .exact)
  /// Calls of `swift_retain` and its variants by one operation,
  /// those inside the standard library included, under callgrind.
  public static let retains = Metric("retains", unit: "1/op", kind: .exact)
  /// Calls of `swift_release` and its variants by one operation, as for `retains`.
  public static let releases = Metric("releases", unit: "1/op", kind: .exact)
  /// What the counts of one operation under callgrind are.
  public static let counted = [instructions, retains, releases]
  /// Time of one turn of a fixed dependent-multiply loop in the same launch:
  /// a gauge of the machine, not of the benchmark.
  public static let referenceLoop = Metric("reference_loop", unit: "ns/turn", polarity: .neither)
  /// Time of one turn of a fixed loop of loads and stores between the batches of the same launch, the upper quartile:
  /// grows where another thread shared the core for a quarter of the launch.
  public static let referenceStores = Metric("reference_stores", unit: "ns/turn", polarity: .neither)
  /// Time of one turn of a fixed loop of loads beyond the core's own caches in the same launch: grows where somebody
  /// else uses the shared cache and the memory.
  public static let referenceMemory = Metric("reference_memory", unit: "ns/turn", polarity: .neither)
  /// What the fixed loops tell of the machine in a launch that measures time.
  public static let referenceLoops = [referenceLoop, referenceStores, referenceMemory]
  /// Processors that other processes kept busy during the launch, for benchmarks of several threads: these wait for one
  /// another and for processors, which no loop of a single thread notices.
  public static let foreignLoad = Metric("foreign_load", unit: "processors", polarity: .neither)
  /// What a launch that measures time tells of the machine.
  public static let machine = referenceLoops + [foreignLoad]

  /// Latency of one operation at a percentile, for example `latency_p99_9` for 99.9.
  public static func latency(percentile: String) -> Metric {
    Metric("latency_p" + percentile.map { $0 == "." ? "_" : String($0) }.joined(), unit: "ns")
  }
  /// The longest latency that was seen.
  public static let latencyMaximum = Metric("latency_max", unit: "ns")

  /// The built-in metrics by name, whose names no metric of an author's own may have.
  private static let builtIn = Dictionary(
    ([
      time, meanTime, meanByMedian, readyWait, timePerElement, throughput, bandwidth, latencyMaximum,
      openLatencyMaximum, openLoopRate, singleShot, systemCalls, profiledOperations,
    ] + machine + heap + counted + resources + references + allocator + hardware).map { ($0.name, $0) },
    uniquingKeysWith: { first, _ in first })

  /// The built-in metric of a name; `nil` where that is an author's own.
  package static func builtIn(named name: String) -> Metric? { builtIn[name] }
}
