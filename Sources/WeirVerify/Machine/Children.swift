// Work in child processes: a run that breaks the program may crash it.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

import CExplorer

/// Memory that a child leaves its result in, even if it crashes on the way.
@safe
package struct Region {
  private static let size = 1 << 20
  private static let textStart = 8_192
  // SAFETY: `size` bytes that live until `free`, and every access is within them.
  private let memory: UnsafeMutablePointer<UInt8>

  package init() {
    precondition(ScheduleCopy.size <= Self.textStart - 8)
    guard let memory = unsafe explorer_shared_memory(Self.size) else { fatalError("no memory to share with children") }
    unsafe self.memory = unsafe memory
  }

  package func free() { unsafe explorer_shared_memory_free(memory, Self.size) }

  /// Where explorations copy their schedules to.
  package var schedule: ScheduleCopy { unsafe ScheduleCopy(memory) }

  /// Which part of its work the child is at.
  package var part: Int {
    get { number(at: Self.textStart - 8) }
    nonmutating set { setNumber(newValue, at: Self.textStart - 8) }
  }

  /// Adds a line.
  package func print(_ line: String) {
    let length = count
    let bytes = Array(line.utf8) + [10]
    guard Self.textStart + length + bytes.count < Self.size else { return }
    for (index, byte) in bytes.enumerated() { unsafe memory[Self.textStart + length + index] = byte }
    count = length + bytes.count
  }

  package var lines: [Substring] {
    let start = unsafe memory + Self.textStart
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  private var count: Int {
    get { number(at: Self.textStart - 4) }
    nonmutating set { setNumber(newValue, at: Self.textStart - 4) }
  }

  /// A number of four bytes, which stand at any address.
  private func number(at offset: Int) -> Int {
    (0..<4).reduce(0) { unsafe $0 | Int(memory[offset + $1]) << ($1 * 8) }
  }

  private func setNumber(_ number: Int, at offset: Int) {
    for byte in 0..<4 { unsafe memory[offset + byte] = UInt8(number >> (byte * 8) & 255) }
  }
}

/// How a child ended.
package struct Ended {
  package let region: Region
  /// How it crashed, if it did.
  package let crash: String?
  /// Whether it was stopped because it took too long, which says nothing about what it would have found.
  package let isOutOfTime: Bool
}

/// A child process at work.
package struct Child {
  package let number: Int32
  private let region: Region
  private let standardError: Int32

  /// Starts a child.
  ///
  /// - Parameters:
  ///   - seconds: How much processor time it may take.
  ///   - work: What it does.
  package init(seconds: UInt32, _ work: (Region) -> Void) {
    region = Region()
    var standardError: Int32 = -1
    number = unsafe explorer_fork(seconds, &standardError)
    if number == 0 {
      work(region)
      explorer_exit(0)
    }
    precondition(number > 0, "can't start a child process")
    self.standardError = standardError
  }

  /// What became of it, when it has ended with a code.
  package func ended(_ code: Int32) -> Ended {
    var text = [CChar](repeating: 0, count: 4096)
    let length = unsafe explorer_read_back(standardError, &text, text.count)
    let message = String(decoding: text[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return Ended(
      region: region, crash: describe(code, message), isOutOfTime: explorer_signal_is_alarm(code - 256) != 0)
  }
}

/// Waits for a child, or for any if none is named.
package func waitForChild(_ child: Int32 = -1) -> (child: Int32, code: Int32) {
  var code: Int32 = 0
  let ended = unsafe explorer_wait(child, &code)
  precondition(ended > 0, "a child process is lost")
  return (ended, code)
}

/// Does a piece of work in a child, and looks at what came of it.
package func inChild<Result>(seconds: UInt32, work: (Region) -> Void, done: (Ended) -> Result) -> Result {
  let child = Child(seconds: seconds, work)
  let ended = child.ended(waitForChild(child.number).code)
  defer { ended.region.free() }
  return done(ended)
}

private func describe(_ code: Int32, _ message: String) -> String? {
  if code == 0 { return nil }
  let end =
    code < 256 ? "ended with code \(code)" : "crashed: \(unsafe String(cString: explorer_signal_name(code - 256)))"
  let said = message.split(separator: "\n").first { $0.contains("atal error") || !$0.isEmpty }
  return said.map { "\(end) (\($0))" } ?? end
}
