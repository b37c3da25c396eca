// Files and folders that must be what they look like: a link would have what is meant for them go somewhere else.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Files {
  /// What a path leads to, links not followed.
  enum Kind: Hashable {
    case file, folder, link, other
  }

  /// What there is at a path itself; `nil` where there is nothing.
  static func kind(of path: String) -> Kind? {
    var record = stat()
    // Safe: the path is bridged to a C string that outlives the call, and the call fills the record.
    guard unsafe lstat(path, &record) == 0 else { return nil }
    return kind(record)
  }

  private static func kind(_ record: stat) -> Kind {
    switch record.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFLNK: .link
    default: .other
    }
  }

  /// Makes a folder below one that is there, with those in between. None of them may be a link.
  ///
  /// - Parameters:
  ///   - path: The folder, relative to `root`.
  ///   - root: The folder that is there.
  /// - Throws: `SystemError` where one can't be made, or is a link or a file.
  static func makeFolder(_ path: String, below root: String) throws(SystemError) {
    var made = root
    for part in path.split(separator: "/") {
      made += "/" + part
      // Safe: the path is bridged to a C string that outlives the call.
      guard unsafe mkdir(made, 0o755) != 0 else { continue }
      guard errno == EEXIST else { throw SystemError("make the folder \(made)") }
      switch kind(of: made) {
      case .folder: continue
      case .link: throw SystemError("write below \(made), which is a link", code: ELOOP)
      default: throw SystemError("make the folder \(made)", code: ENOTDIR)
      }
    }
  }

  /// Reads a regular file that is no link.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: Bytes that are too many.
  /// - Throws: `SystemError` where it is missing, can't be read, is too large, or is something else.
  /// - Complexity: Linear in the file's size, which is held in memory.
  static func plainContents(of path: String, limit: Int = 1 << 30) throws(SystemError) -> [UInt8] {
    guard let kind = kind(of: path) else { throw SystemError("read \(path)", code: ENOENT) }
    guard kind == .file else { throw SystemError("read \(path)", code: kind == .link ? ELOOP : EINVAL) }
    return try contents(of: Descriptor.readingUnlinked(path), at: path, limit: limit)
  }

  /// Writes a file in place of what stood there, which stays as it was until the new one is whole. A link that stood there
  /// is replaced, not followed.
  ///
  /// Every file that is written anew is written by this: under a name that nobody can have guessed and taken, then renamed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - bytes: What it is to hold.
  ///   - mode: Its permissions, less those that the process's mask takes away.
  /// - Returns: The file, open for appending.
  /// - Throws: `SystemError` where it can't be written.
  @discardableResult
  static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o644) throws(SystemError) -> Descriptor {
    let new = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).new"
    let file = try Descriptor.creating(new, mode: mode)
    do throws(SystemError) {
      try file.append(bytes)
      try rename(new, to: path)
    } catch {
      remove(new)
      throw error
    }
    return file
  }

  /// What a path leads to in the end, links followed; `nil` where there is nothing.
  static func kindBehindLinks(_ path: String) -> Kind? {
    var record = stat()
    // Safe: the path is bridged to a C string that outlives the call, and the call fills the record.
    guard unsafe stat(path, &record) == 0 else { return nil }
    return kind(record)
  }

  /// Says that a file was just used, so that it counts as young.
  static func touch(_ path: String) {
    // Safe: the path is bridged to a C string that outlives the call; without times the call takes the present one.
    _ = unsafe utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW)
  }
}
