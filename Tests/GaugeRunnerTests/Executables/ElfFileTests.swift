// Executables: sections, symbols and stubs of one that was built beside the tests.

import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct ElfFileTests {
  #if os(Linux)
    @Test func `functions are found by name and by address`() throws {
      let object = try #require(ProfiledProgram.object)
      let functions = object.elf.functions()
      #expect(functions.areAll && functions.symbols.count > 1000)
      #expect(zip(functions.symbols, functions.symbols.dropFirst()).allSatisfy { $0.address < $1.address })
      let address = try #require(ProfiledProgram.address(of: "probe_run_crew"))
      #expect(object.elf.section(at: address)?.name == ".text")
      let text = try #require(object.elf.section(".text"))
      #expect(object.elf.address(ofOffset: UInt64(text.offset)) == text.address)
    }

    @Test func `a stub has the name of what it calls`() throws {
      let elf = try #require(ProfiledProgram.object?.elf)
      let stubs = try #require(elf.section(".plt"))
      let names = Set((1...40).compactMap { elf.stub(at: stubs.address + 16 * $0 + 3) })
      #expect(names.contains("swift_release") || names.contains("free") || names.count > 10, "\(names)")
      #expect(elf.stub(at: stubs.address - 1) == nil)
    }

    @Test func `a file that breaks off anywhere has what is there, or nothing`() throws {
      let original = try Files.contents(of: ProfiledProgram.path)
      for length in [0, 5, 6, 63, 64, 4096, original.count / 2, original.count - 1] {
        guard let elf = ElfFile(Array(original.prefix(length))) else { continue }
        #expect(elf.functions().symbols.count < 1_000_000)
      }
    }
  #endif

  /// A file of one segment and two sections, numbers as they come.
  func made(offset: UInt64, address: UInt64, tableSize: UInt64, sectionAddress: UInt64) -> [UInt8] {
    var bytes: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1] + Array(repeating: 0, count: 58)
    func put(_ number: UInt64, _ size: Int, at place: Int) {
      for index in 0..<size { bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) }
    }
    // The tables: segments at 64, sections at 120, of the sizes that are usual.
    for (number, size, place) in [
      (64, 8, 0x20), (120, 8, 0x28), (56, 2, 0x36), (1, 2, 0x38), (64, 2, 0x3a), (2, 2, 0x3c),
    ]
      as [(UInt64, Int, Int)]
    {
      put(number, size, at: place)
    }
    bytes += Array(repeating: 0, count: 56 + 128)
    for (number, place) in [(1, 64), (offset, 72), (address, 80), (.max, 96)] as [(UInt64, Int)] {
      put(number, 8, at: place)
    }
    for (number, place) in [
      (2 << 32, 120), (sectionAddress, 136), (64, 144), (tableSize, 152), (1 << 32, 184), (sectionAddress, 200),
      (64, 208),
      (tableSize, 216),
    ] as [(UInt64, Int)] { put(number, 8, at: place) }
    return bytes
  }

  @Test func `numbers of any size are read without a trap, and take no memory`() throws {
    let elf = try #require(ElfFile(made(offset: 1, address: .max, tableSize: 1 << 40, sectionAddress: .max - 10)))
    #expect(elf.address(ofOffset: 9) == 7)
    #expect(elf.functions().symbols.isEmpty && elf.chosenFunctions().isEmpty && elf.neededLibraries.isEmpty)
    for address in [0, 1, 3, .max, .max - 1, .max - 5] as [UInt64] {
      #expect(elf.calledStub(before: address) == nil && elf.stub(at: address) == nil)
    }
  }

  @Test func `what is in a small file is found`() throws {
    let elf = try #require(ElfFile(WrittenElf.program.bytes))
    let text = try #require(elf.section(".text")).address
    #expect(
      elf.functions().symbols.map { elf.file.text(at: $0.nameOffset) } == ["_start", "$s4User4workyyF", "malloc"])
    #expect(elf.neededLibraries == ["malloc@@GLIBC_2.2.5", "alloc@@GLIBC_2.2.5"])
    #expect(elf.calledStub(before: text + 5) == "malloc@@GLIBC_2.2.5")
    #expect(elf.callTarget(before: text + 5).flatMap(elf.stub) == "malloc@@GLIBC_2.2.5")
    #expect(elf.callTarget(before: text + 4) == nil && elf.callTarget(before: text) == nil)
    #expect(elf.buildIdentifier == "abcd0102")
    let frames = try #require(CallFrameTable(elf))
    #expect(try frames.row(at: text + 1)?.frame == .register(7, 16))
    #expect(try frames.row(at: text + 0x48)?.start == text + 0x40)
  }

  /// The defect: each stub had the name of the next one's function.
  @Test func `stubs of AArch64 stand behind a longer way into the loader`() throws {
    var bytes = WrittenElf.program.bytes
    bytes[0x12] = 183
    let elf = try #require(ElfFile(bytes))
    let stubs = try #require(elf.section(".plt")).address
    #expect(elf.stub(at: stubs + 16) == nil)
    #expect(elf.stub(at: stubs + 32) == "malloc@@GLIBC_2.2.5" && elf.stub(at: stubs + 48) == "free")
    let other = try #require(ElfFile(WrittenElf.program.bytes))
    #expect(other.stub(at: stubs + 16) == "malloc@@GLIBC_2.2.5" && other.stub(at: stubs + 32) == "free")
  }

  @Test func `names that many entries lead to are taken as far as there is room`() throws {
    var file = WrittenElf()
    file.add(".dynstr", type: 3, [UInt8](repeating: 0x61, count: 10_000) + [0])
    let entries = (0..<3000).flatMap { _ in [UInt64(1), 0].flatMap(littleEndian) }
    file.add(".dynamic", type: 6, entries, link: 1)
    let names = try #require(ElfFile(file.bytes)).neededLibraries
    #expect(names.allSatisfy { $0.utf8.count == 4096 })
    #expect(names.count == ElfFile.mostNameBytes / 4097)
  }

  @Test func `another file is none`() {
    #expect(ElfFile([]) == nil)
    #expect(ElfFile(Array("#!/bin/sh\n".utf8)) == nil)
  }
}
