// The forms of the C library's functions that this machine's processor gets: the library doesn't name them, but a
// process can ask where a name leads to, and the answer holds for every process that has the same library.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Functions of which one of several forms was chosen when the library was loaded.
enum ChosenFunctions {
  /// Where names lead to in this process.
  ///
  /// - Parameters:
  ///   - names: Names that a library exports.
  ///   - path: Path of the library; nothing is known of one that this process does not have.
  /// - Returns: The names by the addresses in the library's file; the shortest of several for the same function.
  static func names(_ names: [String], path: String) -> [UInt64: String] {
    let pieces = (Files.text(of: "/proc/self/maps") ?? "").split(separator: "\n").filter { $0.hasSuffix(" " + path) }
    let bounds = pieces.compactMap { piece in
      let parts = piece.prefix { $0 != " " }.split(separator: "-").compactMap { UInt64($0, radix: 16) }
      return parts.count == 2 ? (start: parts[0], end: parts[1]) : nil
    }
    guard let base = bounds.map(\.start).min(), let end = bounds.map(\.end).max() else { return [:] }
    var result: [UInt64: String] = [:]
    for name in names {
      // Safe: only where the name leads to is looked at; nothing is called.
      guard let target = unsafe dlsym(UnsafeMutableRawPointer(bitPattern: 0), name) else { continue }
      let address = UInt64(UInt(bitPattern: target))
      guard address >= base, address < end else { continue }
      if let known = result[address - base], (known.utf8.count, known) <= (name.utf8.count, name) { continue }
      result[address - base] = name
    }
    return result
  }
}
