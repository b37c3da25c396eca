// The events of a file of stacks: what is in them, and what is refused.

import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct TimelineRecordTests {
  private static var written: WrittenStacks {
    var stacks = WrittenStacks()
    stacks.types = "1\tmutex\n1f\tModule.Box\n"
    for _ in 0..<2 { stacks.add([], code: 1, frame: 2, pointer: 8, base: 16, stack: []) }
    stacks.addTimeline()
    return stacks
  }
  /// The place of the first event in the words.
  private static let first = 10

  private func fault(_ change: (inout WrittenStacks) -> Void) -> String? { Self.written.fault(after: change) }

  @Test func `events are read in order, with times from the first on`() throws {
    let file = try SampleFile(Self.written.bytes)
    let record = try #require(file.timeline)
    #expect(file.waits == nil && file.source == .timeline && file.records.allSatisfy(\.weights.isEmpty))
    #expect(record.lost == 1 && record.threads == [.init(id: 7, name: "main"), .init(id: 8, name: "")])
    #expect(record.events.count == 13 && record.highestStack == 2)
    #expect(record.events[0] == .init(time: 0, thread: 7, kind: .beginOperation))
    #expect(
      record.events[1]
        == .init(time: 100, thread: 7, kind: .allocate, address: 0xa0, size: 48, type: 0x1f, stack: 0))
    #expect(record.events[7] == .init(time: 500, thread: 8, kind: .endWaiting, address: 0xf0, type: 1, stack: 1))
  }

  @Test func `a file of another source has none, and one without events is whole`() throws {
    var stacks = Self.written
    stacks.sourceNumber = 4
    stacks.waits = []
    #expect(try SampleFile(stacks.bytes).timeline == nil)
    stacks.sourceNumber = 6
    stacks.waits = [0, 0, 0, 0]
    #expect(try SampleFile(stacks.bytes).timeline?.events == [])
  }

  @Test func `what can't be is refused`() {
    let first = Self.first
    #expect(fault { _ in } == nil)
    #expect(fault { $0.waits.removeLast() } == "the file breaks off")
    #expect(fault { $0.waits = [1, 2] } == "the file breaks off")
    #expect(fault { $0.waits[2] = .max } == "the file breaks off")
    #expect(fault { $0.waits[0] = .max }?.hasSuffix("are too many") ?? false)
    #expect(fault { $0.waits[first + 8 + 2] = 12 } == "the event 2 is of the unknown kind 12")
    #expect(fault { $0.waits[first + 2] = 0 } == "the event 1 is of the unknown kind 0")
    #expect(fault { $0.waits[first + 8] = 999 } == "the event 2 is out of its time")
    #expect(fault { $0.waits[first + 8] = .max } == "the event 2 is out of its time")
    #expect(fault { $0.waits[first + 8 + 4] = 1 << 51 } == "the event 2 has a size that can't be")
    // A reallocation that there was no memory for may have asked for anything.
    let failed = fault {
      ($0.waits[first + 8 + 2], $0.waits[first + 8 + 3], $0.waits[first + 8 + 4]) = (4, 0, .max)
    }
    #expect(failed == nil)
    #expect(
      fault { ($0.waits[first + 8 + 2], $0.waits[first + 8 + 4]) = (4, .max) } == "the event 2 has a size that can't be"
    )
    // Together they are too much: sums stay numbers.
    #expect(
      fault {
        $0.waits[first + 8 + 4] = 1 << 50
        $0.waits[first + 24 + 4] = 1
      } == "the event 4 has a size that can't be")
    #expect(fault { $0.waits[first + 8 + 6] = .max } == "the event 2 has a stack that can't be")
    #expect(fault { $0.waits[first + 8 + 6] = 3 } == "an event on the stack 3 of 2")
  }
}
