// How each function of an executable or library leaves its frame, from its section `.eh_frame`: what exceptions are
// thrown by, and what tells of functions without frame pointers, too. After the Linux Standard Base 5.0, chapter 10.6,
// and DWARF 5, section 6.4. Ours, as the unwinders that come with the system look at the stacks of their own process,
// and not at recorded ones.

/// What holds at one address: how to find the caller's registers.
struct CallFrameRow: Hashable, Sendable {
  /// How a value is found.
  enum Rule: Hashable, Sendable {
    /// It is lost; of the return address it says that nobody is returned to.
    case undefined
    /// It is in memory, at an offset from the frame's address.
    case memory(Int)
    /// It is the frame's address with an offset added.
    case value(Int)
    /// It is in another register.
    case register(Int)
    /// It is in memory, where a program of so many bytes of the file says.
    case memoryExpression(Range<Int>)
    /// A program of the file makes it.
    case valueExpression(Range<Int>)
  }

  /// How the frame's address is found: the value that the stack pointer has in the caller.
  enum Frame: Hashable, Sendable {
    /// A register with an offset added.
    case register(Int, Int)
    /// A program of so many bytes of the file.
    case expression(Range<Int>)
  }

  /// How the frame's address is found.
  var frame = Frame.register(0, 0)
  /// How each register's value is found; what isn't here is as it was.
  var rules: [Int: Rule] = [:]
  /// Number of the register that stands for the return address.
  var returnRegister = 16
  /// First address of the function.
  var start: UInt64 = 0
  /// The address behind the function; 0 where the table does not tell.
  var end: UInt64 = 0
  /// Whether it is no function that was called, but the way into a handler of signals.
  var isSignalHandlers = false
}

/// The table of one file.
struct CallFrameTable: Sendable {
  /// What a table asks for at an address beyond what any function needs.
  struct Excess: Error, Hashable, CustomStringConvertible {
    /// Where in the file.
    var offset: Int
    /// What is too much.
    var message: String

    var description: String { "byte \(offset): \(message)" }
  }

  /// Most bytes of instructions that are run for an address, those that functions share included.
  static let mostBytes = 1 << 16
  /// Most registers that have a rule.
  static let mostRules = 256
  /// Most rows that instructions keep, to go back to them.
  static let mostKept = 64

  private let file: FileBytes
  private let frames: ElfFile.Section
  private let index: ElfFile.Section
  private let indexEntries: Int
  private let indexCount: Int

  /// Finds the table in a file; `nil` where there is none, or none with an index.
  init?(_ elf: ElfFile) {
    guard let frames = elf.section(".eh_frame"), let index = elf.section(".eh_frame_hdr") else { return nil }
    file = elf.file
    self.frames = frames
    self.index = index
    // Version 1; pointer to the table, signed and relative to its place; a count; then pairs relative to the index.
    guard file.number(UInt8.self, at: index.offset) == 1, file.number(UInt8.self, at: index.offset + 2) == 0x03,
      file.number(UInt8.self, at: index.offset + 3) == 0x3b,
      let count = file.number(UInt32.self, at: index.offset + 8), Int(count) <= index.size / 8
    else { return nil }
    indexEntries = index.offset + 12
    indexCount = Int(count)
  }

  private func relative(at offset: Int) -> UInt64? {
    file.number(Int32.self, at: offset).map { index.address &+ UInt64(bitPattern: Int64($0)) }
  }

