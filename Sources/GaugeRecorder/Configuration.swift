// What a recording contains, and what it may cost.
// No test file: values; RecorderTests uses them.

extension Recorder {
  /// What to record.
  public struct Configuration: Hashable, Sendable {
    /// Samples of a thread per second of its CPU time, 0 to 1000; 0 for none. The default is 100.
    ///
    /// The system's tick is the limit: where it has 250 a second, a thread is sampled up to 250 times a second, and
    /// samples that had to come between two are weighed with the next one.
    public var samplesPerSecond: Int

    /// Looks at what each thread waits for, per second, 0 to 100; 0 for none. The default is 10.
    ///
    /// A wait that ends sooner is met by chance, as often as it is long. With many threads the looks are fewer: after
    /// each the recorder rests a thousand times as long as the look took, 5 s at most. So looks need no more than 0.1 %
    /// of a processor, unless one takes longer than 5 ms, as with many hundred threads. The recording says how far
    /// apart they were.
    public var looksPerSecond: Int

    /// Bytes of the file at which the recording stops by itself: 64 KiB to 1000 MiB, as `gauge` reads files of less
    /// than 1 GiB. The default is 256 MiB.
    public var largestFile: Int

    /// Whether to record the call stack of every allocation, in a second file whose name has `.heap` at its end.
    ///
    /// That needs the library `GaugeHooks`, preloaded or linked, costs far more than all else, and is done once in a
    /// process. Where the library is there, totals of allocations are recorded in any case. The default is false.
    public var recordsHeapStacks: Bool

    /// The most that `largestFile` may be: what is written before the end is noticed fits `gauge`, too.
    static let mostBytes = 1000 << 20

    /// What to record.
    ///
    /// - Parameters:
    ///   - samplesPerSecond: Samples of a thread per second of its CPU time, 0 to 1000.
    ///   - looksPerSecond: Looks at what each thread waits for, per second, 0 to 100.
    ///   - largestFile: Bytes of the file at which the recording stops by itself, 64 KiB to 1000 MiB.
    ///   - recordsHeapStacks: Whether to record the call stack of every allocation.
    public init(
      samplesPerSecond: Int = 100, looksPerSecond: Int = 10, largestFile: Int = 256 << 20,
      recordsHeapStacks: Bool = false
    ) {
      self.samplesPerSecond = samplesPerSecond
      self.looksPerSecond = looksPerSecond
      self.largestFile = largestFile
      self.recordsHeapStacks = recordsHeapStacks
    }
  }

  /// What a recording has come to.
  public struct Recording: Hashable, Sendable {
    /// The file.
    public var path: String
    /// Time from its start to its end.
    public var duration: Duration
    /// CPU time of the process meanwhile, the recorder's own included.
    public var processorTime: Duration
    /// CPU time of the recorder's thread. What interrupting other threads has cost is in theirs.
    public var recorderTime: Duration
    /// Time that the program's threads spent on taking their samples, in the handler of the signal; what the system
    /// needed to bring the signal is not in it.
    public var handlerTime: Duration
    /// CPU time that the samples stand for.
    public var sampledTime: Duration
    /// CPU time of samples for which there was no room.
    public var lostTime: Duration
    /// Looks at all threads.
    public var looks: Int
    /// Waits that were met.
    public var waits: Int
    /// Threads that could not be followed: beyond 4096, or the system had no timer for them.
    public var threadsLeftOut: Int
    /// Whether it has stopped by itself, because the file had its largest size.
    public var wasFull: Bool
  }
}
