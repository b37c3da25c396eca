// Names that only the C library knows: kernel release, host and the library's own version.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Names of the running system.
enum SystemNames {
  /// Release of the kernel, for example `6.18.0`, with the system's name in front.
  static func kernel() -> String? {
    guard let record = record() else { return nil }
    return "\(text(record.sysname)) \(text(record.release)) \(text(record.machine))"
  }

  /// Name of the host in its network.
  static func host() -> String? {
    record().map { text($0.nodename) }
  }

  /// Name and version of the C library, for example `glibc 2.36`.
  static func library() -> String? {
    #if canImport(Glibc)
      var name = [UInt8](repeating: 0, count: 128)
      // Safe: at most the array's own size is written to it.
      let length = unsafe name.withUnsafeMutableBytes { buffer in
        unsafe confstr(
          Int32(_CS_GNU_LIBC_VERSION), buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
      }
      guard length > 1, length <= name.count else { return nil }
      return String(decoding: name.prefix(length - 1), as: UTF8.self)
    #else
      return nil
    #endif
  }

  private static func record() -> utsname? {
    var record = utsname()
    // Safe: the call fills the record that it is given.
    return unsafe uname(&record) == 0 ? record : nil
  }

  /// The text in one of the fixed character arrays of `utsname`, which Swift sees as a tuple.
  private static func text<Field>(_ field: Field) -> String {
    // Safe: the bytes of a tuple of characters are all initialised, and are copied up to the first zero.
    unsafe withUnsafeBytes(of: field) { bytes in
      unsafe String(decoding: Array(bytes.prefix { $0 != 0 }), as: UTF8.self)
    }
  }
}