  /// What holds at an address; `nil` where the table says nothing about it.
  ///
  /// - Throws: `Excess`, with its place, where instructions are too many or would keep too much.
  /// - Complexity: Linear in the instructions of the function that the address is in,
  ///   of which there are at most 65,536 bytes.
  func row(at address: UInt64) throws(Excess) -> CallFrameRow? {
    var low = 0
    var high = indexCount
    while low < high {
      let middle = (low + high) / 2
      guard let start = relative(at: indexEntries + middle * 8) else { return nil }
      if start <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, let description = relative(at: indexEntries + (low - 1) * 8 + 4), description >= frames.address,
      description - frames.address < UInt64(frames.size)
    else { return nil }
    return try row(at: address, description: frames.offset + Int(description - frames.address))
  }

  /// What all functions with one beginning share.
  private struct Common {
    var codeUnit: UInt64 = 1
    var dataUnit = 1
    var returnRegister = 16
    var pointerEncoding: UInt8 = 0
    var hasAugmentation = false
    var isSignalHandlers = false
    var program = 0..<0
  }

  private func row(at address: UInt64, description: Int) throws(Excess) -> CallFrameRow? {
    var reader = Reader(file: file, offset: description)
    guard let end = reader.end(), let distance = reader.number(UInt32.self), distance != 0,
      let common = common(at: reader.offset - 4 - Int(distance)), let start = pointer(&reader, common.pointerEncoding),
      let length = pointer(&reader, common.pointerEncoding & 0x0f), address >= start, address - start < length
    else { return nil }
    if common.hasAugmentation {
      guard let size = reader.unsigned(), size < UInt64(frames.size) else { return nil }
      reader.offset += Int(size)
    }
    var machine = RowMachine(row: CallFrameRow(), location: start, target: address)
    machine.row.returnRegister = common.returnRegister
    machine.row.start = start
    machine.row.end = start &+ length
    machine.row.isSignalHandlers = common.isSignalHandlers
    machine.codeUnit = common.codeUnit
    machine.dataUnit = common.dataUnit
    guard reader.offset <= end else { return nil }
    guard common.program.count + (end - reader.offset) <= Self.mostBytes else {
      throw Excess(offset: description, message: "more than \(Self.mostBytes) bytes of instructions for one function")
    }
    guard try machine.run(file, common.program) else { return nil }
    machine.initial = machine.row.rules
    guard try machine.run(file, reader.offset..<end) else { return nil }
    return machine.row
  }

  private func common(at offset: Int) -> Common? {
    var reader = Reader(file: file, offset: offset)
    guard let end = reader.end(), reader.number(UInt32.self) == 0, let version = reader.number(UInt8.self) else {
      return nil
    }
    let augmentation = file.text(at: reader.offset, limit: 16)
    reader.offset += augmentation.utf8.count + 1
    var common = Common()
    guard let codeUnit = reader.unsigned(), let dataUnit = reader.signed() else { return nil }
    common.codeUnit = codeUnit
    common.dataUnit = dataUnit
    guard let register = version == 1 ? reader.number(UInt8.self).map(UInt64.init) : reader.unsigned() else {
      return nil
    }
    common.returnRegister = Int(truncatingIfNeeded: register)
    if augmentation.hasPrefix("z") {
      common.hasAugmentation = true
      guard let size = reader.unsigned(), size < UInt64(frames.size) else { return nil }
      let behind = reader.offset + Int(size)
      for mark in augmentation.dropFirst() {
        switch mark {
        case "R": common.pointerEncoding = reader.number(UInt8.self) ?? 0
        case "L": _ = reader.number(UInt8.self)
        case "P":
          guard let encoding = reader.number(UInt8.self), pointer(&reader, encoding) != nil else { return nil }
        case "S": common.isSignalHandlers = true
        default: break
        }
      }
      reader.offset = behind
    }
    guard reader.offset <= end else { return nil }
    common.program = reader.offset..<end
    return common
  }

  /// A pointer as it is encoded here.
  private func pointer(_ reader: inout Reader, _ encoding: UInt8) -> UInt64? {
    let place = frames.address &+ UInt64(bitPattern: Int64(reader.offset - frames.offset))
    let value: UInt64?
    switch encoding & 0x0f {
    case 0x00, 0x04, 0x0c: value = reader.number(UInt64.self)
    case 0x02: value = reader.number(UInt16.self).map(UInt64.init)
    case 0x03: value = reader.number(UInt32.self).map(UInt64.init)
    case 0x0a: value = reader.number(Int16.self).map { UInt64(bitPattern: Int64($0)) }
    case 0x0b: value = reader.number(Int32.self).map { UInt64(bitPattern: Int64($0)) }
    default: value = nil
    }
    guard let value else { return nil }
    return encoding & 0x70 == 0x10 ? value &+ place : value
  }

  /// Reads one number after the other.
  struct Reader {
    let file: FileBytes
    var offset: Int

    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number? {
      guard let number = file.number(type, at: offset) else { return nil }
      offset += MemoryLayout<Number>.size
      return number
    }

    /// Reads the length of an entry; `nil` for the end of the table, and for the form for more than 4 GiB.
    mutating func end() -> Int? {
      guard let length = number(UInt32.self), length != 0, length != .max else { return nil }
      return offset + Int(length)
    }

    mutating func unsigned() -> UInt64? {
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while let byte = number(UInt8.self) {
        value |= UInt64(byte & 0x7f) << shift
        shift += 7
        if byte & 0x80 == 0 { return value }
      }
      return nil
    }

    mutating func signed() -> Int? {
      var value: Int64 = 0
      var shift: Int64 = 0
      while let byte = number(UInt8.self) {
        value |= Int64(byte & 0x7f) << shift
        shift += 7
        guard byte & 0x80 == 0 else { continue }
        if shift < 64, byte & 0x40 != 0 { value |= -1 << shift }
        return Int(value)
      }
      return nil
    }
  }
}

/// Runs the instructions that rows are made by, up to an address.
private struct RowMachine {
  var row: CallFrameRow
  var location: UInt64
  let target: UInt64
  var codeUnit: UInt64 = 1
  var dataUnit = 1
  var initial: [Int: CallFrameRow.Rule] = [:]
  private var kept: [(CallFrameRow.Frame, [Int: CallFrameRow.Rule])] = []

