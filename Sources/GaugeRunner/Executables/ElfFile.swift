// Executables and libraries of ELF systems, as far as a profiler and a repair of debug information need them: sections,
// segments and symbols. Offsets after the ELF-64 object file format, version 1.5. Ours, as profiles must work without a
// toolchain, and neither Swift nor the C library reads such files.

/// A 64-bit little-endian ELF file.
struct ElfFile: Sendable {
  /// A part of the file with a name.
  struct Section: Hashable, Sendable {
    /// Its name.
    var name: String
    /// Where its name is in the file.
    var nameOffset: Int
    /// What it is: 2 is a table of symbols, 11 one of those that the loader needs, 8 takes no place in the file.
    var type: UInt32
    /// What becomes of it: 2 is loaded, 4 is code, 0x400 is copied for each thread.
    var flags: UInt64
    /// Its address in memory, before the file is moved to where it is loaded.
    var address: UInt64
    /// Its place in the file.
    var offset: Int
    /// Its bytes.
    var size: Int
    /// The section that belongs to it, such as the names of symbols.
    var link: Int
  }

  /// A part of the file that is loaded.
  struct Segment: Hashable, Sendable {
    var offset: UInt64
    var address: UInt64
    var size: UInt64
  }

  /// A function or a variable.
  struct Symbol: Hashable, Sendable {
    /// Its first address, before the file is moved to where it is loaded.
    var address: UInt64
    /// Its bytes; 0 where the table does not tell.
    var size: UInt64
    /// Where its name is in the file.
    var nameOffset: Int
  }

  /// The whole file.
  let file: FileBytes
  /// Its sections, in the order of the file.
  let sections: [Section]
  /// What of it is loaded.
  let segments: [Segment]

