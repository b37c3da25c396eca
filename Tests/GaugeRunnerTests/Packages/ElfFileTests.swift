// Executables: sections, symbols and stubs of one that was built beside the tests.

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

  @Test func `another file is none`() {
    #expect(ElfFile([]) == nil)
    #expect(ElfFile(Array("#!/bin/sh\n".utf8)) == nil)
  }
}
