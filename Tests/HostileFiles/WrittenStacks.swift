// Files of stacks that tests write word by word.

/// A file of stacks.
package struct WrittenStacks {
  /// Number of the processor in ELF.
  package var machine: UInt64 = 62
  /// What the stacks are of, by the format's number.
  package var sourceNumber: UInt64 = 1
  /// The function that measures.
  package var root: (frame: UInt64, thread: UInt64) = (0, 0)
  /// The text of /proc/self/maps.
  package var map = ""
  /// The table of types.
  package var types = ""
  /// Nanoseconds by the kernel's count.
  package var cpuTime: UInt64 = 0
  /// The threads and their waits, the events of a timeline, or experiments, in words.
  package var waits: [UInt64] = []
  /// The stacks, in words.
  package var records: [[UInt64]] = []

  /// A file without stacks.
  package init() {}

  /// Adds a stack.
  ///
  /// - Parameters:
  ///   - stack: Its memory, from `base` on.
  ///   - chains: Frame pointers and the callers behind them.
  package mutating func add(
    _ weights: [UInt64], code: UInt64, frame: UInt64, pointer: UInt64, base: UInt64, stack: [UInt64],
    thread: UInt64 = 7,
    type: UInt64 = 0, chains: [(frame: UInt64, callers: [UInt64])] = []
  ) {
    var registers = [UInt64](repeating: 0, count: 17)
    registers[6] = frame
    registers[7] = pointer
    registers[16] = code
    var record: [UInt64] = [thread, type, UInt64(weights.count)] + weights
    record += [17] + registers + [base, UInt64(stack.count)] + stack + [UInt64(chains.count)]
    for chain in chains { record += [chain.frame, UInt64(chain.callers.count)] + chain.callers }
    records.append([UInt64(record.count + 1)] + record)
  }

  /// Makes the file one of waits: a thread that waits for another one twice,
  /// on the first stack, and one that never waits.
  package mutating func addWaits() {
    sourceNumber = 5
    waits = [1000, 2000, 0, 1, 2, 2]
    waits += [7, 1000, 2000, 100, 50, 850, 0x6e69616d, 0, 0, 8, 1100, 1900, 790, 10, 0, 0, 0, 1]
    waits += [1, 1, 0xbeef, 1100, 1600, 500, 1, 2, 2, 1500, 1, 6, 0, 1600, 1950, 350, 1, 0, 0, 1950]
  }

  /// Makes the file a timeline: a thread with two operations, and one that waits in the first;
  /// the stacks are the first two.
  package mutating func addTimeline() {
    sourceNumber = 6
    waits = [1, 2, 13, 0, 7, 0x6e69616d, 0, 8, 0, 0]
    let events: [[UInt64]] = [
      [1000, 7, 10, 0, 0, 0, 0], [1100, 7, 1, 0xa0, 48, 0x1f, 1], [1150, 8, 7, 0xf0, 0, 1, 2],
      [1200, 7, 5, 0xa0, 1, 0x1f, 1], [1300, 7, 3, 0xb0, 0, 0, 1], [1400, 7, 4, 0xc0, 64, 0, 1],
      [1450, 7, 9, 0xf0, 0, 0, 1], [1500, 8, 8, 0xf0, 0, 1, 2], [1550, 7, 6, 0xa0, 1, 0x1f, 1],
      [1600, 7, 2, 0xa0, 0, 0, 1], [1700, 7, 11, 0, 0, 0, 0], [1800, 7, 10, 0, 0, 0, 0], [1900, 7, 11, 0, 0, 0, 0],
    ]
    for event in events { waits += event + [0] }
  }

  /// Makes the file one of experiments: a round of two in each of two launches' worth.
  package mutating func addExperiments() {
    sourceNumber = 7
    waits = [4, 250_000, 0, 0]
    for speedUp: UInt64 in [0, 500, 500, 0] {
      waits += [speedUp, 40, 40_000_000, speedUp * 20_000, 39_000_000, 20_000_000, 0, 80]
    }
  }

  /// The file.
  package var bytes: [UInt8] {
    var head = [UInt64](repeating: 0, count: 16)
    head[0] = 0x504d_4153_4547_5547
    head[1] = 1
    head[2] = machine
    head[3] = sourceNumber
    head[4] = 1_000_000
    head[6] = root.frame
    head[7] = root.thread
    head[11] = cpuTime
    head[12] = UInt64(map.utf8.count)
    head[13] = UInt64(types.utf8.count)
    head[15] = UInt64(waits.count * 8)
    let body = records.flatMap { $0 }
    return head.flatMap(littleEndian) + padded(map) + padded(types) + waits.flatMap(littleEndian)
      + ([UInt64(body.count)] + body).flatMap(littleEndian)
  }
}
