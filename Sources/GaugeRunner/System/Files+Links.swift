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
    case file, folder, link, pipe, other
  }

  /// What there is at a path itself; `nil` where there is nothing.
  static func kind(of path: String) -> Kind? {
    var record = stat()
    // Safe: the path is bridged to a C string that outlives the call, and the call fills the record.
    guard unsafe lstat(path, &record) == 0 else { return nil }
    return kind(record)
  }

  fileprivate static func kind(_ record: stat) -> Kind {
    switch record.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFLNK: .link
    case S_IFIFO: .pipe
    default: .other
    }
  }

  /// Makes a folder and those above it that are missing. Below the current folder and below a package none of them may
  /// be a link: a change may have brought it along. What lies above these is its user's affair.
  ///
  /// - Parameters:
  ///   - path: The folder, relative to `root`.
  ///   - root: A folder that is there, below which no link is followed either; `nil` takes the path as it is.
  /// - Throws: `SystemError` where one can't be made, or is such a link.
  static func makeFolder(_ path: String, below root: String? = nil) throws(SystemError) {
    var made = root.map { $0 + "/" } ?? (path.hasPrefix("/") ? "/" : "")
    // How many folders below the outermost one that follows no link; `nil` above it.
    var depth: Int? = made == "/" ? nil : 0
    for part in path.split(separator: "/") where part != "." {
      made += part
      // Safe: the path is bridged to a C string that outlives the call.
      let isNew = unsafe mkdir(made, 0o755) == 0
      guard isNew || errno == EEXIST else { throw SystemError("make the folder \(made)") }
      if part == ".." {
        depth = depth.flatMap { $0 > 0 ? $0 - 1 : nil }
      } else if let below = depth {
        if kind(of: made) == .link {
          throw SystemError("write below \(made)", code: ELOOP, reason: "\(made) is a link, which is not followed")
        }
        depth = below + 1
      }
      guard isNew || kindBehindLinks(made) == .folder else {
        throw SystemError("make the folder \(made)", code: ENOTDIR)
      }
      if depth == nil, isPackage(made) { depth = 0 }
      made += "/"
    }
  }

  /// Whether a folder is the current one, or that of a package.
  private static func isPackage(_ folder: String) -> Bool {
    if kind(of: folder + "/Package.swift") != nil { return true }
    var (current, record) = (stat(), stat())
    // Safe: the paths are bridged to C strings that outlive the calls, and the calls fill the records.
    guard unsafe stat(".", &current) == 0, unsafe stat(folder, &record) == 0 else { return false }
    return (current.st_dev, current.st_ino) == (record.st_dev, record.st_ino)
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
    guard kind != .link else {
      throw SystemError("read \(path)", code: ELOOP, reason: "it is a link, which is not followed")
    }
    let file = try Descriptor.readingAtOnce(path, followsLink: false)
    try expect([.file], of: file, at: path)
    return try contents(of: file, at: path, limit: limit)
  }

  /// Writes a file in place of what stood there, which stays as it was until the new one is whole. A link that stood
  /// there is replaced, not followed.
  ///
  /// Every file that is written anew is written by this:
  /// under a name that nobody can have guessed and taken, then renamed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - bytes: What it is to hold.
  ///   - mode: Its permissions, less those that the process's mask takes away.
  /// - Returns: The file, open for appending.
  /// - Throws: `SystemError` where it can't be written.
  @discardableResult
  static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o644) throws(SystemError) -> Descriptor {
    let new = unusedName(beside: path)
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

  /// A name beside a file, for what is to take its place when it is whole.
  static func unusedName(beside path: String) -> String {
    "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).new"
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

extension Descriptor {
  /// What it was opened on; `nil` where the system doesn't tell.
  var kind: Files.Kind? {
    var record = stat()
    // Safe: the call fills the record.
    return unsafe fstat(number, &record) == 0 ? Files.kind(record) : nil
  }
}
