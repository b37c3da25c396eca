// What a launch of the pass `profile` leaves in its file: registers and memory of stacks, and where what was loaded.
//
// All of it is words of 64 bits, least significant byte first: 16 of a head, then the text of /proc/self/maps and a
// table of types, both filled up to a word, then pieces, each with its length in front. A piece is records: length,
// thread, address of a type or 0, number of weights and the weights, number of registers and the registers (in DWARF's
// order, the code address last), address of the stack's memory, its number of words and the words, number of
// asynchronous frames, and for each its frame pointer, number of callers and their addresses.
// Behind the table of types of a file of waits stand its threads and its waits, as `WaitRecord` says, of a timeline its
// events, as `TimelineRecord` says, of experiments these, as `ExperimentRecord` says; the last word of the head is
// their size in bytes.

/// The file of a profile.
struct SampleFile: Sendable {
  /// What the stacks are of. The numbers are part of the format.
  enum Source: UInt64, Sendable {
    /// CPU time, by events of the kernel's.
    case events = 1
    /// The same without what is within the kernel.
    case userEvents = 2
    /// CPU time, by timers as coarse as the system's tick.
    case timers = 3
    /// Calls that were counted.
    case calls = 4
    /// Calls that have waited. The types are causes, the weights nanoseconds: of waiting, and of waits that were ended.
    case waits = 5
    /// Events one by one. The stacks weigh nothing; types below 4096 are causes of waits.
    case timeline = 6
    /// Samples and waits of all threads, and experiments with virtual speed-ups. A stack with a type, a cause, has
    /// waited; the weights are nanoseconds of running, ready or not, and of waits that nobody ended.
    case experiments = 7
  }

  /// A frame that may be of an asynchronous function, with who awaits it.
  struct Chain: Hashable, Sendable {
    /// Its frame pointer.
    var frame: UInt64
    /// Where each of those who await goes on, from the nearest outwards.
    var callers: [UInt64]
  }

  /// One stack.
  struct Record: Sendable {
    /// The thread.
    var thread: UInt64
    /// Address of the type of the object that was counted; 0 for none.
    var type: UInt64
    /// What it weighs, by each of the kinds that the launch records.
    var weights: [Int]
    /// The registers.
    var registers: [UInt64]
    /// Address of the stack's first word that was kept.
    var stackBase: UInt64
    /// Words that were kept.
    var stackCount: Int
    /// Where they are in the file.
    fileprivate var stackOffset: Int
    /// Where the file has a bit for each of them that says whether it was kept; `nil` where all were.
    fileprivate var marksOffset: Int?
    /// Whether only the stack pointer and the code address are known of the registers.
    var isPartial = false
    /// Frames that may be of asynchronous functions.
    var chains: [Chain]
  }

  /// A piece of a file in memory.
  struct Mapping: Hashable, Sendable {
    /// The addresses.
    var addresses: Range<UInt64>
    /// The place in the file of the first.
    var offset: UInt64
    /// Path of the file, or a name in brackets.
    var path: String
  }

  /// What the stacks are of.
  let source: Source
  /// Number of the processor in ELF: 62 is x86-64, 183 is AArch64.
  let machine: UInt64
  /// Nanoseconds between two samples.
  let period: Int
  /// Frame pointer of the function that measures, in the thread that does, and that thread; 0 for none.
  let rootFrame: UInt64
  let rootThread: UInt64
  /// Stacks for which there was no room.
  let lost: Int
  /// Stacks whose memory could not be read.
  let unreadable: Int
  /// Threads that were too many.
  let unsampled: Int
  /// CPU time of all threads in nanoseconds, by the kernel's own count; 0 where it was not counted.
  let cpuTime: Int
  /// What of files was in memory, code alone.
  let mappings: [Mapping]
  /// Names of the types, by address.
  let types: [UInt64: String]
  /// The stacks.
  let records: [Record]
  /// The threads and their waits; `nil` for files of other sources.
  let waits: WaitRecord?
  /// The events; `nil` for files of other sources.
  let timeline: TimelineRecord?
  /// The experiments; `nil` for files of other sources.
  let experiments: ExperimentRecord?

  private let file: FileBytes

  /// Most that all weights of a file come to, whatever their signs, and that a number of the head may be: 13 days of
  /// CPU time, or a petabyte. Sums of several files and hundreds of them stay whole numbers.
  static let largestWeight: UInt64 = 1 << 50
  /// Most characters of a type's name; longer ones are cut.
  static let longestName = 1000

