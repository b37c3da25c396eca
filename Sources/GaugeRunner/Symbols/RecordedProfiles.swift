// From a recording of a running program to profiles and a report: unwound, named and weighed.

import Foundation

/// The profiles of a recording.
struct RecordedProfiles {
  /// CPU time and waits, those that were recorded; at least one.
  private(set) var profiles: [Profile]
  /// What it comes to in words.
  private(set) var report: RecordingReport
  /// Stacks, and those of them that lead to the start of their thread.
  private(set) var count = 0
  private(set) var whole = 0

  /// Reads a recording.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - symboliser: What names addresses.
  init(_ recording: Recording, symboliser: Symboliser) {
    // Code may have been elsewhere at another time.
    var unwinders: [Int: StackUnwinder] = [:]
    func unwinder(_ number: Int) -> StackUnwinder {
      let map = recording.mapOfStack[number]
      if let known = unwinders[map] { return known }
      let unwinder = StackUnwinder(recording.stacks(ofMap: map), objects: symboliser.object)
      unwinders[map] = unwinder
      return unwinder
    }
    let stacks = recording.stacks.records.enumerated().map { number, record in
      let unwinder = unwinder(number)
      return unwinder.unwind(record) { address in
        unwinder.place(of: address).flatMap(symboliser.symbol).map(Symboliser.isAsynchronous) ?? false
      }
    }
    var frames: [Int: Set<StackUnwinder.Frame>] = [:]
    for (number, stack) in stacks.enumerated() {
      frames[recording.mapOfStack[number], default: []].formUnion(stack.frames)
    }
    var places: Set<StackUnwinder.Place> = []
    for (map, frames) in frames {
      places.formUnion(frames.compactMap { frame in unwinders[map]?.place(of: frame.address) })
    }
    symboliser.name(places)
    var named: [NamedStack: [ProfileFrame]] = [:]
    func names(_ number: Int) -> [ProfileFrame] {
      let stack = NamedStack(map: recording.mapOfStack[number], stack: stacks[number])
      if let known = named[stack] { return known }
      let names = StackProfiles.names(on: stack.stack, unwinder(number), symboliser, recording.program).map(\.frame)
      named[stack] = names
      return names
    }
    let milliseconds = max(1, Int((Double(recording.duration) / 1e6).rounded()))
    let root = ProfileFrame(
      function: LoadedObject.name(ofPath: recording.program), object: LoadedObject.name(ofPath: recording.program))
    var (cpu, waits) = (Profile(.cpu, operations: milliseconds), Profile(.waits, operations: milliseconds))
    for number in recording.samples.indices {
      let record = recording.stacks.records[number]
      cpu.add(record.weights[0], at: [root, root.called(recording.group(of: record.thread))] + names(number))
    }
    // What the samples don't stand for has no stack, but a thread: the kernel has counted it.
    if recording.samplePeriod > 0 {
      var rest: [String: Int] = [:]
      for thread in recording.threads.values {
        let group = recording.group(of: thread.id)
        rest[group] = boundedSum(rest[group] ?? 0, thread.ran)
      }
      for number in recording.samples.indices {
        let record = recording.stacks.records[number]
        rest[recording.group(of: record.thread), default: 0] -= record.weights[0]
      }
      for (group, time) in rest where time > 0 {
        cpu.add(time, at: [root, root.called(group), root.called(Self.notSampled)])
      }
      if let time = recording.timeOfThreadsMissed {
        cpu.add(time, at: [root, root.called(Self.threadsMissed), root.called(Self.notSampled)])
      }
    }
    for wait in recording.waits {
      let cause = root.called("waiting: \(WaitingCall.name(wait.call, machine: recording.machine))")
      let group = root.called(recording.group(of: wait.thread))
      waits.add(recording.stacks.records[wait.stack].weights[0], at: [root, group] + names(wait.stack) + [cause])
    }
    count = stacks.count
    whole = stacks.count(where: \.isWhole)
    var notes = recording.notes
    let share = ProfileTable.percent(count - whole, of: count)
    if count > 0, whole < count / 20 * 19 {
      notes.append(
        "\(share) of the stacks could not be followed to their root: 24 KB of a stack are kept, from its leaf on")
    }
    notes += Self.complaints(recording, Set(places.map(\.path)), cpu, symboliser)
    report = RecordingReport(
      facts: recording.facts, threads: recording.threadGroups,
      groups: recording.waiting(by: { names($0).reversed() }), notes: notes,
      waitsComplaint: recording.waitsComplaint, moment: recording.momentOfWaits)
    profiles = [cpu, waits].filter { $0.total > 0 }
    if profiles.isEmpty { profiles = [recording.samplePeriod > 0 ? cpu : waits] }
    for index in profiles.indices { (profiles[index].per, profiles[index].partsOfOperation) = Self.second }
  }

