// Where the next instruction of x86-64 code begins, and what it refers to by distance: all that comparing code needs of
// its meaning. Lengths after the Intel 64 manual, volume 2, chapter 2 and appendix A. Ours, as a comparison must work
// without a toolchain's disassembler, whose text would have to be taken apart.

/// An instruction of 64-bit x86 code.
struct X86Instruction: Hashable {
  /// How an instruction uses what it refers to.
  enum Use: Hashable {
    /// It goes on there, or calls it.
    case branch
    /// It takes the address, or reads nobody knows how much from there on.
    case address
    /// It reads or writes at most so many bytes there.
    case memory(bytes: Int)
  }

  /// A place at a distance from the end of the instruction.
  struct Reference: Hashable {
    /// Where the distance is in the instruction.
    var offset: Int
    /// Its bytes: 1 or 4.
    var size: Int
    /// What the place is used for.
    var use: Use
  }

  /// What makes an instruction's outcome differ from run to run.
  enum Chance: String, Hashable {
    /// It reads the processor's clock.
    case clock = "reads the processor's clock"
    /// It draws a random number.
    case random = "draws random numbers"
    /// It asks the system for something without the C library.
    case system = "makes system calls of its own"
  }

  /// Its bytes.
  var length = 0
  /// What it refers to by distance; no instruction has two of them.
  var reference: Reference?
  /// Whether it goes on at an address that it has in a register or in memory.
  var isIndirectJump = false
  /// Whether it refers to the thread's own memory, by a place that the linker has given out.
  var usesThreadMemory = false
  /// What makes its outcome differ from run to run.
  var chance: Chance?

  /// Reads an instruction.
  ///
  /// - Parameters:
  ///   - bytes: The file that it is in.
  ///   - start: Where it begins.
  ///   - end: Where the code ends.
  /// - Returns: `nil` for what isn't known to be an instruction, and where the code ends in it.
  init?(_ bytes: [UInt8], at start: Int, end: Int) {
    var reader = Reader(bytes: bytes, place: start, end: min(end, bytes.count, start + 15))
    guard let read = reader.read() else { return nil }
    self = read
    length = reader.place - start
    reference?.offset -= start
  }

  fileprivate init() {}
}

/// Reads one instruction.
private struct Reader {
  let bytes: [UInt8]
  var place: Int
  let end: Int

  private var has66 = false, hasF2 = false, hasF3 = false, isWide = false
  private var instruction = X86Instruction()

  init(bytes: [UInt8], place: Int, end: Int) {
    self.bytes = bytes
    self.place = place
    self.end = end
  }

  /// The next byte; `nil` at the end.
  private mutating func next() -> UInt8? {
    guard place < end else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  private mutating func skip(_ count: Int) -> Bool {
    place += count
    return place <= end
  }

  mutating func read() -> X86Instruction? {
    while place < end {
      switch bytes[place] {
      case 0x66: has66 = true
      case 0xf2: hasF2 = true
      case 0xf3: hasF3 = true
      case 0x64, 0x65: instruction.usesThreadMemory = true
      case 0xf0, 0x2e, 0x36, 0x3e, 0x26, 0x67: break
      case 0x40...0x4f:
        // Only the last of all prefixes counts.
        isWide = bytes[place] & 8 != 0
        guard place + 1 < end, !Self.isPrefix(bytes[place + 1]) else { return nil }
        place += 1
        return opcode() ? instruction : nil
      default: return opcode() ? instruction : nil
      }
      place += 1
    }
    return nil
  }

  private static func isPrefix(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x66, 0xf2, 0xf3, 0x64, 0x65, 0xf0, 0x2e, 0x36, 0x3e, 0x26, 0x67, 0x40...0x4f: true
    default: false
    }
  }

  /// Bytes of a number that goes with most operations: four, or two behind the prefix for 16 bits.
  private var usual: Int { has66 && !isWide ? 2 : 4 }

