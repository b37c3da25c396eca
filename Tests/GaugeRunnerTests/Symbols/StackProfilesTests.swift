// From stacks to profiles: what is cut off, and what launches of real programs come to.

import Foundation
import Gauge
import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct StackProfilesTests {
  private func name(_ symbol: String, isInlined: Bool = false) -> Symboliser.Name {
    Symboliser.Name(
      frame: ProfileFrame(function: symbol, object: "a", isInlined: isInlined), symbol: symbol)
  }

  private func cut(_ symbols: [String], inlined: Set<String> = [], leavesOutRuntime: Bool = false) -> [String]? {
    StackProfiles.cut(
      symbols.map { name($0, isInlined: inlined.contains($0)) }, leavesOutRuntime: leavesOutRuntime
    )?.map(\.symbol)
  }

  @Test func `the start of the thread and the harness are cut off the root`() {
    #expect(
      cut(["clone3", "start_thread", "serve", "$s5Gauge9GroupCrewC5serveyySiF", "$s4User1fyyF", "$s5Gauge6opaqueyxxlF"])
        == ["$s4User1fyyF", "$s5Gauge6opaqueyxxlF"])
    #expect(
      cut(["$s4User4bodyyyF", "$s5Gauge7measure", "$s4User1fyyF"], inlined: ["$s5Gauge7measure", "$s4User1fyyF"])
        == ["$s4User4bodyyyF", "$s4User1fyyF"])
  }

  @Test func `what the harness does by itself is left out`() {
    #expect(cut(["$s4User4bodyyyF", "$s5Gauge14SampledBatchesC5beginSiyF", "clock_gettime"]) == nil)
    #expect(cut(["clone3", "start_thread", "serve", "$s5Gauge9GroupCrewC5serveyySiF"]) == nil)
    #expect(cut([]) == nil)
  }

  @Test func `who runs what was submitted is cut off, unless the work is its own`() {
    let thread = ["clone3", "_dispatch_worker_thread", "swift_job_run"]
    #expect(cut(thread + ["$s4User4loadyyYaFTY0_"]) == ["$s4User4loadyyYaFTY0_"])
    #expect(cut(thread) == ["_dispatch_worker_thread", "swift_job_run"])
    #expect(cut(["$sIegHr_TRTATQ0_", "$s5Gauge6WaiterO", "$s4User1fyyF"]) == ["$s4User1fyyF"])
  }

  @Test func `what was counted is told of who called it`() {
    let stack = ["$s4User1fyyF", "swift_allocObject", "swift_slowAlloc", "malloc"]
    #expect(cut(stack, leavesOutRuntime: true) == ["$s4User1fyyF"])
    #expect(cut(stack) == stack)
    #expect(
      cut(["$s4User1fyyF", "swift_release", "$s4User1CCfD", "_Znwm", "malloc"], leavesOutRuntime: true)
        == ["$s4User1fyyF", "swift_release", "$s4User1CCfD"])
    #expect(cut(["swift_release"], leavesOutRuntime: true) == ["swift_release"])
  }

  @Test func `private types have the names that their authors gave them`() {
    #expect(StackProfiles.typeName("A.(unknown context at $55d79da6c720).Box<Swift.Int>") == "A.Box<Swift.Int>")
    #expect(StackProfiles.typeName("Swift.String") == "Swift.String")
  }

  @Test func `an address to return to may be the last one`() throws {
    var stacks = WrittenStacks()
    // Behind a leaf, two callers: one in a file that is mapped to the end of all addresses.
    stacks.map = "1000-ffffffffffffffff r-xp fffffffffffff000 08:01 12    /bin/p"
    stacks.add([1], code: 0x1004, frame: 0x1000, pointer: 0xff0, base: 0x1000, stack: [0x1020, 0x2000, 0, 0, 0, 0])
    let profiles = StackProfiles(
      try SampleFile(stacks.bytes), kind: .cpu, operations: 1, title: "t", executable: "/bin/t",
      symboliser: Symboliser(lines: nil, scratch: "", load: { _ in nil }))
    #expect(profiles.profiles[0].total == 1)
  }

  @Test func `weights below nothing are no share of the time`() throws {
    var stacks = WrittenStacks()
    stacks.add([0 &- 5], code: 1, frame: 0, pointer: 0x1000, base: 0x1000, stack: [])
    let profiles = StackProfiles(
      try SampleFile(stacks.bytes), kind: .cpu, operations: 1, title: "t", executable: "/bin/t",
      symboliser: Symboliser(lines: nil, scratch: ""))
    #expect(profiles.profiles[0].total == -5)
    #expect(!profiles.profiles[0].notes.contains { $0.contains("CPU time") })
  }

  @Test func `what was lost or not permitted is said`() throws {
    func notes(_ source: SampleFile.Source, whole: UInt64, cpuTime: UInt64 = 0) throws -> [String] {
      var stacks = WrittenStacks()
      stacks.source = source
      stacks.cpuTime = cpuTime
      stacks.add([100 - whole], code: 1, frame: 0, pointer: 0x1000, base: 0x1000, stack: [])
      stacks.add([whole], code: 1, frame: 0x1000, pointer: 0xff0, base: 0x1000, stack: [0, 0])
      let profiles = StackProfiles(
        try SampleFile(stacks.bytes), kind: .cpu, operations: 1, title: "t", executable: "/bin/t",
        symboliser: Symboliser(lines: nil, scratch: ""))
      #expect(profiles.profiles.map(\.total) == [100])
      return profiles.profiles[0].notes
    }
    #expect(try notes(.events, whole: 96).isEmpty)
    #expect(try notes(.events, whole: 90) == ["10 % of the stacks could not be followed to their root"])
    #expect(try notes(.events, whole: 96, cpuTime: 105).isEmpty)
    #expect(try notes(.events, whole: 96, cpuTime: 200) == ["only 50 % of the CPU time were sampled: lower --rate"])
    #expect(try notes(.userEvents, whole: 96).first?.contains("perf_event_paranoid") ?? false)
    #expect(try notes(.timers, whole: 96).first?.hasPrefix("no perf events") ?? false)
  }

  #if os(Linux)
    @Test func `the samples of a loop lead to the benchmark`() throws {
      let stacks = try ProfiledProgram.record("gauge/loop", "turns=10000", .cpu).stacks
      let profile = stacks.profiles[0]
      #expect(profile.kind == .cpu && profile.operations > 0 && profile.total > 0)
      #expect(stacks.wholeShare >= 0.95)
      #expect(profile.weights.keys.allSatisfy { $0.first?.function == "gauge/loop[turns=10000]" })
      // Neither the harness nor the start of the process is left at the root.
      let second = Set(profile.weights.keys.compactMap { $0.dropFirst().first?.function })
      #expect(second.allSatisfy { !$0.contains("Batches") && $0 != "main" }, "\(second)")
    }

    @Test(arguments: [("gauge/allocate", "", 1000), ("gauge/demonstration", "words=64", 65_000)])
    func `allocations add up to the exact count`(benchmark: String, parameters: String, atMost: Int) throws {
      let (stacks, launch) = try ProfiledProgram.record(benchmark, parameters, .allocations)
      guard case .recorded(_, let counts) = launch else { return }
      #expect(stacks.profiles.map(\.kind) == [.allocations, .allocatedBytes, .liveAllocations, .liveBytes])
      let exact = counts.map { $0.outcome }
      #expect(exact[0] == .value(Double(stacks.profiles[0].total) / 1000))
      #expect(exact[2] == .value(Double(stacks.profiles[1].total) / 1000))
      #expect(1000...atMost ~= stacks.profiles[0].total)
      #expect(stacks.profiles[2].total == 0 && stacks.worthShowing.count == 2)
    }

    @Test func `retains and releases have types`() throws {
      let stacks = try ProfiledProgram.record("gauge/retain", "", .references).stacks
      #expect(stacks.profiles.map(\.kind) == [.retains, .releases])
      #expect(stacks.profiles.map(\.total) == [1000, 1000])
      #expect(stacks.types.values.allSatisfy { Set($0.keys) == ["GaugeBenchmarks.Box"] }, "\(stacks.types)")
    }

    @Test func `who awaits is in the stack of what is awaited`() throws {
      // On a busy machine a launch has few samples.
      for _ in 0..<5 {
        let profile = try ProfiledProgram.record("gauge/await", "", .cpu).stacks.profiles[0]
        let names = Set(profile.weights.keys.flatMap { $0.map(\.function) })
        #expect(
          !names.contains { $0.contains("Waiter") || $0.contains("start_thread") || $0.contains("resume partial") })
        // Where the runtime goes from one part to the next there is no caller to be found.
        let awaited = profile.weights.keys.filter { $0.count > 3 && $0.contains { $0.function == "nothing()" } }
        for stack in awaited {
          #expect(
            stack.map(\.function).prefix(2) == ["gauge/await", "closure #12 in GaugeBenchmarks.benchmarks.getter"])
        }
        if !awaited.isEmpty { return }
      }
      Issue.record("nobody was seen in what is awaited")
    }

    @Test func `who awaits is in the stack of what allocates`() throws {
      let profile = try ProfiledProgram.record("gauge/resume", "", .allocations).stacks.profiles[0]
      let made = profile.weights.filter { $0.key.contains { $0.function == "resuming()" } }
      #expect(made.values.reduce(0, +) >= 1000)
      for stack in made.keys {
        let names = stack.map(\.function)
        #expect(names[1].hasPrefix("closure #") && names.contains("awaiting()"), "\(names)")
      }
    }

    @Test func `a stripped program without permissions has what there is, and says what is missing`() throws {
      let folder = try TemporaryFolder()
      let stripped = folder("Stripped")
      let run = try ProcessRun.capturing(
        Command(program: "strip", arguments: ["--strip-all", "-o", stripped, ProfiledProgram.path]))
      try #require(run.succeeded, "\(run.output)")
      let libraries = (ProfiledProgram.path as NSString).deletingLastPathComponent
      let stacks = try ProfiledProgram.record(
        "gauge/loop", "turns=10000", .cpu, executable: stripped,
        environment: ["GAUGE_SAMPLING_CLOCK": "2", "LD_LIBRARY_PATH": libraries]
      ).stacks
      let profile = stacks.profiles[0]
      #expect(profile.total > 0 && stacks.wholeShare >= 0.95)
      #expect(profile.notes.contains { $0.hasPrefix("Stripped is stripped") }, "\(profile.notes)")
      #expect(profile.notes.contains { $0.contains("within the kernel") || $0.hasPrefix("no perf events") })
    }
  #endif
}
