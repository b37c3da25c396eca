// What the recorder of a running program (module GaugeRecorder) leaves in its file.
//
// All of it is words of 64 bits, least significant byte first. The head has 16: "GAUGEREC", version (1), number of the
// processor in ELF, process, start in nanoseconds since 1970 and on the clock that never stops, nanoseconds between two
// samples of a thread's CPU time and between two looks at all threads (0 for none), number of registers, and zeros.
// Records follow: the kind in the upper half of a word and the record's length in words in its lower half, nanoseconds
// since the start, and
//
//   1 map: size of a text and the text, filled up to a word: lines of /proc/self/maps of code;
//   several texts of one moment
//     are one, and each is of the stacks behind it, up to the next
//   2 thread: its number and its name (two words)
//   3 sample: thread, periods of CPU time that it stands for, registers, a stack, asynchronous frames as in
//   `SampleFile` 4 wait: its number, thread, when the thread was last seen elsewhere (0: not since the start), system
//   call (-1: none), two
//     arguments of that, stack pointer, code address, a stack
//   5 end of a wait, as of the last look that has met it: its number, looks that have met it
//   6 pulse, once a second: CPU time of the process and of the recorder's thread, threads,
//   periods sampled, periods lost, stacks
//     that could not be read, threads left out, looks, waits, error numbers for samples and for waits (0 for none),
//     allocations, frees, bytes (all ones where nobody counts them), when the last look was, longest time between two,
//     when SIGPROF was first seen to have another handler (0: never)
//   7 total of a thread as of the last look at it: its number, nanoseconds that it ran and that it stood ready, looks,
//     looks at which it waited, whether it has ended; the system gives numbers of ended threads again
//   8 builds: a text of lines: number of a build, tab, path
//   9 end: whether the file was full
//   10 program: a text, the path of the executable
//   11 the map had more pieces of code than the file has of it: their number
//
// A stack is the address of its first word, a number of words, a bit for each that says whether it was kept, and those
// that were: addresses of code and of the stack itself.

/// A recording of a running program.
struct Recording: Sendable {
  /// A thread.
  struct Thread: Hashable, Sendable {
    /// Its number; of threads with the same, one after the other, the later ones have how many there were before in the
    /// upper half.
    var id: UInt64
    /// What the system calls it.
    var name: String
    /// When it was first seen, in nanoseconds since the start.
    var seen: Int
    /// Nanoseconds that it ran, and that it stood ready without a processor.
    var ran = 0
    var stoodReady = 0
    /// Looks at it, and those at which it waited.
    var looks = 0
    var waitingLooks = 0
    /// Whether it has ended.
    var hasEnded = false
  }

  /// A wait that was met.
  struct Wait: Hashable, Sendable {
    /// The thread, by number.
    var thread: UInt64
    /// When it was met, and when its thread was last seen elsewhere,
    /// in nanoseconds since the start; that is 0 if it wasn't.
    var start: Int
    var elsewhere: Int
    /// When it was met for the last time; `nil` where it lasts to the end of the recording.
    var end: Int?
    /// The system call, by number; -1 for none.
    var call: Int
    /// Place of its stack.
    var stack: Int
  }

  /// What is counted once a second.
  struct Pulse: Hashable, Sendable {
    var time = 0
    var processTime = 0
    var ownTime = 0
    var threads = 0
    var periods = 0
    var lost = 0
    var unreadable = 0
    var leftOut = 0
    var looks = 0
    var waits = 0
    var sampleError: Int32 = 0
    var waitError: Int32 = 0
    /// Allocations, frees and bytes since the program's start; `nil` where nobody counts them.
    var heap: [Int]?
    /// When the last look was, and the longest time between two; `nil` where the file doesn't say.
    var lastLook: Int?
    var longestGap: Int?
    /// When SIGPROF was first seen to have another handler; `nil` for never.
    var handlerLost: Int?
  }

  /// Number of the processor in ELF.
  let machine: UInt64
  /// Number of the process.
  let process: Int
  /// Seconds from 1970 to the start.
  let started: Double
  /// Nanoseconds between two samples of a thread, and between two looks; 0 for none.
  let samplePeriod: Int
  let lookPeriod: Int
  /// Path of the executable.
  private(set) var program = ""
  /// The threads, by `Thread.id`.
  private(set) var threads: [UInt64: Thread] = [:]
  /// When each sample was taken; its stack is at the same place.
  private(set) var samples: [Int] = []
  /// The waits; their stacks are behind those of the samples.
  private(set) var waits: [Wait] = []
  /// The pulses; the last one is of the end.
  private(set) var pulses: [Pulse] = []
  /// Numbers of builds, by path.
  private(set) var builds: [String: String] = [:]
  /// Whether the program has ended the recording, or the size of the file has; `nil` where the file just ends.
  private(set) var wasFull: Bool?
  /// Whether the file ends within a record.
  private(set) var breaksOff = false
  /// Totals of threads that can't be, and were left out.
  private(set) var wrongTotals = 0
  /// Whether maps had more code than there was room for.
  private(set) var mapWasCut = false
  /// The stacks, and where code was at the end.
  private(set) var stacks: SampleFile
  /// Where code was, one time after the other, and which of these each stack is of.
  private(set) var maps: [[SampleFile.Mapping]] = []
  private(set) var mapOfStack: [Int] = []

