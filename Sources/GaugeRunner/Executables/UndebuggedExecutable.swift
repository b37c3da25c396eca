// An executable without its debug information, for tools that stumble over it: the sections stay, under names that
// nobody looks for.

/// The bytes of an executable that a debugger finds nothing in.
enum UndebuggedExecutable {
  /// Renames the debug sections of a 64-bit little-endian ELF file; symbols, code and addresses stay as they are.
  ///
  /// - Parameter bytes: The file.
  /// - Returns: `nil` where there is nothing to rename: no debug sections, or a file of another format.
  /// - Complexity: Linear in the bytes, which are copied.
  static func bytes(from bytes: [UInt8]) -> [UInt8]? {
    guard let file = ElfFile(bytes) else { return nil }
    var changed: [UInt8]?
    for section in file.sections where section.name.hasPrefix(debug) {
      changed = changed ?? bytes
      changed?.replaceSubrange(section.nameOffset..<section.nameOffset + debug.utf8.count, with: hidden.utf8)
    }
    return changed
  }

  /// What the names of debug sections begin with.
  private static let debug = ".debug_"
  /// What they begin with afterwards.
  private static let hidden = ".unread"
}