  private mutating func opcode() -> Bool {
    guard let code = next() else { return false }
    switch code {
    case 0x0f: return twoBytes()
    case 0xc4:
      guard let first = next(), next() != nil else { return false }
      return vector(map: first & 0x1f, widest: 32)
    case 0xc5: return next() != nil && vector(map: 1, widest: 32)
    case 0x62:
      guard let first = next(), next() != nil, next() != nil else { return false }
      return vector(map: first & 7, widest: 64)
    // Arithmetic: six forms of each of eight operations.
    case 0x00...0x3f where code & 7 < 4: return operand(.memory(bytes: 8))
    case 0x00...0x3f where code & 7 == 4: return skip(1)
    case 0x00...0x3f where code & 7 == 5: return skip(usual)
    case 0x50...0x5f, 0x6c...0x6f, 0x90...0x99, 0x9b...0x9f, 0xa4...0xa7, 0xaa...0xaf, 0xc3, 0xc9, 0xcb, 0xcc, 0xcf,
      0xd7, 0xec...0xef, 0xf1, 0xf4, 0xf5, 0xf8...0xfd:
      return true
    case 0x63: return operand(.memory(bytes: 8))
    case 0x68: return skip(usual)
    case 0x69: return operand(.memory(bytes: 8), number: usual)
    case 0x6a, 0xa8, 0xb0...0xb7, 0xcd, 0xe4...0xe7: return skip(1)
    case 0x6b, 0x80, 0x83, 0xc0, 0xc1, 0xc6: return operand(.memory(bytes: 8), number: 1)
    case 0x70...0x7f, 0xe0...0xe3, 0xeb: return branch(1)
    // The beginning of a transaction has the code of a store.
    case 0xc7 where isRegister && operandNumber == 7: return false
    case 0x81, 0xc7: return operand(.memory(bytes: 8), number: usual)
    case 0x84...0x8b, 0x8c, 0x8e, 0xd0...0xd3, 0xfe: return operand(.memory(bytes: 8))
    case 0x8d: return operand(.address)
    case 0x8f: return operandNumber == 0 && operand(.memory(bytes: 8))
    case 0xa0...0xa3: return skip(8)
    case 0xa9: return skip(usual)
    case 0xb8...0xbf: return skip(isWide ? 8 : usual)
    case 0xc2, 0xca: return skip(2)
    case 0xc8: return skip(3)
    // The x87 unit: its environment is long.
    case 0xd8...0xdf:
      let isLong = (code == 0xd9 || code == 0xdd) && (operandNumber == 4 || operandNumber == 6)
      return operand(isLong ? .address : .memory(bytes: 16))
    case 0xe8, 0xe9: return branch(4)
    case 0xf6: return operand(.memory(bytes: 8), number: operandNumber.map { $0 < 2 } ?? false ? 1 : 0)
    case 0xf7: return operand(.memory(bytes: 8), number: operandNumber.map { $0 < 2 } ?? false ? usual : 0)
    case 0xff:
      guard let number = operandNumber, number < 7 else { return false }
      instruction.isIndirectJump = number == 4
      return operand(.memory(bytes: 8))
    default: return false
    }
  }

  /// The three bits of the operand's byte that tell operations of one code apart.
  private var operandNumber: UInt8? { place < end ? bytes[place] >> 3 & 7 : nil }
  /// Whether the operand is a register.
  private var isRegister: Bool { place < end && bytes[place] >= 0xc0 }

