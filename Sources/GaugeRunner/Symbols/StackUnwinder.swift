// From registers and the memory of a stack to code addresses: by the tables that every function has for exceptions, and
// by frame pointers where there is none.

/// Unwinds the stacks of one file.
final class StackUnwinder {
  /// One function on a stack.
  struct Frame: Hashable, Sendable {
    /// Where in the code it was.
    var code: UInt64
    /// Whether that is where it will go on, behind a call.
    var isReturn: Bool
  }

  /// A stack, from the leaf to the root.
  struct Stack: Hashable, Sendable {
    var frames: [Frame] = []
    /// Whether it reaches the root: the function that measures, or the start of its thread.
    var isWhole = false
    /// Whether its root is the function that measures.
    var isRooted = false
  }

  /// What an address is in.
  struct Place: Hashable, Sendable {
    /// Path of the file, or a name in brackets.
    var path: String
    /// The address in the file, before it was moved to where it was loaded.
    var address: UInt64
  }

  private let file: SampleFile
  private let mappings: [SampleFile.Mapping]
  private let objects: (String) -> LoadedObject?
  private let stackRegister: Int
  private let frameRegister: Int
  private let linkRegister: Int?
  private var rows: [UInt64: CallFrameRow?] = [:]

  /// - Parameters:
  ///   - file: The stacks.
  ///   - objects: What is known of a file by its path.
  init(_ file: SampleFile, objects: @escaping (String) -> LoadedObject?) {
    self.file = file
    self.objects = objects
    mappings = file.mappings.sorted { $0.addresses.lowerBound < $1.addresses.lowerBound }
    let isARM = file.machine == 183
    stackRegister = isARM ? 31 : 7
    frameRegister = isARM ? 29 : 6
    linkRegister = isARM ? 30 : nil
  }