  /// Nanoseconds that are recorded.
  var duration: Int { pulses.last?.time ?? 0 }

  /// When the last look was.
  var lastLook: Int { min(pulses.last?.lastLook ?? duration, duration) }

  /// Why it isn't known who waits; `nil` where it is.
  var waitsComplaint: String? {
    if lookPeriod == 0 { return "the recording looked at none (looksPerSecond was 0)" }
    guard let error = pulses.last?.waitError, error != 0 else { return nil }
    let reason = "/proc/self/task/*/syscall: \(SystemError.words(for: error))"
    return error == Self.accessError
      ? "\(reason): the system shows it to no program that has changed its user, unless that sets PR_SET_DUMPABLE again"
      : reason
  }

  /// Number of the error for a file that may not be read.
  private static let accessError: Int32 = 13

  /// The stacks, with where code was at one time.
  func stacks(ofMap map: Int) -> SampleFile {
    maps.indices.contains(map) ? SampleFile(stacks, mappings: maps[map]) : stacks
  }

  private static let magic: UInt64 = 0x4345_5245_4755_4147
  /// Words of the head.
  private static let headWords = 16

  /// Whether bytes begin as a recording does.
  static func isOne(_ bytes: [UInt8]) -> Bool { FileBytes(bytes).number(UInt64.self, at: 0) == magic }

  /// Reads a file. One that breaks off has what is before: the program may have been killed.
  ///
  /// - Throws: `SampleFile.FormatError` for another file, another version, and what can't be in one, with its place.
  init(_ bytes: [UInt8]) throws(SampleFile.FormatError) {
    let file = FileBytes(bytes)
    guard !bytes.isEmpty else {
      throw SampleFile.FormatError(description: "the file is empty: the program had no room for it, or has just begun")
    }
    guard file.number(UInt64.self, at: 0) == Self.magic else {
      throw SampleFile.FormatError(description: "no recording: such a file begins with GAUGEREC")
    }
    var head: [UInt64] = []
    for index in 0..<Self.headWords {
      guard let word = file.number(UInt64.self, at: index * 8) else { throw .brokenOff }
      head.append(word)
    }
    guard head[1] == 1 else {
      throw SampleFile.FormatError(
        description: "version \(head[1]) of the format, and this gauge reads 1: take the gauge of the program's package"
      )
    }
    guard head[2] == 62 && head[8] == 17 || head[2] == 183 && head[8] == 33 else {
      throw SampleFile.FormatError(description: "of an unknown processor, \(head[2])")
    }
    machine = head[2]
    process = Int(truncatingIfNeeded: head[3])
    started = Double(head[4]) / 1e9
    for index in [6, 7] where head[index] > 1 << 40 {
      throw SampleFile.FormatError(description: "the period at byte \(index * 8): \(head[index]) is too much")
    }
    samplePeriod = Int(head[6])
    lookPeriod = Int(head[7])
    stacks = SampleFile(of: file, machine: head[2], mappings: [], records: [])
    try read(file, registers: Int(head[8]))
  }