  /// What weights are told by, and how many of a recording's operations, its milliseconds, that is.
  private static let second = ("second", 1000)
  /// What stands for CPU time that no sample stands for.
  static let notSampled = "(not sampled)"
  /// What stands for threads whose time no look has met.
  static let threadsMissed = "threads that ended between looks"

  /// A stack with where code was.
  private struct NamedStack: Hashable {
    var map: Int
    var stack: StackUnwinder.Stack
  }

  /// Adds what was recorded of the heap, in a file beside.
  mutating func add(_ heap: SampleFile, of recording: Recording, symboliser: Symboliser) {
    let stacks = StackProfiles(
      heap, kind: .allocations, operations: profiles[0].operations,
      title: LoadedObject.name(ofPath: recording.program), executable: recording.program, symboliser: symboliser)
    for var profile in stacks.worthShowing {
      if profile.kind == .liveAllocations || profile.kind == .liveBytes {
        // What is left at the end is no rate.
        (profile.operations, profile.per) = (1, Profile.whole)
      } else {
        (profile.per, profile.partsOfOperation) = Self.second
      }
      profiles.append(profile)
    }
  }

  /// What could not be told of files, and which are others than those that were recorded.
  private static func complaints(
    _ recording: Recording, _ paths: Set<String>, _ cpu: Profile, _ symboliser: Symboliser
  ) -> [String] {
    var unknown: [String: Int] = [:]
    for (function, weight) in cpu.weightsByFunction() where function.function.hasPrefix(ProfileFrame.unknown) {
      unknown[function.object, default: 0] += weight.own
    }
    return paths.sorted().flatMap { path in
      let name = LoadedObject.name(ofPath: path)
      var complaints: [String] = []
      if let build = recording.builds[path], let now = symboliser.object(path)?.elf.buildIdentifier, now != build {
        complaints.append(
          "\(path) is another build than the one that was recorded (\(build.prefix(12))): names of its functions may be "
            + "wrong; name the right one by --symbols")
      }
      let complaint = symboliser.complaint(
        about: path, isMain: path == recording.program, hasUnknown: (unknown[name] ?? 0) * 100 > cpu.total)
      return complaints + (complaint.map { [$0] } ?? [])
    }
  }
}

extension Recording {
  /// What a thread is called together with others: its name without the digits behind it.
  func group(of thread: UInt64) -> String {
    if Int(truncatingIfNeeded: thread) == process { return "main thread" }
    guard let name = threads[thread]?.name, !name.isEmpty else { return "a thread without a name" }
    let digits = name.reversed().prefix { $0.isNumber }.count
    let rest = name.dropLast(digits)
    let trimmed = digits > 0 ? rest.dropLast(rest.last.map { "-_. :#".contains($0) } == true ? 1 : 0) : rest
    return "thread \(trimmed.isEmpty ? name[...] : trimmed)"
  }

  /// The threads by name.
  var threadGroups: [RecordingReport.Threads] {
    var groups: [String: RecordingReport.Threads] = [:]
    for thread in threads.values {
      let name = group(of: thread.id)
      var group = groups[name] ?? RecordingReport.Threads(name: name)
      group.count += 1
      group.ran = boundedSum(group.ran, thread.ran)
      group.stoodReady = boundedSum(group.stoodReady, thread.stoodReady)
      group.looks = boundedSum(group.looks, waitsComplaint == nil ? thread.looks : 0)
      group.waitingLooks = boundedSum(group.waitingLooks, thread.waitingLooks)
      groups[name] = group
    }
    return groups.values.sorted { ($1.ran, $0.name) < ($0.ran, $1.name) }
  }

  /// Who waits at the end.
  ///
  /// - Parameter frames: The frames of a stack, from the leaf to the root.
  func waiting(by frames: (Int) -> [ProfileFrame]) -> [RecordingReport.Group] {
    struct Place: Hashable {
      var call: Int
      var frames: [ProfileFrame]
    }
    let last = lastLook
    var places: [Place: [Wait]] = [:]
    for wait in waits where wait.end == nil && threads[wait.thread]?.hasEnded == false {
      places[Place(call: wait.call, frames: frames(wait.stack)), default: []].append(wait)
    }
    let living = threads.values.filter { !$0.hasEnded }.map { group(of: $0.id) }
    return places.map { place, waits in
      let names = Set(waits.map { group(of: $0.thread) })
      return RecordingReport.Group(
        names: names.sorted(), count: waits.count, among: living.count(where: names.contains),
        shortest: waits.map { max(0, last - $0.start) }.min() ?? 0,
        longest: waits.map { max(0, last - min($0.start, $0.elsewhere)) }.max() ?? 0,
        fromStart: waits.count { $0.elsewhere == 0 },
        cause: WaitingCall.name(place.call, machine: machine), frames: place.frames)
    }.sorted { ($1.count, $1.longest, $0.cause) < ($0.count, $0.longest, $1.cause) }
  }