  /// What is wrong with a file.
  struct FormatError: Error, Hashable, CustomStringConvertible {
    var description: String
  }

  /// Reads a file.
  ///
  /// - Throws: `FormatError` for one that is not of the format, or breaks off.
  init(_ bytes: [UInt8]) throws(FormatError) {
    file = FileBytes(bytes)
    var reader = Reader(file: file)
    let head = try reader.words(16)
    guard head[0] == 0x504d_4153_4547_5547, head[1] == 1 else {
      throw FormatError(description: "no file of call stacks, or of another version")
    }
    guard let source = Source(rawValue: head[3]) else { throw FormatError(description: "an unknown source") }
    self.source = source
    for (index, name) in Self.counts where head[index] > Self.largestWeight {
      throw FormatError(description: "\(name) at byte \(index * 8): \(head[index]) is too much")
    }
    machine = head[2]
    period = Int(head[4])
    rootFrame = head[6]
    rootThread = head[7]
    lost = Int(head[8])
    unreadable = Int(head[9])
    unsampled = Int(head[10])
    cpuTime = Int(head[11])
    mappings = Self.mappings(try reader.text(head[12]))
    types = Self.types(try reader.text(head[13]))
    let waits = source == .waits ? try WaitRecord(try reader.words(bytes: head[15])) : nil
    let timeline = source == .timeline ? try TimelineRecord(try reader.words(bytes: head[15])) : nil
    experiments = source == .experiments ? try ExperimentRecord(try reader.words(bytes: head[15])) : nil
    var records: [Record] = []
    while reader.offset < file.count {
      let count = try reader.count()
      let end = reader.offset + count * 8
      while reader.offset < end { records.append(try reader.record()) }
    }
    if let highest = waits?.highestStack, highest > records.count {
      throw FormatError(description: "a wait on the stack \(highest) of \(records.count)")
    }
    if let highest = timeline?.highestStack, highest > records.count {
      throw FormatError(description: "an event on the stack \(highest) of \(records.count)")
    }
    self.records = records
    self.waits = waits
    self.timeline = timeline
  }

  /// The stacks of another kind of file, of which those words are kept that unwinding needs.
  ///
  /// - Parameters:
  ///   - file: The file that they are in.
  ///   - machine: Number of the processor in ELF.
  ///   - mappings: What of files was in memory, code alone.
  ///   - records: The stacks.
  init(of file: FileBytes, machine: UInt64, mappings: [Mapping], records: [Record]) {
    self.file = file
    self.machine = machine
    self.mappings = mappings
    self.records = records
    source = .timers
    (period, lost, unreadable, unsampled, cpuTime) = (1, 0, 0, 0, 0)
    (rootFrame, rootThread) = (0, 0)
    types = [:]
    waits = nil
    timeline = nil
    experiments = nil
  }

  /// The same stacks, through files of other paths.
  init(_ other: SampleFile, mappings: [Mapping]) {
    self.init(of: other.file, machine: other.machine, mappings: mappings, records: other.records)
  }

  /// The numbers of the head that count something.
  private static let counts = [
    (4, "the time between samples"), (8, "what was lost"), (9, "what could not be read"),
    (10, "what was not sampled"), (11, "the CPU time"),
  ]

  /// The word of a stack at an address; `nil` where it was not kept.
  func word(of record: Record, at address: UInt64) -> UInt64? {
    guard address >= record.stackBase, address % 8 == record.stackBase % 8 else { return nil }
    let index = (address - record.stackBase) / 8
    guard index < UInt64(record.stackCount) else { return nil }
    if let marks = record.marksOffset { return keptWord(Int(index), of: record, marks: marks) }
    return file.number(UInt64.self, at: record.stackOffset + Int(index) * 8)
  }

  /// A word of a stack of which not all are kept.
  private func keptWord(_ index: Int, of record: Record, marks: Int) -> UInt64? {
    var before = 0
    for part in 0..<index / 64 { before += file.number(UInt64.self, at: marks + part * 8)?.nonzeroBitCount ?? 0 }
    guard let mark = file.number(UInt64.self, at: marks + index / 64 * 8), mark >> UInt64(index % 64) & 1 == 1 else {
      return nil
    }
    before += (mark & (1 << UInt64(index % 64) - 1)).nonzeroBitCount
    return file.number(UInt64.self, at: record.stackOffset + before * 8)
  }