  init(row: CallFrameRow, location: UInt64, target: UInt64) {
    self.row = row
    self.location = location
    self.target = target
  }

  /// Returns whether it understood all of them.
  mutating func run(_ file: FileBytes, _ program: Range<Int>) throws(CallFrameTable.Excess) -> Bool {
    var reader = CallFrameTable.Reader(file: file, offset: program.lowerBound)
    while reader.offset < program.upperBound {
      let place = reader.offset
      guard let instruction = reader.number(UInt8.self) else { return false }
      let operand = Int(instruction & 0x3f)
      switch instruction >> 6 {
      case 1:
        location &+= UInt64(operand) &* codeUnit
        if location > target { return true }
      case 2:
        guard let offset = reader.unsigned() else { return false }
        row.rules[operand] = .memory(Int(truncatingIfNeeded: offset) &* dataUnit)
      case 3: row.rules[operand] = initial[operand]
      default:
        guard let isOver = extended(instruction, &reader) else { return false }
        if isOver { return true }
      }
      if row.rules.count > CallFrameTable.mostRules {
        throw CallFrameTable.Excess(offset: place, message: "rules for more than \(CallFrameTable.mostRules) registers")
      }
      if kept.count > CallFrameTable.mostKept {
        throw CallFrameTable.Excess(offset: place, message: "more than \(CallFrameTable.mostKept) rows are kept")
      }
    }
    return true
  }

  /// Runs an instruction with operands; `nil` for one that isn't known. Returns whether the address is passed.
  private mutating func extended(_ instruction: UInt8, _ reader: inout CallFrameTable.Reader) -> Bool? {
    func register() -> Int? { reader.unsigned().map { Int(truncatingIfNeeded: $0) } }
    func block() -> Range<Int>? {
      guard let size = reader.unsigned(), size < 4096 else { return nil }
      defer { reader.offset += Int(size) }
      return reader.offset..<reader.offset + Int(size)
    }
    switch instruction {
    case 0x00: break
    case 0x01: return nil
    case 0x02, 0x03, 0x04:
      let delta: UInt64? =
        switch instruction {
        case 0x02: reader.number(UInt8.self).map(UInt64.init)
        case 0x03: reader.number(UInt16.self).map(UInt64.init)
        default: reader.number(UInt32.self).map(UInt64.init)
        }
      guard let delta else { return nil }
      location &+= delta &* codeUnit
      return location > target
    case 0x05:
      guard let number = register(), let offset = register() else { return nil }
      row.rules[number] = .memory(offset &* dataUnit)
    case 0x06:
      guard let number = register() else { return nil }
      row.rules[number] = initial[number]
    case 0x07:
      guard let number = register() else { return nil }
      row.rules[number] = .undefined
    case 0x08:
      guard let number = register() else { return nil }
      row.rules[number] = nil
    case 0x09:
      guard let number = register(), let other = register() else { return nil }
      row.rules[number] = .register(other)
    case 0x0a: kept.append((row.frame, row.rules))
    case 0x0b:
      guard let (frame, rules) = kept.popLast() else { return nil }
      row.frame = frame
      row.rules = rules
    case 0x0c:
      guard let number = register(), let offset = register() else { return nil }
      row.frame = .register(number, offset)
    case 0x0d:
      guard let number = register(), case .register(_, let offset) = row.frame else { return nil }
      row.frame = .register(number, offset)
    case 0x0e:
      guard let offset = register(), case .register(let number, _) = row.frame else { return nil }
      row.frame = .register(number, offset)
    case 0x0f:
      guard let program = block() else { return nil }
      row.frame = .expression(program)
    case 0x10:
      guard let number = register(), let program = block() else { return nil }
      row.rules[number] = .memoryExpression(program)
    case 0x11:
      guard let number = register(), let offset = reader.signed() else { return nil }
      row.rules[number] = .memory(offset &* dataUnit)
    case 0x12:
      guard let number = register(), let offset = reader.signed() else { return nil }
      row.frame = .register(number, offset &* dataUnit)
    case 0x13:
      guard let offset = reader.signed(), case .register(let number, _) = row.frame else { return nil }
      row.frame = .register(number, offset &* dataUnit)
    case 0x14:
      guard let number = register(), let offset = register() else { return nil }
      row.rules[number] = .value(offset &* dataUnit)
    case 0x15:
      guard let number = register(), let offset = reader.signed() else { return nil }
      row.rules[number] = .value(offset &* dataUnit)
    case 0x16:
      guard let number = register(), let program = block() else { return nil }
      row.rules[number] = .valueExpression(program)
    // Pointer authentication (AArch64), and the size of arguments: neither changes where anything is.
    case 0x2d: break
    case 0x2e: _ = register()
    default: return nil
    }
    return false
  }
}
