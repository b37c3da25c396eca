// What the standard streams are connected to.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One of the standard streams, asked what it is.
enum Terminal {
  /// Standard output.
  static let output: Int32 = 1
  /// Standard error.
  static let error: Int32 = 2

  /// Whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Columns of the terminal, or `nil` if the descriptor is none.
  static func width(_ descriptor: Int32) -> Int? {
    var size = winsize()
    // Safe: the request fills the record that it is given, and nothing else.
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