  /// Reads one word after the other.
  private struct Reader {
    let file: FileBytes
    var offset = 0
    /// The sizes of all weights so far.
    private var weight: UInt64 = 0

    init(file: FileBytes) { self.file = file }

    mutating func word() throws(FormatError) -> UInt64 {
      guard let word = file.number(UInt64.self, at: offset) else { throw .brokenOff }
      offset += 8
      return word
    }

    mutating func count() throws(FormatError) -> Int {
      let count = try word()
      guard count <= UInt64(max(0, file.count - offset) / 8) else { throw .brokenOff }
      return Int(count)
    }

    mutating func words(_ count: Int) throws(FormatError) -> [UInt64] {
      var words: [UInt64] = []
      words.reserveCapacity(count)
      for _ in 0..<count { words.append(try word()) }
      return words
    }

    mutating func words(bytes: UInt64) throws(FormatError) -> [UInt64] {
      guard bytes % 8 == 0, bytes <= UInt64(max(0, file.count - offset)) else { throw .brokenOff }
      return try words(Int(bytes / 8))
    }

    mutating func text(_ size: UInt64) throws(FormatError) -> String {
      // With what fills it up to a word, behind which the next one begins.
      guard size <= UInt64(max(0, file.count - offset)), (Int(size) + 7) / 8 * 8 <= file.count - offset else {
        throw .brokenOff
      }
      defer { offset += (Int(size) + 7) / 8 * 8 }
      return String(decoding: file.bytes[offset..<offset + Int(size)], as: UTF8.self)
    }

    mutating func record() throws(FormatError) -> Record {
      let start = offset
      let length = try word()
      let thread = try word()
      let type = try word()
      let weights = try words(try count()).map { Int(truncatingIfNeeded: $0) }
      for one in weights {
        guard one.magnitude <= SampleFile.largestWeight, weight + UInt64(one.magnitude) <= SampleFile.largestWeight
        else {
          throw FormatError(description: "the stack at byte \(start): its weights, or all together, are too much")
        }
        weight += UInt64(one.magnitude)
      }
      let registers = try words(try count())
      let base = try word()
      let stackCount = try count()
      let stackOffset = offset
      offset += stackCount * 8
      var chains: [Chain] = []
      for _ in 0..<(try count()) { chains.append(Chain(frame: try word(), callers: try words(try count()))) }
      guard UInt64(offset - start) == length &* 8 else {
        throw FormatError(description: "a stack of another length than told")
      }
      return Record(
        thread: thread, type: type, weights: weights, registers: registers, stackBase: base, stackCount: stackCount,
        stackOffset: stackOffset, chains: chains)
    }
  }

  /// The code in a text of /proc/self/maps.
  static func mappings(_ text: String) -> [Mapping] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      let bounds = fields.first?.split(separator: "-").compactMap { UInt64($0, radix: 16) } ?? []
      guard fields.count == 6, bounds.count == 2, bounds[0] < bounds[1], fields[1].contains("x"),
        let offset = UInt64(fields[2], radix: 16)
      else { return nil }
      return Mapping(
        addresses: bounds[0]..<bounds[1], offset: offset, path: String(fields[5].drop { $0 == " " }))
    }
  }

  private static func types(_ text: String) -> [UInt64: String] {
    var types: [UInt64: String] = [:]
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t", maxSplits: 1)
      if fields.count == 2, let address = UInt64(fields[0], radix: 16) {
        types[address] = String(fields[1].unicodeScalars.prefix(longestName))
      }
    }
    return types
  }
}

extension SampleFile.Record {
  /// A stack of which some words were kept.
  ///
  /// - Parameters:
  ///   - thread: The thread.
  ///   - weight: What it weighs.
  ///   - registers: The registers, the code address last.
  ///   - base: Address of the stack's first word.
  ///   - count: Words of the stack, kept or not.
  ///   - marks: Where the file has a bit for each of them.
  ///   - words: Where it has those that were kept.
  ///   - chains: Frames that may be of asynchronous functions.
  init(
    thread: UInt64, weight: Int, registers: [UInt64], base: UInt64, count: Int, marks: Int, words: Int,
    chains: [SampleFile.Chain] = []
  ) {
    self.init(
      thread: thread, type: 0, weights: [weight], registers: registers, stackBase: base, stackCount: count,
      stackOffset: words, marksOffset: marks, chains: chains)
  }
}

extension SampleFile.FormatError {
  static let brokenOff = SampleFile.FormatError(description: "the file breaks off")
}
