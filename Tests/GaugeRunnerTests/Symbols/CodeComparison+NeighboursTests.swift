// Addresses that are reckoned from what lies beside them.

import HostileFiles
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

  /// Numbers of a table that differ lead to something by chance, with bits that may be flags, or behind a zero.
  @Test(arguments: [(8, 9), (8, 10), (8, 11), (8, 12), (8, 16), (3, -1), (-4, -2)])
  func `another number in a table is another number`(before: Int32, after: Int32) throws {
    func program(_ number: Int32) -> WrittenProgram {
      func bytes(_ numbers: [Int32]) -> WrittenProgram.Part {
        .bytes(numbers.flatMap { littleEndian(UInt32(bitPattern: $0)) })
      }
      return WrittenProgram(
        functions: [("work", [.address(of: ".table"), .bytes(WrittenProgram.end)])],
        constants: [
          ("first", [bytes([1, 2, 3, 4])]), (".table", [bytes([0, number, 0, 0])]), ("last", [bytes([0, 0, 0, 0])]),
        ])
    }
    #expect(try change(program(before)) { _ in } == nil)
    #expect(try change(program(before)) { $0 = program(after) } != nil)
  }

  /// The third and fourth number of a table behind another one were nobody's.
  @Test(arguments: 0..<6) func `all of a table is compared that lies behind another`(place: Int) throws {
    func program(_ changed: Int?) -> WrittenProgram {
      let numbers = (0..<6).map { UInt64($0 == changed ? 9 : 5) }
      return WrittenProgram(
        functions: [
          ("work", [.address(of: ".table"), .bytes(WrittenProgram.end)]),
          ("other", [.address(of: ".other"), .bytes(WrittenProgram.end)]),
        ],
        constants: [
          (".other", [.bytes([UInt8](repeating: 0, count: 16))]), (".table", [.bytes(numbers.flatMap(littleEndian))]),
          ("last", [.bytes([1, 1])]),
        ])
    }
    #expect(try change(program(nil)) { _ in } == nil)
    #expect(try change(program(nil)) { $0 = program(place) } != nil)
  }

  @Test(arguments: 0..<7) func `all of what is gone through from its beginning is compared`(place: Int) throws {
    func program(_ changed: Int?) -> WrittenProgram {
      WrittenProgram(
        functions: [("work", [.address(of: "__start_workset"), .bytes(WrittenProgram.end)])],
        set: (0..<7).map { (index: Int) -> WrittenProgram.Object in
          ("entry\(index)", [.bytes([UInt8](repeating: index == changed ? 9 : 1, count: 16))])
        })
    }
    #expect(try change(program(nil)) { _ in } == nil)
    #expect(try change(program(nil)) { $0 = program(place) } != nil)
    #expect(try change(program(nil)) { $0.set.removeLast() } != nil)
  }

  /// Where code had moved, all benchmarks ran something else: the first of two tables was taken for shorter than it is.
  @Test func `a table of jumps may lead to the end of its function`() throws {
    func table(_ name: String, _ places: [Int]) -> WrittenProgram.Object {
      (name, places.map { .distance(to: "work", plus: $0, from: name) })
    }
    let jump = WrittenProgram.Part.bytes(WrittenProgram.jump)
    let program = WrittenProgram(
      functions: [("work", [.address(of: ".first"), jump, .address(of: ".second"), jump])],
      constants: [table(".first", [0, 18, 9, 18]), table(".second", [9, 0, 18, 9])])
    // Behind it, so that the tables lie farther from it.
    let added: (inout WrittenProgram) -> Void = { $0.functions.append(("added", [.bytes(WrittenProgram.end)])) }
    #expect(try change(program, added) == nil)
    for (index, places) in [[0, 18, 9, 0], [9, 18, 9, 18]].enumerated() {
      #expect(
        try change(program) {
          added(&$0)
          $0.constants[0] = table(".first", places)
        } != nil, "\(index)")
    }
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
