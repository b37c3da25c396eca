// Tests of the formats of a graph of live subscriptions.

import Foundation
import Testing
import WeirExtras

@Suite struct StreamGraphFormatsTests {
  /// Two streams of a subject, which a third one feeds.
  private let graph = StreamGraph(
    1,
    .init(1, "Map", delivered: 5), .init(2, "PassthroughSubject", to: 1, "Map", delivered: 5),
    .init(3, "PassthroughSubject", "Loop", requested: 7, delivered: 5, waiting: 2, dropped: 1, untaken: 4),
    .init(4, "Say \"hi\"", "Subject", feeding: [2, 3], state: .finished, delivered: 5))

  @Test func theTextIsATreeForEachStream() {
    #expect(
      graph.description == """
        Sink
        - Map 1: active, demand unlimited, delivered 5, 5 ms
          - PassthroughSubject 2: active, demand unlimited, delivered 5, 5 ms
            - Say "hi" 4: finished, demand unlimited, delivered 5, 5 ms
        Loop
        - PassthroughSubject 3: active, demand 2, delivered 5, waiting 2, dropped 1, untaken 4, 5 ms
        """)
  }

  @Test func aCircleIsShown() {
    let circle = StreamGraph(
      0, .init(1, "PassthroughSubject", to: 2, "Scan"), .init(2, "Scan", "Subject", feeding: [1]))
    #expect(
      circle.description == """
        Scan
        - PassthroughSubject 1: active, demand unlimited, delivered 0, 5 ms
          - Scan 2: active, demand unlimited, delivered 0, 5 ms
        """)
  }

  /// The text of ways that are this long took more than the stack of a thread.
  @Test func aLongWayIsShown() {
    let graph = StreamGraph(
      time: 0, subscriptions: (0..<3_000).map { .init($0, "Map", to: $0 == 0 ? nil : $0 - 1, "Map") })
    #expect(graph.description.split(separator: "\n").count == 3_001)
  }

  @Test func nothingIsNoLine() { #expect(StreamGraph().description == "") }

  @Test func graphvizGetsQuotationMarksEscapedThatHaveAMarkUponThem() {
    let graph = StreamGraph(0, .init(1, "a \"\u{301} b"))
    #expect(graph.dot.split(separator: "\n")[3] == "  p1 [label=\"a \\\"\u{301} b\"];")
  }

  @Test func graphvizGetsNodesAndEdges() {
    #expect(
      graph.dot == #"""
        digraph streams {
          rankdir=LR;
          node [shape=box];
          p1 [label="Map"];
          e1 [label="Sink", shape=oval];
          p1 -> e1 [label="5 of all"];
          p2 [label="PassthroughSubject"];
          p2 -> p1 [label="5 of all"];
          p3 [label="PassthroughSubject"];
          e3 [label="Loop", shape=oval];
          p3 -> e3 [label="5 of 7"];
          p4 [label="Say \"hi\""];
          p4 -> p2 [label="5 of all", style=dashed];
          p4 -> p3 [label="5 of all", style=dashed];
        }
        """#)
  }

  @Test func jsonIsReadBack() throws {
    let text = try graph.json()
    #expect(try JSONDecoder().decode(StreamGraph.self, from: Data(text.utf8)) == graph)
    #expect(text.hasPrefix(#"{"subscriptions":[{"age":5000000,"delivered":5,"feeds":[],"id":1,"#))
  }

  @Test func jsonHasTheLatencyOfTheEnd() throws {
    let graph = StreamGraph(1, .init(1, "Map", latency: .init(samples: 2, total: 300)))
    let text = try graph.json()
    #expect(text.contains(#""latency":{"samples":2,"total":300}"#))
    #expect(try JSONDecoder().decode(StreamGraph.self, from: Data(text.utf8)).subscriptions[0].latency?.total == 300)
  }
}
