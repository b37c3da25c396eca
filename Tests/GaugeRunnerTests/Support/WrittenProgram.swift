// Small programs that tests put together of functions and data, which refer to each other by name wherever they lie.

import HostileFiles

@testable import GaugeRunner

/// A program of functions and data, laid out in their order.
struct WrittenProgram {
  /// A part of a function or of data.
  enum Part {
    /// What stands there as it is.
    case bytes([UInt8])
    /// A call.
    case call(String)
    /// The address of something, less so many bytes, into a register; behind it where that is negative.
    case address(of: String, less: Int = 0)
    /// A number of eight bytes, into a vector register.
    case load(String)
    /// A pointer that the loader fills in.
    case pointer(String)
    /// Four bytes: the distance from here, or from another place.
    case distance(to: String, plus: Int = 0, from: String? = nil)

    var size: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .call: 5
      case .address: 7
      case .load, .pointer: 8
      case .distance: 4
      }
    }
  }

  /// A function, or data.
  typealias Object = (name: String, parts: [Part])

  /// The functions.
  var functions: [Object] = []
  /// Constants; one whose name begins with a dot has no symbol.
  var constants: [Object] = []
  /// Names of types, as metadata has them.
  var typeNames: [Object] = []
  /// Names of fields, as metadata has them.
  var fieldNames: [Object] = []
  /// Data with pointers.
  var data: [Object] = []
  /// What a program goes through from `__start_workset` on.
  var set: [Object] = []
  /// What is executed before the program begins.
  var constructors: [String] = []
  /// What the variables of each thread begin with.
  var threadTemplate: [Part] = []
  /// The kind of the first pointer, by the number of the ABI.
  var kindOfFirstPointer: UInt64 = 8

  /// Returns from a function.
  static let end: [UInt8] = [0xc3]
  /// Jumps to the address in a register.
  static let jump: [UInt8] = [0xff, 0xe0]

  /// The file.
  var bytes: [UInt8] {
    // Places depend on no contents: they are found with the first file, and filled in with the second.
    var places: [String: UInt64] = [:]
    _ = written(&places)
    return written(&places)
  }

  /// The program as it is read.
  func image(_ path: String = "program") throws -> ProgramImage { try ProgramImage(bytes, path: path) }

  private func written(_ places: inout [String: UInt64]) -> [UInt8] {
    var file = WrittenElf()
    var symbols: [WrittenElf.Symbol] = []
    var pointers: [UInt8] = []
    let known = places
    func place(_ name: String) -> UInt64 { known[name] ?? WrittenElf.base }
    func add(_ section: String, _ objects: [Object], flags: UInt64, kind: UInt8) {
      guard !objects.isEmpty else { return }
      var bytes: [UInt8] = []
      let start = file.nextAddress
      for object in objects {
        while bytes.count % 16 != 0 { bytes.append(kind == 2 ? 0x90 : 0) }
        let first = start + UInt64(bytes.count)
        places[object.name] = first
        for part in object.parts {
          let here = start + UInt64(bytes.count)
          func distance(_ target: UInt64, from address: UInt64) -> [UInt8] {
            littleEndian(UInt32(truncatingIfNeeded: target &- address))
          }
          switch part {
          case .bytes(let plain): bytes += plain
          case .call(let name): bytes += [0xe8] + distance(place(name), from: here + 5)
          case .address(let name, let less):
            bytes += [0x48, 0x8d, 0x05] + distance(place(name) &- UInt64(bitPattern: Int64(less)), from: here + 7)
          case .load(let name): bytes += [0xf2, 0x0f, 0x10, 0x05] + distance(place(name), from: here + 8)
          case .pointer(let name):
            pointers += [here, 8, place(name)].flatMap(littleEndian)
            bytes += littleEndian(UInt64(0))
          case .distance(let name, let plus, let origin):
            bytes += distance(place(name) + UInt64(plus), from: origin.map(place) ?? here)
          }
        }
        let size = start + UInt64(bytes.count) - first
        if !object.name.hasPrefix(".") {
          symbols.append(
            WrittenElf.Symbol(name: object.name, address: first, size: size, kind: kind, section: file.nextNumber))
        }
      }
      file.add(section, bytes, flags: flags)
    }
    add(".text", functions, flags: 6, kind: 2)
    add(".rodata", constants, flags: 2, kind: 1)
    add("swift5_typeref", typeNames, flags: 2, kind: 1)
    add("swift5_reflstr", fieldNames, flags: 2, kind: 1)
    add(".data.rel.ro", data, flags: 3, kind: 1)
    if !set.isEmpty {
      places["__start_workset"] = file.nextAddress
      symbols.append(
        WrittenElf.Symbol(
          name: "__start_workset", address: file.nextAddress, size: 0, kind: 0, section: file.nextNumber))
    }
    add("workset", set, flags: 3, kind: 1)
    add(".init_array", constructors.isEmpty ? [] : [(".list", constructors.map(Part.pointer))], flags: 3, kind: 1)
    add(".tdata", threadTemplate.isEmpty ? [] : [(".template", threadTemplate)], flags: 0x403, kind: 6)
    if !pointers.isEmpty { pointers.replaceSubrange(8..<16, with: littleEndian(kindOfFirstPointer)) }
    if !pointers.isEmpty { file.add(".rela.dyn", type: 4, pointers) }
    file.addSymbols(symbols)
    return file.bytes
  }
}
