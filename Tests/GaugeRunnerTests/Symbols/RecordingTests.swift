// Recordings of running programs: what is in them, and what is wrong with others.

import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct RecordingTests {
  @Test func `everything that was written is read`() throws {
    let recording = try Recording(WrittenRecording.example.bytes)
    #expect(recording.machine == 62 && recording.process == 4711 && recording.started == 1_700_000_000)
    #expect(recording.samplePeriod == 10_000_000 && recording.lookPeriod == 100_000_000)
    #expect(recording.program == "/bin/program" && recording.builds == ["/bin/program": "abcdef"])
    #expect(recording.threads.mapValues(\.name) == [4711: "main", 4712: "worker-1"])
    #expect(recording.threads[4711]?.ran == 20_000_000 && recording.threads[4712]?.waitingLooks == 19)
    #expect(recording.samples == [2_000_000] && recording.stacks.records[0].weights == [20_000_000])
    #expect(recording.waits.map(\.end) == [300_000_000, nil] && recording.waits.map(\.stack) == [1, 2])
    // From the first look that met it to the last, and the time until the next; the other to the end.
    #expect(recording.stacks.records[1...].map(\.weights) == [[300_000_000], [1_600_000_000]])
    #expect(recording.pulses.last?.heap == [30, 15, 5000] && recording.duration == 2_000_000_000)
    #expect(recording.wasFull == false && !recording.breaksOff)
    #expect(
      recording.stacks.mappings == [.init(addresses: 0x400000..<0x402000, offset: 0, path: "/bin/program")])
  }

  @Test func `of a stack those words are there that were kept`() throws {
    let stacks = try Recording(WrittenRecording.example.bytes).stacks
    let words = (0..<9).map { stacks.word(of: stacks.records[0], at: 0x7000_0ff0 + UInt64($0) * 8) }
    #expect(words == [nil, nil, 0x7000_1020, 0x400200, nil, nil, nil, 0x400300, nil])
    #expect(stacks.word(of: stacks.records[0], at: 0x7000_0ff1) == nil)
  }

  @Test func `words behind the first mark are found`() throws {
    var recording = WrittenRecording()
    recording.addWait(
      1, at: 0, thread: 1, pointer: 0x1000, code: 1, stack: (0..<200).map { $0 % 3 == 0 ? UInt64($0) : 0 })
    let stacks = try Recording(recording.bytes).stacks
    #expect(stacks.word(of: stacks.records[0], at: 0x1000 + 198 * 8) == 198)
    #expect(stacks.word(of: stacks.records[0], at: 0x1000 + 66 * 8) == 66)
    #expect(stacks.word(of: stacks.records[0], at: 0x1000 + 67 * 8) == nil)
  }

  @Test func `a file that breaks off has what is before`() throws {
    let bytes = WrittenRecording.example.bytes
    for length in stride(from: 128, to: bytes.count, by: 4) {
      let recording = try Recording(Array(bytes.prefix(length)))
      #expect(recording.wasFull == nil)
      #expect(recording.waits.allSatisfy { recording.stacks.records.indices.contains($0.stack) })
    }
    for length in 8..<128 {
      #expect(throws: SampleFile.FormatError.self) { try Recording(Array(bytes.prefix(length))) }
    }
    let cut = try Recording(Array(bytes.dropLast(4)))
    #expect(cut.breaksOff && cut.notes.contains { $0.contains("breaks off") })
  }

  @Test func `another file is refused, with what to do`() {
    #expect(throws: SampleFile.FormatError(description: "no recording: such a file begins with GAUGEREC")) {
      try Recording(Array("PK".utf8))
    }
    #expect {
      try Recording([])
    } throws: {
      "\($0)".contains("empty")
    }
    var other = WrittenRecording.example
    other.head[1] = 2
    #expect {
      try Recording(other.bytes)
    } throws: {
      "\($0)".contains("version 2 of the format, and this gauge reads 1")
    }
    for (word, value) in [(2, 3), (8, 18), (6, 1 << 41), (7, 1 << 41)] as [(Int, UInt64)] {
      var other = WrittenRecording.example
      other.head[word] = value
      #expect(throws: SampleFile.FormatError.self) { try Recording(other.bytes) }
    }
    #expect(Recording.isOne(WrittenRecording().bytes) && !Recording.isOne(WrittenStacks().bytes))
  }

  @Test func `a record that can't be is refused with its place`() throws {
    func complaint(_ change: (inout WrittenRecording) -> Void) -> String {
      var recording = WrittenRecording()
      change(&recording)
      do {
        _ = try Recording(recording.bytes)
        return ""
      } catch { return "\(error)" }
    }
    #expect(complaint { $0.add(5, at: 0, [7, 1]) } == "the record at byte 128: the end of a wait that isn't there")
    #expect(complaint { $0.add(7, at: 0, [7, 1, 1, 1, 1, 0]) }.contains("the total of a thread that isn't there"))
    #expect(complaint { $0.add(2, at: 0, [7]) } == "the record at byte 128: it is shorter than its kind")
    #expect(complaint { $0.add(10, at: 0, [9, 1]) }.contains("its text is longer"))
    #expect(complaint { $0.records.append([3 << 32]) }.contains("no length"))
    #expect(complaint { $0.add(9, at: 1 << 62, [0]) }.contains("is too much"))
    #expect(
      complaint {
        $0.addSample(at: 0, thread: 1, periods: 1 << 58, code: 1, frame: 1, pointer: 8, stack: [], base: 8)
      }.contains("weighs too much"))
    #expect(complaint { $0.add(4, at: 0, [1, 1, 0, 202, 0, 0, 8, 1, 8, 64, .max]) }.contains("less of its stack"))
    // A kind that comes later says nothing to this reader.
    #expect(complaint { $0.add(99, at: 0, [1, 2, 3]) } == "")
  }

  @Test func `another file is read in place of a recorded one`() throws {
    var recording = try Recording(WrittenRecording.example.bytes)
    recording.read(["/bin/program": "/debug/program"])
    #expect(recording.program == "/debug/program" && recording.builds.keys.sorted() == ["/debug/program"])
    #expect(recording.stacks.mappings.map(\.path) == ["/debug/program"] && recording.stacks.records.count == 3)
  }

  @Test func `a recording may be of years`() throws {
    var recording = WrittenRecording()
    recording.add(2, at: 0, [8, 0x78, 0])
    let year: UInt64 = 31_536_000_000_000_000
    recording.addSample(
      at: year, thread: 8, periods: year / 10_000_000, code: 1, frame: 0, pointer: 8, stack: [], base: 8)
    recording.add(7, at: year, [8, 2 * year, 0, 1, 0, 0])
    recording.addPulse(at: year, processTime: 3 * year, ownTime: year)
    let read = try Recording(recording.bytes)
    #expect(read.threads[8]?.ran == 2 * Int(year) && read.stacks.records[0].weights == [Int(year)])
  }

  @Test func `a total that can't be costs no more than itself`() throws {
    var recording = WrittenRecording()
    recording.add(2, at: 0, [8, 0x78, 0])
    recording.add(7, at: 0, [8, 5, 0, 1, 0, 0])
    recording.add(7, at: 1, [8, UInt64.max - 982_000_000, 0, 2, 0, 0])
    recording.addPulse(at: 2)
    let read = try Recording(recording.bytes)
    #expect(read.threads[8]?.ran == 5 && read.threads[8]?.looks == 1)
    #expect(read.notes.contains("1 totals of threads can't be, and were left out"))
  }

  @Test func `a number that the system gives again is of another thread`() throws {
    var recording = WrittenRecording()
    recording.add(2, at: 0, [8, 0x61, 0])
    recording.addSample(at: 1, thread: 8, code: 1, frame: 0, pointer: 8, stack: [], base: 8)
    recording.add(7, at: 2, [8, 70, 0, 1, 0, 1])
    recording.add(2, at: 2, [8, 0x62, 0])
    recording.addSample(at: 3, thread: 8, code: 1, frame: 0, pointer: 8, stack: [], base: 8)
    recording.add(7, at: 4, [8, 30, 0, 1, 1, 0])
    let read = try Recording(recording.bytes)
    #expect(read.threads.values.map(\.name).sorted() == ["a", "b"])
    #expect(read.threads.values.reduce(0) { $0 + $1.ran } == 100)
    #expect(read.stacks.records.map { read.group(of: $0.thread) } == ["thread a", "thread b"])
  }

  @Test func `each stack is of the map before it`() throws {
    var recording = WrittenRecording()
    func sample(_ time: UInt64) {
      recording.addSample(at: time, thread: 8, code: 0x400100, frame: 0, pointer: 8, stack: [], base: 8)
    }
    recording.add(1, at: 5, WrittenRecording.words("400000-402000 r-xp 00000000 08:01 12    /lib/a.so\n"))
    sample(6)
    recording.add(1, at: 7, WrittenRecording.words("400000-402000 r-xp 00000000 08:01 13    /lib/b.so\n"))
    recording.add(1, at: 7, WrittenRecording.words("500000-502000 r-xp 00000000 08:01 14    /lib/c.so\n"))
    // It was taken before the map was read, which was read for it.
    sample(6)
    let read = try Recording(recording.bytes)
    #expect(
      read.maps.map { $0.map(\.path) } == [["/lib/a.so"], ["/lib/b.so", "/lib/c.so"]] && read.mapOfStack == [0, 1])
    #expect(read.stacks(ofMap: 0).mappings.map(\.path) == ["/lib/a.so"])
    let profiles = RecordedProfiles(read, symboliser: Symboliser(lines: nil, scratch: "", load: { _ in nil }))
    let objects = profiles.profiles[0].weights.keys.compactMap { $0.last?.object }.sorted()
    #expect(objects == ["a.so", "b.so"])
  }

  @Test func `what was cut is told`() throws {
    var recording = WrittenRecording()
    recording.add(11, at: 0, [4096])
    #expect(try Recording(recording.bytes).notes.contains { $0.contains("more pieces of code than are recorded") })
  }

  @Test func `any byte may be another one`() {
    let bytes = WrittenRecording.example.bytes
    for place in bytes.indices {
      for mask in [0xff, 0x01, 0x80] as [UInt8] {
        var changed = bytes
        changed[place] ^= mask
        // It need not be refused, but nothing must trap.
        guard let recording = try? Recording(changed) else { continue }
        let profiles = RecordedProfiles(
          recording, symboliser: Symboliser(lines: nil, scratch: "", load: { _ in nil }))
        #expect(profiles.report.text(width: 80, colour: false).count > 2)
      }
    }
  }
}