  /// Facts about the recording, a sentence each.
  var facts: [String] {
    let date = Date(timeIntervalSince1970: started).formatted(.iso8601)
    let pulse = pulses.last ?? Pulse()
    var facts = [
      "\(LoadedObject.name(ofPath: program)), process \(process): \(RecordingReport.seconds(duration)) from \(date)"
    ]
    let sampled = samples.indices.reduce(0) { boundedSum($0, stacks.records[$1].weights[0]) }
    var cpu =
      "CPU time: \(RecordingReport.seconds(pulse.processTime)), of which the recorder's thread had "
      + ProfileTable.percent(pulse.ownTime, of: pulse.processTime)
    if samplePeriod > 0 {
      let rate = ProfileTable.quantity(1e9 / Double(samplePeriod))
      cpu += "; \(samples.count) samples at \(rate) a second"
      let others = pulse.processTime - pulse.ownTime
      if others > 0 { cpu += " stand for \(ProfileTable.percent(sampled, of: others)) of the rest" }
    }
    facts.append(cpu)
    if lookPeriod > 0, waitsComplaint == nil || !waits.isEmpty {
      facts.append("waits: \(waits.count) were met in \(pulse.looks) looks at all threads\(distance)")
    }
    if let first = pulses.first?.heap, let last = pulse.heap, duration > 0 {
      let rate = { (index: Int) in
        ProfileTable.quantity(Double(last[index] - first[index]) / (Double(duration) / 1e9))
      }
      facts.append("heap: by second \(rate(0)) allocations of \(rate(2)) bytes, and \(rate(1)) frees")
    } else {
      facts.append("heap: unavailable: the library GaugeHooks is neither preloaded nor linked")
    }
    return facts
  }

  /// How far apart looks were, where that is more than was asked for.
  private var distance: String {
    guard let gap = pulses.last?.longestGap, gap / 2 > lookPeriod else { return "" }
    let seconds = RecordingReport.seconds(gap)
    return ", up to \(seconds) apart: a wait may have begun up to so much before a look has met it"
  }

  /// When the threads were last looked at: what stands before "3 threads wait".
  var momentOfWaits: String {
    // Where the program has ended the recording there is a look at the end.
    guard wasFull != false, duration - lastLook > max(2 * lookPeriod, 100_000_000) else { return "at the end" }
    return "at the last look, \(RecordingReport.seconds(duration - lastLook)) before the end,"
  }

  /// CPU time that no thread has had which looks have met, nor the recorder's; `nil` where that is next to nothing.
  var timeOfThreadsMissed: Int? {
    guard let pulse = pulses.last else { return nil }
    var times: [UInt64: Int] = threads.mapValues(\.ran)
    var sampled: [UInt64: Int] = [:]
    for number in samples.indices {
      let record = stacks.records[number]
      sampled[record.thread] = boundedSum(sampled[record.thread] ?? 0, record.weights[0])
    }
    times.merge(sampled) { max($0, $1) }
    let met = times.values.reduce(pulse.ownTime) { boundedSum($0, $1) }
    let rest = pulse.processTime - met
    return rest > pulse.processTime / 1000 ? rest : nil
  }

  /// What is missing, and why.
  var notes: [String] {
    let pulse = pulses.last ?? Pulse()
    var notes: [String] = []
    if wasFull == nil {
      notes.append(
        "the recording was not stopped: the program goes on, or ended before; its last second may be missing")
    }
    if wasFull == true {
      notes.append("the recording ended by itself: its file had the largest size that was asked for")
    }
    if breaksOff { notes.append("the file breaks off within a record") }
    if pulse.lost > 0 {
      notes.append("\(pulse.lost) periods of CPU time are missing: samples came faster than they were written")
    }
    if pulse.unreadable > 0 { notes.append("the stacks of \(pulse.unreadable) samples could not be read") }
    if let time = timeOfThreadsMissed, time > pulse.processTime / 100 {
      notes.append(
        "\(RecordingReport.seconds(time)) of CPU time are of threads that ended between two looks: they are in no row of "
          + "the table, and '\(RecordedProfiles.notSampled)' in the profile")
    }
    if let lost = pulse.handlerLost {
      notes.append(
        "no samples were taken from \(RecordingReport.seconds(lost)) on: the program, or a profiler, has installed its "
          + "own handler of SIGPROF")
    }
    if mapWasCut { notes.append("the process had more pieces of code than are recorded: some functions are unknown") }
    if wrongTotals > 0 { notes.append("\(wrongTotals) totals of threads can't be, and were left out") }
    if pulse.leftOut > 0 { notes.append("\(pulse.leftOut) threads were left out") }
    if pulse.sampleError != 0 {
      notes.append("not all threads were sampled: no timer: \(SystemError.words(for: pulse.sampleError))")
    }
    if let waitsComplaint { notes.append("waits: unavailable: \(waitsComplaint)") }
    if samplePeriod == 0 { notes.append("cpu: unavailable: no samples were asked for (samplesPerSecond was 0)") }
    notes.append(
      "unavailable: tasks that wait for others: such a task holds no thread, and Swift's runtime tells nobody of it")
    return notes
  }
}
