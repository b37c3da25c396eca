// Names of addresses, with and without what they can be read from.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct SymboliserTests {
  @Test func `a part of an asynchronous function has the symbol of the whole`() {
    #expect(Symboliser.whole("$s4Test4loadyyYaFTY0_") == "$s4Test4loadyyYaF")
    #expect(Symboliser.whole("$s4Test4loadyyYaFTQ12_") == "$s4Test4loadyyYaF")
    #expect(Symboliser.whole("$s4Test4loadyyYaF") == "$s4Test4loadyyYaF")
    #expect(Symboliser.whole("$s4Test4loadyyFfA0_") == "$s4Test4loadyyFfA0_")
    #expect(Symboliser.whole("main_") == "main_")
    #expect(Symboliser.isAsynchronous("$s4Test4loadyyYaF") && Symboliser.isAsynchronous("$s4Test1fyyFTQ1_"))
    #expect(!Symboliser.isAsynchronous("$s4Test4loadyyF") && !Symboliser.isAsynchronous("fooYa"))
  }

  #if os(Linux)
    private func place(_ path: String = ProfiledProgram.path) throws -> StackUnwinder.Place {
      StackUnwinder.Place(path: path, address: try #require(ProfiledProgram.address(of: "probe_run_crew")) + 8)
    }

    @Test func `without lines there are functions`() throws {
      let symboliser = Symboliser(lines: nil, scratch: "/nowhere/addresses")
      symboliser.name([try place()])
      #expect(
        symboliser.names(at: try place()) == [
          Symboliser.Name(
            frame: ProfileFrame(function: "probe_run_crew", object: "GaugeBenchmarks", isLibrary: true),
            symbol: "probe_run_crew")
        ])
      #expect(
        symboliser.complaint(about: ProfiledProgram.path, isMain: true, hasUnknown: false)
          == "llvm-symbolizer is not installed (it comes with Swift's toolchain): no lines, and what was inlined has the "
          + "name of its caller")
      #expect(symboliser.complaint(about: ProfiledProgram.path, isMain: false, hasUnknown: false) == nil)
    }

    @Test func `what was inlined stands behind the function that it is in`() throws {
      let folder = try TemporaryFolder()
      let tool = try folder.script(
        #"""
        while read -r line; do
          printf '$s4Test5inneryyF\n/a/Inner.swift:12:7\n$s4Test5outeryyF\n/a/Outer.swift:3:1\n\n'
        done
        """#)
      let symboliser = Symboliser(lines: SourceLines(program: tool), scratch: folder("addresses"))
      symboliser.name([try place()])
      let names = symboliser.names(at: try place())
      #expect(names.map(\.symbol) == ["probe_run_crew", "$s4Test5inneryyF"])
      #expect(names.map(\.frame.function) == ["probe_run_crew", "inner()"])
      #expect(names.map(\.frame.file) == ["Outer.swift", "Inner.swift"])
      #expect(names.map(\.frame.line) == [3, 12])
      #expect(names.map(\.frame.isInlined) == [false, true])
      #expect(symboliser.complaint(about: ProfiledProgram.path, isMain: true, hasUnknown: false) == nil)
    }

    @Test func `without symbols functions are told by their address`() throws {
      let folder = try TemporaryFolder()
      let stripped = folder("stripped")
      let run = try ProcessRun.capturing(
        Command(program: "strip", arguments: ["--strip-all", "-o", stripped, ProfiledProgram.path]))
      try #require(run.succeeded, "\(run.output)")
      let symboliser = Symboliser(lines: nil, scratch: folder("addresses"))
      let address = try #require(ProfiledProgram.address(of: "probe_run_crew"))
      symboliser.name([try place(stripped)])
      #expect(
        symboliser.names(at: try place(stripped)).map(\.frame.function) == ["unknown 0x\(String(address, radix: 16))"])
      #expect(
        symboliser.complaint(about: stripped, isMain: true, hasUnknown: true)
          == "stripped is stripped: functions without a name are told by their address")
    }
  #endif

  @Test func `a file that is not there has no names`() {
    let symboliser = Symboliser(lines: nil, scratch: "/nowhere/addresses")
    let place = StackUnwinder.Place(path: "/nowhere/lib.so", address: 8)
    symboliser.name([place])
    #expect(symboliser.names(at: place).map(\.frame.function) == [ProfileFrame.unknown])
    #expect(
      symboliser.complaint(about: place.path, isMain: false, hasUnknown: true)
        == "/nowhere/lib.so can't be read: its functions have no names")
  }
}
