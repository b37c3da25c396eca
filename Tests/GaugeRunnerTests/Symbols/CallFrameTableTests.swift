// Tables of unwinding, of functions whose prologue is known.

import HostileFiles
import Testing

@testable import GaugeRunner

/// Tables that ask for more than there is, made instruction by instruction.
@Suite struct CallFrameTableLimitsTests {
  /// What is said of a function of 256 bytes.
  private func row(_ instructions: [UInt8], mark: [UInt8] = Array("zR".utf8) + [0]) throws -> CallFrameRow? {
    var file = WrittenElf()
    let text = file.nextAddress
    file.add(".text", [UInt8](repeating: 0x90, count: 0x100))
    file.addFrames(mark: mark, functions: [(text, 0x100, instructions)])
    let elf = try #require(ElfFile(file.bytes))
    let frames = try #require(elf.section(".eh_frame"))
    let table = try #require(CallFrameTable(elf))
    let first = frames.offset + frames.size - 4 - instructions.count
    do throws(CallFrameTable.Excess) {
      return try table.row(at: text + 0x80)
    } catch {
      // Relative to the first instruction, so that it doesn't matter what stands before.
      throw CallFrameTable.Excess(offset: error.offset - first, message: error.message)
    }
  }

  private func set(_ registers: Range<Int>) -> [UInt8] {
    registers.flatMap { [0x05, UInt8($0 & 0x7f | 0x80), UInt8($0 >> 7), 1] }
  }

  @Test func `as many registers as are allowed have rules, and one more is refused with its place`() throws {
    // The return address has one already, as all functions share it.
    let most = set(0..<CallFrameTable.mostRules)
    #expect(try row(most)?.rules.count == CallFrameTable.mostRules)
    #expect(throws: CallFrameTable.Excess(offset: most.count, message: "rules for more than 256 registers")) {
      try row(most + set(CallFrameTable.mostRules..<CallFrameTable.mostRules + 1))
    }
  }

  @Test func `as many rows as are allowed are kept, and one more is refused with its place`() throws {
    let most = [UInt8](repeating: 0x0a, count: CallFrameTable.mostKept)
    #expect(try row(most)?.frame == .register(7, 8))
    #expect(throws: CallFrameTable.Excess(offset: most.count, message: "more than 64 rows are kept")) {
      try row(most + [0x0a])
    }
  }

  @Test func `instructions for one function have a length that is refused with the function's place`() throws {
    // 5 bytes are common to all functions.
    let most = [UInt8](repeating: 0, count: CallFrameTable.mostBytes - 5)
    #expect(try row(most)?.frame == .register(7, 8))
    // Lengths, the distance, two numbers and a zero stand before the instructions.
    #expect(
      throws: CallFrameTable.Excess(offset: -17, message: "more than 65536 bytes of instructions for one function")
    ) {
      try row(most + [0])
    }
  }

  @Test func `marks of a table are a short text`() throws {
    // Sixteen characters are read; what stands behind is taken for numbers, and makes no sense.
    #expect(try row([], mark: Array("zR".utf8) + [0])?.frame == .register(7, 8))
    #expect(try row([], mark: [UInt8](repeating: 0x7a, count: 70_000) + [0]) == nil)
  }

  @Test func `an object says once what its table asks for`() throws {
    var file = WrittenElf()
    let text = file.nextAddress
    file.add(".text", [UInt8](repeating: 0x90, count: 0x100))
    file.addFrames(functions: [(text, 0x100, [UInt8](repeating: 0x0a, count: 65))])
    let object = try #require(LoadedObject(path: "/bin/program", bytes: file.bytes))
    #expect(object.complaint == nil)
    #expect(object.row(at: text) == nil && object.row(at: text + 1) == nil)
    let complaint = try #require(object.complaint)
    #expect(complaint.hasPrefix("program, byte ") && complaint.hasSuffix(": more than 64 rows are kept"))
    let symboliser = Symboliser(lines: nil, scratch: "", load: { _ in object })
    #expect(
      symboliser.complaint(about: "/bin/program", isMain: true, hasUnknown: false)
        == complaint + ": stacks through it may end there")
  }
}

#if os(Linux) && arch(x86_64)
  @Suite struct CallFrameTableTests {
    private let table: CallFrameTable
    private let start: UInt64

    init() throws {
      table = try #require(ProfiledProgram.object?.frames)
      start = try #require(ProfiledProgram.address(of: "probe_run_crew"))
    }

    @Test func `the frame's address follows the prologue`() throws {
      // push %rbp takes a byte, mov %rsp,%rbp three.
      #expect(try #require(try table.row(at: start)).frame == .register(7, 8))
      #expect(try #require(try table.row(at: start + 1)).frame == .register(7, 16))
      let inside = try #require(try table.row(at: start + 4))
      #expect(inside.frame == .register(6, 16))
      #expect(inside.rules[6] == .memory(-16) && inside.rules[16] == .memory(-8))
      #expect(inside.returnRegister == 16 && inside.start == start && !inside.isSignalHandlers)
    }

    @Test func `nothing is known of what is no code`() throws {
      #expect(try table.row(at: 0) == nil)
      #expect(try table.row(at: .max) == nil)
    }

    @Test func `damaged tables don't trap`() throws {
      let bytes = try Files.contents(of: ProfiledProgram.path)
      let elf = try #require(ElfFile(bytes))
      let frames = try #require(elf.section(".eh_frame"))
      var random = Xoshiro(state: 7)
      var damaged = bytes
      for place in frames.offset..<frames.offset + frames.size where random.next() % 3 == 0 {
        damaged[place] = UInt8(truncatingIfNeeded: random.next())
      }
      let table = try #require(ElfFile(damaged).flatMap(CallFrameTable.init))
      for symbol in elf.functions().symbols.prefix(2000) {
        if let row = try? table.row(at: symbol.address) { #expect(row.start <= symbol.address) }
      }
    }

    /// Numbers that look random, always the same.
    private struct Xoshiro {
      var state: UInt64
      mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state >> 16
      }
    }
  }
#endif
