// Functions of the C library that a processor gets its own form of.

import Testing

@testable import GaugeRunner

@Suite struct ChosenFunctionsTests {
  #if os(Linux) && arch(x86_64)
    @Test func `the forms that were chosen have the names that lead to them`() throws {
      let map = Files.text(of: "/proc/self/maps") ?? ""
      let line = try #require(map.split(separator: "\n").first { $0.hasSuffix("/libc.so.6") })
      let path = String(line.drop { $0 != "/" })
      let object = try #require(LoadedObject(path: path))
      let names = object.elf.chosenFunctions()
      #expect(names.contains("memcpy") && names.contains("strlen"))
      let chosen = ChosenFunctions.names(names, path: path)
      #expect(chosen.values.contains("memcpy") || chosen.values.contains("memmove"))
      #expect(chosen.keys.allSatisfy { object.elf.section(at: $0)?.name == ".text" })
    }
  #endif

  @Test func `nothing is known of a library that is not there`() {
    #expect(ChosenFunctions.names(["memcpy"], path: "/nowhere/libc.so").isEmpty)
  }
}
