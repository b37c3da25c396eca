// From events to a timeline: numbers of blocks, lives, waits and what is left out.

import Testing

@testable import GaugeRunner

@Suite struct TimelineTests {
  private func timeline(_ body: (inout MadeTimeline) -> Void) -> Timeline {
    var made = MadeTimeline()
    made.operation(body)
    return made.timeline()
  }

  private func numbers(_ timeline: Timeline) -> [Int?] {
    timeline.events.map { event in event.block.map { timeline.blocks[$0].number } }
  }

  @Test func `blocks have numbers in the order of their first events, also at an address that was freed`() {
    let timeline = timeline {
      $0.add(.allocate, 0xa0, 8)
      $0.add(.allocate, 0xb0, 16)
      $0.add(.free, 0xa0)
      $0.add(.allocate, 0xa0, 24)
    }
    #expect(numbers(timeline) == [1, 2, 1, 3])
    #expect(timeline.events.map(\.kind) == [.allocate, .allocate, .free, .allocate])
    #expect(timeline.events.map(\.size) == [8, 16, 8, 24])
    #expect(timeline.blocks.map(\.end) == [30, nil, nil] && timeline.blocks.map(\.begin) == [10, 20, 40])
    #expect(timeline.liveBytes.map(\.bytes) == [8, 24, 16, 40])
  }

  @Test func `a block that moves stays the same one`() {
    let timeline = timeline {
      $0.add(.allocate, 0xa0, 8)
      $0.add(.beginReallocating, 0xa0)
      // Another thread has its old address at once.
      $0.add(.allocate, 0xa0, 4, thread: 2)
      $0.add(.endReallocating, 0xb0, 32)
      $0.add(.free, 0xa0, thread: 2)
      $0.add(.free, 0xb0)
    }
    #expect(numbers(timeline) == [1, 2, 1, 2, 1])
    #expect(timeline.events.map(\.kind) == [.allocate, .allocate, .reallocate, .free, .free])
    #expect(timeline.events[2].oldSize == 8 && timeline.events[2].size == 32)
    #expect(timeline.liveBytes.map(\.bytes) == [8, 12, 36, 32, 0])
    #expect(timeline.blocks.map(\.endedUnseen) == [false, false])
  }

  @Test func `a reallocation may fail, free, or be of a block from before`() {
    let timeline = timeline {
      $0.add(.allocate, 0xa0, 8)
      $0.add(.beginReallocating, 0xa0)
      $0.add(.endReallocating, 0, 1 << 40)
      $0.add(.beginReallocating, 0xa0)
      $0.add(.endReallocating, 0, 0)
      $0.add(.beginReallocating, 0xc0)
      $0.add(.endReallocating, 0xd0, 64)
      $0.add(.endReallocating, 0xe0, 32, thread: 2)
      $0.add(.endReallocating, 0, 0, thread: 3)
      $0.add(.beginReallocating, 0xd0)
    }
    #expect(timeline.events.map(\.kind) == [.allocate, .reallocate, .free, .reallocate, .reallocate])
    #expect(timeline.events.map(\.hasFailed) == [false, true, false, false, false])
    #expect(numbers(timeline) == [1, 1, 1, 2, 3])
    // Bytes of blocks from before were never counted.
    #expect(timeline.liveBytes.map(\.bytes) == [8, 8, 0, 0, 0])
    #expect(timeline.blocks[1].begin == nil && timeline.blocks[1].size == 64)
    #expect(timeline.notes == ["1 reallocations were not over as the operation ended, and are left out"])
  }

  @Test func `blocks from before and blocks that outlive the operation are told from others`() {
    let timeline = timeline {
      $0.add(.free, 0xa0)
      $0.add(.allocate, 0xb0, 8)
      $0.add(.retain, 0xc0, 1, type: 0x1f)
      $0.add(.retain, 0, 1)
    }
    #expect(timeline.blocks.map(\.begin) == [nil, 20, nil] && timeline.blocks.map(\.end) == [10, nil, nil])
    #expect(timeline.blocks.map(\.hasLife) == [true, true, false])
    #expect(timeline.blocks.map(\.type) == [nil, nil, "Box"])
    // A null pointer is no object.
    #expect(numbers(timeline) == [1, 2, 3, nil])
  }

