// Events that tests make up.

@testable import GaugeRunner

/// Events of the threads 1, 2, ..., each on a stack of one function.
struct MadeTimeline {
  private(set) var events: [TimelineRecord.Event] = []
  private var stacks: [[ProfileFrame]?] = []
  private var time = 0
  var lost = 0

  static let types: [UInt64: String] = [1: "mutex", 6: "sleep", 0x1f: "Box", 0x2f: "Node<Int>"]

  static func frame(_ function: String, line: Int? = nil, isLibrary: Bool = false) -> ProfileFrame {
    ProfileFrame(
      function: function, object: "a", file: line == nil ? nil : "A.swift", line: line, isLibrary: isLibrary)
  }

  /// Adds an event, ten nanoseconds behind the one before.
  ///
  /// - Parameter function: The function that it happens in; `nil` for one of the harness's.
  mutating func add(
    _ kind: TimelineRecord.Kind, _ address: UInt64 = 0, _ size: Int = 0, type: UInt64 = 0, thread: UInt64 = 1,
    in function: String? = "f()", line: Int? = 3
  ) {
    let isMark = kind == .beginOperation || kind == .endOperation
    if !isMark {
      stacks.append(
        function.map {
          [Self.frame("bench"), Self.frame($0, line: line), Self.frame("append(_:)", isLibrary: true)]
        })
    }
    events.append(
      .init(
        time: time, thread: thread, kind: kind, address: address, size: size, type: type,
        stack: isMark ? nil : stacks.count - 1))
    time += 10
  }

  /// Adds one operation around events.
  mutating func operation(_ body: (inout MadeTimeline) -> Void) {
    add(.beginOperation)
    body(&self)
    add(.endOperation)
  }

  /// The timeline.
  func timeline(title: String = "bench") -> Timeline {
    let threads = Set(events.map(\.thread)).sorted().map { TimelineRecord.Thread(id: $0, name: $0 == 1 ? "main" : "") }
    return Timeline(
      TimelineRecord(lost: lost, threads: threads, events: events), stacks: stacks, types: Self.types, title: title)
  }

  /// An operation with everything: blocks of several lives, objects, and a wait that another thread ends.
  static var everything: Timeline {
    var made = MadeTimeline()
    made.operation { made in
      made.add(.allocate, 0xa0, 48, type: 0x1f)
      made.add(.retain, 0xa0, 1, type: 0x1f)
      made.add(.beginWaiting, 0xf0, type: 1, thread: 2, in: "lock()", line: 7)
      made.add(.beginReallocating, 0xa0)
      made.add(.endReallocating, 0xb0, 96)
      made.add(.retain, 0xe0, 2, type: 0x2f)
      made.add(.wake, 0xf0)
      made.add(.endWaiting, 0xf0, type: 1, thread: 2, in: "lock()", line: 7)
      made.add(.allocate, 0xc0, 16, in: "g()")
      made.add(.release, 0xb0, 1, type: 0x1f)
      made.add(.free, 0xb0)
      made.add(.free, 0xd0)
    }
    return made.timeline()
  }
}
