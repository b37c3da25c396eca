// Lengths and references of instructions, as the assembler of LLVM 21 encodes them.

import Testing

@testable import GaugeRunner

@Suite struct X86InstructionTests {
  private func instruction(_ bytes: [UInt8]) -> X86Instruction? { X86Instruction(bytes, at: 0, end: bytes.count) }

  @Test(arguments: [
    "55", "c3", "90", "4889e5", "4883ec20", "4881ec00010000", "48b80807060504030201", "b805000000", "66b80500",
    "41b801000000", "0fb6c0", "480fafc6", "488b4708", "488b848700010000", "488b042500000000", "4c8d3c4a", "f6c101",
    "f7c100010000", "f7d8", "66f7c10100", "c7450001000000", "66c745000100", "c6450001", "6a01", "6800010000",
    "c8100001",
    "c20800", "f20f58c1", "660f6f00", "660f3a0fc108", "660f3800c1", "c5f877", "c5f85808", "c4e27d18c0", "c4e37d0600ff",
    "c5f970c01b", "62f17c4858c1", "62f37d4803c101", "0f1f440000", "662e0f1f840000000000", "f3480f1efa", "d9c0",
    "dd4508",
    "f0480fb10e", "0fa2", "0f0b", "cc", "e400", "d3e0", "48c1e004", "480fbae005", "6bc00a", "69c000010000", "a801",
    "a900010000", "48a9ffffff7f", "8f00", "ff30", "64488b042528000000", "0fc8", "0fc2c101", "f30fb8c1",
  ])
  func `an instruction ends where the next one begins`(_ text: String) throws {
    let bytes = Self.bytes(text)
    let read = try #require(instruction(bytes + [0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90]))
    #expect(read.length == bytes.count && read.reference == nil)
    // One that breaks off is none.
    #expect(instruction(Array(bytes.dropLast())) == nil || bytes.count == 1)
  }

  @Test(
    arguments: [
      ("e800000000", 1, 4, .branch), ("e900000000", 1, 4, .branch), ("eb00", 1, 1, .branch), ("7400", 1, 1, .branch),
      ("0f8400000000", 2, 4, .branch), ("488d0500000000", 3, 4, .address), ("488b0500000000", 3, 4, .memory(bytes: 8)),
      ("f20f100500000000", 4, 4, .memory(bytes: 8)), ("f30f100500000000", 4, 4, .memory(bytes: 4)),
      ("660f6f0500000000", 4, 4, .memory(bytes: 16)), ("0f280500000000", 3, 4, .memory(bytes: 16)),
      ("660f2e0500000000", 4, 4, .memory(bytes: 8)), ("c5fc280500000000", 4, 4, .memory(bytes: 32)),
      ("62f17c48280500000000", 6, 4, .memory(bytes: 64)), ("803d0000000001", 2, 4, .memory(bytes: 8)),
      ("48813d0000000000010000", 3, 4, .memory(bytes: 8)), ("ff1500000000", 2, 4, .memory(bytes: 8)),
      ("0fb60500000000", 3, 4, .memory(bytes: 1)), ("0fb70500000000", 3, 4, .memory(bytes: 2)),
      ("480fa30500000000", 4, 4, .address), ("dd2500000000", 2, 4, .address),
      ("660f3a0f050000000008", 5, 4, .memory(bytes: 16)),
    ] as [(String, Int, Int, X86Instruction.Use)])
  func `what is referred to by distance is known`(_ text: String, offset: Int, size: Int, use: X86Instruction.Use)
    throws
  {
    let bytes = Self.bytes(text)
    let read = try #require(instruction(bytes))
    #expect(read.length == bytes.count)
    #expect(read.reference == X86Instruction.Reference(offset: offset, size: size, use: use))
  }

  @Test func `jumps that nothing tells the end of, threads' memory and chance are known`() throws {
    #expect(try #require(instruction([0xff, 0xe0])).isIndirectJump)
    #expect(try #require(instruction([0xff, 0xd0])).isIndirectJump == false)
    #expect(try #require(instruction([0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0])).usesThreadMemory)
    for (bytes, chance) in [
      ([0x0f, 0x31], .clock), ([0x0f, 0x01, 0xf9], .clock), ([0x48, 0x0f, 0xc7, 0xf0], .random),
      ([0x0f, 0x05], .system),
      ([0x90], nil),
    ] as [([UInt8], X86Instruction.Chance?)] {
      #expect(try #require(instruction(bytes)).chance == chance)
    }
  }

  @Test(arguments: [
    "06", "0f04", "d5", "62", "c4e1", "0f", "48", "4848", "c7f800000000", "9a", "666666666666666666666666666666",
  ])
  func `what isn't known is no instruction`(_ text: String) {
    #expect(instruction(Self.bytes(text)) == nil)
  }

  private static func bytes(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.count, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
  }
}