  @Test func `a block whose free was not seen ends where its address is another one's`() {
    var made = MadeTimeline()
    made.operation { $0.add(.allocate, 0xa0, 8) }
    made.operation { $0.add(.allocate, 0xa0, 8) }
    let timeline = made.timeline()
    #expect(timeline.events.map(\.operation) == [1, 2] && numbers(timeline) == [1, 2])
    #expect(timeline.operations == [0..<20, 30..<50])
    #expect(timeline.blocks[0].end == 40 && timeline.blocks[0].endedUnseen)
    #expect(timeline.blocks[1].end == nil)
  }

  @Test func `what the harness does is followed, and not shown`() {
    let timeline = timeline {
      $0.add(.allocate, 0xa0, 8)
      $0.add(.free, 0xa0, in: nil)
      $0.add(.allocate, 0xb0, 8, in: nil)
      $0.add(.retain, 0xb0, 1, in: nil)
      $0.add(.beginWaiting, 0xf0, type: 1, thread: 2, in: nil)
      $0.add(.endWaiting, 0xf0, type: 1, thread: 2, in: nil)
      $0.add(.allocate, 0xa0, 16)
    }
    #expect(numbers(timeline) == [1, 2] && timeline.waits.isEmpty)
    #expect(timeline.blocks[0].endedUnseen && timeline.threads.count == 1)
  }

  @Test func `what comes between operations is left out and told`() {
    var made = MadeTimeline()
    made.add(.allocate, 0xa0, 8, thread: 2)
    made.operation { $0.add(.allocate, 0xb0, 8) }
    made.add(.free, 0xb0, thread: 2)
    made.lost = 7
    let timeline = made.timeline()
    #expect(timeline.events.count == 1 && timeline.blocks.count == 1 && timeline.blocks[0].endedUnseen)
    #expect(
      timeline.notes == [
        "7 events beyond the first 3 were left out: there was no room for more",
        "2 events of other threads were left out: they came as an operation had ended",
      ])
  }

  @Test func `an operation whose end there was no room for lasts to the last event`() {
    var made = MadeTimeline()
    made.add(.beginOperation)
    made.add(.allocate, 0xa0, 8)
    #expect(made.timeline().operations == [0..<10])
    #expect(MadeTimeline().timeline().operations.isEmpty && MadeTimeline().timeline().span == 0)
  }

  @Test func `waits are paired by thread, and told who ended them`() {
    let timeline = MadeTimeline.everything
    #expect(timeline.waits == [.init(thread: 1, object: "mutex 1", begin: 30, end: 80, waker: 5)])
    #expect(timeline.events[5].kind == .wake && timeline.events[5].object == "mutex 1")
    #expect(timeline.threads.map(\.name) == ["main", ""])
    #expect(timeline.count(.retain) == 3 && timeline.count(.release) == 1 && timeline.count(.free) == 2)
  }

  @Test func `waits may begin before the operation and outlast it`() {
    let timeline = timeline {
      $0.add(.wake, 0xf0)
      $0.add(.endWaiting, 0xf0, type: 1, thread: 2)
      $0.add(.beginWaiting, 0, type: 6, thread: 2)
      $0.add(.beginWaiting, 0xe0, type: 99, thread: 3)
      // Nobody waits for that, and nobody has ended the last one.
      $0.add(.wake, 0xd0)
      $0.add(.endWaiting, 0xe0, 1, type: 99, thread: 3)
    }
    #expect(
      timeline.waits == [
        .init(thread: 1, object: "mutex 1", end: 20, waker: 0), .init(thread: 1, object: "sleep", begin: 30),
        .init(thread: 2, object: "unknown 1", begin: 40, end: 60),
      ])
    #expect(timeline.events.map(\.kind) == [.wake, .resume, .wait, .wait, .resume])
  }

  @Test func `a site is the innermost line of the program`() {
    let timeline = MadeTimeline.everything
    #expect(timeline.events[0].site == MadeTimeline.frame("f()", line: 3))
    var event = timeline.events[0]
    event.stack = [MadeTimeline.frame("library", isLibrary: true)]
    #expect(event.site?.function == "library")
    event.stack = []
    #expect(event.site == nil)
  }
}
