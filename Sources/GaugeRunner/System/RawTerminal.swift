// A terminal whose keys are read one by one, and which is as it was before once that ends.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A terminal that shows no keys, waits for no end of a line, and makes no signals of keys,
/// as long as the object lives.
final class RawTerminal {
  private let descriptor: Int32
  private let former: termios

  /// Changes a terminal; `nil` where the descriptor is none.
  init?(_ descriptor: Int32) {
    var settings = termios()
    // Safe: the call fills the record that it is given.
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { return nil }
    self.descriptor = descriptor
    former = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
    // Safe: the record is this function's own.
    guard unsafe tcsetattr(descriptor, TCSANOW, &settings) == 0 else { return nil }
  }

  deinit {
    var settings = former
    // Safe: as above. What was typed for nobody is dropped, rather than left to the shell.
    _ = unsafe tcsetattr(descriptor, TCSAFLUSH, &settings)
  }

  /// Waits for keys.
  ///
  /// - Parameter milliseconds: How long to wait at most.
  /// - Returns: What has been typed, empty where nothing was; `nil` if the terminal is gone.
  func keys(within milliseconds: Int) -> [UInt8]? {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // Safe: the call is given one record, and fills it.
    guard unsafe poll(&waiting, 1, Int32(milliseconds)) > 0 else { return [] }
    var buffer = [UInt8](repeating: 0, count: 256)
    // Safe: at most the buffer's own size is written to it.
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
    return count == 0 ? nil : Array(buffer.prefix(count))
  }
}
