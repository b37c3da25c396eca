// Reading executables as they lie in memory, whole ones and damaged ones.

import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct ProgramImageTests {
  /// Why a file can't be read; `nil` for one that can.
  private func flaw(_ bytes: [UInt8], _ path: String = "some/program") -> ExecutableFlaw? {
    do throws(ExecutableFlaw) {
      _ = try ProgramImage(bytes, path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func `objects are found by address and by name`() throws {
    let image = try CodeComparisonTests.base.image()
    let work = try #require(image.object(ProgramImage.Key(name: "work", number: 0)))
    let object = image.objects[work]
    #expect(image.object(at: object.start + 3) == work && image.key(of: work).name == "work")
    #expect(image.section(at: object.start).map(image.isCode) == true)
    #expect(image.instructions(of: work)?.count == 8)
    #expect(image.object(at: 1) == nil && image.section(at: 1) == nil && image.offset(of: 1) == nil)
    #expect(image.object(ProgramImage.Key(name: "work", number: 1)) == nil)
    let table = try #require(image.object(ProgramImage.Key(name: "table", number: 0)))
    let first = try #require(image.object(ProgramImage.Key(name: "first", number: 0)))
    #expect(image.pointers[image.objects[table].start]?.target == image.objects[first].start)
  }

  @Test func `functions of one name are told apart, and code between functions is known`() throws {
    var program = WrittenProgram(functions: [("twin", [.bytes([0x90])]), ("twin", [.bytes([0xf8])])])
    let image = try program.image()
    #expect(image.objects.map(\.number) == [0, 1])
    // Forty bytes that no symbol is for.
    program.functions.insert((".private", [.bytes([UInt8](repeating: 0x90, count: 40))]), at: 1)
    #expect(try program.image().objects.map(\.name) == ["twin", "the code behind twin", "twin"])
  }

  @Test func `what has no name ends where something begins`() throws {
    let image = try CodeComparisonTests.base.image()
    let number = try #require(image.unnamed.beginnings.first { image.section(at: $0).map(image.isCode) == false })
    #expect(image.end(ofUnnamed: number) > number)
    #expect(image.unnamed.tables.map(\.count) == [8])
    #expect(image.end(ofUnnamed: 3) == 3 && image.text(for: 3) == nil)
  }

  @Test func `an error names the file and what is wrong with it`() throws {
    let whole = CodeComparisonTests.base.bytes
    func changed(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
      var file = whole
      file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      return file
    }
    let table = Int(try #require(FileBytes(whole).number(UInt64.self, at: 0x28)))
    let count = Int(try #require(FileBytes(whole).number(UInt16.self, at: 0x3c)))
    for (bytes, reason) in [
      ([], "it is no ELF file"), (Array("#!/bin/sh\n".utf8), "it is no ELF file"),
      (Array(whole.prefix(40)), "its header breaks off"),
      (
        Array(whole.prefix(table + 70)), "its sections' names are outside of the file: section \(count - 1) of \(count)"
      ),
      (Array(whole.dropLast(22)), "its table of sections breaks off at section \(count - 1) of \(count)"),
      (changed(0x10, [2]), "it is no position-independent executable"), (changed(0x12, [183]), "it is not for x86-64"),
      // The first section ends far away; the table of symbols is about another section.
      (changed(table + 64 + 0x20, littleEndian(UInt64(1 << 30))), "section 1, '.text', ends behind the file"),
      (changed(table + 64 + 4, littleEndian(UInt32(19))), "section 1, '.text', is of a kind that is not read"),
      (changed(table + 64 + 0x10, littleEndian(WrittenElf.base + 0x180)), "two of its sections overlap in memory"),
    ] as [([UInt8], String)] {
      let found = try #require(flaw(bytes), "\(reason)")
      #expect(found.path == "some/program")
      #expect(found.description.hasPrefix("some/program: \(reason)"), "\(found)")
    }
    var stripped = WrittenElf()
    stripped.add(".text", WrittenProgram.end, flags: 6)
    #expect(flaw(stripped.bytes)?.description == "some/program: it has no table of symbols: they were taken out")
    #expect(throws: ExecutableFlaw.self) { try ProgramImage(path: "/nowhere/at/all") }
  }

  @Test func `a damaged file is read or refused with a reason`() throws {
    let whole = CodeComparisonTests.base.bytes
    let base = try ProgramImage(whole, path: "base")
    let functions = base.objects.filter { base.isCode($0.section) }.map(\.start)
    for place in stride(from: 0, to: whole.count, by: 13) {
      var bytes = whole
      bytes[place] ^= 0xff
      if let flaw = flaw(bytes, "damaged") {
        #expect(flaw.path == "damaged" && !flaw.reason.isEmpty)
      } else {
        // Nothing traps; whether the byte mattered is for other tests.
        _ = CodeComparison(base: base, new: try ProgramImage(bytes, path: "damaged")).change(inExecuted: functions)
      }
    }
    for length in stride(from: 0, to: whole.count - 64, by: 97) {
      #expect(flaw(Array(whole.prefix(length)))?.reason.isEmpty == false)
    }
  }
}
