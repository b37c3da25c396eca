// An executable as it lies in memory: the functions and the data that it is made of, under their names, and where
// pointers lead that the loader fills in. After the ELF-64 object file format, version 1.5, and the System V ABI for
// x86-64.

/// An executable that is loaded anywhere, for x86-64.
final class ProgramImage {
  /// A function, or a variable or constant, with all that lies within it.
  struct Object: Hashable {
    /// Its first address.
    var start: UInt64
    /// The address behind it.
    var end: UInt64
    /// Number of its section.
    var section: Int
    /// Its name.
    var name: String
    /// How many of the same name come before it.
    var number = 0
  }

  /// What names an object, in another executable as well.
  struct Key: Hashable {
    var name: String
    var number: Int
  }

  /// A pointer that the loader fills in.
  struct Pointer: Hashable {
    /// What is done, by the number of the ABI.
    var kind: UInt32
    /// The symbol that it is about; empty where there is none.
    var symbol = ""
    /// Where that symbol is; `nil` where it is in another file.
    var address: UInt64?
    /// What is added.
    var addend: UInt64

    /// Bits of an address: those above are flags of the language's own.
    static let addressBits: UInt64 = 1 << 56 - 1

    /// Where it leads within the executable; `nil` for another file, or for what is no pointer.
    var target: UInt64? {
      switch kind {
      // Of the executable itself, and chosen by a function of it.
      case 8, 37: addend & Self.addressBits
      case 1, 6, 7: address.map { ($0 &+ addend) & Self.addressBits }
      default: nil
      }
    }

    /// Its part that is no address.
    var flags: UInt64 { addend & ~Self.addressBits }
  }

  /// Path of the file.
  let path: String
  /// The file.
  let elf: ElfFile
  /// All objects by address; none overlaps another.
  let objects: [Object]
  /// Pointers by the place that they are filled into.
  let pointers: [UInt64: Pointer]
  /// Names of each address at which a symbol begins.
  let beginnings: [UInt64: [String]]
  /// Names of the threads' own variables, with their places.
  let threadVariables: [String]

  private let loaded: [(start: UInt64, end: UInt64, number: Int)]
  private let numbers: [Key: Int]

