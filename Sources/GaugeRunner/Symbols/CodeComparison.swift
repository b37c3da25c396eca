// Whether the functions that a benchmark executes are the same in two executables, with all the data that they reach.

/// Compares functions of two executables, wherever these have them.
///
/// Two functions are the same where their instructions are, and what they refer to has the same name, or, having none,
/// the same bytes. Distances to other code and to data are not compared: what they lead to is. Data is compared with
/// all that its pointers lead to. What code is executed is for the caller to know: functions that are only referred to
/// aren't looked into.
///
/// An address may have been reckoned from something beside it, as one past the end of a table that is read backwards:
/// what lies beside it is compared as well.
///
/// In doubt something has changed: what isn't known to be an instruction, and all that names don't tell apart.
final class CodeComparison {
  let base: ProgramImage
  let new: ProgramImage

  /// Why nothing can be said to be the same, whatever is executed; `nil` where something can.
  private(set) lazy var generalChange: String? = findGeneralChange()

  /// What is compared with each other.
  enum Pair: Hashable {
    /// Functions, by their places.
    case functions(Int, Int)
    /// Data with a name, by its places.
    case objects(Int, Int)
    /// Data without a name, by its addresses.
    case unnamed(UInt64, UInt64)
    /// Data without a name, by the addresses that it ends at.
    case unnamedBefore(UInt64, UInt64)
  }

  /// What is known of a pair.
  private struct Finding {
    /// What differs; `nil` where nothing does.
    var difference: String?
    /// The data that it leads to.
    var leadsTo: [Int] = []
  }

  private var numbers: [Pair: Int] = [:]
  private var pairs: [Pair] = []
  private var findings: [Finding?] = []
  /// The data that the pair at work leads to.
  var led: [Int] = []
  /// Whether pointers of the pair at work lead to where something begins, and to nothing that lies beside it.
  private var hasExactPointers = false
  private lazy var hasSameThreadVariables = base.threadVariables == new.threadVariables

  /// - Parameters:
  ///   - base: One executable.
  ///   - new: The other.
  init(base: ProgramImage, new: ProgramImage) {
    self.base = base
    self.new = new
  }

  /// What differs in what a launch executes.
  ///
  /// - Parameter functions: First addresses of the functions of the base that were executed.
  /// - Returns: The first difference, in words that name it; `nil` where there is none.
  /// - Complexity: Linear in the code and data that they lead to and that weren't compared before.
  func change(inExecuted functions: [UInt64]) -> String? {
    if let generalChange { return generalChange }
    var open: [Int] = []
    for address in functions {
      guard let object = base.object(at: address), base.objects[object].start == address else {
        return "the code at 0x\(String(address, radix: 16)) has no name"
      }
      guard let other = new.object(base.key(of: object)) else {
        return "\(Self.name(base.objects[object].name)) is no longer there"
      }
      open.append(number(of: .functions(object, other)))
    }
    return firstDifference(from: open)
  }

  /// The instrument's own functions: what other launches of a benchmark execute besides. A form of one that was made
  /// for a benchmark counts where it is executed.
  private var harness: [Int] {
    base.objects.indices.compactMap { object in
      let name = base.objects[object].name
      guard base.isCode(base.objects[object].section), Self.harnessPrefixes.contains(where: name.hasPrefix),
        !Self.formMarks.contains(where: name.contains), let other = new.object(base.key(of: object))
      else { return nil }
      return number(of: .functions(object, other))
    }
  }

  /// What symbols of the modules begin with that are measured with.
  private static let harnessPrefixes = ["$s5Gauge", "$s15GaugeStatistics", "probe_"]
  /// What the symbols of forms of generic functions, and of those for certain arguments, have in them.
  private static let formMarks = ["Tg", "TG", "Tf"]

  /// A name as its author has written it.
  private static func name(_ symbol: String) -> String { FunctionName(symbol: symbol).text }

  // MARK: The walk

  func number(of pair: Pair) -> Int {
    if let number = numbers[pair] { return number }
    numbers[pair] = pairs.count
    pairs.append(pair)
    findings.append(nil)
    return pairs.count - 1
  }

