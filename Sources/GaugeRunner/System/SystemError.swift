// A failed system call, in words.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A system call that failed.
struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The number that the call left in `errno`.
  var code: Int32
  /// What was attempted, for example `open results/latest.csv`.
  var attempt: String
  /// What is wrong, for example `Permission denied`.
  var reason: String

  /// Captures `errno`.
  ///
  /// - Parameters:
  ///   - attempt: What was attempted.
  ///   - code: The number of the error.
  ///   - reason: Plainer words than the system's own.
  init(_ attempt: String, code: Int32 = errno, reason: String? = nil) {
    self.attempt = attempt
    self.code = code
    self.reason = reason ?? Self.words(for: code)
  }

  /// Whether the error is that a file or folder isn't there.
  var isMissingFile: Bool { code == ENOENT }

  /// Whether the error is that another user doesn't let this one.
  var isDenial: Bool { code == EACCES || code == EPERM }

  /// Whether the error is that something can't be done right now.
  var isTemporary: Bool { code == EAGAIN }

  /// Whether the error is that a folder takes no new files.
  var isRefusal: Bool { [EACCES, EPERM, EROFS, ENOENT].contains(code) }

  var description: String { "cannot \(attempt): \(reason)" }

  /// What keeps a file or folder from being written, in the system's own words; `nil` if nothing does.
  static func obstacle(toWriting path: String) -> String? {
    // Safe: the string is copied to a C string that lives as long as the call.
    unsafe access(path, W_OK) == 0 ? nil : words(for: errno)
  }

  /// The system's own words for an error number.
  static func words(for code: Int32) -> String {
    // Safe: strerror returns a valid C string for every number, and it is copied before any other call of this thread.
    unsafe String(cString: strerror(code))
  }

  /// The system's own words for a signal, for example `signal 4 (Illegal instruction)`.
  static func words(forSignal signal: Int32) -> String {
    // Safe: as for strerror; a null pointer (an unknown signal on some systems) is tested for.
    guard let words = unsafe strsignal(signal) else { return "signal \(signal)" }
    return unsafe "signal \(signal) (\(String(cString: words)))"
  }
}
