// Addresses that are reckoned from what lies beside them.

import Testing

@testable import GaugeRunner

@Suite struct CodeComparisonNeighboursTests {
  /// A table with others around it; `work` has an address that isn't in the table, at a distance from its beginning.
  private static func program(at distance: Int, named: Bool = true) -> WrittenProgram {
    let table = named ? "table" : ".table"
    return WrittenProgram(
      functions: [("work", [.address(of: table, less: -distance), .bytes(WrittenProgram.end)])],
      constants: [
        ("first", [.bytes([UInt8](repeating: 1, count: 96))]), (table, [.bytes([UInt8](repeating: 2, count: 96))]),
        ("last", [.bytes([UInt8](repeating: 3, count: 96))]),
      ])
  }

  private func change(_ program: WrittenProgram, _ edit: (inout WrittenProgram) -> Void) throws -> String? {
    var edited = program
    edit(&edited)
    let image = try program.image()
    let work = try #require(image.object(ProgramImage.Key(name: "work", number: 0)))
    return CodeComparison(base: image, new: try edited.image()).change(inExecuted: [image.objects[work].start])
  }

  // One past the end, some elements behind it, in front of the beginning, in the middle.
  @Test(arguments: [96, 96 + 16, -4, -64, 0, 40])
  func `a table that an address may have been reckoned from is compared`(distance: Int) throws {
    let program = Self.program(at: distance)
    #expect(try change(program) { _ in } == nil)
    #expect(try change(program) { $0.constants[1].parts = [.bytes([UInt8](repeating: 9, count: 96))] } != nil)
  }

  @Test func `a table without a name is compared backwards from its end`() throws {
    let program = Self.program(at: 96, named: false)
    let edit = { (program: inout WrittenProgram) in
      program.constants[1].parts = [.bytes([UInt8](repeating: 2, count: 95) + [9])]
    }
    #expect(try change(program) { _ in } == nil)
    #expect(try change(program, edit)?.hasPrefix("the constant in front of 0x") == true)
  }

  @Test func `a table that was replaced by another is another`() throws {
    let program = Self.program(at: 96)
    #expect(try change(program) { $0.constants[1].name = "other" } != nil)
  }

  @Test func `what is far away, has moved away, or is metadata isn't meant`() throws {
    let program = Self.program(at: 96)
    #expect(try change(program) { $0.constants[0].parts = [.bytes([UInt8](repeating: 9, count: 96))] } == nil)
    var named = program
    named.functions[0].parts[0] = .address(of: "last")
    #expect(try change(named) { $0.constants = [$0.constants[1], $0.constants[0], $0.constants[2]] } == nil)
    named.constants[1].name = "$s4Some4TypeVMn"
    #expect(try change(named) { $0.constants[1].parts = [.bytes([UInt8](repeating: 9, count: 96))] } == nil)
  }
}