  /// Has files read in place of those that were recorded.
  ///
  /// - Parameter others: Paths, by the recorded ones.
  mutating func read(_ others: [String: String]) {
    let path = { (path: String) in others[path] ?? path }
    program = path(program)
    builds = Dictionary(builds.map { (path($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    maps = maps.map { map in
      map.map { SampleFile.Mapping(addresses: $0.addresses, offset: $0.offset, path: path($0.path)) }
    }
    stacks = SampleFile(stacks, mappings: maps.last ?? [])
  }

  // MARK: Reading

  /// What is collected on the way.
  private struct Parts {
    var samples: [SampleFile.Record] = []
    var waits: [SampleFile.Record] = []
    var waitPlaces: [UInt64: Int] = [:]
    var maps: [(time: Int, text: String)] = []
    /// The map of each sample and of each wait.
    var sampleMaps: [Int] = []
    var waitMaps: [Int] = []
    /// `Thread.id` of the last thread of each number, where that is another one.
    var lastThreads: [UInt64: UInt64] = [:]
    var total: UInt64 = 0

    /// The map that is in force.
    var map: Int { max(0, maps.count - 1) }
    func id(_ thread: UInt64) -> UInt64 { lastThreads[thread] ?? thread }
  }

  private mutating func read(_ file: FileBytes, registers: Int) throws(SampleFile.FormatError) {
    var parts = Parts()
    var offset = Self.headWords * 8
    while offset < file.count {
      guard let first = file.number(UInt64.self, at: offset), case let length = Int(first & 0xffff_ffff) * 8,
        length <= file.count - offset
      else {
        breaksOff = true
        break
      }
      guard length >= 16 else {
        throw SampleFile.FormatError(description: "a record at byte \(offset) has no length")
      }
      var fields = Fields(file: file, start: offset, offset: offset + 8, end: offset + length)
      let time = try fields.count()
      try read(kind: first >> 32, at: time, &fields, registers: registers, &parts)
      offset += length
    }
    finish(file, &parts)
  }

  private mutating func read(
    kind: UInt64, at time: Int, _ fields: inout Fields, registers: Int, _ parts: inout Parts
  ) throws(SampleFile.FormatError) {
    switch kind {
    case 1:
      let text = try fields.text()
      if let last = parts.maps.last, last.time == time {
        parts.maps[parts.maps.count - 1].text += text
      } else {
        parts.maps.append((time, text))
      }
    case 2:
      let number = try fields.word()
      var id = parts.id(number)
      let name = try fields.words(2).flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
      // One that is there already has another name now; the system gives numbers of ended ones again.
      if threads[id]?.hasEnded == true {
        id = id &+ 1 << 32
        parts.lastThreads[number] = id
      }
      if threads[id] == nil { threads[id] = Thread(id: id, name: "", seen: time) }
      threads[id]?.name = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    case 3:
      let thread = parts.id(try fields.word())
      let periods = try fields.word()
      let (weight, isTooMuch) = periods.multipliedReportingOverflow(by: UInt64(samplePeriod))
      parts.total = isTooMuch ? .max : parts.total.addingReportingOverflow(weight).partialValue
      guard !isTooMuch, weight <= Self.largest, parts.total <= Self.largest else {
        throw fields.wrong("a sample, or all together, weighs too much")
      }
      let values = try fields.words(registers)
      var record = try fields.stack(thread: thread, weight: Int(weight), registers: values)
      record.chains = try fields.chains()
      samples.append(time)
      parts.samples.append(record)
      parts.sampleMaps.append(parts.map)
    case 4:
      let number = try fields.word()
      let thread = parts.id(try fields.word())
      let elsewhere = try fields.count()
      let call = Int(Int64(bitPattern: try fields.word()))
      _ = try fields.words(2)
      var values = [UInt64](repeating: 0, count: registers)
      values[machine == 183 ? 31 : 7] = try fields.word()
      values[registers - 1] = try fields.word()
      var record = try fields.stack(thread: thread, weight: 0, registers: values)
      record.isPartial = true
      parts.waitPlaces[number] = waits.count
      waits.append(
        Wait(thread: thread, start: time, elsewhere: elsewhere, end: nil, call: call, stack: parts.waits.count))
      parts.waits.append(record)
      parts.waitMaps.append(parts.map)
    case 5:
      guard let place = parts.waitPlaces[try fields.word()] else {
        throw fields.wrong("the end of a wait that isn't there")
      }
      waits[place].end = max(time, waits[place].start)
    case 6:
      var pulse = Pulse(time: time)
      let counts = try fields.counts(11)
      (pulse.processTime, pulse.ownTime, pulse.threads, pulse.periods, pulse.lost) =
        (counts[0], counts[1], counts[2], counts[3], counts[4])
      (pulse.unreadable, pulse.leftOut, pulse.looks, pulse.waits) = (counts[5], counts[6], counts[7], counts[8])
      (pulse.sampleError, pulse.waitError) = (Int32(clamping: counts[9]), Int32(clamping: counts[10]))
      let heap = try fields.words(3)
      if heap[0] != .max { pulse.heap = heap.map { Int(clamping: $0) } }
      if fields.hasMore(3) {
        let more = try fields.counts(3)
        (pulse.lastLook, pulse.longestGap) = (more[0], more[1])
        pulse.handlerLost = more[2] > 0 ? more[2] : nil
      }
      pulses.append(pulse)
    case 7:
      let id = parts.id(try fields.word())
      let words = try fields.words(5)
      guard var thread = threads[id] else { throw fields.wrong("the total of a thread that isn't there") }
      // One wrong number doesn't make the rest worthless: the thread has what it had before.
      guard words.allSatisfy({ $0 <= Self.largest }) else {
        wrongTotals += 1
        break
      }
      let counts = words.map { Int($0) }
      (thread.ran, thread.stoodReady, thread.looks, thread.waitingLooks) = (counts[0], counts[1], counts[2], counts[3])
      thread.hasEnded = counts[4] != 0
      threads[id] = thread
    case 8:
      for line in try fields.text().split(separator: "\n") {
        let parts = line.split(separator: "\t", maxSplits: 1)
        if parts.count == 2 { builds[String(parts[1])] = String(parts[0]) }
      }
    case 9: wasFull = try fields.word() != 0
    case 10: program = try fields.text()
    case 11: mapWasCut = true
    // What a later one of the same version adds.
    default: break
    }
  }

  /// Weighs the waits, and has the stacks follow one another.
  private mutating func finish(_ file: FileBytes, _ parts: inout Parts) {
    let last = lastLook
    let looks = pulses.last?.looks ?? 0
    // Each look stands for the time until the next one.
    let interval = looks > 1 ? last / looks : lookPeriod
    for index in waits.indices {
      let until = max(waits[index].end ?? last, waits[index].start)
      let weight = boundedSum(until - waits[index].start, waits[index].end == nil ? duration - last : interval)
      parts.waits[index].weights = [weight]
      waits[index].stack += parts.samples.count
    }
    maps = parts.maps.map { SampleFile.mappings($0.text) }
    mapOfStack = parts.sampleMaps + parts.waitMaps
    stacks = SampleFile(
      of: file, machine: machine, mappings: maps.last ?? [], records: parts.samples + parts.waits)
  }

  /// Most that a number of nanoseconds, or all samples together, may be: 73 years. Sums of several stand still there.
  private static let largest = UInt64(largestSum)

  /// The fields of one record.
  private struct Fields {
    let file: FileBytes
    let start: Int
    var offset: Int
    let end: Int

    func wrong(_ what: String) -> SampleFile.FormatError {
      SampleFile.FormatError(description: "the record at byte \(start): \(what)")
    }

    mutating func word() throws(SampleFile.FormatError) -> UInt64 {
      guard offset <= end - 8, let word = file.number(UInt64.self, at: offset) else {
        throw wrong("it is shorter than its kind")
      }
      offset += 8
      return word
    }

    /// Whether so many words follow.
    func hasMore(_ count: Int) -> Bool { count <= (end - offset) / 8 }

    mutating func words(_ count: Int) throws(SampleFile.FormatError) -> [UInt64] {
      guard count <= (end - offset) / 8 else { throw wrong("it is shorter than its kind") }
      var words: [UInt64] = []
      words.reserveCapacity(count)
      for _ in 0..<count { words.append(try word()) }
      return words
    }

    /// A number of nanoseconds, or of anything that is counted.
    mutating func count() throws(SampleFile.FormatError) -> Int {
      let word = try self.word()
      guard word <= Recording.largest else { throw wrong("\(word) is too much") }
      return Int(word)
    }

    mutating func counts(_ count: Int) throws(SampleFile.FormatError) -> [Int] {
      var counts: [Int] = []
      for _ in 0..<count { counts.append(try self.count()) }
      return counts
    }

    mutating func text() throws(SampleFile.FormatError) -> String {
      let size = try self.count()
      guard size <= end - offset else { throw wrong("its text is longer") }
      defer { offset = min(end, offset + (size + 7) / 8 * 8) }
      return String(decoding: file.bytes[offset..<offset + size], as: UTF8.self)
    }

    mutating func stack(
      thread: UInt64, weight: Int, registers: [UInt64]
    ) throws(SampleFile.FormatError) -> SampleFile.Record {
      let base = try self.word()
      let count = try self.count()
      guard count <= 1 << 20 else { throw wrong("its stack is too large") }
      let marks = offset
      let kept = try words((count + 63) / 64).reduce(0) { $0 + $1.nonzeroBitCount }
      guard kept <= (end - offset) / 8 else { throw wrong("it has less of its stack than it says") }
      defer { offset += kept * 8 }
      return SampleFile.Record(
        thread: thread, weight: weight, registers: registers, base: base, count: count, marks: marks, words: offset)
    }

    mutating func chains() throws(SampleFile.FormatError) -> [SampleFile.Chain] {
      var chains: [SampleFile.Chain] = []
      for _ in 0..<(try self.count()) {
        let frame = try self.word()
        let count = try self.count()
        chains.append(SampleFile.Chain(frame: frame, callers: try words(count)))
      }
      return chains
    }
  }
}