  private func firstDifference(from start: [Int]) -> String? {
    var (open, seen) = (start, Set(start))
    while let number = open.popLast() {
      let finding = finding(number)
      if let difference = finding.difference { return difference }
      for next in finding.leadsTo where seen.insert(next).inserted { open.append(next) }
    }
    return nil
  }

  private func finding(_ number: Int) -> Finding {
    if let known = findings[number] { return known }
    led = []
    hasExactPointers = false
    let difference: String? =
      switch pairs[number] {
      case .functions(let old, let new): difference(ofFunctions: old, new)
      case .objects(let old, let new): difference(ofObjects: old, new)
      case .unnamed(let old, let new): difference(ofUnnamed: old, new)
      case .unnamedBefore(let old, let new): difference(before: old, new)
      }
    let finding = Finding(difference: difference, leadsTo: led)
    findings[number] = finding
    return finding
  }

  // MARK: Code

  private func difference(ofFunctions old: Int, _ other: Int) -> String? {
    let (before, after) = (base.objects[old], new.objects[other])
    let changed = "\(Self.name(before.name)) has changed"
    guard before.end - before.start == after.end - after.start, new.isCode(after.section),
      base.isCode(before.section)
    else { return changed }
    guard let code = base.instructions(of: old), let others = new.instructions(of: other), code.count == others.count
    else { return base.instructions(of: old) == nil ? "\(Self.name(before.name)) can't be read" : changed }
    let jumps = code.contains { $0.instruction.isIndirectJump }
    for (mine, its) in zip(code, others) {
      guard mine.instruction == its.instruction, hasSameBytes(mine.instruction, mine.address, its.address) else {
        return changed
      }
      if mine.instruction.usesThreadMemory, !hasSameThreadVariables {
        return "\(Self.name(before.name)) uses variables of threads, which have changed"
      }
      guard let reference = mine.instruction.reference else { continue }
      let length = mine.instruction.length
      guard let target = base.target(of: reference, at: mine.address, length: length),
        let its = new.target(of: reference, at: its.address, length: length)
      else { return changed }
      let isExact = reference.use != .address
      if jumps, !isExact, let isSame = isSameTable(target, its, old, other) {
        if isSame, hasSameNeighbours(target, its) { continue }
        return changed
      }
      guard refers(target, its, reference.use, isExact: isExact) else {
        return "\(Self.name(before.name)) refers to something else: \(words(for: target))"
      }
    }
    return nil
  }

  /// Whether an instruction is the same but for the distance to what it refers to.
  private func hasSameBytes(_ instruction: X86Instruction, _ address: UInt64, _ other: UInt64) -> Bool {
    guard let mine = base.offset(of: address), let its = new.offset(of: other) else { return false }
    let distance = instruction.reference.map { $0.offset..<$0.offset + $0.size } ?? 0..<0
    return (0..<instruction.length).allSatisfy {
      distance.contains($0) || base.elf.file.bytes[mine + $0] == new.elf.file.bytes[its + $0]
    }
  }

  /// Whether two tables of jumps lead to the same places of two functions; `nil` where they are no such tables.
  private func isSameTable(_ table: UInt64, _ other: UInt64, _ old: Int, _ its: Int) -> Bool? {
    guard base.leads(from: table, entry: 0, into: old) != nil else {
      return new.leads(from: other, entry: 0, into: its) == nil ? nil : false
    }
    let (end, otherEnd) = (base.end(ofUnnamed: table), new.end(ofUnnamed: other))
    for entry in 0... {
      let place = UInt64(entry * 4)
      let mine = table &+ place < end ? base.leads(from: table, entry: entry, into: old) : nil
      guard mine == (other &+ place < otherEnd ? new.leads(from: other, entry: entry, into: its) : nil) else {
        return false
      }
      if mine == nil { break }
    }
    return true
  }

  // MARK: References

  private func words(for address: UInt64) -> String {
    base.object(at: address).map { Self.name(base.objects[$0].name) } ?? "what is at 0x\(String(address, radix: 16))"
  }

