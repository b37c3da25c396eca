// Tables of unwinding, of functions whose prologue is known.

import Testing

@testable import GaugeRunner

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
      #expect(try #require(table.row(at: start)).frame == .register(7, 8))
      #expect(try #require(table.row(at: start + 1)).frame == .register(7, 16))
      let inside = try #require(table.row(at: start + 4))
      #expect(inside.frame == .register(6, 16))
      #expect(inside.rules[6] == .memory(-16) && inside.rules[16] == .memory(-8))
      #expect(inside.returnRegister == 16 && inside.start == start && !inside.isSignalHandlers)
    }

    @Test func `nothing is known of what is no code`() {
      #expect(table.row(at: 0) == nil)
      #expect(table.row(at: .max) == nil)
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
        if let row = table.row(at: symbol.address) { #expect(row.start <= symbol.address) }
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
