// Work in child processes: a run that breaks the program may crash it. Several at a time, results in order.

import CExplorer
import Explorer

/// Memory that a child leaves its result in, even if it crashes on the way.
struct Region {
  private static let size = 1 << 20
  private static let textStart = 8_192
  private let memory: UnsafeMutablePointer<UInt8>

  init() {
    precondition(ScheduleCopy.size <= Self.textStart - 8)
    guard let memory = explorer_shared_memory(Self.size) else { fatalError("no memory to share with children") }
    self.memory = memory
  }

  func free() { explorer_shared_memory_free(memory, Self.size) }

  /// Where explorations copy their schedules to.
  var schedule: ScheduleCopy { ScheduleCopy(memory) }

  /// Which part of its work the child is at.
  var part: Int {
    get { Int(memory[Self.textStart - 8]) }
    nonmutating set { memory[Self.textStart - 8] = UInt8(newValue) }
  }

  /// Adds a line.
  func print(_ line: String) {
    let length = count
    let bytes = Array(line.utf8) + [10]
    guard Self.textStart + length + bytes.count < Self.size else { return }
    for (index, byte) in bytes.enumerated() { memory[Self.textStart + length + index] = byte }
    count = length + bytes.count
  }

  var lines: [Substring] {
    let start = memory + Self.textStart
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  private var count: Int {
    get { (0..<4).reduce(0) { $0 | Int(memory[Self.textStart - 4 + $1]) << ($1 * 8) } }
    nonmutating set { for byte in 0..<4 { memory[Self.textStart - 4 + byte] = UInt8(newValue >> (byte * 8) & 255) } }
  }
}

/// How a child ended.
struct Ended {
  let region: Region
  /// How it crashed, if it did.
  let crash: String?
  /// Whether it was stopped because it took too long, which says nothing about what it would have found.
  let isOutOfTime: Bool
}

/// Does pieces of work in children, several at a time.
///
/// - Parameters:
///   - count: How many pieces there are.
///   - parallel: How many children there are at a time.
///   - seconds: How much processor time a child may take.
///   - work: Does a piece, in a child.
///   - done: Told of each child's end, in the order of the pieces.
func inChildren(
  _ count: Int, parallel: Int, seconds: UInt32, work: (Int, Region) -> Void, done: (Int, Ended) -> Void
) {
  var running: [Int32: (piece: Int, region: Region, standardError: Int32)] = [:]
  var ended: [Int: Ended] = [:]
  var started = 0, told = 0
  while told < count {
    while started < count, running.count < parallel {
      let region = Region()
      var standardError: Int32 = -1
      let child = explorer_fork(seconds, &standardError)
      if child == 0 {
        work(started, region)
        explorer_exit(0)
      }
      guard child > 0 else { fatalError("can't start a child process") }
      running[child] = (started, region, standardError)
      started += 1
    }
    let (child, code) = waitForOne(of: running.keys)
    let former = running.removeValue(forKey: child)!
    var text = [CChar](repeating: 0, count: 4096)
    let length = explorer_read_back(former.standardError, &text, text.count)
    let message = String(decoding: text[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    ended[former.piece] = Ended(
      region: former.region, crash: describe(code, message), isOutOfTime: explorer_signal_is_alarm(code - 256) != 0)
    while let next = ended.removeValue(forKey: told) {
      done(told, next)
      next.region.free()
      told += 1
    }
  }
}

/// Children that ended while somebody waited for others: looking at a result starts further children.
nonisolated(unsafe) private var endedChildren: [Int32: Int32] = [:]

private func waitForOne(of children: some Sequence<Int32>) -> (child: Int32, code: Int32) {
  while true {
    for child in children { if let code = endedChildren.removeValue(forKey: child) { return (child, code) } }
    var code: Int32 = 0
    let child = explorer_wait(&code)
    guard child > 0 else { fatalError("a child process is lost") }
    endedChildren[child] = code
  }
}

private func describe(_ code: Int32, _ message: String) -> String? {
  if code == 0 { return nil }
  let end = code < 256 ? "ended with code \(code)" : "crashed: \(String(cString: explorer_signal_name(code - 256)))"
  let said = message.split(separator: "\n").first { $0.contains("atal error") || !$0.isEmpty }
  return said.map { "\(end) (\($0))" } ?? end
}
