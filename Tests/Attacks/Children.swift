// Attacks run in child processes, so that a crash or a hang is a row of the table and no more.

import CAttacks

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How a child ended.
struct Ended {
  var output = ""
  var errors = ""
  /// The exit code, or minus the signal.
  var code = 0
  var isOutOfTime = false
}

/// A child process of this program.
struct Child {
  private let child: attack_child

  init(_ arguments: [String]) {
    var made = attack_child()
    let copies = arguments.map { strdup($0) }
    var pointers: [UnsafePointer<CChar>?] = copies.map { UnsafePointer($0) } + [nil]
    guard attack_spawn(&pointers, &made) != 0 else { fatalError("no child: \(arguments)") }
    for copy in copies { free(copy) }
    child = made
  }

  /// Waits for its end, but stops it after some time.
  func end(milliseconds: Int) -> Ended {
    var ended = Ended()
    var bytes: [(file: Int32, bytes: [UInt8], isOpen: Bool)] = [(child.output, [], true), (child.errors, [], true)]
    let deadline = now() + milliseconds * 1_000_000
    var buffer = [CChar](repeating: 0, count: 4096)
    while bytes.contains(where: \.isOpen), !ended.isOutOfTime {
      for index in bytes.indices where bytes[index].isOpen {
        let count = attack_read(bytes[index].file, &buffer, 4096, 20)
        if count == 0 { bytes[index].isOpen = false }
        if count > 0 { bytes[index].bytes += buffer.prefix(Int(count)).map(UInt8.init(bitPattern:)) }
      }
      ended.isOutOfTime = now() > deadline
    }
    ended.code = Int(attack_reap(child.pid, ended.isOutOfTime ? 1 : 0))
    close(child.output)
    close(child.errors)
    ended.output = String(decoding: bytes[0].bytes, as: UTF8.self)
    ended.errors = String(decoding: bytes[1].bytes, as: UTF8.self)
    return ended
  }
}

/// Writes out what was printed.
func flushOutput() { fflush(nil) }
