// Whole files and folders, with the system's own words where something fails.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Files and folders by path.
enum Files {
  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: Bytes that are too many.
  ///   - mayBePipe: Whether it may be a pipe, whose writers are waited for: only where somebody has named it.
  /// - Throws: `SystemError` where it is missing, can't be read, is too large or is something else, such as a device.
  /// - Complexity: Linear in the file's size, which is held in memory.
  static func contents(
    of path: String, limit: Int = 1 << 30, mayBePipe: Bool = false
  ) throws(SystemError) -> [UInt8] {
    let waits = mayBePipe && kindBehindLinks(path) == .pipe
    let file = try waits ? Descriptor.reading(path) : Descriptor.readingAtOnce(path)
    try expect(waits ? [.file, .pipe] : [.file], of: file, at: path)
    return try contents(of: file, at: path, limit: limit)
  }

  /// Refuses what is none of some kinds, as it was opened: what the path leads to may have changed.
  static func expect(_ kinds: Set<Kind>, of file: borrowing Descriptor, at path: String) throws(SystemError) {
    let kind = file.kind
    if let kind, kinds.contains(kind) { return }
    throw kind == .folder
      ? SystemError("read \(path)", code: EISDIR) : SystemError("read \(path)", code: EINVAL, reason: "it is no file")
  }

  /// Reads the rest of an open file.
  static func contents(
    of file: borrowing Descriptor, at path: String, limit: Int = 1 << 30
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = try file.readPiece()
      if piece.isEmpty { return bytes }
      bytes += piece
      guard bytes.count < limit else { throw SystemError("read \(path)", code: EFBIG) }
    }
  }

  /// Reads a whole text file; `nil` where it can't be read.
  static func text(of path: String) -> String? {
    (try? contents(of: path)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The folder that a path lies in, as far as the path says it: empty for a plain name, `/` for what lies at the root.
  static func folder(of path: String) -> String {
    let isSlash = { $0 == UInt8(ascii: "/") }
    // Foundation's own function traps on names of one letter (Swift 6.3, Linux).
    func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      bytes.prefix(through: bytes.lastIndex { !isSlash($0) } ?? bytes.startIndex)
    }
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, let slash = trimmed(bytes[...]).lastIndex(where: isSlash) else { return "" }
    return String(decoding: trimmed(bytes[...slash]), as: UTF8.self)
  }

  /// A name that any file system takes, of a title that may be anything: neither a path nor too long.
  static func name(of title: String) -> String {
    var name = ""
    for scalar in title.unicodeScalars {
      let properties = scalar.properties
      let isPlain =
        properties.isAlphabetic || properties.numericType != nil || properties.generalCategory == .nonspacingMark
      name.unicodeScalars.append(isPlain || "-_=.".unicodeScalars.contains(scalar) ? scalar : "-")
    }
    // Of dots alone it would be this folder, or the one above.
    if name.utf8.allSatisfy({ $0 == UInt8(ascii: ".") }) { return String(repeating: "-", count: name.utf8.count) }
    guard name.utf8.count > 180 else { return name }
    return String(name.unicodeScalars.prefix(40)) + "-" + SHA256.hexadecimal(Array(title.utf8)).prefix(16)
  }

  /// Gives a file another name, in place of what had it.
  ///
  /// - Throws: `SystemError` where that can't be done; both are as they were then.
  static func rename(_ path: String, to name: String) throws(SystemError) {
    // Safe: the paths are bridged to C strings that outlive the call.
    let result = unsafe renameat(AT_FDCWD, path, AT_FDCWD, name)
    guard result == 0 else { throw SystemError("rename \(path) to \(name)") }
  }

  /// Removes a file, if it is there.
  static func remove(_ path: String) {
    // Safe: the path is bridged to a C string that outlives the call.
    _ = unsafe unlink(path)
  }

  /// Removes a folder, if it is there and has nothing in it.
  static func removeFolder(_ path: String) {
    // Safe: the path is bridged to a C string that outlives the call.
    _ = unsafe rmdir(path)
  }

  /// Size of a file in bytes and when it was last changed, in nanoseconds since 1970; `nil` where there is none.
  static func stamp(of path: String) -> (size: Int, modified: Int)? {
    var record = stat()
    // Safe: the path is bridged to a C string that outlives the call, and the call fills the record.
    guard unsafe stat(path, &record) == 0 else { return nil }
    #if canImport(Darwin)
      let time = record.st_mtimespec
    #else
      let time = record.st_mtim
    #endif
    return (Int(record.st_size), time.tv_sec * 1_000_000_000 + time.tv_nsec)
  }
}