  /// Whether two addresses lead to the same thing. Where that is data, it is yet to be compared, unless it is known how
  /// much of it is used.
  ///
  /// - Parameters:
  ///   - target: One address.
  ///   - other: The other.
  ///   - use: What becomes of it.
  ///   - isExact: Whether it can't have been reckoned from what lies beside it.
  func refers(
    _ target: UInt64, _ other: UInt64, _ use: X86Instruction.Use, isExact: Bool = true
  ) -> Bool {
    guard isExact || hasSameNeighbours(target, other) else { return false }
    // The end of a section is where another may begin.
    let ends = base.beginnings[target, default: []].filter { $0.hasPrefix("__stop_") }
    if !ends.isEmpty {
      let others = new.beginnings[other, default: []]
      return ends.contains { others.contains($0) && isSameSet(String($0.dropFirst("__stop_".count))) }
    }
    if let start = base.beginnings[target]?.first(where: { $0.hasPrefix("__start_") }),
      !isSameSet(String(start.dropFirst("__start_".count)))
    {
      return false
    }
    switch (base.section(at: target), new.section(at: other)) {
    case (nil, nil):
      // Nothing is loaded there: zero, or an end that has a name.
      let names = base.beginnings[target, default: []]
      return target == 0 && other == 0 || names.contains(where: new.beginnings[other, default: []].contains)
    case (let section?, let its?):
      guard base.elf.sections[section].name == new.elf.sections[its].name else { return false }
      if base.isCode(section) { return isSameCode(target, other) }
      return isSameData(target, other, section, use)
    default: return false
    }
  }

  /// Whether a section that a program goes through from its beginning to its end is the same; its objects are yet to be
  /// compared. Those of the runtime are compared for all benchmarks together.
  private func isSameSet(_ name: String) -> Bool {
    if name.hasPrefix("swift5_") { return true }
    guard let mine = base.elf.sections.firstIndex(where: { $0.name == name }),
      let its = new.elf.sections.firstIndex(where: { $0.name == name }),
      base.elf.sections[mine].size == new.elf.sections[its].size
    else { return false }
    let (objects, others) = (base.objects(inSection: mine), new.objects(inSection: its))
    guard objects.map(base.key) == others.map(new.key) else { return false }
    led += zip(objects, others).map { number(of: .objects($0, $1)) }
    // What lies in front of the first, or is all of it.
    led.append(number(of: .unnamed(base.elf.sections[mine].address, new.elf.sections[its].address)))
    return true
  }

  private func isSameCode(_ target: UInt64, _ other: UInt64) -> Bool {
    if let stub = base.elf.stub(at: target) { return new.elf.stub(at: other) == stub }
    guard let object = base.object(at: target), let its = new.object(at: other) else { return false }
    return base.key(of: object) == new.key(of: its)
      && target - base.objects[object].start == other - new.objects[its].start
  }

  private func isSameData(_ target: UInt64, _ other: UInt64, _ section: Int, _ use: X86Instruction.Use) -> Bool {
    let name = base.elf.sections[section].name
    // Sections that the runtime goes through by their beginnings and ends are compared for all benchmarks together.
    if name.hasPrefix("swift5_"), base.beginnings[target]?.contains(where: { $0.hasPrefix("__start_") }) == true {
      return new.beginnings[other]?.contains { $0.hasPrefix("__start_") } == true
    }
    if use == .address, !isSameLongText(target, other) { return false }
    // The linker's table of addresses, of which each is that of a symbol.
    if name.hasPrefix(".got") {
      defer { hasExactPointers = false }
      hasExactPointers = true
      return hasSameBytes(target, other, 8)
    }
    switch (base.object(at: target), new.object(at: other)) {
    case (let object?, let its?):
      let (mine, others) = (base.objects[object], new.objects[its])
      guard base.key(of: object) == new.key(of: its), target - mine.start == other - others.start else { return false }
      led.append(number(of: .objects(object, its)))
      return true
    case (nil, nil):
      if case .memory(let count) = use { return hasSameBytes(target, other, count) }
      guard !base.isZero(section) else { return hasSameNeighbour(target, other) }
      led.append(number(of: .unnamed(target, other)))
      return true
    default: return false
    }
  }

  /// Whether both addresses or neither may be those of long texts, which are yet to be compared.
  private func isSameLongText(_ target: UInt64, _ other: UInt64) -> Bool {
    switch (base.text(for: target), new.text(for: other)) {
    case (nil, nil): return true
    case (let text?, let its?):
      led.append(number(of: .unnamed(text, its)))
      return true
    default: return false
    }
  }

