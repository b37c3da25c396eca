// Tests of flame graphs: the tree, its text for the script, and that the page needs nothing from outside.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct FlameGraphTests {
  private static let (main, send) = (
    ProfileFrame(function: "main", object: "o", file: "Main.swift", line: 3),
    ProfileFrame(function: "send<Int>(_:)", object: "o", isInlined: true)
  )
  private static let malloc = ProfileFrame(function: "malloc", object: "libc.so.6", isLibrary: true)

  private static func profile(_ send: Int) -> Profile {
    var profile = Profile(.allocations, operations: 10)
    profile.add(5, at: [main])
    profile.add(2, at: [ProfileFrame(function: "main", object: "o", file: "Main.swift", line: 9)])
    profile.add(send, at: [main, Self.send, malloc])
    profile.notes = ["no </script> here"]
    return profile
  }

  @Test func `functions of one name are one, and callers weigh what they call`() {
    let graph = FlameGraph(Self.profile(30), title: "allocations")
    #expect(graph.frames.map(\.function) == ["main", "malloc", "send<Int>(_:)"])
    #expect(graph.root.weight == 37)
    #expect(graph.root.ordered.map(\.frame) == [0])
    #expect(graph.root.ordered[0].weight == 37)
    #expect(graph.root.ordered[0].ordered.map(\.weight) == [30])
  }

  @Test func `both sides are in one tree`() throws {
    let graph = FlameGraph(Self.profile(30), against: Self.profile(20), title: "allocations")
    #expect(
      graph.json
        == "{\"title\":\"allocations\",\"kind\":\"allocations\",\"unit\":\"allocations\",\"operations\":10,"
        + "\"baseOperations\":10,\"notes\":[\"no </script> here\"],"
        + "\"frames\":[[\"main\",\"o\",0],[\"malloc\",\"libc.so.6\",2],[\"send<Int>(_:)\",\"o\",1]],"
        + "\"root\":[-1,37,27,[0,37,27,[2,30,20,[1,30,20]]]]}")
    #expect(try JSONSerialization.jsonObject(with: Data(graph.json.utf8)) is [String: Any])
  }

  @Test func `a page holds its graphs and takes nothing from outside`() {
    let graphs = [FlameGraph(Self.profile(1), title: "a"), FlameGraph(Self.profile(2), title: "b")]
    let page = flameGraphPage(graphs, title: "x < y")
    #expect(page.contains("<title>x &lt; y</title>"))
    for graph in graphs { #expect(page.contains(("\(json: graph.json)" as Markup).text)) }
    for outside in ["http://", "https://", "src=", "@import", "fetch("] { #expect(!page.contains(outside)) }
    #expect(page.components(separatedBy: "</script>").count == 3)
  }

  /// The text of a callee was written again for each of its callers.
  @Test func `a tree of deep stacks is written once`() {
    expectUnderAMinute {
      var profile = Profile(.cpu, operations: 1)
      for branch in 0..<300 {
        let stack = (0..<900).map { ProfileFrame(function: $0 < 300 ? "f\($0)" : "f\(branch)_\($0)", object: "o") }
        profile.add(1, at: stack)
      }
      let json = FlameGraph(profile, title: "t").json
      #expect(json.utf8.count < 20_000_000)
    }
  }
}
