// Names of addresses, with and without what they can be read from.

import Foundation
import HostileFiles
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

  /// The defect: time of `Pages.visit()` was told of `Records.scan()`, as both have the same code.
  @Test func `a function that was merged with others has the name of the one that was called`() {
    var file = WrittenElf()
    let text = file.nextAddress
    func jump(_ code: UInt8, _ distance: UInt8) -> [UInt8] {
      [code, distance, 0, 0, 0] + Array(repeating: 0x90, count: 11)
    }
    // A call of what jumps to the merged one, which is called itself behind that.
    file.add(".text", jump(0xe8, 27) + jump(0xe8, 27) + jump(0xe9, 11) + jump(0xc3, 0), flags: 6)
    let merged = "$s4User7RecordsC4scanSiyFTm"
    file.addSymbols([
      ("$s4User4mainyyF", text, 32), ("$s4User5PagesC5visitSiyF", text + 32, 16), (merged, text + 48, 16),
    ])
    let bytes = file.bytes
    let symboliser = Symboliser(lines: nil, scratch: "/nowhere/addresses") { LoadedObject(path: $0, bytes: bytes) }
    func place(_ offset: UInt64, _ path: String = "/bin/program") -> StackUnwinder.Place {
      StackUnwinder.Place(path: path, address: text + offset)
    }
    func functions(_ caller: StackUnwinder.Place) -> [String] {
      symboliser.names(at: place(50), calledFrom: caller).map(\.frame.function)
    }
    symboliser.name([place(50), place(34)])
    #expect(symboliser.names(at: place(50)).map(\.symbol) == [merged])
    #expect(functions(place(5)) == ["Pages.visit()"])
    #expect(symboliser.names(at: place(50), calledFrom: place(5)).map(\.symbol) == ["$s4User5PagesC5visitSiyF"])
    // It was called itself, from another file, or by what is no call.
    for caller in [place(21), place(5, "/bin/other"), place(4)] { #expect(functions(caller) == ["Records.scan()"]) }
    #expect(symboliser.names(at: place(34), calledFrom: place(5)).map(\.frame.function) == ["Pages.visit()"])
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

    @Test func `functions of C with lines are the program's, but for the system's and the harness's`() throws {
      let folder = try TemporaryFolder()
      let tool = try folder.script(
        #"""
        while read -r line; do
          printf 'probe_read\n/a/CProbes.h:3:1\nmemset\n/usr/include/string.h:3:1\norders_total\n/a/orders.c:12:7\n'
          printf 'machine_pause\n/w/Sources/CMachine/include/CMachine.h:1:1\nserve_orders\n/a/orders.c:2:7\n'
          printf '$s4Test5outeryyF\n/a/Outer.swift:3:1\n\n'
        done
        """#)
      let symboliser = Symboliser(lines: SourceLines(program: tool), scratch: folder("addresses"))
      symboliser.name([try place()])
      let names = symboliser.names(at: try place())
      #expect(
        names.map(\.symbol) == [
          "probe_run_crew", "serve_orders", "machine_pause", "orders_total", "memset", "probe_read",
        ])
      #expect(names.map(\.frame.isLibrary) == [true, false, true, false, true, true])
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
