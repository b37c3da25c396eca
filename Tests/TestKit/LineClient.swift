// A program that asks at a socket of this machine by lines, within the process of the test.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A connection to a socket; each call waits until it is done.
package final class LineClient {
  private let descriptor: Int32
  private var coming: [UInt8] = []

  /// Connects; `nil` where nobody answers.
  package init?(_ path: String) {
    descriptor = Self.socket()
    guard Self.address(path, for: { connect(descriptor, $0, $1) }) == 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Leaves a socket behind, as a process does that is killed.
  package static func leaveSocket(at path: String) -> Bool {
    let made = socket()
    defer { close(made) }
    return address(path, for: { bind(made, $0, $1) }) == 0
  }

  /// Makes a socket at which connections may wait.
  ///
  /// - Parameters:
  ///   - path: Where.
  ///   - backlog: How many more than one may wait.
  /// - Returns: Its number; `nil` where it can't be made.
  package static func listener(at path: String, backlog: Int32) -> Int32? {
    let made = socket()
    if address(path, for: { bind(made, $0, $1) }) == 0, listen(made, backlog) == 0 { return made }
    close(made)
    return nil
  }

  private static func socket() -> Int32 {
    #if canImport(Glibc)
      Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #elseif canImport(Musl)
      Musl.socket(AF_UNIX, SOCK_STREAM, 0)
    #else
      Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
  }

  private static func address(_ path: String, for body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// Sends bytes.
  ///
  /// - Returns: Whether all were taken.
  @discardableResult
  package func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return Self.write(descriptor, bytes) == bytes.count
  }

  private static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
    #if canImport(Darwin)
      Darwin.send(descriptor, bytes, bytes.count, 0)
    #elseif canImport(Musl)
      Musl.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    #else
      Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }

  /// The next line, without its end; `nil` once the other end has closed the connection.
  package func line() -> String? {
    while true {
      if let end = coming.firstIndex(of: UInt8(ascii: "\n")) {
        defer { coming.removeFirst(end + 1) }
        return String(decoding: coming[..<end], as: UTF8.self)
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return nil }
      coming += buffer.prefix(count)
    }
  }

  /// Sends a line, and waits for the next one.
  package func ask(_ request: String) -> String? { send(request + "\n") ? line() : nil }
}
