// What counts as a change of code: not where it lies, but all that it is and leads to.

import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct CodeComparisonTests {
  typealias Part = WrittenProgram.Part

  /// A program that the others differ from: `work` calls, reads constants and data, and jumps by a table.
  static let base = WrittenProgram(
    functions: [
      ("other", [.bytes([0x90, 0x90]), .load(".otherNumber"), .bytes(WrittenProgram.end)]),
      (
        "work",
        [
          .call("help"), .load(".number"), .address(of: "table"), .address(of: ".text", less: 32),
          .address(of: ".jumps"), .bytes(WrittenProgram.jump), .bytes([0x90]), .bytes(WrittenProgram.end),
        ]
      ),
      ("help", [.bytes([0xb8, 1, 0, 0, 0]), .bytes(WrittenProgram.end)]),
      ("first", [.bytes(WrittenProgram.end)]), ("second", [.bytes(WrittenProgram.end)]),
    ],
    constants: [
      (".jumps", [.distance(to: "work", plus: 36, from: ".jumps"), .distance(to: "work", plus: 37, from: ".jumps")]),
      ("marker", [.bytes([9, 9, 9, 9])]),
      (".number", [.bytes([1, 2, 3, 4, 5, 6, 7, 8])]), (".otherNumber", [.bytes([8, 7, 6, 5, 4, 3, 2, 1])]),
      ("wall", [.bytes([9, 9, 9, 9])]),
      (".farText", [.bytes(Array("somewhere else, far away from it".utf8) + [0])]),
      (".text", [.bytes(Array("a text that is too long for a word".utf8) + [0])]),
      ("symbol", [.distance(to: "table")]),
    ],
    data: [
      ("table", [.pointer("first"), .pointer("second"), .pointer("symbol")]),
      ("between", [.bytes([UInt8](repeating: 6, count: 64))]), ("lone", [.pointer("other")]),
    ],
    constructors: ["first"])

  private func change(_ edit: (inout WrittenProgram) -> Void, executing names: [String] = ["work"]) throws -> String? {
    var program = Self.base
    edit(&program)
    let image = try Self.base.image()
    let addresses = try names.map { try Self.address(of: $0, in: Self.base) }
    return CodeComparison(base: image, new: try program.image()).change(inExecuted: addresses)
  }

  @Test func `the same program is the same, executed or not`() throws {
    #expect(try change({ _ in }, executing: ["work", "other", "help", "first", "second"]) == nil)
  }

  @Test func `functions and data that only moved are the same`() throws {
    #expect(
      try change {
        $0.functions.insert(("added", [.bytes([UInt8](repeating: 0x90, count: 100))]), at: 0)
        $0.functions.append($0.functions.remove(at: 3))
        $0.constants.insert(("more", [.bytes([UInt8](repeating: 7, count: 40))]), at: 0)
        $0.data.reverse()
      } == nil)
  }

  /// A program that refers to the names of a type and of a field, which have no symbols.
  private static let reflecting: WrittenProgram = {
    var program = base
    program.functions[1].parts.insert(.address(of: "fields"), at: 0)
    program.constants += [
      ("fields", [.distance(to: ".type"), .distance(to: ".field")]),
      ("wideWall", [.bytes([UInt8](repeating: 6, count: 80))]), ("descriptor", [.bytes([1, 1, 1, 1])]),
      ("otherDescriptor", [.bytes([1, 1, 1, 1])]),
    ]
    program.typeNames = [
      (".end", [.bytes(Array("Si".utf8) + [0])]),
      (".type", [.bytes(Array("Sny".utf8) + [2]), .distance(to: "descriptor"), .bytes(Array("G".utf8) + [0])]),
    ]
    program.fieldNames = [(".end", [.bytes([0])]), (".field", [.bytes(Array("lowerBound".utf8) + [0])])]
    return program
  }()

  @Test func `names of types without symbols are the same where they refer to the same`() throws {
    var moved = Self.reflecting
    let descriptor = try #require(moved.constants.firstIndex { $0.name == "descriptor" })
    moved.constants.insert(("added", [.bytes([UInt8](repeating: 7, count: 48))]), at: descriptor)
    let work = try Self.address(of: "work", in: Self.reflecting)
    #expect(try CodeComparison(base: Self.reflecting.image(), new: moved.image()).change(inExecuted: [work]) == nil)
  }

  @Test(
    arguments: [
      // The type of the field, by what it refers to and by what it says.
      { $0.typeNames[1].parts[1] = .distance(to: "otherDescriptor") },
      { $0.typeNames[1].parts[0] = .bytes(Array("SNy".utf8) + [2]) },
      // Its name, which lies where it lay.
      { $0.fieldNames[1].parts = [.bytes(Array("upperBound".utf8) + [0])] },
    ] as [@Sendable (inout WrittenProgram) -> Void])
  func `names of types and fields without symbols that have changed`(edit: @Sendable (inout WrittenProgram) -> Void)
    throws
  {
    var changed = Self.reflecting
    edit(&changed)
    let work = try Self.address(of: "work", in: Self.reflecting)
    #expect(
      try CodeComparison(base: Self.reflecting.image(), new: changed.image()).change(inExecuted: [work])
        == "fields has changed")
  }

  private static func address(of name: String, in program: WrittenProgram) throws -> UInt64 {
    let image = try program.image()
    return try #require(image.object(ProgramImage.Key(name: name, number: 0)).map { image.objects[$0].start })
  }

  @Test func `what isn't executed may change, and so may what that alone refers to`() throws {
    #expect(
      try change {
        $0.functions[0].parts[0] = .bytes([0xb8, 5, 0, 0, 0])
        $0.functions[4].parts = [.bytes([0xb8, 5, 0, 0, 0]), .bytes(WrittenProgram.end)]
        $0.constants[3].parts = [.bytes([8, 7, 6, 5, 4, 3, 2, 0])]
        $0.data[2].parts = [.pointer("first")]
      } == nil)
    let edit = { (program: inout WrittenProgram) in program.constants[3].parts = [.bytes([8, 7, 6, 5, 4, 3, 2, 0])] }
    #expect(try change(edit, executing: ["other"])?.contains("other") == true)
  }

  @Test(
    arguments: [
      // A callee put into its caller.
      { $0.functions[1].parts[0] = .bytes([0xb8, 1, 0, 0, 0]) },
      // Another operation of the same length.
      { $0.functions[1].parts[6] = .bytes([0xf8]) },
      // Another callee, at the place of the one before.
      { ($0.functions[2].name, $0.functions[1].parts[0]) = ("third", .call("third")) },
      // A constant that is loaded; a long text, whose address is kept less 32.
      { $0.constants[2].parts = [.bytes([1, 2, 3, 4, 5, 6, 7, 9])] },
      { $0.constants[6].parts = [.bytes(Array("a text that is too long for a wort".utf8) + [0])] },
      // Methods of a table: another one, in another order, more of them.
      { $0.data[0].parts[1] = .pointer("help") },
      { $0.data[0].parts.swapAt(0, 1) },
      { $0.data[0].parts.append(.pointer("first")) },
      // A constant that a pointer of the table leads to, by a distance.
      { $0.constants[7].parts = [.distance(to: "lone")] },
      // Cases of a switch that have changed places.
      { $0.constants[0].parts.swapAt(0, 1) },
      // What lies there has lost its name.
      { $0.data[0].name = ".table" },
      { _ = $0.functions.remove(at: 1) },
      // What is executed before the program.
      { $0.constructors = ["second"] },
      { $0.constructors.append("second") },
    ] as [@Sendable (inout WrittenProgram) -> Void])
  func `what the function executes or leads to has changed`(_ edit: @Sendable (inout WrittenProgram) -> Void) throws {
    #expect(try change(edit) != nil)
  }

  @Test func `the first difference is named`() throws {
    #expect(try change { $0.functions[1].parts[6] = .bytes([0xf8]) } == "work has changed")
    #expect(try change { $0.data[0].parts.swapAt(0, 1) } == "table has changed")
    #expect(try change { _ = $0.functions.remove(at: 1) } == "work is no longer there")
    #expect(try change { $0.constructors = ["second"] } == "what section '.init_array' lists has changed")
    let image = try Self.base.image()
    let comparison = CodeComparison(base: image, new: image)
    #expect(comparison.change(inExecuted: [5]) == "the code at 0x5 has no name")
  }

  @Test func `what isn't known to be an instruction has changed`() throws {
    var program = Self.base
    program.functions[2].parts = [.bytes([0x06, 0x06]), .bytes(WrittenProgram.end)]
    let image = try program.image()
    let help = try #require(image.object(ProgramImage.Key(name: "help", number: 0)))
    let comparison = CodeComparison(base: image, new: image)
    #expect(comparison.change(inExecuted: [image.objects[help].start]) == "help can't be read")
  }

  @Test func `what the variables of threads begin with is compared whatever was executed`() throws {
    var program = Self.base
    program.threadTemplate = [.bytes([1, 0, 0, 0]), .bytes([2, 0, 0, 0]), .pointer("lone")]
    let base = try program.image()
    func change(_ edit: (inout WrittenProgram) -> Void) throws -> String? {
      var program = program
      edit(&program)
      return CodeComparison(base: base, new: try program.image()).change(inExecuted: [])
    }
    let reason = "what variables of threads begin with has changed"
    #expect(try change { _ in } == nil)
    #expect(try change { $0.threadTemplate[0] = .bytes([3, 0, 0, 0]) } == reason)
    #expect(try change { $0.threadTemplate[2] = .pointer("first") } == reason)
    #expect(try change { $0.threadTemplate.append(.bytes([0])) } == reason)
    #expect(try change { $0.threadTemplate = [] } == reason)
    // What a pointer among them leads to.
    let led = try change { $0.data[2].parts = [.pointer("first")] }
    #expect(led == "of what is there for all benchmarks, lone has changed")
  }

  @Test func `functions that the processor chooses may be others in the next launch`() throws {
    var program = Self.base
    program.kindOfFirstPointer = 37
    let image = try program.image()
    #expect(
      CodeComparison(base: image, new: image).change(inExecuted: [])
        == "which of its functions are used depends on the processor (IFUNC)")
  }

  @Test func `the instrument is compared whatever was executed`() throws {
    var program = Self.base
    program.functions.append(("probe_now", [.bytes([0x90]), .bytes(WrittenProgram.end)]))
    let base = try program.image()
    program.functions[5].parts[0] = .bytes([0xf8])
    let change = CodeComparison(base: base, new: try program.image()).change(inExecuted: [])
    #expect(change == "of what is there for all benchmarks, probe_now has changed")
  }
}
