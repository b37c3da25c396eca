// From a launch's stacks to profiles: unwound, named, cut off where the harness begins, and weighed.

import Foundation
import Gauge

/// The profiles that one launch of the pass `profile` makes.
struct StackProfiles {
  /// One for each kind that the launch has weighed.
  private(set) var profiles: [Profile]
  /// The first of them, and those that weigh anything.
  var worthShowing: [Profile] { profiles.prefix(1) + profiles.dropFirst().filter { $0.total != 0 } }
  /// Weights, of the first kind, of stacks that lead to the benchmark or to the start of their thread.
  private(set) var whole = 0
  /// Samples or calls that were recorded, the harness's apart.
  private(set) var count = 0
  /// Weights, of the first kind, of all stacks of the benchmark's.
  private(set) var all = 0
  /// Weights, of the first kind, of what the harness did by itself; these are in no profile.
  private(set) var harness = 0
  /// What was retained and released, by the name of the type and the function that did it.
  private(set) var types: [String: [String: Int]] = [:]
  /// What waits come to, where they are weighed.
  private(set) var waits: WaitReport?

  /// The kinds that a launch weighs, in the order of its weights.
  static func kinds(of kind: LaunchRequest.Profile.Kind) -> [Profile.Kind] {
    switch kind {
    case .cpu: [.cpu]
    case .allocations: [.allocations, .allocatedBytes, .liveAllocations, .liveBytes]
    case .references: [.retains, .releases]
    case .waits: [.waits, .wakers]
    case .timeline, .experiments: []
    }
  }

  /// Reads a launch's stacks.
  ///
  /// - Parameters:
  ///   - file: The stacks.
  ///   - kind: What they weigh.
  ///   - operations: Operations that they are of.
  ///   - title: The benchmark, which becomes the root of all stacks.
  ///   - executable: Path of its executable.
  ///   - symboliser: What names addresses.
  init(
    _ file: SampleFile, kind: LaunchRequest.Profile.Kind, operations: Int, title: String, executable: String,
    symboliser: Symboliser
  ) {
    let kinds = Self.kinds(of: kind)
    profiles = kinds.map { Profile($0, operations: operations) }
    let unwinder = StackUnwinder(file, objects: symboliser.object)
    var stacks: [StackUnwinder.Stack: [(weights: [Int], type: UInt64, number: Int)]] = [:]
    var waitPlaces = [WaitReport.Place](
      repeating: WaitReport.Place(owner: .harness), count: kind == .waits ? file.records.count : 0)
    for (number, record) in file.records.enumerated() {
      let stack = unwinder.unwind(record) { address in
        unwinder.place(of: address).flatMap(symboliser.symbol).map(Symboliser.isAsynchronous) ?? false
      }
      stacks[stack, default: []].append((record.weights, record.type, number))
    }
    let places = Set(stacks.keys.flatMap(\.frames)).compactMap { unwinder.place(of: $0.address) }
    symboliser.name(places)
    let root = ProfileFrame(function: title, object: LoadedObject.name(ofPath: executable))
    for (stack, entries) in stacks {
      let first = entries.reduce(0) { $0 + ($1.weights.first ?? 0) }
      let names = Self.names(on: stack, unwinder, symboliser, executable)
      var kept: [Symboliser.Name]
      if let cut = Self.cut(names, leavesOutRuntime: kind == .allocations || kind == .references) {
        kept = cut
      } else if kind == .cpu || kind == .waits {
        harness += first
        continue
      } else {
        // Counted is counted: the benchmark's total stays the exact one.
        kept = []
      }
      if kind == .waits {
        let place = WaitReport.Place(of: kept, isWhole: stack.isWhole)
        for entry in entries { waitPlaces[entry.number] = place }
        guard place.owner == .program else { continue }
      }
      all += first
      count +=
        kind == .cpu
        ? first / max(1, file.period)
        : entries.reduce(0) { $0 + $1.weights.prefix(kind == .references ? 2 : 1).reduce(0, +) }
      if stack.isWhole { whole += first }
      let frames = [root] + kept.map(\.frame)
      for (weights, type, number) in entries {
        for (index, weight) in weights.enumerated() where index < kinds.count && weight != 0 {
          // Of a stack that waits the leaf is what it waits for.
          let cause = kind == .waits && index == 0 ? waitPlaces[number].cause ?? file.types[type] : nil
          var frames = frames
          if let cause { frames.append(root.called("waiting: \(cause)")) }
          profiles[index].add(weight, at: frames)
        }
        if type != 0, kind != .waits {
          let name = file.types[type].map(Self.typeName) ?? "a type without a name"
          types[frames.last?.function ?? title, default: [:]][name, default: 0] += weights.reduce(0, +)
        }
      }
    }
    if let record = file.waits {
      count = boundedSum(record.waits.count, record.unlisted)
      waits = WaitReport(
        record, causes: file.types, places: waitPlaces, measuringThread: file.rootFrame == 0 ? nil : file.rootThread)
    }
    let notes = Self.notes(on: file) + wholeness() + complaints(Set(places.map(\.path)), executable, symboliser)
    for index in profiles.indices { profiles[index].notes = notes }
  }