  /// What an address is in; `nil` for one that is in no file.
  func place(of address: UInt64) -> Place? {
    var low = 0
    var high = mappings.count
    while low < high {
      let middle = (low + high) / 2
      if mappings[middle].addresses.lowerBound <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, case let mapping = mappings[low - 1], mapping.addresses.contains(address) else { return nil }
    let offset = address - mapping.addresses.lowerBound &+ mapping.offset
    guard let object = objects(mapping.path) else { return Place(path: mapping.path, address: offset) }
    return object.elf.address(ofOffset: offset).map { Place(path: mapping.path, address: $0) }
  }

  private func row(at address: UInt64) -> CallFrameRow? {
    if let known = rows[address] { return known }
    let row = place(of: address).flatMap { objects($0.path)?.row(at: $0.address) }
    rows[address] = .some(row)
    return row
  }

  /// Frames beyond which a stack is not followed.
  static let deepest = 1000

  /// Unwinds a stack.
  ///
  /// - Parameters:
  ///   - record: The stack.
  ///   - isAsynchronous: Whether the function at an address is asynchronous.
  func unwind(_ record: SampleFile.Record, isAsynchronous: (UInt64) -> Bool = { _ in false }) -> Stack {
    var stack = Stack()
    var registers = record.registers.map { Optional($0) }
    if record.isPartial {
      for number in registers.indices.dropLast() where number != stackRegister { registers[number] = nil }
    }
    guard let code = record.registers.last, registers.count > stackRegister else { return stack }
    // What has waited has called something; what was sampled was interrupted.
    let isReturn = [.calls, .waits, .timeline].contains(file.source) || file.source == .experiments && record.type != 0
    var next = Frame(code: code, isReturn: isReturn)
    let hasRoot = file.rootFrame != 0 && record.thread == file.rootThread
    while stack.frames.count < Self.deepest {
      stack.frames.append(next)
      let address = next.isReturn ? next.code &- 1 : next.code
      guard let (caller, frame, isLast) = step(registers, code: next.code, address: address, record) else {
        return stack
      }
      if hasRoot, frame == file.rootFrame &+ 16 {
        stack.isWhole = true
        stack.isRooted = true
        return stack
      }
      if let chain = record.chains.first(where: { $0.frame &+ 16 == frame }), isAsynchronous(address) {
        // Who awaits is found by contexts; who has made this thread run it doesn't matter.
        let room = Self.deepest - stack.frames.count
        stack.frames += chain.callers.prefix(room).map { Frame(code: $0, isReturn: false) }
        stack.isWhole = chain.callers.count <= room
        return stack
      }
      if isLast {
        stack.isWhole = true
        return stack
      }
      guard let returned = caller.code, let pointer = registers[stackRegister], frame > pointer || next.code != returned
      else { return stack }
      // What is no code was no address to return to.
      guard mappings.isEmpty || place(of: returned) != nil else { return stack }
      registers = caller.registers
      next = Frame(code: returned, isReturn: !caller.isInterrupted)
    }
    return stack
  }

  private struct Caller {
    var registers: [UInt64?]
    var code: UInt64?
    var isInterrupted = false
  }

  /// Finds the caller of a function.
  ///
  /// - Returns: The caller, the frame's address, and whether there is no caller; `nil` where it can't be found.
  private func step(
    _ registers: [UInt64?], code: UInt64, address: UInt64, _ record: SampleFile.Record
  ) -> (caller: Caller, frame: UInt64, isLast: Bool)? {
    guard let row = row(at: address) else { return stepByFramePointer(registers, record) }
    var registers = registers
    if case .register(frameRegister, let offset) = row.frame, registers[frameRegister] == nil {
      registers[frameRegister] = framePointer(registers, row: row, offset: offset, address: address, record)
    }
    let expressions = FrameExpression(registers: registers, code: code, read: { self.file.word(of: record, at: $0) })
    let frame: UInt64?
    switch row.frame {
    case .register(let number, let offset):
      frame =
        registers.indices.contains(number) ? registers[number].map { $0 &+ UInt64(bitPattern: Int64(offset)) } : nil
    case .expression(let program): frame = expressions.value(of: program, in: bytes(at: address))
    }
    guard let frame else { return nil }
    func value(_ number: Int, otherwise: UInt64?) -> UInt64? {
      switch row.rules[number] {
      case nil: otherwise
      case .undefined: nil
      case .memory(let offset): file.word(of: record, at: frame &+ UInt64(bitPattern: Int64(offset)))
      case .value(let offset): frame &+ UInt64(bitPattern: Int64(offset))
      case .register(let other): registers.indices.contains(other) ? registers[other] : nil
      case .memoryExpression(let program):
        expressions.value(of: program, in: bytes(at: address), pushing: frame).flatMap { file.word(of: record, at: $0) }
      case .valueExpression(let program): expressions.value(of: program, in: bytes(at: address), pushing: frame)
      }
    }
    var caller = Caller(registers: registers)
    caller.isInterrupted = row.isSignalHandlers
    for number in registers.indices.dropLast() {
      caller.registers[number] = value(number, otherwise: registers[number])
    }
    if row.rules[stackRegister] == nil { caller.registers[stackRegister] = frame }
    if case .undefined = row.rules[row.returnRegister] { return (caller, frame, true) }
    // What has no rule is in its register still: on processors that return by one.
    caller.code = value(row.returnRegister, otherwise: linkRegister.flatMap { registers[$0] })
    return (caller, frame, caller.code == 0)
  }

  /// The caller by the frame pointer: the address to return to stands above the caller's own frame pointer.
  private func stepByFramePointer(
    _ registers: [UInt64?], _ record: SampleFile.Record
  ) -> (caller: Caller, frame: UInt64, isLast: Bool)? {
    guard let pointer = registers[frameRegister] ?? framePointer(above: registers[stackRegister], record),
      let code = file.word(of: record, at: pointer &+ 8)
    else { return nil }
    var caller = Caller(registers: registers, code: code)
    // What wasn't kept leads nowhere.
    caller.registers[frameRegister] = file.word(of: record, at: pointer)
    caller.registers[stackRegister] = pointer &+ 16
    return (caller, pointer &+ 16, code == 0)
  }

  /// The frame pointer of a function that keeps its frame by it, where nobody knows the register: what the function's
  /// first instructions put below it tells, and where that is no frame, the next place on the stack that is one.
  private func framePointer(
    _ registers: [UInt64?], row: CallFrameRow, offset: Int, address: UInt64, _ record: SampleFile.Record
  ) -> UInt64? {
    guard let pointer = registers[stackRegister] else { return nil }
    guard file.machine == 62, offset == 16, let place = place(of: address), let object = objects(place.path),
      let section = object.elf.section(at: row.start), section.size > 0,
      let below = FunctionPrologue.bytesBelowFramePointer(
        object.elf.file.bytes, function: row.start,
        place: section.offset &+ Int(truncatingIfNeeded: row.start &- section.address), before: place.address),
      case let expected = pointer &+ UInt64(below),
      // The outermost function's caller has no frame pointer to keep.
      let code = file.word(of: record, at: expected &+ 8), self.place(of: code) != nil
    else { return framePointer(above: pointer, record) }
    return expected
  }

  /// The first place on a stack, from an address outwards, that holds a frame pointer and an address to return to.
  private func framePointer(above address: UInt64?, _ record: SampleFile.Record) -> UInt64? {
    guard let address, address >= record.stackBase else { return nil }
    let end = record.stackBase &+ UInt64(record.stackCount) &* 8
    return stride(from: (address + 7) & ~7, to: max(end, address), by: 8).first { isFrame($0, record) }
  }

  /// Whether at an address stand a frame pointer that leads outwards, and an address of code.
  private func isFrame(_ address: UInt64, _ record: SampleFile.Record) -> Bool {
    guard let next = file.word(of: record, at: address), let code = file.word(of: record, at: address &+ 8),
      next > address, next - address < UInt64(record.stackCount) * 8
    else { return false }
    return place(of: code) != nil
  }

  private func bytes(at address: UInt64) -> FileBytes? { place(of: address).flatMap { objects($0.path)?.elf.file } }
}

/// The programs by which a table finds what no simple rule does,
/// such as in the stubs that calls of libraries go through.
private struct FrameExpression {
  let registers: [UInt64?]
  let code: UInt64
  let read: (UInt64) -> UInt64?

