// The waits of a file of stacks: what is in them, and what is refused.

import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct WaitRecordTests {
  private static var written: WrittenStacks {
    var stacks = WrittenStacks()
    stacks.types = "1\tmutex\n6\tsleep\n"
    stacks.add([850, 0], code: 1, frame: 2, pointer: 8, base: 16, stack: [], type: 1)
    stacks.add([0, 500], code: 3, frame: 4, pointer: 8, base: 16, stack: [])
    stacks.addWaits()
    return stacks
  }

  private func fault(_ change: (inout WrittenStacks) -> Void) -> String? { Self.written.fault(after: change) }

  @Test func `threads and waits are read, with times from the begin on`() throws {
    let file = try SampleFile(Self.written.bytes)
    let record = try #require(file.waits)
    #expect(file.types == [1: "mutex", 6: "sleep"] && file.records.count == 2)
    #expect(record.span == 1000 && record.unaccounted == 0 && record.unlisted == 1)
    #expect(
      record.threads == [
        .init(id: 7, name: "main", start: 0, end: 1000, running: 100, ready: 50, waiting: 850),
        .init(id: 8, name: "", start: 100, end: 900, running: 790, ready: 10, waiting: 0, maker: 0),
      ])
    #expect(
      record.waits == [
        .init(thread: 0, cause: 1, start: 100, end: 600, blocked: 500, stack: 0, waker: 1, wakerStack: 1, woken: 500),
        .init(thread: 0, cause: 6, start: 600, end: 950, blocked: 350, stack: 0, woken: 950),
      ])
  }

  @Test func `a file of another source has none`() throws {
    var stacks = Self.written
    stacks.sourceNumber = 4
    stacks.waits = []
    #expect(try SampleFile(stacks.bytes).waits == nil)
  }

  @Test func `what can't be is refused`() {
    #expect(fault { _ in } == nil)
    #expect(fault { $0.waits.removeLast() } == "the file breaks off")
    #expect(fault { $0.waits = [1, 2] } == "the file breaks off")
    #expect(fault { $0.waits[4] = .max } == "the file breaks off")
    #expect(fault { $0.waits[1] = 999 } == "waits of more time than there is")
    #expect(fault { $0.waits[1] = 1 << 60 } == "waits of more time than there is")
    #expect(fault { $0.waits[9] = .max } == "a wait of more time than there is")
    #expect(fault { $0.waits[7] = 999 } == "a wait out of its time")
    #expect(fault { $0.waits[7] = 2001 } == "a thread that ends before it begins")
    #expect(fault { $0.waits[27] = 1601 } == "a wait that ends before it begins")
    #expect(fault { $0.waits[24] = 0 } == "a wait of no thread")
    #expect(fault { $0.waits[24] = 3 } == "a wait of a thread that is not there")
    #expect(fault { $0.waits[23] = 3 } == "a wait of a thread that is not there")
    #expect(fault { $0.waits[30] = 3 } == "a wait on the stack 3 of 2")
    #expect(fault { $0.waits[33] = 2001 } == "a wait out of its time")
  }
}
