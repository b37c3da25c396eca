// An executable without its debug information, for tools that stumble over it: the sections stay, under names that nobody
// looks for. Offsets after the ELF-64 object file format, version 1.5.

/// The bytes of an executable that a debugger finds nothing in.
enum UndebuggedExecutable {
  /// Renames the debug sections of a 64-bit little-endian ELF file; symbols, code and addresses stay as they are.
  ///
  /// - Parameter bytes: The file.
  /// - Returns: `nil` where there is nothing to rename: no debug sections, or a file of another format.
  /// - Complexity: Linear in the bytes, which are copied.
  static func bytes(from bytes: [UInt8]) -> [UInt8]? {
    let magic: [UInt8] = [0x7f, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F"), 2, 1]
    guard bytes.starts(with: magic), let table = number(bytes, at: 0x28, size: 8),
      let entrySize = number(bytes, at: 0x3a, size: 2), let count = number(bytes, at: 0x3c, size: 2),
      let namesIndex = number(bytes, at: 0x3e, size: 2),
      let names = number(bytes, at: table + namesIndex * entrySize + 0x18, size: 8)
    else { return nil }
    var changed: [UInt8]?
    for section in 0..<count {
      guard let offset = number(bytes, at: table + section * entrySize, size: 4) else { return nil }
      let start = names + offset
      guard start + debug.count <= bytes.count, bytes[start..<start + debug.count].elementsEqual(debug) else {
        continue
      }
      changed = changed ?? bytes
      changed?.replaceSubrange(start..<start + debug.count, with: hidden)
    }
    return changed
  }

  /// What the names of debug sections begin with.
  private static let debug = Array(".debug_".utf8)
  /// What they begin with afterwards.
  private static let hidden = Array(".unread".utf8)

  /// A little-endian number; `nil` where the file ends before it, or where it is too large to be an offset.
  private static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    let number = bytes[offset..<offset + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return number < UInt64(Int32.max) * 1024 ? Int(number) : nil
  }
}
