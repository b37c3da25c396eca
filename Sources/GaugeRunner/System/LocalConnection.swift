// A connection to a socket of this machine, over which lines go and lines come back.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Asks a program by lines, and never waits for longer than it was told to.
struct LocalConnection: ~Copyable {
  /// What became of a question.
  enum Answer: Hashable {
    /// A line, without its end.
    case line([UInt8])
    /// The other end has closed the connection.
    case ended
    /// Nothing has come in time.
    case overdue
    /// More has come than any answer has.
    case tooLong
    /// Whoever asked wants to know no more.
    case givenUp
  }

  /// The socket.
  let path: String
  private let descriptor: Descriptor
  private var coming: [UInt8] = []
  private let limit: Int

  /// Connects.
  ///
  /// - Parameters:
  ///   - path: The socket.
  ///   - limit: Bytes of an answer at most.
  ///   - time: How long to try again where more connections wait already than the program takes.
  ///   - givesUp: Asked twenty times a second whether to try no more.
  /// - Throws: `SystemError`, where nobody answers there with the code `ECONNREFUSED`, and where too many wait with
  ///   `EAGAIN`.
  init(
    to path: String, limit: Int = 256 * 1024 * 1024, within time: Duration = .zero,
    orUntil givesUp: () -> Bool = { false }
  ) throws(SystemError) {
    self.path = path
    self.limit = limit
    let attempt = "connect to \(path)"
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let number = socket(AF_UNIX, stream, 0)
    descriptor = Descriptor(owning: number)
    guard number >= 0, fcntl(number, F_SETFD, FD_CLOEXEC) == 0, fcntl(number, F_SETFL, O_NONBLOCK) == 0 else {
      throw SystemError(attempt)
    }
    #if canImport(Darwin)
      var yes: Int32 = 1
      // Safe: the call reads the number that it is given.
      unsafe setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    // Safe: the path is copied if it fits, with a zero behind it, as the record was all zeros.
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard bytes.count < place.count else { return false }
      unsafe place.copyBytes(from: bytes)
      return true
    }
    guard fits else { throw SystemError(attempt, code: ENAMETOOLONG) }
    let start = ContinuousClock.now
    while true {
      // Safe: an address of this family begins as every address does, and its own size is told.
      let result = unsafe withUnsafePointer(to: &address) { place in
        unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      if result == 0 { return }
      let code = errno
      guard code == EAGAIN, ContinuousClock.now - start < time, !givesUp() else {
        throw SystemError(attempt, code: code)
      }
      _ = poll(nil, 0, 50)
    }
  }

  /// The user whose program is at the other end, and its process where the system tells; `nil` where it tells nothing.
  borrowing func peer() -> (user: Int, process: Int?)? {
    #if os(Linux)
      // Process, user and group.
      var peer: [Int32] = [0, 0, 0]
      var size = socklen_t(3 * MemoryLayout<Int32>.size)
      // Safe: the array has the three numbers that the call writes.
      let result = unsafe getsockopt(descriptor.number, SOL_SOCKET, SO_PEERCRED, &peer, &size)
      return result == 0 ? (Int(UInt32(bitPattern: peer[1])), Int(peer[0])) : nil
    #else
      var (user, group) = (uid_t(), gid_t())
      // Safe: the call fills the two numbers.
      return unsafe getpeereid(descriptor.number, &user, &group) == 0 ? (Int(user), nil) : nil
    #endif
  }

  /// Sends a line, and waits for the line that comes back.
  ///
  /// - Parameters:
  ///   - request: The line.
  ///   - time: How long to wait.
  ///   - givesUp: Asked twenty times a second whether to wait no longer.
  mutating func ask(_ request: String, within time: Duration, orUntil givesUp: () -> Bool) -> Answer {
    let number = descriptor.number
    var leaving = Array((request + "\n").utf8)[...]
    let start = ContinuousClock.now
    var looked = 0
    while true {
      if leaving.isEmpty, let end = coming[looked...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { coming.removeFirst(end + 1) }
        return .line(Array(coming[..<end]))
      }
      looked = coming.count
      guard coming.count < limit else { return .tooLong }
      if givesUp() { return .givenUp }
      guard ContinuousClock.now - start < time else { return .overdue }
      var awaited = pollfd(
        fd: number, events: Int16(POLLIN | (leaving.isEmpty ? 0 : POLLOUT)), revents: 0)
      // Safe: the call is given one record, and fills it.
      guard unsafe poll(&awaited, 1, 50) > 0 else { continue }
      if awaited.revents & Int16(POLLOUT) != 0, !leaving.isEmpty {
        #if canImport(Darwin)
          let flags: Int32 = 0
        #else
          let flags = Int32(MSG_NOSIGNAL)
        #endif
        // Safe: the slice's own bytes are read.
        let count = unsafe leaving.withUnsafeBytes { unsafe send(number, $0.baseAddress, $0.count, flags) }
        // A connection that is broken has perhaps something to read still, as why.
        leaving = count < 0 && errno != EAGAIN && errno != EINTR ? [] : leaving.dropFirst(max(0, count))
      } else {
        switch descriptor.readAvailable() {
        case .bytes(let bytes): coming += bytes
        case .nothing: break
        case .end: return .ended
        }
      }
    }
  }
}
