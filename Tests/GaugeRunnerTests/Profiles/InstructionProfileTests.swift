// Tests of profiles of dumps: stacks from calls, code put into callers, the harness left out.

import Testing

@testable import GaugeRunner

@Suite struct InstructionProfileTests {
  private static func frame(_ name: String, line: Int? = nil, inlined: Bool = false, library: Bool = false)
    -> ProfileFrame
  {
    ProfileFrame(
      function: name, object: "benchmarks", file: line.map { _ in "Main.swift" }, line: line, isInlined: inlined,
      isLibrary: library)
  }

  private static let malloc = ProfileFrame(function: "malloc", object: "libc.so.6", isLibrary: true)

  @Test func `without debug information stacks are of functions`() throws {
    let graph = try #require(CallgrindGraph(CallgrindGraphTests.dump))
    let profile = InstructionProfile(graph) { _, _ in [] }
    let (run, send) = (Self.frame("run()"), Self.frame("send()"))
    #expect(profile.operations == 10)
    #expect(profile.instructions.weights == [[run]: 35, [run, send]: 60, [run, send, Self.malloc]: 60])
    #expect(profile.allocations.weights == [[run, send, Self.malloc]: 30])
    #expect(profile.retains.total == 0)
    #expect(profile.releases.total == 0)
    #expect(profile.entries[[run, send]] == InstructionProfile.Entries(count: 30, size: 1, isCalled: true))
  }

  @Test func `call sites and code put into callers have frames of their own`() throws {
    let graph = try #require(CallgrindGraph(CallgrindGraphTests.dump))
    let profile = InstructionProfile(graph) { object, address in
      switch address {
      case _ where object != "/bin/benchmarks": []
      case 0x1000: [Self.frame("run()", line: 2), Self.frame("helper()", line: 20, inlined: true)]
      case 0x1004: [Self.frame("run()", line: 3)]
      case 0x1010: [Self.frame("run()", line: 4)]
      default: []
      }
    }
    let helper = [Self.frame("run()", line: 2), Self.frame("helper()", line: 20, inlined: true)]
    // Two thirds of what `send` costs came from line 3.
    let sends = [3, 4].map { [Self.frame("run()", line: $0), Self.frame("send()")] }
    #expect(
      profile.instructions.weights == [
        helper: 15, [Self.frame("run()", line: 3)]: 20, sends[0]: 40, sends[1]: 20, sends[0] + [Self.malloc]: 40,
        sends[1] + [Self.malloc]: 20,
      ])
    #expect(profile.entries[helper.map(\.withoutLine)] == InstructionProfile.Entries(count: 15, size: 1))
  }

  @Test func `counts of any size have a sum`() throws {
    let most = Int.max
    let graph = try #require(
      CallgrindGraph(
        """
        desc: Trigger: Client Request: gauge operation 10
        ob=(1) /bin/benchmarks
        fn=(1) $s4Main3runyyF
        0x1000 \(most)
        0x1004 \(most)
        cfn=(2) malloc
        calls=\(most) 0x2000
        * \(most)
        cfn=(2)
        calls=\(most) 0x2000
        +4 \(most)
        fn=(2)
        0x2000 \(most)

        """))
    let profile = InstructionProfile(graph) { _, _ in [] }
    #expect(profile.instructions.total == 1 << 61)
    #expect(profile.allocations.total == 1 << 61)
  }

  /// Sixty functions, each of which calls the next one twice: 2^60 stacks.
  @Test func `calls that meet again and again are followed as far as there is room`() throws {
    var text = "desc: Trigger: Client Request: gauge operation 1\nob=(1) /bin/benchmarks\n"
    for number in 0..<60 {
      text += "fn=(\(number)) f\(number)\n0x1000 1\n"
      for place in [2, 3] {
        text += "cfn=(\(number + 1)) f\(number + 1)\ncalls=1 0x1000\n0x\(place)000 \(1 << 60)\n"
      }
    }
    let graph = try #require(CallgrindGraph(text + "fn=(60)\n0x1000 \(1 << 60)\n"))
    let profile = InstructionProfile(graph) { _, address in [Self.frame("f", line: Int(address))] }
    #expect(profile.instructions.weights.reduce(0) { $0 + $1.key.count } < 3 * InstructionProfile.mostFrames)
    #expect(
      profile.instructions.notes == [
        "its stacks have more than 100000 frames together: what the rest called stays together"
      ])
  }

  @Test func `the harness's loop is left out, and the stacks begin behind it`() throws {
    let graph = try #require(
      CallgrindGraph(
        """
        desc: Trigger: Client Request: gauge operation 10
        ob=(1) /bin/benchmarks
        fn=(1) $s4Main3runyyF
        0x1000 10
        0x1004 20
        0x1008 30
        cfn=(2) $s5Gauge18InstructionBatchesC3endyyF
        calls=1 0x3000
        * 7
        cfn=(3) swift_release
        calls=10 0x4000
        0x100c 50
        fn=(2)
        0x3000 7
        fn=(3)
        0x4000 50

        """))
    let loop = [Self.frame("run()", line: 1), Self.frame("BenchmarkRun.measure(_:)", inlined: true, library: true)]
    let work = Self.frame("work()", line: 9, inlined: true)
    let profile = InstructionProfile(graph) { _, address in
      switch address {
      case 0x1000: loop
      case 0x1004: loop + [work]
      case 0x1008: loop + [Self.frame("other()", line: 12, inlined: true)]
      // The end of an object's life has no line: it is part of what stands before it.
      case 0x100c: loop
      default: []
      }
    }
    let other = Self.frame("other()", line: 12, inlined: true)
    let release = Self.frame("swift_release", library: true)
    #expect(profile.instructions.weights == [[work]: 20, [other]: 30, [other, release]: 50])
    #expect(profile.releases.weights == [[other, release]: 10])
  }

  @Test func `calls that close a circle are left out of the sharing, and nothing is lost`() throws {
    let graph = try #require(
      CallgrindGraph(
        """
        desc: Trigger: Client Request: gauge operation 1
        ob=(1) /bin/benchmarks
        fn=(1) a
        0x10 1
        cfn=(2) b
        calls=1 0x20
        0x11 1000
        fn=(2)
        0x20 100
        cfn=(3) c
        calls=5 0x30
        0x21 900
        fn=(3)
        0x30 400
        cfn=(2)
        calls=4 0x20
        0x31 800

        """))
    let profile = InstructionProfile(graph) { _, _ in [] }
    let frames = ["a", "b", "c"].map { Self.frame($0, library: true) }
    #expect(
      profile.instructions.weights == [
        [frames[0]]: 1, [frames[0], frames[1]]: 100, [frames[0], frames[1], frames[2]]: 400,
      ])
  }
}