  /// Reads a file.
  ///
  /// - Returns: `nil` where it is of another format, or breaks off.
  init?(_ bytes: [UInt8]) {
    guard let file = try? ElfFile(bytes, path: "") else { return nil }
    self = file
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: What it holds.
  ///   - path: Its path, for errors.
  /// - Throws: `ExecutableFlaw` where it is of another format, or breaks off.
  init(_ bytes: [UInt8], path: String) throws(ExecutableFlaw) {
    file = FileBytes(bytes)
    func flaw(_ reason: String) -> ExecutableFlaw { ExecutableFlaw(path: path, reason: reason) }
    let magic: [UInt8] = [0x7f, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F"), 2, 1]
    guard bytes.starts(with: magic) else { throw flaw("it is no ELF file of 64 bits, least significant byte first") }
    guard let table = Self.offset(file, at: 0x28), let segmentTable = Self.offset(file, at: 0x20),
      let segmentSize = file.number(UInt16.self, at: 0x36), let segmentCount = file.number(UInt16.self, at: 0x38),
      let entrySize = file.number(UInt16.self, at: 0x3a), let count = file.number(UInt16.self, at: 0x3c),
      let namesIndex = file.number(UInt16.self, at: 0x3e)
    else { throw flaw("its header breaks off, or leads outside of any file") }
    guard let names = count == 0 ? 0 : Self.offset(file, at: table + Int(namesIndex) * Int(entrySize) + 0x18) else {
      throw flaw("its sections' names are outside of the file: section \(namesIndex) of \(count)")
    }
    var sections: [Section] = []
    for index in 0..<Int(count) {
      let entry = table + index * Int(entrySize)
      guard let name = file.number(UInt32.self, at: entry), let type = file.number(UInt32.self, at: entry + 4),
        let flags = file.number(UInt64.self, at: entry + 8), let address = file.number(UInt64.self, at: entry + 0x10),
        let offset = Self.offset(file, at: entry + 0x18), let size = Self.offset(file, at: entry + 0x20),
        let link = file.number(UInt32.self, at: entry + 0x28)
      else { throw flaw("its table of sections breaks off at section \(index) of \(count)") }
      sections.append(
        Section(
          name: file.text(at: names + Int(name), limit: 256), nameOffset: names + Int(name), type: type, flags: flags,
          address: address, offset: offset, size: size, link: Int(link)))
    }
    self.sections = sections
    segments = (0..<Int(segmentCount)).compactMap { [file] index in
      let entry = segmentTable + index * Int(segmentSize)
      guard file.number(UInt32.self, at: entry) == 1, let offset = file.number(UInt64.self, at: entry + 8),
        let address = file.number(UInt64.self, at: entry + 0x10), let size = file.number(UInt64.self, at: entry + 0x20)
      else { return nil }
      return Segment(offset: offset, address: address, size: size)
    }
  }

  /// A number that can be an offset; `nil` where the file ends before it, or where it is too large.
  private static func offset(_ file: FileBytes, at offset: Int) -> Int? {
    file.number(UInt64.self, at: offset).flatMap { $0 < UInt64(Int32.max) * 1024 ? Int($0) : nil }
  }

  /// The section of a name; `nil` where there is none with anything in it.
  func section(_ name: String) -> Section? { sections.first { $0.name == name && $0.size > 0 && $0.type != 8 } }

  /// Whether its code is in it: a file of debug information alone says where code is, and has none.
  var hasCode: Bool { !sections.contains { $0.flags & 4 != 0 && $0.type == 8 } }

  /// The address that a place in the file is loaded at, before the file is moved.
  func address(ofOffset offset: UInt64) -> UInt64? {
    segments.first { $0.offset <= offset && offset - $0.offset < $0.size }.map { offset - $0.offset &+ $0.address }
  }

  /// The functions of the file by address: all of them, or, where they were stripped, those that the loader needs.
  ///
  /// - Returns: Sorted by address, one at each; none where nothing names them.
  /// - Complexity: n log n in the size of the table.
  func functions() -> (symbols: [Symbol], areAll: Bool) {
    for type in [2, 11] as [UInt32] {
      guard let table = sections.first(where: { $0.type == type && $0.size > 0 }), sections.indices.contains(table.link)
      else { continue }
      let names = sections[table.link].offset
      var symbols: [Symbol] = []
      symbols.reserveCapacity(min(table.size, file.count) / 24)
      for entry in stride(from: table.offset, through: table.offset + min(table.size, file.count) - 24, by: 24) {
        // 2 is a function.
        guard let kind = file.number(UInt8.self, at: entry + 4), kind & 15 == 2,
          let section = file.number(UInt16.self, at: entry + 6), section != 0,
          let name = file.number(UInt32.self, at: entry), let address = file.number(UInt64.self, at: entry + 8),
          let size = file.number(UInt64.self, at: entry + 16)
        else { continue }
        symbols.append(Symbol(address: address, size: size, nameOffset: names + Int(name)))
      }
      guard !symbols.isEmpty else { continue }
      // Of several names at one address that one which is not the library's own: `malloc`, not `__libc_malloc`.
      func rank(_ symbol: Symbol) -> Int {
        file.number(UInt8.self, at: symbol.nameOffset) == UInt8(ascii: "_") ? 1 : 0
      }
      symbols.sort {
        if $0.address != $1.address { return $0.address < $1.address }
        return (rank($0), $1.size, $0.nameOffset) < (rank($1), $0.size, $1.nameOffset)
      }
      var last: UInt64?
      symbols.removeAll { symbol in
        defer { last = symbol.address }
        return symbol.address == last
      }
      return (symbols, type == 2)
    }
    return ([], false)
  }

  /// Most bytes of all names that are taken out of one table: many entries may lead into one long text.
  static let mostNameBytes = 1 << 20

  /// Names of functions of which one of several forms is chosen when the file is loaded, by what the processor can do;
  /// those beyond `mostNameBytes` are left out.
  func chosenFunctions() -> [String] {
    guard let table = sections.first(where: { $0.type == 11 }), sections.indices.contains(table.link) else { return [] }
    return names(in: table, every: 24) { entry in
      guard let kind = file.number(UInt8.self, at: entry + 4), kind & 15 == 10 else { return nil }
      return file.number(UInt32.self, at: entry).map(Int.init)
    }
  }

  /// File names of the libraries that the loader has to find for the file, such as `libswiftCore.so`; those beyond
  /// `mostNameBytes` are left out.
  var neededLibraries: [String] {
    guard let table = sections.first(where: { $0.type == 6 }), sections.indices.contains(table.link) else { return [] }
    return names(in: table, every: 16) { entry in
      // 1 is a library that is needed.
      guard file.number(UInt64.self, at: entry) == 1 else { return nil }
      return file.number(UInt32.self, at: entry + 8).map(Int.init)
    }
  }

  /// The names that the entries of a table lead to.
  ///
  /// - Parameters:
  ///   - table: The table, with the section of its names.
  ///   - size: Bytes of an entry.
  ///   - place: Where an entry's name is in that section; `nil` for one that isn't wanted.
  private func names(in table: Section, every size: Int, place: (Int) -> Int?) -> [String] {
    let start = sections[table.link].offset
    var (names, left): ([String], Int) = ([], Self.mostNameBytes)
    for entry in stride(from: table.offset, through: table.offset + min(table.size, file.count) - size, by: size) {
      guard let place = place(entry) else { continue }
      let name = file.text(at: start + place, limit: 4096)
      left -= name.utf8.count + 1
      guard left >= 0 else { break }
      names.append(name)
    }
    return names
  }

  /// The number that a build of a file is known by, in hexadecimal digits; `nil` where it has none.
  var buildIdentifier: String? {
    guard let note = section(".note.gnu.build-id"), let size = file.number(UInt32.self, at: note.offset + 4), size < 64
    else { return nil }
    // Sizes of the name and of the number, a kind, the name "GNU", the number.
    let bytes = (0..<Int(size)).compactMap { file.number(UInt8.self, at: note.offset + 16 + $0) }
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The function of another file that is called by the call in front of an address,
  /// through a stub; `nil` for another call.
  func calledStub(before address: UInt64) -> String? { callTarget(before: address).flatMap(stub) }

  /// The address that is called by the call in front of an address; `nil` where none is that is known from the code.
  func callTarget(before address: UInt64) -> UInt64? {
    guard let text = section(at: address &- 5), text.type == 1 else { return nil }
    let call = text.offset + Int(address &- 5 - text.address)
    // x86-64: a call of an address relative to the next instruction.
    guard file.number(UInt8.self, at: call) == 0xe8, let distance = file.number(Int32.self, at: call + 1) else {
      return nil
    }
    return address &+ UInt64(bitPattern: Int64(distance))
  }

  /// The section that an address is in; `nil` where none is loaded there.
  func section(at address: UInt64) -> Section? {
    sections.first { $0.address != 0 && $0.address <= address && address - $0.address < UInt64($0.size) }
  }

  /// The function that a stub calls in another file; `nil` for an address that is in no stub.
  func stub(at address: UInt64) -> String? {
    guard let stubs = section(at: address), stubs.name == ".plt" || stubs.name == ".plt.sec",
      let calls = section(".rela.plt") ?? section(".rela.iplt"),
      let names = sections.first(where: { $0.type == 11 }), sections.indices.contains(names.link)
    else { return nil }
    // `.plt` begins with the way into the loader: as long as a stub, or as two on AArch64, whose number is 183.
    let first = stubs.name == ".plt" ? file.number(UInt16.self, at: 0x12) == 183 ? 2 : 1 : 0
    let number = Int((address - stubs.address) / 16) - first
    guard number >= 0, number < calls.size / 24,
      let symbol = file.number(UInt32.self, at: calls.offset + number * 24 + 12),
      let name = file.number(UInt32.self, at: names.offset + Int(symbol) * 24), name != 0
    else { return nil }
    return file.text(at: sections[names.link].offset + Int(name))
  }
}