  /// Reads an executable.
  ///
  /// - Parameters:
  ///   - bytes: What it holds.
  ///   - path: Its path, for errors.
  /// - Throws: `ExecutableFlaw` where it is damaged, where it is for another processor or a fixed address, and where
  ///   its symbols were taken out.
  convenience init(path: String) throws(ExecutableFlaw) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.contents(of: path)
    } catch {
      throw ExecutableFlaw(path: path, reason: error.reason)
    }
    try self.init(bytes, path: path)
  }

  /// Takes an executable that was read.
  init(_ bytes: [UInt8], path: String) throws(ExecutableFlaw) {
    func flaw(_ reason: String) -> ExecutableFlaw { ExecutableFlaw(path: path, reason: reason) }
    let elf = try ElfFile(bytes, path: path)
    self.path = path
    self.elf = elf
    guard elf.file.number(UInt16.self, at: 0x12) == 62 else { throw flaw("it is not for x86-64") }
    guard elf.file.number(UInt16.self, at: 0x10) == 3 else {
      throw flaw("it is no position-independent executable: which of its numbers are addresses can't be told")
    }
    for (number, section) in elf.sections.enumerated() where section.type != 8 && section.type != 0 {
      guard section.offset <= bytes.count, section.size <= bytes.count - section.offset else {
        throw flaw("section \(number), '\(section.name)', ends behind the file")
      }
      // Pointers in a form of few bits.
      guard section.type != 19 else {
        throw flaw("section \(number), '\(section.name)', is of a kind that is not read")
      }
    }
    // What is copied for each thread, and has no bytes in the file, has an address that others have as well.
    loaded = elf.sections.enumerated()
      .filter { $1.flags & 2 != 0 && $1.size > 0 && ($1.flags & 0x400 == 0 || $1.type != 8) }
      .map { (start: $1.address, end: $1.address &+ UInt64($1.size), number: $0) }.sorted { $0.start < $1.start }
    guard zip(loaded, loaded.dropFirst()).allSatisfy({ $0.end <= $1.start }) else {
      throw flaw("two of its sections overlap in memory")
    }
    let table = try Self.symbols(of: elf, type: 2, flaw: flaw)
    guard !table.isEmpty else { throw flaw("it has no table of symbols: they were taken out") }
    threadVariables = table.filter { $0.kind == 6 }.map { "\($0.name) \($0.address) \($0.size)" }.sorted()
    let placed = table.filter { [0, 1, 2, 10].contains($0.kind) && elf.sections.indices.contains($0.section) }
      .filter { $0.section > 0 && elf.sections[$0.section].flags & 0x402 == 2 }
    beginnings = placed.reduce(into: [:]) { $0[$1.address, default: []].append($1.name) }
    objects = Self.numbered(Self.withUnnamedCode(Self.objects(placed, elf.sections), elf.sections))
    numbers = Dictionary(
      objects.enumerated().map { (Key(name: $1.name, number: $1.number), $0) }, uniquingKeysWith: { first, _ in first })
    pointers = try Self.pointers(of: elf, flaw: flaw)
  }

  // MARK: Reading

  /// A symbol as its table has it.
  private struct Symbol {
    var name: String
    var kind: UInt8
    var section: Int
    var address: UInt64
    var size: UInt64
  }

  private static func symbols(
    of elf: ElfFile, type: UInt32, flaw: (String) -> ExecutableFlaw
  ) throws(ExecutableFlaw) -> [Symbol] {
    guard let table = elf.sections.first(where: { $0.type == type }) else { return [] }
    guard elf.sections.indices.contains(table.link), elf.sections[table.link].type == 3 else {
      throw flaw("the names of section '\(table.name)' are not where it says: section \(table.link)")
    }
    let names = elf.sections[table.link]
    var symbols: [Symbol] = []
    symbols.reserveCapacity(table.size / 24)
    for number in 0..<table.size / 24 {
      let entry = table.offset + number * 24
      guard let name = elf.file.number(UInt32.self, at: entry), let kind = elf.file.number(UInt8.self, at: entry + 4),
        let section = elf.file.number(UInt16.self, at: entry + 6),
        let address = elf.file.number(UInt64.self, at: entry + 8),
        let size = elf.file.number(UInt64.self, at: entry + 16)
      else { throw flaw("section '\(table.name)' breaks off at symbol \(number)") }
      guard Int(name) < names.size || name == 0 else {
        throw flaw("the name of symbol \(number) of section '\(table.name)' is outside of '\(names.name)'")
      }
      // One that no section has lies in another file, or is a number.
      let isHere = section > 0 && section < 0xff00
      symbols.append(
        Symbol(
          name: elf.file.text(at: names.offset + Int(name)), kind: kind & 15, section: isHere ? Int(section) : 0,
          address: address, size: size))
    }
    return symbols
  }

  /// Symbols put together: what lies within another belongs to it, and what has no size reaches to the next.
  private static func objects(_ symbols: [Symbol], _ sections: [ElfFile.Section]) -> [Object] {
    let sorted = symbols.sorted { ($0.address, $1.size, $0.name) < ($1.address, $0.size, $1.name) }
    var objects: [Object] = []
    for (index, symbol) in sorted.enumerated() {
      // Where a section begins and ends is no object in it.
      if symbol.size == 0, symbol.name.hasPrefix("__start_") || symbol.name.hasPrefix("__stop_") { continue }
      // An alias of a part may have the size of the whole.
      if let last = objects.last, symbol.address < last.end { continue }
      let section = sections[symbol.section]
      let sectionEnd = section.address &+ UInt64(section.size)
      guard section.address <= symbol.address, symbol.address < sectionEnd else { continue }
      var end = symbol.address &+ symbol.size
      if symbol.size == 0 {
        let next = sorted[index...].first { $0.address > symbol.address }?.address ?? sectionEnd
        end = min(next, sectionEnd)
      }
      objects.append(
        Object(
          start: symbol.address, end: max(symbol.address + 1, min(end, sectionEnd)), section: symbol.section,
          name: symbol.name))
    }
    return objects
  }

  /// The same with what lies between functions, which may be functions that only their own file had a name for.
  private static func withUnnamedCode(_ objects: [Object], _ sections: [ElfFile.Section]) -> [Object] {
    // Functions begin at such addresses, and what is skipped for that is never executed.
    let alignment: UInt64 = 16
    var all: [Object] = []
    all.reserveCapacity(objects.count)
    for (index, object) in objects.enumerated() {
      all.append(object)
      let section = sections[object.section]
      guard section.flags & 4 != 0 else { continue }
      let start = (object.end + alignment - 1) / alignment * alignment
      var end = section.address &+ UInt64(section.size)
      if index + 1 < objects.count { end = min(end, objects[index + 1].start) }
      if start < end {
        all.append(Object(start: start, end: end, section: object.section, name: "the code behind \(object.name)"))
      }
    }
    return all
  }

  /// The same with numbers for those of one name.
  private static func numbered(_ objects: [Object]) -> [Object] {
    var objects = objects
    var counts: [String: Int] = [:]
    for index in objects.indices {
      objects[index].number = counts[objects[index].name, default: 0]
      counts[objects[index].name, default: 0] += 1
    }
    return objects
  }

  private static func pointers(
    of elf: ElfFile, flaw: (String) -> ExecutableFlaw
  ) throws(ExecutableFlaw) -> [UInt64: Pointer] {
    let symbols = try symbols(of: elf, type: 11, flaw: flaw)
    var pointers: [UInt64: Pointer] = [:]
    for table in elf.sections where table.type == 4 && table.flags & 2 != 0 {
      for number in 0..<table.size / 24 {
        let entry = table.offset + number * 24
        guard let place = elf.file.number(UInt64.self, at: entry),
          let kind = elf.file.number(UInt32.self, at: entry + 8),
          let symbol = elf.file.number(UInt32.self, at: entry + 12),
          let addend = elf.file.number(UInt64.self, at: entry + 16)
        else { throw flaw("section '\(table.name)' breaks off at pointer \(number)") }
        guard symbol == 0 || Int(symbol) < symbols.count else {
          throw flaw("pointer \(number) of section '\(table.name)' is about symbol \(symbol) of \(symbols.count)")
        }
        let known = symbol == 0 ? nil : symbols[Int(symbol)]
        pointers[place] = Pointer(
          kind: kind, symbol: known?.name ?? "", address: known.flatMap { $0.section == 0 ? nil : $0.address },
          addend: addend)
      }
    }
    return pointers
  }

  // MARK: Looking up

  /// Number of the section that an address is in; `nil` where none is loaded there.
  func section(at address: UInt64) -> Int? {
    let index = loaded.partitioningIndex { $0.end > address }
    return index < loaded.count && loaded[index].start <= address ? loaded[index].number : nil
  }

  /// Place of the object that an address is in; `nil` where it is in none.
  func object(at address: UInt64) -> Int? {
    let index = objects.partitioningIndex { $0.end > address }
    return index < objects.count && objects[index].start <= address ? index : nil
  }

  /// Place of the first object behind an address.
  func objectBehind(_ address: UInt64) -> Int? {
    let index = objects.partitioningIndex { $0.start > address }
    return index < objects.count ? index : nil
  }

  /// Place of the last object that ends at an address or before it.
  func objectBefore(_ address: UInt64) -> Int? {
    let index = objects.partitioningIndex { $0.end > address }
    return index > 0 ? index - 1 : nil
  }

  /// Places of the objects of a section, by address.
  func objects(inSection section: Int) -> [Int] { objects.indices.filter { objects[$0].section == section } }

  /// Place of the object of a name; `nil` where there is none.
  func object(_ key: Key) -> Int? { numbers[key] }

  /// What names an object.
  func key(of object: Int) -> Key { Key(name: objects[object].name, number: objects[object].number) }

  /// Whether a section is code.
  func isCode(_ section: Int) -> Bool { elf.sections[section].flags & 4 != 0 }

  /// Whether a section has no bytes in the file: it is zero when the program begins.
  func isZero(_ section: Int) -> Bool { elf.sections[section].type == 8 }

  /// Where the byte of an address is in the file; `nil` where the file has none.
  func offset(of address: UInt64) -> Int? {
    guard let number = section(at: address), !isZero(number) else { return nil }
    return elf.sections[number].offset + Int(address - elf.sections[number].address)
  }

  /// The number at an address; `nil` where the file has none.
  func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at address: UInt64) -> Number? {
    offset(of: address).flatMap { elf.file.number(Number.self, at: $0) }
  }

  /// The instructions of a function with their addresses.
  ///
  /// - Returns: `nil` where a part of it isn't known to be an instruction.
  func instructions(of object: Int) -> [(address: UInt64, instruction: X86Instruction)]? {
    let function = objects[object]
    guard var place = offset(of: function.start) else { return nil }
    let end = place + Int(function.end - function.start)
    var instructions: [(address: UInt64, instruction: X86Instruction)] = []
    while place < end {
      guard let instruction = X86Instruction(elf.file.bytes, at: place, end: end) else { return nil }
      instructions.append((function.end - UInt64(end - place), instruction))
      place += instruction.length
    }
    return instructions
  }

  /// Where an instruction at an address refers to.
  func target(of reference: X86Instruction.Reference, at address: UInt64, length: Int) -> UInt64? {
    guard let offset = offset(of: address) else { return nil }
    let distance: Int64? =
      reference.size == 1
      ? elf.file.number(Int8.self, at: offset + reference.offset).map(Int64.init)
      : elf.file.number(Int32.self, at: offset + reference.offset).map(Int64.init)
    return distance.map { address &+ UInt64(length) &+ UInt64(bitPattern: $0) }
  }

  // MARK: What has no name

  /// Places at which something without a name may begin: what code or a pointer has the address of.
  private(set) lazy var unnamed = Unnamed(of: self)

  /// Beginnings of what has no name, such as texts and tables of jumps.
  struct Unnamed {
    /// Bytes that Swift takes from the address of a long text before it keeps it.
    static let textBias: UInt64 = 32

    /// Where something may begin.
    private(set) var beginnings: [UInt64] = []
    /// Those of them that code or a pointer has as they are.
    private(set) var addresses: [UInt64] = []
    /// Where tables of jumps begin and end, by address.
    private(set) var tables: [Range<UInt64>] = []

    fileprivate init(of image: ProgramImage) {
      var addresses: Set<UInt64> = []
      var owners: [UInt64: Int] = [:]
      for object in image.objects.indices where image.isCode(image.objects[object].section) {
        guard let instructions = image.instructions(of: object) else { continue }
        let jumps = instructions.contains { $0.instruction.isIndirectJump }
        for (address, instruction) in instructions {
          guard let reference = instruction.reference, reference.use == .address,
            let target = image.target(of: reference, at: address, length: instruction.length)
          else { continue }
          addresses.insert(target)
          if jumps, image.leads(from: target, entry: 0, into: object) != nil { owners[target] = object }
        }
      }
      for pointer in image.pointers.values { if let target = pointer.target { addresses.insert(target) } }
      self.addresses = addresses.sorted()
      beginnings = addresses.union(addresses.map { $0 &+ Self.textBias }).sorted()
      let starts = owners.keys.sorted()
      tables = starts.enumerated().map { index, start in
        let last = index + 1 < starts.count ? starts[index + 1] : .max
        var end = start
        while end < last, let owner = owners[start],
          image.leads(from: start, entry: Int(end - start) / 4, into: owner) != nil
        {
          end += 4
        }
        return start..<end
      }
    }

    /// The table of jumps that an address is in; `nil` where it is in none.
    func table(at address: UInt64) -> Range<UInt64>? {
      let index = tables.partitioningIndex { $0.upperBound > address }
      return index < tables.count && tables[index].contains(address) ? tables[index] : nil
    }
  }

  /// The place in a function that an entry of a table of jumps leads to; `nil` where it doesn't lead into the function.
  /// What is never jumped to leads to its end.
  func leads(from table: UInt64, entry: Int, into object: Int) -> UInt64? {
    guard self.object(at: table) == nil, let section = section(at: table), !isCode(section),
      let distance = number(Int32.self, at: table &+ UInt64(entry * 4))
    else { return nil }
    let target = table &+ UInt64(bitPattern: Int64(distance))
    return objects[object].start <= target && target <= objects[object].end ? target - objects[object].start : nil
  }

  /// Where something without a name ends at the latest that begins at an address.
  ///
  /// That is where something with a name or a table of jumps begins, or the section ends; or behind a zero, where
  /// something else begins. A text has no zero before its end. An address that may be for a long text is no beginning:
  /// it may lie within a table.
  func end(ofUnnamed address: UInt64) -> UInt64 {
    guard let number = section(at: address) else { return address }
    let section = elf.sections[number]
    var last = section.address &+ UInt64(section.size)
    if let next = objectBehind(address) { last = min(last, objects[next].start) }
    let table = unnamed.tables.partitioningIndex { $0.lowerBound > address }
    if table < unnamed.tables.count { last = min(last, unnamed.tables[table].lowerBound) }
    var index = unnamed.addresses.partitioningIndex { $0 > address }
    while index < unnamed.addresses.count, case let end = unnamed.addresses[index], end < last {
      if self.number(UInt8.self, at: end - 1) == 0, text(for: end) == nil { return end }
      index += 1
    }
    return last
  }

  /// Bytes without a name that end at an address: from where something with a name or a table of jumps ends, or
  /// something else begins.
  func unnamedCount(before address: UInt64) -> Int {
    guard address > 0, let number = section(at: address - 1), !isCode(number), !isZero(number),
      object(at: address - 1) == nil, !elf.sections[number].name.hasPrefix("swift5_")
    else { return 0 }
    var start = elf.sections[number].address
    if let before = objectBefore(address) { start = max(start, objects[before].end) }
    let table = unnamed.tables.partitioningIndex { $0.lowerBound >= address }
    if table > 0 { start = max(start, min(address, unnamed.tables[table - 1].upperBound)) }
    let beginning = unnamed.beginnings.partitioningIndex { $0 >= address }
    if beginning > 0 { start = max(start, unnamed.beginnings[beginning - 1]) }
    return Int(address - start)
  }

  /// Where the text begins that an address may be for: Swift takes a number from that of a long text.
  ///
  /// - Returns: `nil` where none can begin there: such texts are constants without a name, at even addresses or behind
  ///   something that ends with a zero.
  func text(for address: UInt64) -> UInt64? {
    let start = address &+ Unnamed.textBias
    guard let number = section(at: start), elf.sections[number].name.hasPrefix(".rodata"), object(at: start) == nil,
      start % 16 == 0 || self.number(UInt8.self, at: start - 1) == 0, unnamed.table(at: start) == nil
    else { return nil }
    return start
  }
}