  /// Whether two places without name or bytes lie behind the same object, as far.
  private func hasSameNeighbour(_ target: UInt64, _ other: UInt64) -> Bool {
    guard let behind = base.objectBehind(target), let its = new.objectBehind(other), behind > 0, its > 0 else {
      return false
    }
    return base.key(of: behind - 1) == new.key(of: its - 1)
      && target - base.objects[behind - 1].start == other - new.objects[its - 1].start
  }

  // MARK: Data

  private func difference(ofObjects old: Int, _ other: Int) -> String? {
    let (before, after) = (base.objects[old], new.objects[other])
    let changed = "\(Self.name(before.name)) has changed"
    let size = before.end - before.start
    guard size == after.end - after.start else { return changed }
    let section = base.elf.sections[before.section].name
    guard section == new.elf.sections[after.section].name else { return changed }
    if base.isZero(before.section) { return new.isZero(after.section) ? nil : changed }
    if new.isZero(after.section) { return changed }
    hasExactPointers = Self.isMetadata(old, of: base)
    let isSame =
      switch section {
      case "swift5_typeref": isSameTypeText(before.start, after.start, Int(size))
      // Two distances and two numbers, then of each field its flags and two distances.
      case "swift5_fieldmd":
        hasSameBytes(before.start, after.start, Int(size)) { $0 == 8 || $0 == 12 || $0 >= 16 && ($0 - 16) % 12 == 0 }
      default: hasSameBytes(before.start, after.start, Int(size))
      }
    return isSame ? nil : changed
  }

  private func difference(ofUnnamed old: UInt64, _ other: UInt64) -> String? {
    let size = max(base.end(ofUnnamed: old) - old, new.end(ofUnnamed: other) - other)
    guard hasSameBytes(old, other, Int(size)) else {
      return "the constant at 0x\(String(old, radix: 16)) has changed"
    }
    return nil
  }

  /// What ends at an address may begin elsewhere in the other executable: what both have is compared.
  private func difference(before old: UInt64, _ other: UInt64) -> String? {
    let count = min(base.unnamedCount(before: old), new.unnamedCount(before: other))
    guard hasSameBytes(old - UInt64(count), other - UInt64(count), count) else {
      return "the constant in front of 0x\(String(old, radix: 16)) has changed"
    }
    return nil
  }

  /// Whether data is the same: byte for byte, but for pointers and distances, which have to lead to the same.
  ///
  /// - Parameters:
  ///   - old: Address of the one.
  ///   - other: Address of the other.
  ///   - count: Bytes.
  ///   - isNumber: Whether the four bytes at an offset are known not to be a distance.
  private func hasSameBytes(
    _ old: UInt64, _ other: UInt64, _ count: Int, isNumber: (Int) -> Bool = { _ in false }
  ) -> Bool {
    guard count > 0 else { return true }
    guard let section = base.section(at: old), let its = new.section(at: other) else { return false }
    if base.isZero(section) || new.isZero(its) { return base.isZero(section) == new.isZero(its) }
    guard let mine = base.offset(of: old), let start = new.offset(of: other),
      count <= base.elf.sections[section].offset + base.elf.sections[section].size - mine,
      count <= new.elf.sections[its].offset + new.elf.sections[its].size - start
    else { return false }
    var place = 0
    while place < count {
      let (address, its) = (old &+ UInt64(place), other &+ UInt64(place))
      let pointers = (base.pointers[address], new.pointers[its])
      if pointers.0 != nil || pointers.1 != nil {
        guard let pointer = pointers.0, let other = pointers.1, isSame(pointer, other) else { return false }
        place += 8
        continue
      }
      if place + 4 <= count, address % 4 == 0, !isNumber(place) {
        guard isSameWord(address, its) else { return false }
        place += 4
      } else {
        guard base.elf.file.bytes[mine + place] == new.elf.file.bytes[start + place] else { return false }
        place += 1
      }
    }
    return true
  }

