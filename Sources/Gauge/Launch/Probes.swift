// What a launch counts with, so that tests can give it probes that fail.

/// Makes the counter of each pass that counts.
struct Probes {
  /// Calls of the heap.
  var heap: () -> Counter = { HeapCounter(HeapHooks()) }
  /// Reference counting.
  var references: () -> Counter = { ReferenceCounter() }
  /// What the process uses.
  var usage: () -> Counter = { UsageCounter() }
  /// Events of the cores.
  var hardware: () -> Counter = { EventCounter() }
  /// What the allocator holds.
  var allocator: () -> Counter = { AllocatorCounter() }
  /// System calls.
  var systemCalls: () -> Counter = { SystemCallCounter() }
  /// Whose waits for a processor are asked for.
  enum Waiters {
    /// Those of the thread that asks.
    case thisThread
    /// Those of all threads, of which one works at a time.
    case oneThreadAtATime
    /// Those of all threads, which may wait at once: a figure, and nothing that can be taken off a time.
    case allThreads
  }

  /// Waits for a processor.
  var readyWait: (Waiters) -> ReadyWait = { waiters in
    ReadyWait(
      isOfTheTimed: waiters != .allThreads, source: waiters == .thisThread ? .thisThread : .allThreads)
  }
  /// Moves the thread that measures to where others leave it alone.
  var settleOnProcessor: () -> Void = { CalmProcessor().settle() }
  /// Processor time of all threads of the process up to now, and 0 or the error number.
  var processTime: () -> (nanoseconds: UInt64, error: Int32) = UsageCounter.cpuTime
  /// What other processes take of the processors.
  var foreignLoad: () -> ForeignLoad = { ForeignLoad() }
  /// Call stacks as they are asked for.
  var stacks: (LaunchRequest.Profile) -> StackRecorder = { profile in
    switch profile.kind {
    case .cpu: TimeStacks(rate: profile.rate, finest: TimeStacks.finestClock)
    case .allocations: CallStacks(of: .allocations)
    case .references: CallStacks(of: .references)
    case .waits: CallStacks(of: .waits)
    case .timeline: CallStacks(of: .timeline(profile.timeline?.events ?? []))
    case .experiments: CallStacks(of: .experiments)
    }
  }
}
