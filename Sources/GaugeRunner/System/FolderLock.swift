// One run at a time per folder, and word of others on the machine: locks that end with the process however that ends.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The lock of a folder or a file, held as long as the value lives.
struct FolderLock: ~Copyable {
  private let folder: Descriptor

  /// Who holds the lock of a folder instead.
  struct Taken: Error, Hashable {
    /// The process, where the system tells.
    var process: Int?
  }

  /// Locks a folder.
  ///
  /// - Parameter path: The folder.
  /// - Returns: `nil` where the system can't lock it: nothing is excluded then.
  /// - Throws: `Taken` where another process has locked it.
  static func take(_ path: String) throws(Taken) -> FolderLock? {
    guard let folder = try? Descriptor.reading(path) else { return nil }
    return try take(folder)
  }

  /// Locks a file that all users of the machine may lock, and makes it where it is missing.
  ///
  /// - Parameter path: The file. It is neither written nor followed where it is a link.
  /// - Returns: `nil` where it can't be locked: nothing is excluded then.
  /// - Throws: `Taken` where another process has locked it.
  static func takeFile(_ path: String) throws(Taken) -> FolderLock? {
    // Another user's mask or another process's haste may be in the way of making it, and of nothing else.
    if let made = try? Descriptor.creating(path) { made.letAllRead() }
    guard Files.kind(of: path) == .file, let file = try? Descriptor.readingAtOnce(path, followsLink: false) else {
      return nil
    }
    return try take(file)
  }

  /// The file that measurements on this machine lock, since it was last started.
  static let machineFile: String = {
    let boot = Files.text(of: "/proc/sys/kernel/random/boot_id")?.prefix { $0 != "\n" }
    return "/tmp/gauge-\(boot.map(String.init) ?? "machine").lock"
  }()

  private static func take(_ folder: consuming Descriptor) throws(Taken) -> FolderLock? {
    if flock(folder.number, LOCK_EX | LOCK_NB) == 0 { return FolderLock(folder: folder) }
    guard errno == EWOULDBLOCK else { return nil }
    throw Taken(process: holder(of: folder))
  }

  private init(folder: consuming Descriptor) { self.folder = folder }

  deinit {
    // By itself, as a child that is being started may share the descriptor for a moment.
    flock(folder.number, LOCK_UN)
  }

  /// Keeps the value alive up to here.
  borrowing func hold() {}

  /// The process that holds a folder's lock, as Linux lists it: `1: FLOCK ADVISORY WRITE 1234 08:01:5678 0 EOF`.
  private static func holder(of folder: borrowing Descriptor) -> Int? {
    var record = stat()
    // Safe: the call fills the record that it is given.
    guard unsafe fstat(folder.number, &record) == 0 else { return nil }
    return process(holding: UInt64(record.st_ino), in: Files.text(of: "/proc/locks") ?? "")
  }

  /// The process that holds the lock of a file in the system's list.
  static func process(holding inode: UInt64, in list: String) -> Int? {
    for line in list.split(separator: "\n") where line.contains(" FLOCK ") && !line.contains("->") {
      let words = line.split(separator: " ")
      guard words.count > 5, words[5].split(separator: ":").last == "\(inode)"[...] else { continue }
      return Int(words[4])
    }
    return nil
  }
}
