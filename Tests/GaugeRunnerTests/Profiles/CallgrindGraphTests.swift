// Tests of reading dumps: names and positions in their short forms, calls, and functions by chain of callers.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct CallgrindGraphTests {
  /// `run` calls `send` three times from two places, and `send` calls itself and the system's `malloc`.
  static let dump = """
    # callgrind format
    version: 1
    desc: Trigger: Client Request: gauge operation 10
    positions: instr
    events: Ir
    summary: 160

    ob=(1) /bin/benchmarks
    fl=(1) ???
    fn=(1) $s4Main3runyyF
    0x1000 10
    +4 20
    cfn=(2) $s4Main4sendyyF'$s4Main3runyyF
    calls=20 0x2000
    * 80
    -4 5
    cfn=(2)
    calls=10 0x2000
    0x1010 40

    fn=(2)
    0x2000 60
    cob=(2) /lib/libc.so.6
    cfn=(3) malloc'$s4Main4sendyyF'$s4Main3runyyF
    calls=30 0x9000
    +8 60

    ob=(2)
    fl=(1)
    fn=(3)
    0x9000 60

    """

  @Test func `functions have their costs by address, and their calls`() throws {
    let graph = try #require(CallgrindGraph(Self.dump))
    #expect(graph.counted == CountedInstructions(.operation, operations: 10))
    #expect(graph.nodes.map(\.symbol) == ["$s4Main3runyyF", "$s4Main4sendyyF", "malloc"])
    #expect(graph.nodes.map(\.object) == ["/bin/benchmarks", "/bin/benchmarks", "/lib/libc.so.6"])
    #expect(graph.nodes[0].own == [0x1000: 15, 0x1004: 20])
    #expect(
      graph.nodes[0].calls == [
        CallgrindGraph.Call(address: 0x1004, callee: 1, count: 20, inclusive: 80),
        CallgrindGraph.Call(address: 0x1010, callee: 1, count: 10, inclusive: 40),
      ])
    #expect(graph.nodes[1].calls == [CallgrindGraph.Call(address: 0x2008, callee: 2, count: 30, inclusive: 60)])
    #expect(graph.nodes.map(\.ownTotal) == [35, 60, 60])
  }

  @Test func `what has no symbol has none here`() throws {
    let text =
      "desc: Trigger: Client Request: gauge operation 1\nfn=(1) 0x000000000010a110\n0x10 1\nfn=(2) ???\n0x20 1\n"
    let graph = try #require(CallgrindGraph(text))
    #expect(graph.nodes.map(\.symbol) == ["", ""])
  }

  @Test(arguments: ["", "version: 1\nfn=(1) a\n0x1 1\n", "desc: Trigger: Program termination\n"])
  func `a dump that no launch asked for is none`(text: String) {
    #expect(CallgrindGraph(text) == nil)
  }
}
