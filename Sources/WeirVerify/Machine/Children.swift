// Work in child processes: a run that breaks the program may crash it.

import CExplorer

/// Memory that a child leaves its result in, even if it crashes on the way.
@safe
package struct Region {
  private static let size = 1 << 20
  private static let textStart = 131_072
  // SAFETY: `size` bytes that live until `free`, and every access is within them.
  private let memory: UnsafeMutablePointer<UInt8>

  package init() {
    precondition(ScheduleCopy.size <= Self.textStart - 16)
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

  /// Whether the child has done all its work. One that ends before that, with whatever code, has not come to a result.
  fileprivate(set) var isDone: Bool {
    get { number(at: Self.textStart - 12) == 1 }
    nonmutating set { setNumber(newValue ? 1 : 0, at: Self.textStart - 12) }
  }

  /// The most that a line may be long, in bytes. Of a longer one its beginning is kept.
  package static let longestLine = 200_000

  /// Adds a line. The last one that there is room for says that there are more.
  package func print(_ line: String) {
    guard !isFull else { return }
    let length = count
    var bytes = Array(line.utf8)
    if bytes.count > Self.longestLine {
      bytes = Array(bytes.prefix(Self.longestLine)) + Array(" ... (\(bytes.count) bytes)".utf8)
    }
    if Self.textStart + length + bytes.count + Self.noRoom.count + 2 > Self.size {
      isFull = true
      bytes = Self.noRoom
    }
    bytes.append(10)
    for (index, byte) in bytes.enumerated() { unsafe memory[Self.textStart + length + index] = byte }
    count = length + bytes.count
  }

  private static let noRoom = Array("... (no room for more)".utf8)

  private var isFull: Bool {
    get { number(at: Self.textStart - 16) == 1 }
    nonmutating set { setNumber(newValue ? 1 : 0, at: Self.textStart - 16) }
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
  /// Whether it was stopped because it had blocked.
  package let hasBlocked: Bool
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
      region.isDone = true
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
    let crash = code == 0 && region.isDone ? nil : describe(code, message)
    let signal = code - 256
    return Ended(
      region: region, crash: crash, isOutOfTime: explorer_signal_is_alarm(signal) != 0,
      hasBlocked: explorer_signal_is_wait(signal) != 0)
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

/// What a person should know of a child that has ended before its work was done.
///
/// - Parameters:
///   - code: Its exit code, or 256 plus the signal that ended it.
///   - message: What it wrote to its standard error.
private func describe(_ code: Int32, _ message: String) -> String {
  let lines = message.split(whereSeparator: \.isNewline)
  let said = (lines.first { $0.contains("atal error") } ?? lines.first).map(String.init)
  let stuck = "fatal error: a run does not end"
  if let said, said.hasPrefix(stuck) { return String(said.dropFirst("fatal error: ".count)) }
  let end: String
  if code < 256 {
    end = "the program ended the process with code \(code), as by exit, in the middle of a run"
  } else if explorer_signal_is_alarm(code - 256) != 0 {
    end = "no end in the time that there was"
  } else {
    end = "crashed: \(unsafe String(cString: explorer_signal_name(code - 256)))"
  }
  return said.map { "\(end) (\($0))" } ?? end
}

extension String {
  /// The same without line ends and tabs, which part what children write.
  package var oneLine: String { String(map { $0.isNewline || $0 == "\t" ? " " : $0 }) }
}
