// Timelines of real launches: what they hold is what the counters count, and nothing of the harness's.

import Gauge
import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct TimelineStacksTests {
  @Test func `stacks that are lost are told, and functions without a name are kept`() throws {
    var stacks = WrittenStacks()
    stacks.types = "1\tmutex\n1f\tModule.Box\n"
    for _ in 0..<2 { stacks.add([], code: 1, frame: 0, pointer: 0x1000, base: 0x1000, stack: []) }
    stacks.addTimeline()
    let timeline = try #require(
      TimelineStacks.timeline(
        try SampleFile(stacks.bytes), title: "t", executable: "/bin/t",
        symboliser: Symboliser(lines: nil, scratch: "")))
    #expect(timeline.operations == [0..<700, 800..<900] && timeline.threads.map(\.name) == ["main", ""])
    #expect(timeline.events.map(\.kind) == [.allocate, .wait, .retain, .reallocate, .wake, .resume, .release, .free])
    #expect(timeline.events.allSatisfy { $0.stack.first?.function == "t" })
    #expect(timeline.blocks.map(\.type) == ["Module.Box", nil] && timeline.waits.map(\.object) == ["mutex 1"])
    stacks = WrittenStacks()
    #expect(
      TimelineStacks.timeline(
        try SampleFile(stacks.bytes), title: "t", executable: "/bin/t",
        symboliser: Symboliser(lines: nil, scratch: "")) == nil)
  }

  #if os(Linux)
    private typealias Asked = LaunchRequest.Profile.Timeline

    /// Records a benchmark of the instrument's own.
    private func record(
      _ benchmark: String, _ parameters: String = "", _ asked: Asked = Asked(Set(Asked.Events.allCases))
    ) throws -> Timeline {
      let folder = try TemporaryFolder()
      var launch = ProfiledProgram.launch(benchmark, parameters, .timeline, in: folder)
      launch.timeline = asked
      let outcome = launch.record { (file, _) throws(SampleFile.FormatError) in
        TimelineStacks.timeline(
          file, title: benchmark, executable: ProfiledProgram.path,
          symboliser: Symboliser(lines: nil, scratch: folder("addresses")))
      }
      guard case .recorded(let timeline?, _) = outcome else {
        throw ProfiledProgram.Unrecorded(outcome: "\(outcome)")
      }
      return timeline
    }

    @Test func `an operation that does nothing has no event`() throws {
      let timeline = try record("gauge/empty")
      #expect(timeline.events.isEmpty && timeline.operations.count == 1)
    }

    @Test func `one object is allocated, released and freed`() throws {
      let timeline = try record("gauge/allocate")
      let kinds = timeline.events.map(\.kind)
      #expect(kinds.count { $0 == .allocate } == 1 && kinds.count { $0 == .free } == 1, "\(kinds)")
      #expect(kinds.first == .allocate && kinds.last == .free && kinds.contains(.release), "\(kinds)")
      let block = try #require(timeline.blocks.first)
      #expect(block.size == 24 && block.type == "GaugeBenchmarks.Box" && block.end != nil)
      #expect(timeline.events.allSatisfy { $0.block == 0 && $0.thread == 0 })
      #expect(timeline.liveBytes.map(\.bytes) == [24, 0])
    }

    @Test func `several operations are told apart`() throws {
      let timeline = try record("gauge/allocate", "", Asked([.allocations], operation: 5, operations: 3))
      #expect(timeline.operations.count == 3)
      #expect(timeline.events.map(\.operation) == [1, 1, 2, 2, 3, 3])
      #expect(timeline.events.map(\.kind) == [.allocate, .free, .allocate, .free, .allocate, .free])
      #expect(timeline.blocks.map(\.number) == [1, 2, 3])
    }

    @Test func `retains and releases are as many as are counted`() throws {
      let counted = try ProfiledProgram.record("corpus/array-append", "", .references)
      guard case .recorded(let stacks, _) = counted.launch else { return }
      let timeline = try record("corpus/array-append", "", Asked([.references]))
      #expect(timeline.count(.retain) * 20 == stacks.profiles[0].total)
      #expect(timeline.count(.release) * 20 == stacks.profiles[1].total)
      #expect(timeline.events.allSatisfy { !$0.kind.isOfHeap })
    }

    @Test func `a sleep is a wait that nobody ends`() throws {
      let timeline = try record("gauge/sleep", "", Asked([.waits]))
      #expect(timeline.events.map(\.kind) == [.wait, .resume])
      let wait = try #require(timeline.waits.first)
      #expect(timeline.waits.count == 1 && wait.object == "sleep" && wait.waker == nil)
      #expect((wait.begin ?? 0) < (wait.end ?? 0))
    }

    @Test func `threads of a group have an operation each, and no meeting`() throws {
      let timeline = try record("gauge/lock", "threads=2", Asked([.allocations, .waits]))
      #expect(timeline.operations.count == 1)
      #expect(timeline.waits.allSatisfy { !$0.object.hasPrefix("barrier") })
      #expect(timeline.events.allSatisfy { event in !event.stack.contains { $0.function.contains("GroupCrew") } })
    }

    /// Must show: two launches of a benchmark that does the same have the same timeline.
    @Test(arguments: ["array-append", "string-joined", "dictionary-grouping", "closure-made", "object-tree-made"])
    func `two launches have the same allocations, retains and releases`(name: String) throws {
      let asked = Asked([.allocations, .references], operations: 2)
      let listings = try (0..<2).map { _ in
        TimelineText(timeline: try record("corpus/" + name, "", asked)).listing
      }
      #expect(listings[0] == listings[1])
      #expect(listings[0].split(separator: "\n").count > 4, "\(listings[0])")
    }
  #endif
}
