// Dumps as callgrind writes them.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct CallgrindDumpTests {
  /// A dump of some instructions.
  static func dump(_ name: String, _ instructions: Int, desc: String = "desc: Trigger: Client Request: ") -> String {
    """
    # callgrind format
    version: 1
    creator: callgrind-3.19.0
    pid: 22505
    cmd:  ./StreamBenchmarks launch --benchmark a
    part: 2


    desc: I1 cache: 
    desc: Timerange: Basic block 1008 - 15009018
    \(desc)\(name)

    positions: line
    events: Ir
    summary: \(instructions)


    ob=(1) ./StreamBenchmarks
    fl=(1) ???
    fn=(14) work
    0 5000000
    cob=(2) libswiftCore.so
    cfn=(7) swift_retain
    calls=\(instructions / 1000) 0x10
    0 20
    cfn=(8) swift_release'2
    calls=3 0x10
    0 20
    cfn=(9) swift_retain_somethingElse
    calls=500 0x10
    0 20

    fn=(9)
    0 1
    cfn=(7)
    calls=1 0x10
    0 20
    totals: \(instructions - 1)

    """
  }

  @Test func `name and sum are read`() {
    let dump = CallgrindDump(Self.dump("gauge operation 1000", 309_031))
    #expect(dump?.counted == CountedInstructions(.operation, operations: 1000))
    #expect(dump?.instructions == 309_031)
    #expect(dump?.retains == 310)
    #expect(dump?.releases == 3)
  }

  @Test func `counts of any size are added up without a trap`() {
    let text = Self.dump("gauge operation 1000", 309_031) + "cfn=(7)\ncalls=\(Int.max) 0x10\ncalls=\(Int.max) 0x10\n"
    #expect(CallgrindDump(text)?.retains == largestSum)
    #expect(CallgrindDump(Self.dump("gauge operation 1000", -5000)) == nil)
  }

  @Test(arguments: [
    "", "summary: 3\n", dump("mine", 7), dump("gauge operation 0", 7),
    dump("", 7, desc: "desc: Trigger: Program termination"),
    String(dump("gauge operation 1000", 7).prefix(200)),
  ])
  func `dumps that no launch asked for, and broken ones, are none`(text: String) {
    #expect(CallgrindDump(text) == nil)
  }

  @Test func `the measurement is the difference by operation`() {
    let dumps = [
      Self.dump("gauge empty-body 1000", 2029), Self.dump("author's own", 5),
      Self.dump("gauge operation 1000", 309_031),
    ]
    #expect(
      CallgrindDump.measurements(dumps) == [
        Measurement(.instructions, .value(307.002), iterations: 1000, samples: 1),
        Measurement(.retains, .value(0.307), iterations: 1000, samples: 1),
        Measurement(.releases, .value(0), iterations: 1000, samples: 1),
      ])
    #expect(CallgrindDump.measurements(dumps.reversed()) == CallgrindDump.measurements(dumps))
  }

  /// What depends on the time of day may be the same in two launches and another one tomorrow.
  @Test func `what reads a clock is sampled`() {
    let reading = Self.dump("gauge operation 1000", 309_031).replacing(
      "cfn=(8) swift_release'2",
      with: "cfn=(3) clock_gettime@@GLIBC_2.17\ncalls=1000 0x10\n0 20\ncfn=(8) swift_release'2")
    #expect(CallgrindDump(reading)?.clockReadings == 1000)
    let empty = Self.dump("gauge empty-body 1000", 2029)
    let measurements = CallgrindDump.measurements([empty, reading])
    #expect(measurements.map(\.metric.name) == Metric.counted.map(\.name))
    #expect(measurements.allSatisfy { $0.metric.kind == .sampled })
    #expect(measurements.first?.outcome == .value(307.002))
    // A function of the author's own that is named alike is none.
    let own = reading.replacing("clock_gettime", with: "$s4Main13clock_gettimeyyF")
    #expect(CallgrindDump.measurements([empty, own]).allSatisfy { $0.metric.kind == .exact })
  }

  @Test(arguments: [
    [], [dump("gauge empty-body 1000", 9)], [dump("gauge operation 1000", 9)],
    [dump("gauge empty-body 999", 9), dump("gauge operation 1000", 9)],
  ])
  func `without both counts of the same number there is no measurement`(dumps: [String]) {
    #expect(CallgrindDump.measurements(dumps).isEmpty)
  }
}
