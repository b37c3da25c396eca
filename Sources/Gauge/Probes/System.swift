// What a launch asks of the system: writing its report, reading what the system tells in files, its own path, becoming
// another program, ending.

import CProbes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Calls of the C library, with their pointers kept here.
enum System {
  /// Writes text as UTF-8, all of it.
  ///
  /// - Returns: 0, or the error number.
  static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    // The bytes live as long as the closure, and exactly their number is written.
    return text.withUTF8 { bytes in unsafe probe_write_all(descriptor, bytes.baseAddress, bytes.count) }
  }

  /// The beginning of a file, as text: a page of it at most.
  ///
  /// - Returns: The text, empty where the file can't be read, and 0 or the error number.
  static func beginning(ofFile path: String) -> (text: String, error: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let capacity = bytes.count
    var count = 0
    // At most `capacity` bytes are stored, and their number is not above it. What is pointed to outlives the call.
    let error = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe probe_read_beginning(path, buffer.baseAddress, capacity, &count)
    }
    return (String(decoding: bytes.prefix(error == 0 ? count : 0), as: UTF8.self), error)
  }

  /// Ticks of a second, in which the files of the system count processors' time.
  static var ticksPerSecond: Double { Double(sysconf(Int32(_SC_CLK_TCK))) }

  /// What an error number means.
  static func describe(errorNumber: Int32) -> String {
    // strerror returns a string of its own, which is copied at once.
    unsafe strerror(errorNumber).map { unsafe String(cString: $0) } ?? "error \(errorNumber)"
  }

  /// What kind of refusal an error number is.
  enum RefusalKind {
    /// The machine or the system has no such thing.
    case missing
    /// It is there, but this process may not use it.
    case forbidden
    /// Something else.
    case other
  }

  /// The kind of an error number.
  static func kind(ofErrorNumber errorNumber: Int32) -> RefusalKind {
    switch errorNumber {
    case ENOENT, EOPNOTSUPP, ENODEV, ENOSYS: .missing
    case EACCES, EPERM: .forbidden
    default: .other
    }
  }

  /// Path of the running executable; empty where the system does not tell.
  static func executablePath() -> String {
    var path = [CChar](repeating: 0, count: 4096)
    let capacity = path.count
    // At most `capacity` bytes are stored, and the length returned is below it.
    let length = unsafe path.withUnsafeMutableBufferPointer { buffer in
      unsafe probe_executable_path(buffer.baseAddress, capacity)
    }
    return String(decoding: path.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether the program was built with a sanitizer.
  static var isSanitized: Bool { probe_is_sanitized() != 0 }

  /// Forks a child per line of a descriptor, one after the other.
  ///
  /// - Returns: In each child its line; `nil` in this process once there is none left.
  static func forkPerLine(from requests: Int32, reportingTo report: Int32) -> String? {
    // Nothing of the process may depend on the lines before the fork: room for the longest is made at once.
    var line = [CChar](repeating: 0, count: 16_384)
    let capacity = line.count
    // At most `capacity` bytes are stored, and the length returned is not above it.
    let length = unsafe line.withUnsafeMutableBufferPointer { buffer in
      unsafe probe_fork_per_line(requests, report, buffer.baseAddress, capacity)
    }
    guard length >= 0 else { return nil }
    return String(decoding: line.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The value of an environment variable; `nil` where it is not set.
  static func environment(_ name: String) -> String? {
    // The string stays as it is while nobody changes the environment, and it is copied at once.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Replaces this program by another; returns only where that fails.
  ///
  /// - Returns: The error number.
  static func execute(_ path: String, arguments: [String]) -> Int32 {
    // Each argument is a C string of its own, freed where execv returns after all; the list ends with NULL.
    var pointers = unsafe ([path] + arguments).map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    unsafe execv(path, pointers)
    let error = errno
    unsafe pointers.forEach { unsafe free($0) }
    return error
  }

  /// Starts a thread that sleeps for good, once per process: the C library leaves out atomic instructions in a process
  /// that never had a second thread, and what is measured should cost what it costs in a program with threads.
  static func leaveSingleThreadedMode() {
    _ = idleThread
  }

  private static let idleThread: Int32 = probe_start_idle_thread()

  /// Does the same with a thread that has ended when this returns, so that nothing of it is counted later.
  static func leaveSingleThreadedModeAlone() {
    _ = endedThread
  }

  private static let endedThread: Int32 = probe_run_empty_thread()

  /// Has the system kill this process when the one that started it ends, where the system can (Linux): what is measured
  /// for nobody only disturbs what is measured next.
  ///
  /// - Parameter descriptor: Where the report goes.
  /// - Returns: Whether somebody reads there. If not, the starter had ended before the system knew what to do then.
  static func dieWithReader(_ descriptor: Int32) -> Bool {
    probe_die_with_parent()
    return probe_has_no_reader(descriptor) == 0
  }

  /// Writes out what the benchmark prints line by line, so that it is there if the process is killed.
  static func bufferOutputByLine() { probe_buffer_output_by_line() }

  /// Ends the process after flushing what the benchmark printed.
  static func end(_ code: Int32) -> Never {
    exit(code)
  }
}
