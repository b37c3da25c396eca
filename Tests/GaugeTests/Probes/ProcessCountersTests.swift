// Each counter of the process against another source of the same number, and each made to fail.

import Foundation
import Testing

import CProbes
@testable import Gauge

/// Values of a launch by metric.
private func values(
  _ benchmark: String, pass: LaunchRequest.Pass, budget: Int = 1, preload: [String] = []
) throws -> [String: Double] {
  let (report, code) = try Products.launch(benchmark, pass: pass, budget: budget, preload: preload)
  #expect(code == 0 && report.ending == .done)
  var values: [String: Double] = [:]
  for measurement in report.measurements {
    if case .value(let value) = measurement.outcome { values[measurement.metric.name] = value }
  }
  return values
}

@Suite(.serialized, .enabled(if: !Products.areSanitized, "a sanitizer changes what everything takes"))
struct ProcessCountersTests {
  private static func installed(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: program)
  }

  private static let strace = "/usr/bin/strace"
  private static let perf = "/usr/bin/perf"

  // MARK: Resources

  /// A field of `/proc/self/stat`, counted from 1.
  private func stat(_ field: Int) throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/stat", encoding: .utf8)
    let fields = text[try #require(text.lastIndex(of: ")"))...].split(separator: " ")
    return try #require(Int(fields[field - 2]))
  }

  @Test func pageFaultsAreThoseOfTheKernelsOwnTable() throws {
    let counter = UsageCounter()
    let before = (counter.read(), try stat(10))
    let size = 512 * 4096
    // Fresh from the system: what the allocator hands out may have been touched before.
    let memory = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    for offset in stride(from: 0, to: size, by: 4096) { memory.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self) }
    blackHole(memory)
    let after = (try stat(10), counter.read())
    munmap(memory, size)
    let counted = Int(after.1[3] - before.0[3])
    let told = after.0 - before.1
    // Other tests touch memory, too: the table was read within the counter's span.
    #expect(told <= counted && counted >= 1)
  }

  @Test func cpuTimeIsThatOfTheKernelsOwnTable() throws {
    let counter = UsageCounter()
    let tick = 1e9 / Double(sysconf(Int32(_SC_CLK_TCK)))
    let before = (counter.read(), try stat(14) + stat(15))
    let end = MonotonicClock.nanoseconds() + 100_000_000
    while MonotonicClock.nanoseconds() < end {}
    let after = (try stat(14) + stat(15), counter.read())
    let counted = Double(after.1[0] - before.0[0])
    let told = Double(after.0 - before.1) * tick
    #expect(counted >= told - 2 * tick, "counted \(counted) ns, the table says \(told)")
    #expect(counted > 0)
    let now = UsageCounter.cpuTime()
    #expect(now.error == 0 && now.nanoseconds >= after.1[0])
    // Both parts together are the whole, which has a clock of its own.
    let parts = Double(after.1[1] - before.0[1]) + Double(after.1[2] - before.0[2])
    #expect(abs(parts - counted) <= 0.2 * counted + 1e7)
  }

  @Test func resourcesOfAKnownOperation() throws {
    // Long enough for many operations also on a busy machine: one that is not theirs must not count.
    let page = try values("gauge/page", pass: .resources, budget: 50)
    let faults = try #require(page["minor_faults"])
    #expect(abs(faults - 1) < 0.05)
    let cpu = try #require(page["cpu_time"])
    #expect(cpu > 100)
    #expect(try #require(page["peak_resident"]) > 1e6)
    // A sleeping thread takes time without taking the processor. On a busy machine a launch has few operations, and one
    // wait that is not theirs is too many: one launch of five must be right.
    var launches: [(switches: Double, cpuTime: Double, time: Double)] = []
    func areRight(_ switches: Double, _ cpuTime: Double, _ time: Double) -> Bool {
      abs(switches - 1) < 0.05 && cpuTime < time
    }
    for _ in 0..<5 where !launches.contains(where: areRight) {
      let sleep = try values("gauge/sleep", pass: .resources, budget: 50)
      launches.append(
        try (
          #require(sleep["voluntary_switches"]), #require(sleep["cpu_time"]),
          #require(values("gauge/sleep", pass: .time)["time"])
        ))
    }
    #expect(launches.contains(where: areRight), "\(launches)")
  }

  /// The defect: what `getrusage` tells as the peak survives the start of another program,
  /// and so was that of the runner.
  @Test func thePeakOfALaunchIsNotThatOfItsRunner() throws {
    let size = 256 << 20
    let memory = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    for offset in stride(from: 0, to: size, by: 4096) { memory.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self) }
    munmap(memory, size)
    let launch = try values("gauge/empty", pass: .resources)
    #expect(try (1e6..<Double(size) / 2).contains(#require(launch["peak_resident"])))
    #expect(try #require(launch["resident_growth"]) < 4e6)
  }

  @Test(.enabled(if: installed(perf))) func pageFaultsAreThoseOfPerfStat() throws {
    let request = LaunchRequest(benchmark: "gauge/page", pass: .resources, budget: 50, reportDescriptor: 1)
    // Warm-up is in what perf tells, too, and on a busy machine now and then longer than what is measured.
    var parts: [Double] = []
    for _ in 0..<5 where parts.allSatisfy({ $0 <= 0.5 }) {
      let text = try Products.output(
        of: Self.perf, ["stat", "-x", ",", "-e", "minor-faults", Products.benchmarks] + request.arguments)
      let lines = text.split(separator: "\n").map(String.init)
      guard let told = lines.first(where: { $0.contains("minor-faults") }).flatMap({ Int($0.prefix { $0 != "," }) }),
        let row = lines.first(where: { $0.contains("\tminor_faults\t") })
      else { return }  // perf may not count here
      let fields = row.split(separator: "\t")
      let counted = try #require(Double(fields[7])) * #require(Double(fields[5]))
      parts.append(counted / Double(told))
    }
    // Start-up and calibration are in what perf tells, and only there.
    #expect(parts.allSatisfy { $0 <= 1 } && parts.contains { $0 > 0.5 }, "\(parts)")
  }

  // MARK: System calls

  @Test func systemCallsOfAKnownOperation() throws {
    #expect(try values("gauge/page", pass: .systemCalls) == ["system_calls": 2])
    #expect(try values("gauge/empty", pass: .systemCalls) == ["system_calls": 0])
  }

  @Test(.enabled(if: installed(strace))) func systemCallsAreThoseOfStrace() throws {
    // One operation: strace sees the munmap of one page, which nothing else in the launch is.
    let request = LaunchRequest(benchmark: "gauge/page", pass: .singleShot, budget: 1, reportDescriptor: 1)
    let text = try Products.output(
      of: Self.strace, ["-f", "-e", "trace=munmap", Products.benchmarks] + request.arguments)
    guard !text.contains("PTRACE") && !text.contains("ptrace(") else { return }
    let calls = text.split(separator: "\n").filter { $0.contains("munmap(") && $0.contains(", 4096)") }
    #expect(calls.count == 1, "\(text)")
    let counted = try values("gauge/page", pass: .systemCalls)["system_calls"]
    #expect(counted == Double(2 * calls.count))
  }

  @Test(.enabled(if: installed(strace))) func aTracedProcessSaysThatItCantCount() throws {
    let request = LaunchRequest(benchmark: "gauge/page", pass: .systemCalls, budget: 1, reportDescriptor: 1)
    let text = try Products.output(of: Self.strace, ["-f", "-o", "/dev/null", Products.benchmarks] + request.arguments)
    #expect(
      text.contains("unavailable\tsystem_calls\t1/op\tlower\texact\tnot permitted: another program traces this one"))
  }

  /// Who counts may be killed, as where memory is short: what it had counted by then is too little.
  @Test(.enabled(if: clang != nil)) func callsThatNobodyCountsAnyMoreAreNoNumber() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appendingPathComponent("kill.c").path
    try """
    #include <signal.h>
    #include <stdio.h>
    #include <time.h>
    // The operation sleeps for a microsecond; its tenth sleep ends who traces the process.
    int usleep(unsigned microseconds) {
      static int calls;
      if (microseconds == 1 && ++calls == 10) {
        char line[256];
        int tracer = 0;
        FILE *status = fopen("/proc/self/status", "r");
        while (!tracer && fgets(line, sizeof line, status)) sscanf(line, "TracerPid: %d", &tracer);
        fclose(status);
        if (tracer > 0) kill(tracer, SIGKILL);
      }
      struct timespec time = {0, 1000 * (long)microseconds};
      return nanosleep(&time, NULL);
    }
    """.write(toFile: source, atomically: true, encoding: .utf8)
    let library = folder.appendingPathComponent("kill.so").path
    let complaints = try Products.output(of: try #require(Self.clang), ["-shared", "-fPIC", "-o", library, source])
    let (report, code) = try Products.launch("gauge/sleep", pass: .systemCalls, preload: [library])
    #expect(code == 0 && report.ending == .done, "\(complaints)")
    let outcome = try #require(report.measurements.first { $0.metric == .systemCalls }).outcome
    guard case .unavailable(let reason) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(reason == "while it was measured: the process that counts the calls ended (No child processes)")
  }

  // MARK: References

  @Test(.enabled(if: !Products.areSanitized)) func referencesOfAKnownOperation() throws {
    let allocate = try values("gauge/allocate", pass: .references, preload: [Products.hooks])
    #expect(allocate["object_allocations"] == 1)
    let empty = try values("gauge/empty", pass: .references, preload: [Products.hooks])
    #expect(empty == ["arc_retains": 0, "arc_releases": 0, "object_allocations": 0])
    let retain = try values("gauge/retain", pass: .references, preload: [Products.hooks])
    let retains = try #require(retain["arc_retains"])
    #expect(retains >= 1 && retains == retain["arc_releases"])
  }

  // MARK: The heap

  private static let clang = ["/usr/bin/clang", "/opt/swift/usr/bin/clang", "/usr/bin/gcc"].first(where: installed)

  @Test(.enabled(if: clang != nil && Products.jemalloc != nil && !Products.areSanitized))
  func allocationsAreThoseOfJemallocsOwnCounters() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appendingPathComponent("heap.c").path
    try """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    static int (*control)(const char *, void *, size_t *, void *, size_t);
    static void (*snapshot)(uint64_t *);
    static uint64_t number(const char *name) {
      uint64_t value = 0;
      size_t size = sizeof value;
      control(name, &value, &size, NULL, 0);
      return value;
    }
    static uint64_t told(void) {
      // What the thread keeps for itself is not in the statistics, and those are of the last epoch. 4096: all arenas.
      uint64_t epoch = 1;
      control("thread.tcache.flush", NULL, NULL, NULL, 0);
      control("epoch", NULL, NULL, &epoch, sizeof epoch);
      return number("stats.arenas.4096.small.nrequests") + number("stats.arenas.4096.large.nrequests");
    }
    int main(void) {
      *(void **)&control = dlsym(RTLD_DEFAULT, "mallctl");
      *(void **)&snapshot = dlsym(RTLD_DEFAULT, "gauge_hooks_snapshot");
      static void *volatile blocks[1000];
      uint64_t before[3], after[3], first = told();
      snapshot(before);
      for (int i = 0; i < 1000; i++) blocks[i] = malloc(1 + 37 * (size_t)i);
      snapshot(after);
      uint64_t last = told();
      for (int i = 0; i < 1000; i++) free(blocks[i]);
      printf("%llu %llu", (unsigned long long)(after[0] - before[0]), (unsigned long long)(last - first));
    }
    """.write(toFile: source, atomically: true, encoding: .utf8)
    let program = folder.appendingPathComponent("heap").path
    let complaints = try Products.output(of: try #require(Self.clang), ["-o", program, source, "-ldl"])
    let counts = try Products.output(
      of: "/usr/bin/env", ["LD_PRELOAD=\(Products.hooks):\(Products.jemalloc ?? "")", program])
    #expect(counts == "1000 1000", "\(complaints)")
  }

  // MARK: The allocator and the core

  @Test(.enabled(if: Products.jemalloc != nil && !Products.areSanitized)) func theAllocatorTellsItsState() throws {
    let state = try values("gauge/allocate", pass: .allocator, preload: [Products.jemalloc ?? ""])
    let resident = try #require(state["allocator_resident"])
    let active = try #require(state["allocator_active"])
    let allocated = try #require(state["allocator_allocated"])
    #expect(resident >= active && active >= allocated && allocated > 0)
    #expect(state["fragmentation"] == active / allocated)
  }

  @Test func aSoftwareEventFollowsTheClock() {
    let metric = Metric("task_clock", unit: "ns")
    let counter = EventCounter([(probe_task_clock, metric)])
    guard counter.isPresent else { return }  // perf_event may be closed to everybody
    func read() -> (event: UInt64, usage: UInt64) { (counter.read()[0], UsageCounter.cpuTime().nanoseconds) }
    let before = read()
    // Other tests run in this process, and start others, which are in the event alone: so there is no upper bound.
    while read().usage < before.usage + 20_000_000 {}
    #expect(counter.read()[0] > before.event + 1_000_000)
  }

  // MARK: Failing

  @Test func everyCounterTellsWhyItCantCount() {
    let failing: [(Counter, String)] = [
      (ReferenceCounter(absence: "why"), "why"),
      (
        EventCounter(open: { _ in -ENOENT }),
        "this machine shows no such counter, as in most virtual machines (perf_event_open: No such file or directory)"
      ),
      (
        EventCounter(open: { _ in -EACCES }),
        "not permitted: lower /proc/sys/kernel/perf_event_paranoid to 2 (perf_event_open: Permission denied)"
      ),
      (EventCounter(open: { _ in -EMFILE }), "perf_event_open: Too many open files"),
      (
        AllocatorCounter(error: -1),
        "jemalloc is not preloaded (gauge run does it where libjemalloc.so.2 is installed)"
      ),
      (AllocatorCounter(error: EINVAL), "mallctl: Invalid argument"),
      (
        SystemCallCounter(error: EPERM),
        "not permitted: another program traces this one, or the container forbids it (ptrace: Operation not permitted)"
      ),
      (SystemCallCounter(error: ENOMEM), "ptrace: Cannot allocate memory"),
    ]
    for (counter, reason) in failing {
      #expect(!counter.isPresent)
      #expect(counter.quantities.allSatisfy { $0.absence == reason }, "\(counter.quantities)")
    }
  }

  @Test func usageAndMemoryAreToldApart() {
    func absences(_ source: UsageCounter.Source) -> [String?] {
      let quantities = UsageCounter(source: source).quantities
      return [Metric.cpuTime, .peakResident, .residentGrowth].map { metric in
        quantities.first { $0.metric == metric }?.absence
      }
    }
    let status = "/proc/self/status: No data available"
    #expect(
      absences(UsageCounter.Source(usage: { (probe_usage(), EFAULT) })) == ["getrusage: Bad address", nil, nil])
    #expect(absences(UsageCounter.Source(memory: { (probe_memory(), ENODATA) })) == [nil, status, status])
    #expect(
      absences(UsageCounter.Source(forgetPeak: { EROFS }))
        == [nil, nil, "/proc/self/clear_refs: Read-only file system"])
  }

  /// Readings fail after the first ones, as where a benchmark has opened all files that it may: 0 would be told else.
  @Test func aReadingThatFailsInTheMiddleIsNoNumber() {
    var (usage, memory, peak) = (Int32(0), Int32(0), Int32(0))
    func outcomes(_ error: (usage: Int32, memory: Int32, peak: Int32)) -> [String?] {
      (usage, memory, peak) = (0, 0, 0)
      let counter = UsageCounter(
        source: UsageCounter.Source(
          usage: { (probe_usage(), usage) }, memory: { (probe_memory(), memory) }, forgetPeak: { peak }))
      let start = counter.read()
      (usage, memory, peak) = error
      counter.markPeak()
      let end = counter.read()
      (usage, memory, peak) = (0, 0, 0)
      let told = counter.concluded().filter { [.cpuTime, .peakResident, .residentGrowth].contains($0.metric) }
      return told.map {
        let measurement = $0.measurement(from: start, to: end, operations: 1, varies: false)
        if case .unavailable(let reason) = measurement.outcome { return reason }
        return nil
      }
    }
    let status = "while it was measured: /proc/self/status: Too many open files"
    #expect(outcomes((0, 0, 0)) == [nil, nil, nil])
    #expect(outcomes((EFAULT, 0, 0)) == ["while it was measured: getrusage: Bad address", nil, nil])
    #expect(outcomes((0, EMFILE, 0)) == [nil, status, status])
    let references = "while it was measured: /proc/self/clear_refs: Too many open files"
    #expect(outcomes((0, 0, EMFILE)) == [nil, nil, references])
  }

  @Test func anEventThatStopsIsNoNumber() {
    var error: Int32 = 0
    let counter = EventCounter(open: { _ in 3 }, read: { _ in (5, error) })
    func absences() -> Set<String?> { Set(counter.concluded().map(\.absence)) }
    _ = counter.read()
    #expect(absences() == [nil])
    error = -1
    _ = counter.read()
    #expect(absences() == ["while it was measured: the core had no counter free for the event"])
    error = EIO
    _ = counter.read()
    error = 0
    _ = counter.read()
    #expect(absences() == ["while it was measured: reading the event: Input/output error"])
  }

  /// A machine whose peak can be forgotten, played.
  @Test func thePeakIsOfTheImageAndTheGrowthOfTheMeasuring() {
    var memory = probe_memory(resident_bytes: 4_000, peak_bytes: 30_000)
    func use(_ bytes: UInt64) {
      memory.resident_bytes = bytes
      memory.peak_bytes = max(memory.peak_bytes, bytes)
    }
    let counter = UsageCounter(
      source: UsageCounter.Source(
        usage: { (probe_usage(), 0) }, memory: { (memory, 0) },
        forgetPeak: {
          memory.peak_bytes = memory.resident_bytes
          return 0
        }))
    // Set-up: a peak that the measuring does not come near.
    use(50_000)
    use(10_000)
    counter.markPeak()
    #expect(counter.read()[7] == 50_000 && counter.read()[8] == 0)
    use(12_500)
    use(11_000)
    #expect(counter.read()[7] == 50_000 && counter.read()[8] == 2_500)
    use(60_000)
    #expect(counter.read()[7] == 60_000 && counter.read()[8] == 50_000)
  }

  @Test func oneEventMayBeMissingAlone() {
    let counter = EventCounter(open: { $0 == probe_cache_misses ? -ENOENT : -EINVAL })
    #expect(counter.quantities.map { $0.absence?.hasPrefix("this machine") } == [false, false, false, true])
    #expect(counter.read() == .zero)
  }

  // MARK: References of a stripped program

  private static let compiler = ["/usr/bin/clang", "/usr/bin/cc", "/opt/swift/usr/bin/clang"].first(where: installed)

  /// What the hooks say in a program of C that asks them to count.
  private func answer(to declarations: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gauge-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appendingPathComponent("program.c").path
    let program = folder.appendingPathComponent("program").path
    let text = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <stdio.h>
      \(declarations)
      int main(void) {
        const char *(*begin)(void);
        *(void **)&begin = dlsym(RTLD_DEFAULT, "gauge_hooks_count_references");
        const char *reason = begin ? begin() : "absent";
        puts(reason ? reason : "counts");
        return 0;
      }
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: source))
    let said = try Products.output(of: try #require(Self.compiler), ["-o", program, source, "-ldl"])
    return try said
      + Products.output(of: "/usr/bin/env", ["LD_PRELOAD=\(Products.hooks)", program]).trimmingCharacters(in: .newlines)
  }

  @Test(.enabled(if: compiler != nil && !Products.areSanitized))
  func aRuntimeThatTheProgramDoesNotUseCountsNothing() throws {
    // The hooks bring a library with a runtime.
    // A program with tables of types and no need for that library has its own.
    let types = #"__attribute__((section("swift5_types"), used)) static int types;"#
    #expect(
      try answer(to: types)
        == "the executable has the Swift runtime in it, but not its symbols: it was stripped")
    #expect(try answer(to: "") == "counts")
  }
}