  func isSame(_ pointer: ProgramImage.Pointer, _ other: ProgramImage.Pointer) -> Bool {
    guard pointer.kind == other.kind, pointer.flags == other.flags else { return false }
    switch (pointer.target, other.target) {
    case (let target?, let its?): return refers(target, its, .address, isExact: hasExactPointers)
    case (nil, nil):
      // Places in the memory of threads, and what other files have.
      return pointer.symbol == other.symbol && pointer.addend == other.addend
        && (!pointer.symbol.isEmpty || hasSameThreadVariables)
    default: return false
    }
  }

  /// Whether four bytes are the same: a number, or a distance to the same.
  private func isSameWord(_ address: UInt64, _ other: UInt64) -> Bool {
    guard let word = base.number(UInt32.self, at: address), let its = new.number(UInt32.self, at: other) else {
      return false
    }
    let targets = (Self.target(of: word, at: address, in: base), Self.target(of: its, at: other, in: new))
    if let (target, flags) = targets.0, let (end, otherFlags) = targets.1, flags == otherFlags {
      return refers(target, end, .address)
    }
    // A number leads to the beginning of something by chance, and not on both sides.
    let (text, otherText) = (address &+ Self.extended(word), other &+ Self.extended(its))
    let isReflection = Self.isReflectionText(text, in: base)
    if word == its, !isReflection { return true }
    // In a table of a program's own numbers, any of them may lead to a constant that looks like a text.
    return (hasExactPointers || isReflection) && isSameText(text, otherText)
  }

  static func extended(_ word: UInt32) -> UInt64 { UInt64(bitPattern: Int64(Int32(bitPattern: word))) }

  /// Where a distance leads whose last bits may be flags, and these; `nil` for a number that leads to the beginning of
  /// nothing.
  private static func target(
    of word: UInt32, at address: UInt64, in image: ProgramImage
  ) -> (address: UInt64, flags: UInt32)? {
    guard word != 0 else { return nil }
    for flags in [0, 1, 2, 3] as [UInt32] where word & flags == flags {
      let target = address &+ extended(word & ~flags)
      if image.beginnings[target] != nil { return (target, flags) }
      if flags < 2, let section = image.section(at: target), image.elf.sections[section].name.hasPrefix(".got") {
        return (target, flags)
      }
    }
    return nil
  }

  // MARK: What concerns all

  /// Sections that the runtime or the loader goes through, whatever is executed.
  private static let lists = [
    ".preinit_array", ".init_array", ".fini_array", "swift5_protocols", "swift5_protocol_conformances",
    "swift5_type_metadata", "swift5_type_metadata_2", "swift5_replace", "swift5_replac2", "swift5_accessible_functions",
    "swift5_runtime_attributes",
  ]

  private func findGeneralChange() -> String? {
    if base.elf.neededLibraries != new.elf.neededLibraries { return "the libraries that it needs have changed" }
    // What was recorded is what the processor that valgrind makes up would have.
    if [base, new].contains(where: { $0.pointers.values.contains { $0.kind == 37 } }) {
      return "which of its functions are used depends on the processor (IFUNC)"
    }
    led = []
    guard hasSameThreadTemplate() else { return "what variables of threads begin with has changed" }
    var open = led
    for name in Self.lists {
      switch (base.elf.section(name), new.elf.section(name)) {
      case (nil, nil): continue
      case (let section?, let its?):
        led = []
        guard section.size == its.size, hasSameBytes(section.address, its.address, section.size) else {
          return "what section '\(name)' lists has changed"
        }
        open += led
      default: return "what section '\(name)' lists has changed"
      }
    }
    return firstDifference(from: open + harness).map { "of what is there for all benchmarks, \($0)" }
  }

  /// Whether the variables of each thread begin with the same: which of them code uses isn't known.
  private func hasSameThreadTemplate() -> Bool {
    let isOfThreads = { (section: ElfFile.Section) in section.flags & 0x400 != 0 && section.size > 0 }
    let (mine, others) = (base.elf.sections.filter(isOfThreads), new.elf.sections.filter(isOfThreads))
    return mine.map(\.name) == others.map(\.name)
      && zip(mine, others).allSatisfy { mine, other in
        mine.size == other.size && mine.type == other.type
          && (mine.type == 8 || hasSameBytes(mine.address, other.address, mine.size))
      }
  }
}
