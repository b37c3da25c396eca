// Small files in ELF's form that tests write part by part: code, symbols, tables of frames, stubs, needed libraries.
// Offsets after the ELF-64 object file format, version 1.5.

/// A file in ELF's form.
package struct WrittenElf {
  /// Address that the file's first byte is loaded at.
  package static let base: UInt64 = 0x40_0000

  private struct Section {
    var name: String
    var type: UInt32
    var flags: UInt64
    var offset: Int
    var size: Int
    var link: Int
  }

  private var sections = [Section(name: "", type: 0, flags: 2, offset: 0, size: 0, link: 0)]
  /// A head, the one segment, and what sections hold.
  private var body = [UInt8](repeating: 0, count: 64 + 56)

  /// A file without sections.
  package init() {}

  /// Number of the section that is added next.
  package var nextNumber: Int { sections.count }
  /// Address of the section that is added next.
  package var nextAddress: UInt64 { Self.base + UInt64((body.count + 15) / 16 * 16) }

  /// Adds a section.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - type: What it is, by the format's number; 1 is a program's own.
  ///   - bytes: What it holds.
  ///   - link: Number of the section that belongs to it.
  ///   - flags: What becomes of it; 2 is loaded, 4 is code.
  package mutating func add(
    _ name: String, type: UInt32 = 1, _ bytes: [UInt8], link: Int = 0, flags: UInt64 = 2
  ) {
    while body.count % 16 != 0 { body.append(0) }
    sections.append(
      Section(name: name, type: type, flags: flags, offset: body.count, size: bytes.count, link: link))
    body += bytes
  }

  /// Adds a table of functions with the section of their names.
  ///
  /// - Parameters:
  ///   - symbols: The functions.
  ///   - type: 2 for all of them, 11 for those that the loader needs.
  package mutating func addSymbols(_ symbols: [(name: String, address: UInt64, size: UInt64)], type: UInt32 = 2) {
    addSymbols(symbols.map { Symbol(name: $0.name, address: $0.address, size: $0.size) }, type: type)
  }

  /// An entry of a table of symbols.
  package struct Symbol {
    /// Its name.
    package var name: String
    /// Its address.
    package var address: UInt64
    /// Its bytes.
    package var size: UInt64
    /// What it is, by the format's number; 2 is a function, 1 data.
    package var kind: UInt8
    /// Number of its section.
    package var section: Int

    /// Describes a symbol, by default a function of the first section.
    package init(name: String, address: UInt64, size: UInt64, kind: UInt8 = 2, section: Int = 1) {
      self.name = name
      self.address = address
      self.size = size
      self.kind = kind
      self.section = section
    }
  }

  /// Adds a table of symbols with the section of their names.
  ///
  /// - Parameters:
  ///   - symbols: The symbols.
  ///   - type: 2 for all of them, 11 for those that the loader needs.
  package mutating func addSymbols(_ symbols: [Symbol], type: UInt32 = 2) {
    var names: [UInt8] = [0]
    var table = [UInt8](repeating: 0, count: 24)
    for symbol in symbols {
      table += littleEndian(UInt32(names.count)) + [0x10 | symbol.kind, 0] + littleEndian(UInt16(symbol.section))
      table += littleEndian(symbol.address) + littleEndian(symbol.size)
      names += Array(symbol.name.utf8) + [0]
    }
    add(type == 2 ? ".strtab" : ".dynstr", type: 3, names)
    add(type == 2 ? ".symtab" : ".dynsym", type: type, table, link: nextNumber - 1)
  }

  /// Adds how functions leave their frames, with the index of that.
  ///
  /// - Parameters:
  ///   - common: Instructions that all functions begin with: by default those of x86-64.
  ///   - mark: What the common part's own text of marks is; zero-terminated.
  ///   - functions: First address, size and instructions of each, by address.
  package mutating func addFrames(
    common: [UInt8] = [0x0c, 7, 8, 0x90, 1], mark: [UInt8] = Array("zR".utf8) + [0],
    functions: [(start: UInt64, size: UInt32, instructions: [UInt8])]
  ) {
    let place = nextAddress
    // Version 1, marks, units of 1 and -8 bytes, the return address in register 16, pointers relative to their place.
    let head: [UInt8] = [0, 0, 0, 0, 1] + mark + [1, 0x78, 16, 1, 0x1b] + common
    var frames = littleEndian(UInt32(head.count)) + head
    var index: [(start: UInt64, description: UInt64)] = []
    for function in functions {
      index.append((function.start, place + UInt64(frames.count)))
      let pointer = place + UInt64(frames.count + 8)
      let entry =
        littleEndian(UInt32(frames.count + 4)) + littleEndian(UInt32(truncatingIfNeeded: function.start &- pointer))
        + littleEndian(function.size) + [0] + function.instructions
      frames += littleEndian(UInt32(entry.count)) + entry
    }
    add(".eh_frame", frames + littleEndian(UInt32(0)))
    let own = nextAddress
    func relative(_ address: UInt64) -> [UInt8] { littleEndian(UInt32(truncatingIfNeeded: address &- own)) }
    var table: [UInt8] = [1, 0x1b, 0x03, 0x3b] + littleEndian(UInt32(truncatingIfNeeded: place &- own &- 4))
    table += littleEndian(UInt32(functions.count))
    for entry in index { table += relative(entry.start) + relative(entry.description) }
    add(".eh_frame_hdr", table)
  }

  /// The file.
  package var bytes: [UInt8] {
    var names: [UInt8] = []
    var places: [Int] = []
    for name in sections.map(\.name) + [".shstrtab"] {
      places.append(names.count)
      names += Array(name.utf8) + [0]
    }
    var file = body
    let all =
      sections + [Section(name: ".shstrtab", type: 3, flags: 2, offset: file.count, size: names.count, link: 0)]
    file += names
    while file.count % 16 != 0 { file.append(0) }
    let table = file.count
    for (section, name) in zip(all, places) {
      let address = section.type == 0 ? 0 : Self.base + UInt64(section.offset)
      file +=
        littleEndian(UInt32(name)) + littleEndian(section.type) + littleEndian(section.flags) + littleEndian(address)
      file += littleEndian(UInt64(section.offset)) + littleEndian(UInt64(section.size))
      file += littleEndian(UInt32(section.link)) + littleEndian(UInt32(0)) + littleEndian(UInt64(16))
      file += littleEndian(UInt64(0))
    }
    let identity: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
    var head = identity + littleEndian(UInt16(3)) + littleEndian(UInt16(62)) + littleEndian(UInt32(1))
    head += littleEndian(UInt64(0)) + littleEndian(UInt64(64)) + littleEndian(UInt64(table)) + littleEndian(UInt32(0))
    for number in [64, 56, 1, 64, all.count, all.count - 1] { head += littleEndian(UInt16(number)) }
    let segment = littleEndian(UInt32(1)) + littleEndian(UInt32(5)) + littleEndian(UInt64(0)) + littleEndian(Self.base)
    let rest = [Self.base, UInt64(file.count), UInt64(file.count), 4096].flatMap(littleEndian)
    file.replaceSubrange(0..<120, with: head + segment + rest)
    return file
  }

  /// A program of three functions, with stubs, libraries and everything else that is looked for.
  package static var program: WrittenElf {
    var file = WrittenElf()
    let text = file.nextAddress
    // A call of the first stub behind the way into the loader, then nothing.
    let plt = text + 0x100
    let call: [UInt8] = [0xe8] + littleEndian(UInt32(truncatingIfNeeded: plt &+ 16 &- (text + 5)))
    file.add(".text", call + [UInt8](repeating: 0x90, count: 0x100 - 5))
    file.add(".plt", [UInt8](repeating: 0x90, count: 0x40))
    file.addSymbols([("_start", text, 0x40), ("$s4User4workyyF", text + 0x40, 0x40), ("malloc", text + 0x80, 0)])
    file.addSymbols([("malloc@@GLIBC_2.2.5", text + 0x80, 0), ("free", 0, 0)], type: 11)
    let names = file.nextNumber - 2
    let calls = [UInt64(0), 1 << 32 | 7, 0].flatMap(littleEndian) + [UInt64(0), 2 << 32 | 7, 0].flatMap(littleEndian)
    file.add(".rela.plt", type: 4, calls, link: names + 1)
    file.add(".dynamic", type: 6, [UInt64(1), 1, 1, 2, 0, 0].flatMap(littleEndian), link: names)
    file.add(
      ".note.gnu.build-id", type: 7,
      [UInt32(4), 4, 3].flatMap(littleEndian) + Array("GNU".utf8) + [0, 0xab, 0xcd, 1, 2])
    file.add(".debug_info", [1, 2, 3, 4])
    file.add(".debug_line", [1, 2, 3, 4])
    file.addFrames(functions: [
      (text, 0x40, [0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6]),
      (text + 0x40, 0x40, [0x44, 0x0a, 0x0e, 32, 0x48, 0x0b, 0x02, 4, 0x16, 3, 2, 0x77, 8]),
      (text + 0x80, 0x80, [0x0f, 5, 0x77, 8, 0x80, 0, 0x22, 0x10, 12, 2, 0x77, 0]),
    ])
    return file
  }
}
