// One run at a time per folder: a lock on the folder itself, which ends with the process however that ends.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The lock of a folder, held as long as the value lives.
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
