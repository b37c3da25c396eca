// Unwinding: stacks whose every word is known, and functions of a real program.

import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct StackUnwinderTests {
  /// A stack of frame pointers: the leaf at code 1, its callers at 101, 102, ... in frames 32 bytes apart.
  private static func framePointers(_ depth: Int, last: [UInt64] = [0, 0]) -> [UInt64] {
    let frames: [[UInt64]] = (0..<UInt64(depth)).map { [0x1000 + 32 * ($0 + 1), 101 + $0, 0, 0] }
    return frames.flatMap { $0 } + last
  }

  private func unwind(_ stacks: WrittenStacks) throws -> [StackUnwinder.Stack] {
    let file = try SampleFile(stacks.bytes)
    let unwinder = StackUnwinder(file, objects: { _ in nil })
    return file.records.map { unwinder.unwind($0) }
  }

  @Test func `without tables frame pointers lead to the start of the thread`() throws {
    var stacks = WrittenStacks()
    stacks.add([1], code: 1, frame: 0x1000, pointer: 0xff0, base: 0x1000, stack: Self.framePointers(3))
    let stack = try #require(try unwind(stacks).first)
    #expect(stack.frames.map(\.code) == [1, 101, 102, 103])
    #expect(stack.frames.map(\.isReturn) == [false, true, true, true])
    #expect(stack.isWhole && !stack.isRooted)
  }

  @Test func `the function that measures is the root of its own thread`() throws {
    var stacks = WrittenStacks()
    stacks.root = (0x1020, 7)
    for thread in [7, 8] as [UInt64] {
      stacks.add(
        [1], code: 1, frame: 0x1000, pointer: 0xff0, base: 0x1000, stack: Self.framePointers(3), thread: thread)
    }
    let unwound = try unwind(stacks)
    #expect(unwound.map { $0.frames.map(\.code) } == [[1, 101], [1, 101, 102, 103]])
    #expect(unwound.map(\.isRooted) == [true, false])
  }

  @Test func `a stack that is not all there is not whole`() throws {
    var stacks = WrittenStacks()
    stacks.add([1], code: 1, frame: 0x1000, pointer: 0xff0, base: 0x1000, stack: Self.framePointers(3, last: []))
    stacks.add([1], code: 1, frame: 0x5000, pointer: 0xff0, base: 0x1000, stack: Self.framePointers(3))
    let unwound = try unwind(stacks)
    #expect(unwound.map { $0.frames.map(\.code) } == [[1, 101, 102, 103], [1]])
    #expect(unwound.map(\.isWhole) == [false, false])
  }

  /// The first place that holds a frame pointer and an address to return to, words that only look so apart.
  @Test func `of a thread that waits the frame pointer is found on the stack`() throws {
    var recording = WrittenRecording()
    recording.add(1, at: 0, WrittenRecording.words("1000-9000 r-xp 00000000 08:01 12    /bin/p\n"))
    recording.addWait(
      1, at: 0, thread: 1, pointer: 0x7000_0000, code: 0x1001,
      stack: [0x7000_0100, 0x7000_0008, 0x7000_0030, 0x1101, 0, 0, 0x7000_0050, 0x1201, 0, 0, 0, 0x1301])
    let file = try Recording(recording.bytes).stacks
    let unwinder = StackUnwinder(file, objects: { _ in nil })
    #expect(unwinder.unwind(file.records[0]).frames.map(\.code) == [0x1001, 0x1101, 0x1201, 0x1301])
  }

  @Test func `a mapping may be at the end of all addresses`() throws {
    var stacks = WrittenStacks()
    stacks.map = "1000-ffffffffffffffff r-xp fffffffffffffff0 08:01 12    /bin/p"
    let unwinder = StackUnwinder(try SampleFile(stacks.bytes), objects: { _ in nil })
    #expect(unwinder.place(of: 0x2000)?.address == 0xff0)
  }

  @Test func `a circle of frame pointers ends`() throws {
    var stacks = WrittenStacks()
    stacks.add([1], code: 1, frame: 0x1000, pointer: 0xff0, base: 0x1000, stack: [0x1000, 101])
    let stack = try #require(try unwind(stacks).first)
    #expect(!stack.isWhole && stack.frames.count < StackUnwinder.deepest)
  }

  @Test func `who awaits an asynchronous function is its caller`() throws {
    var stacks = WrittenStacks()
    stacks.add(
      [1], code: 1, frame: 0x1000, pointer: 0xff0, base: 0x1000, stack: Self.framePointers(3),
      chains: [(0x1020, [201, 202])])
    let file = try SampleFile(stacks.bytes)
    let unwinder = StackUnwinder(file, objects: { _ in nil })
    let spliced = unwinder.unwind(file.records[0]) { $0 == 100 }
    #expect(spliced.frames.map(\.code) == [1, 101, 201, 202] && spliced.isWhole)
    #expect(spliced.frames.map(\.isReturn) == [false, true, false, false])
    #expect(unwinder.unwind(file.records[0]) { _ in false }.frames.map(\.code) == [1, 101, 102, 103])
  }

  @Test func `who awaits is followed as far as any stack`() throws {
    var stacks = WrittenStacks()
    stacks.add(
      [1], code: 1, frame: 0x1000, pointer: 0xff0, base: 0x1000, stack: Self.framePointers(3),
      chains: [(0x1020, Array(1...5000))])
    let file = try SampleFile(stacks.bytes)
    let stack = StackUnwinder(file, objects: { _ in nil }).unwind(file.records[0]) { $0 == 100 }
    #expect(stack.frames.count == StackUnwinder.deepest && !stack.isWhole)
  }

  #if os(Linux) && arch(x86_64)
    @Test func `a function without frame pointer is unwound by its table`() throws {
      let function = try #require(ProfiledProgram.address(of: "probe_run_crew"))
      let section = try #require(ProfiledProgram.object?.elf.section(at: function))
      var stacks = WrittenStacks()
      let base: UInt64 = 0x5000_0000_0000
      let offset = UInt64(section.offset) + function - section.address
      let start = offset / 4096 * 4096
      stacks.map =
        "\(String(base, radix: 16))-\(String(base + 0x10000, radix: 16)) r-xp \(String(start, radix: 16)) 0:0 0 \(ProfiledProgram.path)\n"
      // At its first instruction the address to return to is on top of the stack,
      // and the frame pointer is the caller's.
      stacks.add(
        [1], code: base + offset - start, frame: 0x1010, pointer: 0x1000, base: 0x1000, stack: [base + 555, 0, 0, 777])
      let file = try SampleFile(stacks.bytes)
      let unwinder = StackUnwinder(file, objects: { $0 == ProfiledProgram.path ? ProfiledProgram.object : nil })
      #expect(unwinder.place(of: base + offset - start)?.address == function)
      #expect(unwinder.unwind(file.records[0]).frames.map(\.code) == [base + offset - start, base + 555])
    }
  #endif
}
