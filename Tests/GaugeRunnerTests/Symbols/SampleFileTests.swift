// Files of stacks: what is in them, and what is wrong with others.

import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct SampleFileTests {
  private static var written: WrittenStacks {
    var stacks = WrittenStacks()
    stacks.map = """
      55d000000000-55d000001000 r--p 00000000 08:01 12    /bin/some program
      55d000001000-55d000003000 r-xp 00001000 08:01 12    /bin/some program
      7ffd00000000-7ffd00002000 r-xp 00000000 00:00 0     [vdso]
      7fff00000000-7fff00001000 rw-p 00000000 00:00 0     [stack]
      """
    stacks.types = "1f\tModule.Box\n"
    stacks.root = (0x2000, 7)
    stacks.add([5, 6], code: 1, frame: 2, pointer: 0x1000, base: 0x1000, stack: [10, 11, 12], type: 0x1f)
    stacks.add([9], code: 3, frame: 4, pointer: 8, base: 16, stack: [], chains: [(0x50, [7, 8])])
    return stacks
  }

  @Test func `everything that was written is read`() throws {
    let file = try SampleFile(Self.written.bytes)
    #expect(file.source == .events && file.machine == 62 && file.period == 1_000_000)
    #expect(file.rootFrame == 0x2000 && file.rootThread == 7)
    #expect(
      file.mappings == [
        .init(addresses: 0x55d0_0000_1000..<0x55d0_0000_3000, offset: 0x1000, path: "/bin/some program"),
        .init(addresses: 0x7ffd_0000_0000..<0x7ffd_0000_2000, offset: 0, path: "[vdso]"),
      ])
    #expect(file.types == [0x1f: "Module.Box"])
    #expect(file.records.map(\.weights) == [[5, 6], [9]])
    #expect(file.records.map(\.type) == [0x1f, 0])
    #expect(file.records[1].chains == [SampleFile.Chain(frame: 0x50, callers: [7, 8])])
    #expect(
      [0xff8, 0x1000, 0x1008, 0x1010, 0x1018, 0x1001].map { file.word(of: file.records[0], at: $0) }
        == [nil, 10, 11, 12, nil, nil])
  }

  @Test func `a file that breaks off anywhere is refused`() {
    let bytes = Self.written.bytes
    for length in stride(from: 0, to: bytes.count, by: 4) where length != 16 * 8 + 8 * 36 {
      // Behind the head and its two texts there may be nothing.
      let heads = 16 * 8 + (Self.written.map.utf8.count + 7) / 8 * 8 + (Self.written.types.utf8.count + 7) / 8 * 8
      if length == heads { continue }
      #expect(throws: SampleFile.FormatError.self, "\(length)") { try SampleFile(Array(bytes.prefix(length))) }
    }
  }

  @Test func `another file is refused`() {
    #expect(throws: SampleFile.FormatError.self) { try SampleFile(Array("PK".utf8)) }
    var bytes = Self.written.bytes
    bytes[8] = 2
    #expect(throws: SampleFile.FormatError(description: "no file of call stacks, or of another version")) {
      try SampleFile(bytes)
    }
    bytes[8] = 1
    bytes[24] = 77
    #expect(throws: SampleFile.FormatError(description: "an unknown source")) { try SampleFile(bytes) }
  }

  @Test func `a file that ends within what fills up its first text is refused`() {
    var stacks = Self.written
    stacks.map += String(repeating: "x", count: 9 - (stacks.map.utf8.count + 8) % 8)
    stacks.types = ""
    let end = 16 * 8 + stacks.map.utf8.count
    for length in end..<(end + 7) / 8 * 8 {
      #expect(throws: SampleFile.FormatError.self) { try SampleFile(Array(stacks.bytes.prefix(length))) }
    }
  }

  @Test func `a piece of any length is read or refused`() {
    let bytes = Self.written.bytes
    let piece = 16 * 8 + (Self.written.map.utf8.count + 7) / 8 * 8 + (Self.written.types.utf8.count + 7) / 8 * 8
    for length in [0x0fff_ffff_ffff_ffff, .max, 1 << 61, 1 << 63, 1 << 32] as [UInt64] {
      var changed = bytes
      for index in 0..<8 { changed[piece + index] = UInt8(truncatingIfNeeded: length >> UInt64(8 * index)) }
      #expect(throws: SampleFile.FormatError.self) { try SampleFile(changed) }
    }
  }

  @Test(arguments: [(4, "the time between samples"), (8, "what was lost"), (11, "the CPU time")])
  func `a number of the head that can't be is refused with its place`(word: Int, name: String) throws {
    func changed(_ number: UInt64) -> [UInt8] {
      var bytes = Self.written.bytes
      bytes.replaceSubrange(word * 8..<word * 8 + 8, with: littleEndian(number))
      return bytes
    }
    #expect(try SampleFile(changed(1 << 50)).records.count == 2)
    #expect(throws: SampleFile.FormatError(description: "\(name) at byte \(word * 8): 1125899906842625 is too much")) {
      try SampleFile(changed(1 << 50 | 1))
    }
  }

  @Test func `weights that have no sum are refused with the stack's place`() throws {
    func file(_ weights: [UInt64]) throws -> SampleFile {
      var stacks = WrittenStacks()
      for weight in weights { stacks.add([weight], code: 1, frame: 2, pointer: 0, base: 16, stack: []) }
      return try SampleFile(stacks.bytes)
    }
    let half: UInt64 = 1 << 49
    #expect(try file([half, half]).records.map(\.weights) == [[1 << 49], [1 << 49]])
    #expect(try file([half, 0 &- half]).records.map(\.weights) == [[1 << 49], [-1 << 49]])
    // The head takes 16 words, the length of the piece one, and a stack of one weight 26.
    let complaint = "the stack at byte 344: its weights, or all together, are too much"
    for weights in [[half, half + 1], [1, .max >> 1], [0, 1 << 63], [half, 0 &- half - 1]] as [[UInt64]] {
      #expect(throws: SampleFile.FormatError(description: complaint)) { try file(weights) }
    }
  }

  @Test func `names of types are cut`() throws {
    var stacks = WrittenStacks()
    stacks.types = "1f\t" + String(repeating: "(unknown context at ).", count: 1000) + "\n"
    #expect(try SampleFile(stacks.bytes).types[0x1f]?.unicodeScalars.count == 1000)
  }

  @Test func `any byte may be another one`() {
    let bytes = Self.written.bytes
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 0xff
      // It need not be refused, as any number may be an address, but nothing must trap.
      if let file = try? SampleFile(changed) { #expect(file.records.count <= bytes.count) }
    }
  }
}
