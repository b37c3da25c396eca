// Another process of this machine: whether it is there, whose it is, and what it was started with.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Another process, by its number.
struct RunningProcess {
  /// Its number.
  let number: Int

  /// The user that this process acts for.
  static var ownUser: Int { Int(geteuid()) }

  /// Whether there is such a process, whoever's it is.
  var isThere: Bool {
    guard number > 0, let number = pid_t(exactly: number) else { return false }
    return kill(number, 0) == 0 || errno == EPERM
  }

  /// The user that it acts for; `nil` where nobody tells.
  var user: Int? {
    guard let lines = Files.text(of: "/proc/\(number)/status")?.split(separator: "\n") else { return nil }
    // The real number, and then the one that counts.
    let words = lines.first { $0.hasPrefix("Uid:") }?.split(whereSeparator: { $0 == "\t" || $0 == " " })
    return words.flatMap { $0.count > 2 ? Int($0[2]) : nil }
  }

  /// The environment variables that it was started with; none where this process may not read them.
  var environment: [String: String] {
    guard let bytes = try? Files.contents(of: "/proc/\(number)/environ") else { return [:] }
    var variables: [String: String] = [:]
    for entry in bytes.split(separator: 0) {
      let parts = entry.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      variables[String(decoding: parts[0], as: UTF8.self)] = String(decoding: parts[1], as: UTF8.self)
    }
    return variables
  }
}