  private mutating func twoBytes() -> Bool {
    guard let code = next() else { return false }
    switch code {
    case 0x05, 0x34:
      instruction.chance = .system
      return true
    case 0x31, 0x33:
      instruction.chance = .clock
      return true
    case 0x06...0x09, 0x0b, 0x0e, 0x30, 0x32, 0x35, 0x37, 0x77, 0xa0...0xa2, 0xa8...0xaa, 0xc8...0xcf: return true
    case 0x80...0x8f: return branch(4)
    case 0x38:
      return next() != nil && operand(.memory(bytes: 16))
    case 0x3a:
      return next() != nil && operand(.memory(bytes: 16), number: 1)
    case 0x01:
      if place < end, bytes[place] == 0xf9 { instruction.chance = .clock }
      return operand(.memory(bytes: 16))
    case 0x0d, 0x18...0x1f: return operand(.memory(bytes: 64))
    case 0xc4: return operand(.memory(bytes: 2), number: 1)
    case 0x0f, 0x70...0x73, 0xa4, 0xac, 0xc2, 0xc5, 0xc6: return operand(.memory(bytes: 16), number: 1)
    // A bit far from the operand may be meant.
    case 0xa3, 0xab, 0xb3, 0xbb: return operand(.address)
    case 0xba: return operand(.memory(bytes: 8), number: 1)
    case 0xae: return operand(operandNumber == 2 || operandNumber == 3 ? .memory(bytes: 4) : .address)
    case 0xc7:
      if isRegister, let number = operandNumber, number >= 6 { instruction.chance = .random }
      return operand(operandNumber == 1 ? .memory(bytes: 16) : .address)
    case 0xb6, 0xbe, 0x90...0x9f: return operand(.memory(bytes: 1))
    case 0xb7, 0xbf: return operand(.memory(bytes: 2))
    case 0x40...0x4f, 0xa5, 0xad, 0xaf, 0xb0...0xb2, 0xb4, 0xb5, 0xb8, 0xbc, 0xbd, 0xc0, 0xc1, 0xc3:
      return operand(.memory(bytes: 8))
    case 0x00, 0x02, 0x03, 0x10...0x17, 0x20...0x23, 0x28...0x2f, 0x50...0x6f, 0x74...0x76, 0x7c...0x7f, 0xb9,
      0xd0...0xff:
      return operand(.memory(bytes: Self.bytes(of: code, has66, hasF2, hasF3)))
    default: return false
    }
  }

  /// Bytes at most that an instruction of the first vector units reads or writes.
  private static func bytes(of code: UInt8, _ has66: Bool, _ hasF2: Bool, _ hasF3: Bool) -> Int {
    switch code {
    case 0x12, 0x13, 0x16, 0x17: return hasF3 ? 16 : 8
    case 0x2e, 0x2f: return has66 ? 8 : 4
    case 0x6e, 0x7e, 0xd6: return 8
    case 0xe6: return hasF3 ? 8 : 16
    case 0x10, 0x11, 0x51...0x53, 0x58...0x5a, 0x5c...0x5f: return hasF3 ? 4 : hasF2 ? 8 : 16
    case 0x2a, 0x2c, 0x2d: return 8
    default: return 16
    }
  }

  /// A vector operation behind its prefix.
  private mutating func vector(map: UInt8, widest: Int) -> Bool {
    guard let code = next() else { return false }
    switch map {
    case 1:
      // It clears registers, and has no operand.
      if code == 0x77 { return true }
      let hasNumber = (0x70...0x73).contains(code) || code == 0xc2 || (0xc4...0xc6).contains(code)
      return operand(.memory(bytes: widest), number: hasNumber ? 1 : 0)
    case 2: return operand(.memory(bytes: widest))
    case 3: return operand(.memory(bytes: widest), number: 1)
    default: return false
    }
  }

  private mutating func branch(_ size: Int) -> Bool {
    instruction.reference = X86Instruction.Reference(offset: place, size: size, use: .branch)
    return skip(size)
  }

  /// Reads an operand that may be in memory, and the number behind it.
  private mutating func operand(_ use: X86Instruction.Use, number: Int = 0) -> Bool {
    guard let byte = next() else { return false }
    let (mode, base) = (byte >> 6, byte & 7)
    if mode != 3 {
      if mode == 0, base == 5 {
        instruction.reference = X86Instruction.Reference(offset: place, size: 4, use: use)
        return skip(4) && skip(number)
      }
      var distance = [0, 1, 4][Int(mode)]
      if base == 4 {
        guard let scaled = next() else { return false }
        if mode == 0, scaled & 7 == 5 { distance = 4 }
      }
      guard skip(distance) else { return false }
    }
    return skip(number)
  }
}
