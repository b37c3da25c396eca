// File descriptors that close themselves: pipes of child processes and the result file being appended to.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open file descriptor, closed when the value ends. Not inherited by child processes unless they are given it.
struct Descriptor: ~Copyable {
  /// The number that the system knows it by; negative once closed.
  private(set) var number: Int32

  /// Takes a descriptor that nobody else closes.
  init(owning number: Int32) {
    self.number = number
  }

  /// Moves a descriptor that nobody else closes to a number of 10 or above that children don't inherit; the number is
  /// negative if the process has none left.
  fileprivate init(moving low: Int32) {
    self.init(owning: fcntl(low, F_DUPFD_CLOEXEC, 10))
    _ = close(low)
  }

  deinit {
    // An error of close is not reported: nothing is buffered here, so that every write has already told its own.
    if number >= 0 { _ = close(number) }
  }

  /// Closes it before the value ends.
  mutating func closeNow() {
    _ = close(number)
    number = -1
  }

  /// Opens a file for appending whole records, and creates it where it is missing. A link to a file or to nothing is
  /// not followed; one to a device is, as `/dev/stdout` is one.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - emptied: Whether to drop what the file holds.
  /// - Throws: `SystemError` where it can't be opened for writing.
  static func appending(to path: String, emptied: Bool) throws(SystemError) -> Descriptor {
    let isDevice = Files.kindBehindLinks(path) == .other
    let flags =
      O_WRONLY | O_APPEND | O_CLOEXEC | (isDevice ? 0 : O_CREAT | O_NOFOLLOW | (emptied ? O_TRUNC : 0))
    // Safe: the path is bridged to a C string that outlives the call.
    let number = unsafe open(path, flags, 0o644)
    guard number >= 0 else { throw SystemError("write \(path)") }
    let file = Descriptor(owning: number)
    // Where the link leads may have changed since: as it was opened it counts, and nothing is emptied by then.
    if isDevice { try Files.expect([.other], of: file, at: path) }
    return file
  }

  /// Creates a file, and writes into no other: neither one that is there nor one that a link leads to.
  ///
  /// - Throws: `SystemError` where there is something, or it can't be created.
  static func creating(_ path: String, mode: mode_t = 0o644) throws(SystemError) -> Descriptor {
    // Safe: the path is bridged to a C string that outlives the call.
    let number = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard number >= 0 else { throw SystemError("create \(path)") }
    return Descriptor(owning: number)
  }

  /// Drops what a file holds behind a number of bytes.
  ///
  /// - Throws: `SystemError` where it can't be cut.
  borrowing func cut(to length: Int) throws(SystemError) {
    guard ftruncate(number, off_t(length)) == 0 else { throw SystemError("cut the file") }
  }

  /// Opens a file for reading.
  ///
  /// - Throws: `SystemError` where it is missing or can't be read.
  static func reading(_ path: String) throws(SystemError) -> Descriptor {
    // Safe: the path is bridged to a C string that outlives the call.
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("read \(path)") }
    return Descriptor(owning: number)
  }

  /// Opens a file for reading, and waits for nobody: neither for the writer of a pipe nor for a terminal.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - followsLink: Whether it may be a link.
  /// - Throws: `SystemError` where it is missing, a link that isn't followed, or can't be read.
  static func readingAtOnce(_ path: String, followsLink: Bool = true) throws(SystemError) -> Descriptor {
    // Safe: the path is bridged to a C string that outlives the call.
    let number = unsafe open(
      path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
    guard number >= 0 else { throw SystemError("read \(path)") }
    return Descriptor(owning: number)
  }

  /// Lets every user read a file, whatever the process's mask is.
  borrowing func letAllRead() {
    // Where that fails others can't open it, and are told nothing.
    _ = fchmod(number, 0o644)
  }

  /// Reads the next bytes of a file.
  ///
  /// - Returns: Some bytes, or none at the end.
  /// - Throws: `SystemError` where they can't be read.
  borrowing func readPiece() throws(SystemError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    // Safe: at most the buffer's own size is written to it.
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(number, $0.baseAddress, $0.count) }
    guard count >= 0 else { throw SystemError("read") }
    buffer.removeLast(buffer.count - count)
    return buffer
  }

  /// Reads bytes from a place in a file; `nil` where they are not all there.
  borrowing func bytes(at offset: Int, count: Int) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: count)
    // Safe: at most the buffer's own size is written to it.
    let read = unsafe buffer.withUnsafeMutableBytes { unsafe pread(number, $0.baseAddress, $0.count, off_t(offset)) }
    return read == count ? buffer : nil
  }

  /// What a read of a pipe found.
  enum Reading {
    /// Some bytes.
    case bytes([UInt8])
    /// Nothing yet.
    case nothing
    /// Every writer has closed its end.
    case end
  }

  /// Reads what is there, without waiting.
  borrowing func readAvailable() -> Reading {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    // Safe: at most the buffer's own size is written to it.
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(number, $0.baseAddress, $0.count) }
    if count > 0 { return .bytes(Array(buffer.prefix(count))) }
    if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
    return .end
  }

  /// Appends bytes with one system call, so that a kill at any moment leaves all of them or none.
  ///
  /// - Throws: `SystemError` where they don't fit; the part that was written is taken back first.
  borrowing func append(_ bytes: [UInt8]) throws(SystemError) {
    let end = lseek(number, 0, SEEK_END)
    var count: Int
    repeat {
      // Safe: the buffer's own bytes are read.
      count = unsafe bytes.withUnsafeBytes { unsafe write(number, $0.baseAddress, $0.count) }
    } while count < 0 && errno == EINTR
    guard count != bytes.count else { return }
    let error = SystemError("append to a file", code: count < 0 ? errno : ENOSPC)
    if count > 0, end >= 0 { _ = ftruncate(number, end) }
    throw error
  }
}

/// A pipe from a child process to this one. Reading doesn't block.
struct Pipe: ~Copyable {
  /// The end that this process reads.
  let reading: Descriptor
  /// The end that children write to. To be closed here once they have it, as reading ends with the last writer.
  var writing: Descriptor

  /// Makes a pipe. Its ends are numbered 10 and above, so that handing one to a child as descriptor 0 to 3 never
  /// overwrites the other.
  ///
  /// - Throws: `SystemError` where the process has no descriptors left.
  static func make() throws(SystemError) -> Pipe {
    var ends: [Int32] = [-1, -1]
    // Safe: the array has the two elements that the call writes.
    guard unsafe pipe(&ends) == 0, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else { throw SystemError("make a pipe") }
    let made = Pipe(reading: Descriptor(moving: ends[0]), writing: Descriptor(moving: ends[1]))
    guard made.reading.number >= 0, made.writing.number >= 0 else { throw SystemError("make a pipe", code: EMFILE) }
    return made
  }
}