  /// The names on a stack, from the root to the leaf.
  ///
  /// A stripped library names few of its functions: what the others do is told under the one that they were called by.
  static func names(
    on stack: StackUnwinder.Stack, _ unwinder: StackUnwinder, _ symboliser: Symboliser, _ executable: String
  ) -> [Symboliser.Name] {
    var names: [Symboliser.Name] = []
    var caller: StackUnwinder.Place?
    for frame in stack.frames.reversed() {
      guard let place = unwinder.place(of: frame.address) else {
        names.append(
          Symboliser.Name(frame: ProfileFrame(function: ProfileFrame.unknown, object: ProfileFrame.unknown), symbol: "")
        )
        continue
      }
      var here = caller.map { symboliser.names(at: place, calledFrom: $0) } ?? symboliser.names(at: place)
      if here.count == 1, here[0].symbol.isEmpty, place.path != executable {
        if let caller = names.last, !caller.symbol.isEmpty, caller.frame.object == here[0].frame.object { continue }
        // It may have been jumped to by one that is named, and that its caller calls through a stub.
        if let caller, let name = symboliser.object(caller.path)?.elf.calledStub(before: caller.address) {
          here[0].symbol = name
          here[0].frame.function = name
        }
      }
      caller = frame.isReturn ? StackUnwinder.Place(path: place.path, address: place.address &+ 1) : nil
      names += here
    }
    return names
  }

  /// The name of a type as people know it: a private one has an address in its name.
  static func typeName(_ name: String) -> String {
    var result = name
    while let start = result.range(of: "(unknown context at "), let end = result[start.upperBound...].range(of: ").") {
      result.removeSubrange(start.lowerBound..<end.upperBound)
    }
    return result
  }

  // MARK: Cutting

  /// Leaves out what is not the benchmark's: the start of the thread and the harness at the root, the harness where it
  /// was inlined, and, where calls were counted, the functions of the runtime that were called.
  ///
  /// - Returns: `nil` where nothing of the benchmark's is in it.
  static func cut(_ names: [Symboliser.Name], leavesOutRuntime: Bool) -> [Symboliser.Name]? {
    if names.contains(where: { isBetweenBatches($0.symbol) }) { return nil }
    var kept = names.drop { isBeginning($0) || isHarness($0.symbol) }
    // Who has made the thread run what was submitted to it is no caller, but may have work of its own.
    let submitted = kept.drop { isDispatching($0.symbol) || isBeginning($0) || isHarness($0.symbol) }
    if !submitted.isEmpty { kept = submitted }
    kept.removeAll { $0.frame.isInlined && isHarness($0.symbol) }
    if leavesOutRuntime {
      while kept.count > 1, let last = kept.last, isRuntime(last.symbol) { kept.removeLast() }
    }
    // What is inlined stands behind the function that it is in.
    if let first = kept.first, first.frame.isInlined { kept[kept.startIndex].frame.isInlined = false }
    return kept.isEmpty ? nil : Array(kept)
  }

  /// Whether a function is the harness's: the library that benchmarks are written with, and its threads.
  static func isHarness(_ symbol: String) -> Bool {
    symbol.hasPrefix("$s5Gauge") || symbol.hasPrefix("probe_") || symbol == "serve" || symbol == "hooks_allocate"
  }

  /// Whether a function is where the harness decides about the next batch.
  static func isBetweenBatches(_ symbol: String) -> Bool {
    symbol.hasPrefix("$s5Gauge") && (symbol.contains("BatchesC5begin") || symbol.contains("BatchesC3end"))
  }

  /// Whether a function is how a thread or a task begins.
  private static func isBeginning(_ name: Symboliser.Name) -> Bool {
    let symbol = Symboliser.whole(name.symbol)
    // A stripped C library does not name how it starts threads.
    if symbol.isEmpty { return name.frame.object.contains(".so") }
    return beginnings.contains(symbol) || symbol.hasPrefix("_ZL") && symbol.contains("completeTask")
      || symbol.hasPrefix("$s") && (symbol.hasSuffix("TR") || symbol.hasSuffix("TRTA"))
  }

  /// Whether a function takes what was submitted to threads from a queue and runs it.
  private static func isDispatching(_ symbol: String) -> Bool {
    symbol.hasPrefix("_dispatch_") || symbol.hasPrefix("swift_job_run")
      || symbol.contains("runJobInEstablishedExecutor")
  }

