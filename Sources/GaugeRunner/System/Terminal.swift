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
  /// Standard input.
  static let input: Int32 = 0
  /// Standard output.
  static let output: Int32 = 1
  /// Standard error.
  static let error: Int32 = 2

  /// Whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Writes bytes, and waits for who reads, also where the descriptor doesn't block.
  ///
  /// - Throws: `SystemError` where they don't fit, or nobody reads them any more.
  static func send(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Safe: the slice's own bytes are read.
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Safe: the call is given one record, and fills it. Where it fails, the next write tells why.
        _ = unsafe poll(&waiting, 1, -1)
      } else if errno != EINTR {
        throw SystemError("write to descriptor \(descriptor)")
      }
    }
  }

  /// Columns of the terminal, or `nil` if the descriptor is none.
  static func width(_ descriptor: Int32) -> Int? { size(descriptor)?.columns }

  /// Columns and lines of the terminal, as they are now; `nil` if the descriptor is none. A terminal may not know how
  /// many lines it has: then there are 0.
  static func size(_ descriptor: Int32) -> (columns: Int, lines: Int)? {
    var size = winsize()
    // Safe: the request fills the record that it is given, and nothing else.
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
