// The quantities of the passes over the system, the core, the allocator and reference counting.

extension Metric {
  /// CPU time of one operation, all threads together.
  public static let cpuTime = Metric("cpu_time", unit: "ns/op")
  /// The part of it outside of the kernel, as the system splits it:
  /// it looks a few hundred times a second, on some systems.
  public static let cpuUser = Metric("cpu_user", unit: "ns/op")
  /// The part of it within the kernel, as the system splits it: 0 if it never looked while that worked.
  public static let cpuSystem = Metric("cpu_system", unit: "ns/op")
  /// Page faults of one operation that needed no reading from a disk.
  public static let minorFaults = Metric("minor_faults", unit: "1/op")
  /// Page faults of one operation that did.
  public static let majorFaults = Metric("major_faults", unit: "1/op")
  /// Context switches of one operation because a thread waited.
  public static let voluntarySwitches = Metric("voluntary_switches", unit: "1/op")
  /// Context switches of one operation because the system gave the processor to somebody else.
  public static let involuntarySwitches = Metric("involuntary_switches", unit: "1/op")
  /// The most memory that the process ever had resident, what ran in it before the benchmark's own program not counted.
  public static let peakResident = Metric("peak_resident", unit: "B")
  /// The most memory that the process had resident during the measuring, less what it had when the measuring began.
  public static let residentGrowth = Metric("resident_growth", unit: "B")
  /// What the system tells of the process.
  public static let resources = [
    cpuTime, cpuUser, cpuSystem, minorFaults, majorFaults, voluntarySwitches, involuntarySwitches, peakResident,
    residentGrowth,
  ]

  /// System calls of one operation, all threads together.
  public static let systemCalls = Metric("system_calls", unit: "1/op", kind: .exact)

  /// Calls of `swift_retain` and its variants by one operation, all threads together and those inside the standard
  /// library included, counted at full speed by the preloaded library.
  public static let arcRetains = Metric("arc_retains", unit: "1/op", kind: .exact)
  /// Calls of `swift_release` and its variants by one operation, as for `arcRetains`.
  public static let arcReleases = Metric("arc_releases", unit: "1/op", kind: .exact)
  /// Objects that one operation allocates on the heap, as for `arcRetains`.
  public static let objectAllocations = Metric("object_allocations", unit: "1/op", kind: .exact)
  /// What the runtime of Swift tells.
  public static let references = [arcRetains, arcReleases, objectAllocations]

  /// Bytes of memory that jemalloc keeps resident behind the operations.
  public static let allocatorResident = Metric("allocator_resident", unit: "B")
  /// Bytes in pages that hold at least one live block.
  public static let allocatorActive = Metric("allocator_active", unit: "B")
  /// Bytes of live blocks.
  public static let allocatorAllocated = Metric("allocator_allocated", unit: "B")
  /// Active bytes by live ones: 1 is none.
  public static let fragmentation = Metric("fragmentation", unit: "1")
  /// What jemalloc tells.
  public static let allocator = [allocatorResident, allocatorActive, allocatorAllocated, fragmentation]

  /// Instructions of one operation outside of the kernel, as the core counts them.
  public static let hardwareInstructions = Metric("hardware_instructions", unit: "1/op")
  /// Cycles of one operation outside of the kernel.
  public static let hardwareCycles = Metric("hardware_cycles", unit: "1/op")
  /// Branches of one operation that the core guessed wrong.
  public static let branchMisses = Metric("branch_misses", unit: "1/op")
  /// Accesses of one operation that no cache could serve.
  public static let cacheMisses = Metric("cache_misses", unit: "1/op")
  /// What the core tells.
  public static let hardware = [hardwareInstructions, hardwareCycles, branchMisses, cacheMisses]

  /// Time of the first operation of a process, which finds nothing warm.
  public static let singleShot = Metric("single_shot", unit: "ns")

  /// Operations that a profile's stacks are of.
  public static let profiledOperations = Metric("profiled_operations", unit: "1", polarity: .neither)
}