  private static let beginnings: Set<String> = [
    "_start", "__libc_start_main", "__libc_start_main_impl", "__libc_start_call_main", "start_thread", "clone",
    "clone3",
    "__clone", "__clone3", "main", "hooks_run_thread",
  ]

  /// Whether a function is one of those that are counted, or called by them to do it.
  private static func isRuntime(_ symbol: String) -> Bool {
    allocators.contains(symbol)
      || ["swift_", "_swift_", "__swift_", "_ZN5swift", "_ZL", "_Znw", "_Zna", "hooks_"].contains(
        where: symbol.hasPrefix)
  }

  private static let allocators: Set<String> = [
    "malloc", "calloc", "realloc", "reallocarray", "memalign", "aligned_alloc", "posix_memalign", "valloc", "pvalloc",
    "operator new", "strdup", "__strdup",
  ]

  // MARK: Notes

  private static func notes(on file: SampleFile) -> [String] {
    var notes: [String] = []
    switch file.source {
    case .events, .calls, .waits, .timeline, .experiments: break
    case .userEvents:
      notes.append("what threads do within the kernel is not sampled: /proc/sys/kernel/perf_event_paranoid is above 1")
    case .timers:
      notes.append(
        "no perf events: not permitted, or none here. Threads are sampled at the system's tick, a few hundred times a second"
      )
    }
    let stacks = file.source == .calls ? "calls" : file.source == .waits ? "waits" : "samples"
    if file.lost > 0 { notes.append("\(file.lost) \(stacks) were left out: there was no room for more stacks") }
    let areCounted = file.source == .calls || file.source == .waits
    let sampled = areCounted ? 0 : file.records.reduce(0) { $0 + ($1.weights.first ?? 0) }
    if file.source == .events, file.cpuTime > 0, sampled < file.cpuTime / 10 * 9 {
      // Signals that come before the one before was handled are one.
      notes.append("only \(sampled * 100 / file.cpuTime) % of the CPU time were sampled: lower --rate")
    }
    if file.unreadable > 0 { notes.append("the stacks of \(file.unreadable) samples could not be read") }
    if file.unsampled > 0 { notes.append("some threads were not sampled: there were too many") }
    return notes
  }

  /// Share of the stacks that lead to the benchmark or to the start of their thread, 0 to 1.
  var wholeShare: Double { all == 0 ? 1 : Double(whole) / Double(all) }

  /// What could not be told of the files that matter: the benchmark's own, and those with unknown functions that weigh
  /// more than a hundredth.
  private func complaints(_ paths: Set<String>, _ executable: String, _ symboliser: Symboliser) -> [String] {
    var unknown: [String: Int] = [:]
    guard let profile = profiles.first else { return [] }
    for (function, weight) in profile.weightsByFunction() where function.function.hasPrefix(ProfileFrame.unknown) {
      unknown[function.object, default: 0] += weight.own
    }
    return paths.sorted().compactMap { path in
      let share = unknown[LoadedObject.name(ofPath: path)] ?? 0
      return symboliser.complaint(about: path, isMain: path == executable, hasUnknown: share * 100 > profile.total)
    }
  }

  private func wholeness() -> [String] {
    guard wholeShare < 0.95 else { return [] }
    return ["\(Int((100 * (1 - wholeShare)).rounded())) % of the stacks could not be followed to their root"]
  }
}

extension WaitReport.Place {
  /// What is known of a stack.
  ///
  /// - Parameters:
  ///   - names: The benchmark's part of the stack, from the root to the leaf.
  ///   - isWhole: Whether it could be followed to its root: who has nothing to do has nobody of the program's on it.
  init(of names: [Symboliser.Name], isWhole: Bool = true) {
    let own = names.filter { !$0.frame.isLibrary }.map(\.frame)
    self.init(owner: own.isEmpty && isWhole ? .idle : .program, function: own.last)
    // The harness waits below the body of a benchmark, too: for its threads, or for its task.
    let last = names.last { !$0.frame.isLibrary || StackProfiles.isHarness($0.symbol) }
    if let last, StackProfiles.isHarness(last.symbol) { owner = .harness }
    caller = own.dropLast().last { $0.function != function?.function }
    // The leaf is the function that has called the C library.
    let queue = names.reversed().prefix { $0.symbol.hasPrefix("_dispatch_") || $0.symbol.hasPrefix("dispatch_") }
    if !queue.isEmpty, !queue.contains(where: { $0.symbol.contains("semaphore_wait") }) { cause = "dispatch" }
  }
}

extension StackUnwinder.Frame {
  /// An address within the call, where it is one to return to: the next function may begin behind it.
  var address: UInt64 { isReturn ? code &- 1 : code }
}
