// How a function's frame is left where the file has no table for it: what its first instructions put on the stack
// tells. As debuggers do it; ours, as a stack must be followed without one.

/// The first instructions of a function of x86-64.
enum FunctionPrologue {
  /// How the frame at an address is left, going by what the function has put on the stack on the way there.
  ///
  /// It is followed up to the first jump or call. A function that has set up its frame pointer keeps its frame by that.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - function: The function's first address.
  ///   - place: Where that is in the file.
  ///   - address: An address in the function, before the file is moved to where it is loaded.
  /// - Returns: `nil` where the code can't be read.
  static func row(_ bytes: [UInt8], function: UInt64, place: Int, at address: UInt64) -> CallFrameRow? {
    guard let length = Int(exactly: address &- function), place >= 0, length <= bytes.count - place else { return nil }
    let end = place + length
    // The address to return to is on the stack already.
    var row = CallFrameRow(frame: .register(stackPointer, 8), rules: [16: .memory(-8)], start: function)
    var (depth, next) = (8, place)
    while next < end {
      guard let instruction = X86Instruction(bytes, at: next, end: bytes.count) else { return nil }
      // One that isn't over has done nothing yet.
      guard next + instruction.length <= end else { break }
      let words = bytes[next..<next + instruction.length]
      if words.elementsEqual([0x48, 0x89, 0xe5]) || words.elementsEqual([0x48, 0x8b, 0xec]) {
        row.frame = .register(framePointer, depth)
        return row
      }
      if leaves(words, instruction) { break }
      depth += pushed(by: words)
      // 8 bytes of the frame pointer, which callers may have their frames by.
      if words.elementsEqual([0x55]) { row.rules[framePointer] = .memory(-depth) }
      row.frame = .register(stackPointer, depth)
      next += instruction.length
    }
    return row
  }

  /// Bytes between the frame pointer of a function and its stack pointer where it calls,
  /// going by what it puts there first.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - function: The function's first address.
  ///   - place: Where that is in the file.
  ///   - address: An address in the function behind what is looked at, before the file is moved to where it is loaded.
  /// - Returns: `nil` for a function that sets up no frame pointer, and where the code can't be read.
  static func bytesBelowFramePointer(
    _ bytes: [UInt8], function: UInt64, place: Int, before address: UInt64
  ) -> Int? {
    guard let length = Int(exactly: address &- function), place >= 0, length <= bytes.count - place else { return nil }
    var (below, next) = (Int?.none, place)
    while next < place + length {
      guard let instruction = X86Instruction(bytes, at: next, end: bytes.count) else { return below }
      let words = bytes[next..<next + instruction.length]
      if leaves(words, instruction) { return below }
      if words.elementsEqual([0x48, 0x89, 0xe5]) || words.elementsEqual([0x48, 0x8b, 0xec]) {
        below = 0
      } else if let sum = below {
        below = max(0, boundedSum(sum, pushed(by: words)))
      }
      next += instruction.length
    }
    return below
  }

  /// Numbers of registers, after the processor's supplement to the System V ABI.
  private static let stackPointer = 7
  private static let framePointer = 6

  /// Whether what follows is not what comes next.
  private static func leaves(_ words: ArraySlice<UInt8>, _ instruction: X86Instruction) -> Bool {
    // A return ends the function.
    instruction.reference?.use == .branch || instruction.isIndirectJump || words.first == 0xc3
  }

  /// Bytes that an instruction puts on the stack, or makes room for.
  private static func pushed(by words: ArraySlice<UInt8>) -> Int {
    let words = Array(words)
    switch (words[0], words.count) {
    case (0x50...0x57, 1): return 8
    case (0x41, 2) where 0x50...0x57 ~= words[1]: return 8
    case (0x48, 4) where words[1] == 0x83 && words[2] == 0xec: return Int(Int8(bitPattern: words[3]))
    case (0x48, 7) where words[1] == 0x81 && words[2] == 0xec:
      let size = words[3...].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return Int(Int32(bitPattern: size))
    default: return 0
    }
  }
}
