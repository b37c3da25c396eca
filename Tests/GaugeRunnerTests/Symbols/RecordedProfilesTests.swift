// Recordings as profiles and reports.

import HostileFiles
import Testing

@testable import GaugeRunner

@Suite struct RecordedProfilesTests {
  private func read(_ recording: WrittenRecording) throws -> RecordedProfiles {
    RecordedProfiles(
      try Recording(recording.bytes), symboliser: Symboliser(lines: nil, scratch: "", load: { _ in nil }))
  }

  @Test func `time and waits are weighed by thread and stack`() throws {
    let profiles = try read(.example).profiles
    #expect(profiles.map(\.kind) == [.cpu, .waits] && profiles.map(\.total) == [24_000_000, 1_900_000_000])
    #expect(profiles.map(\.operations) == [2000, 2000] && profiles.map(\.amount) == [2, 2])
    #expect(profiles.map(\.per) == ["second", "second"])
    let (cpu, weight) = try #require(profiles[0].weights.max { $0.value < $1.value })
    #expect(weight == 20_000_000)
    #expect(
      profiles[0].weights.filter { $0.key.last?.function == "(not sampled)" }.map {
        "\($0.key[1].function) \($0.value)"
      }
      .sorted() == ["thread worker 3000000", "threads that ended between looks 1000000"])
    #expect(cpu.prefix(2).map(\.function) == ["program", "main thread"] && cpu.count == 5)
    let waits = try #require(profiles[1].weights.keys.first)
    #expect(profiles[1].weights.count == 1 && waits.count == 6)
    #expect(waits[1].function == "thread worker" && waits.last?.function == "waiting: futex")
  }

  @Test func `who waits at the end is told with since when`() throws {
    let report = try read(.example).report
    #expect(report.groups.count == 1 && report.groups[0].count == 1)
    #expect(report.groups[0].shortest == 1_600_000_000 && report.groups[0].fromStart == 0)
    let text = report.text(width: 120, colour: false)
    #expect(text.contains("at the end 1 thread waits:"))
    #expect(text.contains("  1 thread of thread worker for 1.6 s to 1.65 s, in futex:"))
    #expect(text.contains { $0.hasPrefix("program, process 4711: 2 s from 2023-11-14T22:13:20Z") }, "\(text)")
    #expect(text.contains { $0.contains("1 samples at 100 a second stand for 83.3 % of the rest") }, "\(text)")
    #expect(text.contains("heap: by second 10 allocations of 2000 bytes, and 5 frees"), "\(text)")
  }

  @Test func `what could not be recorded is unavailable`() throws {
    var recording = WrittenRecording()
    recording.head[6] = 0
    recording.addPulse(at: 1, lost: 3, errors: [11, 13])
    let text = try read(recording).report.text(width: 200, colour: false).joined(separator: "\n")
    for words in [
      "cpu: unavailable: no samples were asked for", "waits: unavailable: /proc/self/task/*/syscall: ",
      "heap: unavailable: the library GaugeHooks", "no timer: ", "3 periods of CPU time are missing",
      "the recording was not stopped", "who waits at the end: unavailable: /proc/self/task/*/syscall: ",
      "PR_SET_DUMPABLE",
    ] { #expect(text.contains(words), "\(text)") }
    #expect(!text.contains("no thread waits"))
    recording.head[7] = 0
    recording.add(2, at: 1, [4711, 0, 0])
    recording.add(7, at: 1, [4711, 1, 1, 1, 0, 0])
    let other = try read(recording).report.text(width: 200, colour: false)
    #expect(
      other.contains { $0.hasPrefix("who waits at the end: unavailable: ") && $0.contains("looksPerSecond was 0") })
    #expect(other.contains { $0.contains("main thread") && $0.contains("unavailable") })
  }

  @Test func `time of threads that no look has met is not sampled`() throws {
    var recording = WrittenRecording()
    recording.add(2, at: 0, [4711, 0, 0])
    recording.addSample(at: 1, thread: 4711, periods: 9, code: 1, frame: 0, pointer: 8, stack: [], base: 8)
    recording.add(7, at: 1, [4711, 4_000_000, 0, 1, 0, 0])
    recording.addPulse(at: 3_000_000_000, processTime: 1_490_000_000, ownTime: 10_000_000)
    let profiles = try read(recording)
    let text = profiles.report.text(width: 200, colour: false)
    #expect(text.contains { $0.contains("1 samples at 100 a second stand for 6.1 % of the rest") }, "\(text)")
    #expect(text.contains { $0.contains("1.39 s of CPU time are of threads that ended between two looks") }, "\(text)")
    #expect(profiles.profiles[0].total == 1_480_000_000)
  }

  @Test func `rare looks are told, and when the last was`() throws {
    var recording = WrittenRecording()
    recording.add(2, at: 0, [8, 0x78, 0])
    recording.addWait(
      1, at: 8_000_000_000, thread: 8, elsewhere: 3_000_000_000, pointer: 8, code: 1, stack: [])
    recording.addPulse(
      at: 20_000_000_000, looks: 5, waits: 1, more: [10_000_000_000, 5_000_000_000, 12_000_000_000])
    let text = try read(recording).report.text(width: 200, colour: false)
    #expect(text.contains { $0.contains("1 were met in 5 looks at all threads, up to 5 s apart") }, "\(text)")
    #expect(text.contains("at the last look, 10 s before the end, 1 thread waits:"), "\(text)")
    #expect(text.contains("  1 thread of thread x for 2 s to 7 s, in futex:"), "\(text)")
    #expect(text.contains { $0.contains("no samples were taken from 12 s on") }, "\(text)")
  }

  @Test(arguments: [
    ("worker-1", "thread worker"), ("worker", "thread worker"), ("pool 12", "thread pool"), ("7", "thread 7"),
  ])
  func `threads are told together by their names without numbers`(name: String, group: String) throws {
    var recording = WrittenRecording()
    var bytes = Array(name.utf8)
    bytes += [UInt8](repeating: 0, count: 16 - bytes.count)
    let words = [bytes[..<8], bytes[8...]].map { $0.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    recording.add(2, at: 0, [8] + words)
    let read = try Recording(recording.bytes)
    #expect(read.group(of: 8) == group)
    #expect(read.group(of: 4711) == "main thread" && read.group(of: 9) == "a thread without a name")
    #expect(read.threadGroups.map(\.name) == [group])
  }

  @Test func `stacks of the heap are a further profile`() throws {
    var stacks = WrittenStacks()
    stacks.sourceNumber = 4
    stacks.add([2, 64, 0, 0], code: 1, frame: 2, pointer: 0, base: 16, stack: [])
    let recording = try Recording(WrittenRecording.example.bytes)
    let symboliser = Symboliser(lines: nil, scratch: "", load: { _ in nil })
    var profiles = RecordedProfiles(recording, symboliser: symboliser)
    profiles.add(try SampleFile(stacks.bytes), of: recording, symboliser: symboliser)
    #expect(profiles.profiles.map(\.kind) == [.cpu, .waits, .allocations, .allocatedBytes])
    #expect(profiles.profiles[2].per == "second" && profiles.profiles[2].total == 2)
  }

  @Test func `what lives at the end is no rate`() throws {
    var stacks = WrittenStacks()
    stacks.sourceNumber = 4
    stacks.add([2, 640, 1, 434], code: 1, frame: 2, pointer: 0, base: 16, stack: [])
    let recording = try Recording(WrittenRecording.example.bytes)
    let symboliser = Symboliser(lines: nil, scratch: "", load: { _ in nil })
    var profiles = RecordedProfiles(recording, symboliser: symboliser)
    profiles.add(try SampleFile(stacks.bytes), of: recording, symboliser: symboliser)
    let live = try #require(profiles.profiles.first { $0.kind == .liveBytes })
    let text = ProfileTable(profile: live).text(width: 120, colour: false)
    #expect(text[0].hasSuffix(": 434 bytes in all") && text[1].contains("in all"), "\(text)")
  }
}
