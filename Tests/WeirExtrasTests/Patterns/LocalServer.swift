// A web server on this machine's own address, for one test at a time.

import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Answers every connection as the path of its request says, one after the other, on a port that the system picks.
final class LocalServer: @unchecked Sendable {
  private let listener: Int32
  let port: UInt16
  private let lock = NSLock()
  private var count = 0

  /// How many requests have come.
  var requests: Int { lock.withLock { count } }

  /// Starts to listen, and answers with what a closure makes of a path: a whole answer, or `nil` to hang up. Where the
  /// path begins with `/endless`, the answer goes on until the client hangs up, and with `/announced` the connection
  /// does.
  init(_ answer: @escaping @Sendable (String) -> String?) {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        precondition(bind(descriptor, generic, length) == 0 && listen(descriptor, 16) == 0, "no port")
        _ = getsockname(descriptor, generic, &length)
      }
      return UInt16(bigEndian: pointer.pointee.sin_port)
    }
    Thread.detachNewThread { [self] in serve(answer) }
  }

  /// Where a path is.
  func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

  /// Stops listening; the thread ends.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func serve(_ answer: (String) -> String?) {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { break }
      lock.withLock { count += 1 }
      var text = ""
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while !text.contains("\r\n\r\n") {
        let read = recv(connection, &buffer, buffer.count, 0)
        guard read > 0 else { break }
        text += String(decoding: buffer[..<read], as: UTF8.self)
      }
      let path = text.split(separator: " ").dropFirst().first.map(String.init) ?? "/"
      if let reply = answer(path) {
        let bytes = Array(reply.utf8)
        var isOpen = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
        // Whoever asks for something endless has to hang up, and whoever waits for an announced rest, too.
        let more = path.hasPrefix("/endless") ? [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 12) : []
        while isOpen, !more.isEmpty {
          isOpen = send(connection, more, more.count, Int32(MSG_NOSIGNAL)) == more.count
          // As a network would: what comes without any pause keeps the session's own queue from cancelling for seconds.
          _ = poll(nil, 0, 1)
        }
        if path.hasPrefix("/announced") { while recv(connection, &buffer, buffer.count, 0) > 0 {} }
      }
      close(connection)
    }
    close(listener)
  }
}
