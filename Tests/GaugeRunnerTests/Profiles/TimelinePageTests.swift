// The page of a timeline: what it holds. scripts/checks/check-timeline uses it in a browser.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct TimelinePageTests {
  @Test func `rows point to lists that have what they count`() throws {
    let timeline = MadeTimeline.everything
    let text = TimelineData(timeline: timeline).json.text()
    let data = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    func list(_ name: String) throws -> [Any] { try #require(data[name] as? [Any], "\(name)") }
    let events = try #require(try list("events") as? [[Any]])
    #expect(events.count == timeline.events.count && events.allSatisfy { $0.count == 8 })
    let counts = try [1: "threads", 2: "kinds", 5: "stacks"].mapValues { try list($0).count }
    for event in events {
      for (place, count) in counts { #expect(0..<count ~= event[place] as? Int ?? -1) }
      if let block = event[3] as? Int { #expect(0..<(try list("blocks").count) ~= block) }
    }
    #expect(try list("words").count == events.count && (try list("bytes").count) == timeline.liveBytes.count)
    for stack in try #require(try list("stacks") as? [[Int]]) {
      #expect(try stack.allSatisfy { 0..<(try list("frames").count) ~= $0 })
    }
    #expect(try list("threads") as? [String] == ["1 main", "2"])
    #expect(try list("types") as? [String] == ["Box", "Node<Int>"])
  }

  @Test func `a page takes nothing from outside, and names are text`() {
    var timeline = MadeTimeline.everything
    timeline.title = "x < y"
    timeline.notes = ["no </script> here"]
    let page = timelinePage(timeline)
    #expect(page.contains("<title>x &lt; y</title>") && page.contains("note: no &lt;/script&gt; here"))
    for outside in ["http://", "https://", "src=", "@import", "fetch("] { #expect(!page.contains(outside)) }
    #expect(page.components(separatedBy: "</script>").count == 3)
    #expect(page.contains("Node\\u003cInt>"))
  }
}