  /// The value that a program makes; `nil` where it does what is not known here.
  func value(of program: Range<Int>, in file: FileBytes?, pushing first: UInt64? = nil) -> UInt64? {
    guard let file else { return nil }
    var reader = CallFrameTable.Reader(file: file, offset: program.lowerBound)
    var stack = first.map { [$0] } ?? []
    while reader.offset < program.upperBound {
      guard let operation = reader.number(UInt8.self) else { return nil }
      switch operation {
      case 0x06:
        guard let address = stack.popLast(), let word = read(address) else { return nil }
        stack.append(word)
      case 0x08: stack.append(UInt64(reader.number(UInt8.self) ?? 0))
      case 0x09: stack.append(UInt64(bitPattern: Int64(reader.number(Int8.self) ?? 0)))
      case 0x0a: stack.append(UInt64(reader.number(UInt16.self) ?? 0))
      case 0x10: stack.append(reader.unsigned() ?? 0)
      case 0x11: stack.append(UInt64(bitPattern: Int64(reader.signed() ?? 0)))
      case 0x12:
        guard let top = stack.last else { return nil }
        stack.append(top)
      case 0x1a, 0x1c, 0x21, 0x22, 0x24, 0x25, 0x29...0x2e:
        guard let right = stack.popLast(), let left = stack.popLast() else { return nil }
        stack.append(Self.combine(operation, left, right))
      case 0x23:
        guard let top = stack.popLast(), let added = reader.unsigned() else { return nil }
        stack.append(top &+ added)
      case 0x30...0x4f: stack.append(UInt64(operation - 0x30))
      case 0x70...0x8f:
        guard let offset = reader.signed(), let register = value(ofRegister: Int(operation - 0x70)) else { return nil }
        stack.append(register &+ UInt64(bitPattern: Int64(offset)))
      default: return nil
      }
    }
    return stack.last
  }

  private func value(ofRegister number: Int) -> UInt64? {
    // The last register is the code address: of the caller of this frame, that is, where this function is.
    if number == registers.count - 1 { return code }
    return registers.indices.contains(number) ? registers[number] : nil
  }

  private static func combine(_ operation: UInt8, _ left: UInt64, _ right: UInt64) -> UInt64 {
    let (signedLeft, signedRight) = (Int64(bitPattern: left), Int64(bitPattern: right))
    return switch operation {
    case 0x1a: left & right
    case 0x1c: left &- right
    case 0x21: left | right
    case 0x22: left &+ right
    case 0x24: left << right
    case 0x25: left >> right
    case 0x29: signedLeft == signedRight ? 1 : 0
    case 0x2a: signedLeft >= signedRight ? 1 : 0
    case 0x2b: signedLeft > signedRight ? 1 : 0
    case 0x2c: signedLeft <= signedRight ? 1 : 0
    case 0x2d: signedLeft < signedRight ? 1 : 0
    default: signedLeft != signedRight ? 1 : 0
    }
  }
}
