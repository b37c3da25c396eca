// Recordings of running programs that tests write word by word.

/// A recording.
package struct WrittenRecording {
  /// The head.
  package var head: [UInt64] = [
    0x4345_5245_4755_4147, 1, 62, 4711, 1_700_000_000_000_000_000, 5, 10_000_000, 100_000_000, 17, 0, 0, 0, 0, 0, 0, 0,
  ]
  /// The records, in words.
  package var records: [[UInt64]] = []

  /// A recording of nothing.
  package init() {}

  /// Adds a record.
  package mutating func add(_ kind: UInt64, at time: UInt64, _ words: [UInt64]) {
    records.append([kind << 32 | UInt64(words.count + 2), time] + words)
  }

  /// The words of a text.
  package static func words(_ text: String) -> [UInt64] {
    let bytes = Array(text.utf8)
    return [UInt64(bytes.count)]
      + stride(from: 0, to: bytes.count, by: 8).map { start in
        bytes[start..<min(start + 8, bytes.count)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
  }

  /// The words of a stack of which the zeros were not kept.
  package static func words(of stack: [UInt64], base: UInt64) -> [UInt64] {
    var marks = [UInt64](repeating: 0, count: (stack.count + 63) / 64)
    for (index, word) in stack.enumerated() where word != 0 { marks[index / 64] |= 1 << UInt64(index % 64) }
    return [base, UInt64(stack.count)] + marks + stack.filter { $0 != 0 }
  }

  /// Adds a sample of a thread.
  package mutating func addSample(
    at time: UInt64, thread: UInt64, periods: UInt64 = 1, code: UInt64, frame: UInt64, pointer: UInt64,
    stack: [UInt64], base: UInt64
  ) {
    var registers = [UInt64](repeating: 0, count: Int(head[8]))
    registers[6] = frame
    registers[7] = pointer
    registers[16] = code
    add(3, at: time, [thread, periods] + registers + Self.words(of: stack, base: base) + [0])
  }

  /// Adds a wait of a thread.
  package mutating func addWait(
    _ number: UInt64, at time: UInt64, thread: UInt64, elsewhere: UInt64 = 0, call: UInt64 = 202, pointer: UInt64,
    code: UInt64, stack: [UInt64]
  ) {
    add(4, at: time, [number, thread, elsewhere, call, 0, 0, pointer, code] + Self.words(of: stack, base: pointer))
  }

  /// Adds a pulse.
  package mutating func addPulse(
    at time: UInt64, processTime: UInt64 = 0, ownTime: UInt64 = 0, lost: UInt64 = 0, looks: UInt64 = 1,
    waits: UInt64 = 0, errors: [UInt64] = [0, 0], heap: [UInt64] = [.max, .max, .max], more: [UInt64] = []
  ) {
    add(6, at: time, [processTime, ownTime, 2, 0, lost, 0, 0, looks, waits] + errors + heap + more)
  }

  /// A recording of a thread that runs and one that waits at the end.
  package static var example: WrittenRecording {
    var recording = WrittenRecording()
    recording.add(10, at: 0, words("/bin/program"))
    recording.add(1, at: 0, words("400000-402000 r-xp 00000000 08:01 12    /bin/program\n"))
    recording.add(8, at: 0, words("abcdef\t/bin/program\n"))
    recording.add(2, at: 0, [4711, 0x6e69616d, 0])
    recording.add(2, at: 0, [4712, 0x312d_7265_6b72_6f77, 0])
    recording.addPulse(at: 1000, heap: [10, 5, 1000])
    recording.addSample(
      at: 2_000_000, thread: 4711, periods: 2, code: 0x400100, frame: 0x7000_1000, pointer: 0x7000_0ff0,
      stack: [0, 0, 0x7000_1020, 0x400200, 0, 0, 0, 0x400300], base: 0x7000_0ff0)
    recording.addWait(
      1, at: 100_000_000, thread: 4712, elsewhere: 50_000_000, pointer: 0x7100_0000, code: 0x400500,
      stack: [0, 0, 0x7100_0040, 0x400600, 0, 0, 0, 0, 0, 0x400700])
    recording.add(5, at: 300_000_000, [1, 3])
    recording.addWait(
      2, at: 400_000_000, thread: 4712, elsewhere: 350_000_000, pointer: 0x7100_0000, code: 0x400500,
      stack: [0, 0, 0x7100_0040, 0x400600, 0, 0, 0, 0, 0, 0x400700])
    recording.add(7, at: 2_000_000_000, [4711, 20_000_000, 1_000_000, 20, 5, 0])
    recording.add(7, at: 2_000_000_000, [4712, 3_000_000, 0, 20, 19, 0])
    recording.addPulse(
      at: 2_000_000_000, processTime: 25_000_000, ownTime: 1_000_000, looks: 20, waits: 2, heap: [30, 15, 5000])
    recording.add(9, at: 2_000_000_000, [0])
    return recording
  }

  /// The file.
  package var bytes: [UInt8] { (head + records.flatMap { $0 }).flatMap(littleEndian) }
}
