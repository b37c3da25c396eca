// Texts that an executable has no names for: those of its program, and names of types and fields as metadata has them.
// No test file: CodeComparisonTests compares programs with such texts.

extension CodeComparison {
  /// Whether a name of a type or of a field begins at an address, which the executable has no name for.
  static func isReflectionText(_ address: UInt64, in image: ProgramImage) -> Bool {
    guard let section = image.section(at: address), let place = image.offset(of: address), place > 0 else {
      return false
    }
    return ["swift5_typeref", "swift5_reflstr"].contains(image.elf.sections[section].name)
      && image.object(at: address) == nil && image.elf.file.bytes[place - 1] == 0
  }

  /// Whether two addresses lead to the same text without a name.
  func isSameText(_ address: UInt64, _ other: UInt64) -> Bool {
    guard base.object(at: address) == nil, new.object(at: other) == nil, let section = base.section(at: address),
      let its = new.section(at: other), base.elf.sections[section].flags & 4 == 0, !base.isZero(section),
      base.elf.sections[section].name == new.elf.sections[its].name, let mine = base.offset(of: address),
      let start = new.offset(of: other), mine > 0, start > 0
    else { return false }
    let (bytes, others) = (base.elf.file.bytes, new.elf.file.bytes)
    // It begins where another ends.
    guard bytes[mine - 1] == 0, others[start - 1] == 0 else { return false }
    if base.elf.sections[section].name == "swift5_typeref" { return isSameTypeText(address, other) }
    let text = bytes[mine...].prefix { $0 != 0 }
    return !text.isEmpty && text == others[start...].prefix { $0 != 0 }
  }

  /// Whether two names of types are the same, in which bytes below 32 are followed by distances or pointers.
  ///
  /// - Parameter count: How many bytes they have; without it they end with a zero.
  func isSameTypeText(_ old: UInt64, _ other: UInt64, _ count: Int? = nil) -> Bool {
    guard let mine = base.offset(of: old), let start = new.offset(of: other) else { return false }
    let (bytes, others) = (base.elf.file.bytes, new.elf.file.bytes)
    let most = min(count ?? .max, bytes.count - mine, others.count - start)
    var place = 0
    while place < most {
      let byte = bytes[mine + place]
      guard byte == others[start + place] else { return false }
      if byte == 0, count == nil { return place > 0 }
      place += 1
      guard (1...0x1f).contains(byte) else { continue }
      let (address, its) = (old &+ UInt64(place), other &+ UInt64(place))
      if byte < 0x18 {
        guard place + 4 <= most, let word = base.number(UInt32.self, at: address),
          let other = new.number(UInt32.self, at: its),
          refers(address &+ Self.extended(word), its &+ Self.extended(other), .address)
        else { return false }
        place += 4
      } else {
        guard let pointer = base.pointers[address], let other = new.pointers[its], isSame(pointer, other) else {
          return false
        }
        place += 8
      }
    }
    return count != nil && most == count
  }
}
