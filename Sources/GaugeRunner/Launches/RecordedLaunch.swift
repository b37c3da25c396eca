// What one launch of a benchmark executed, from the start of its process to its end, and whether another would execute
// the same.

import Foundation
import Gauge

/// What a launch executed.
struct RecordedLaunch: Hashable, Codable {
  /// First addresses of the executable's functions that were executed, sorted; where an address is in no function, the
  /// address.
  var functions: [UInt64] = []
  /// What makes other launches execute something else, in words; empty where nothing does.
  var chances: [String] = []

  /// - Parameters:
  ///   - nodes: What was executed, and the calls from there.
  ///   - threads: Threads that there were.
  ///   - image: The executable.
  init(_ nodes: [CallgrindGraph.Node], threads: Int, of image: ProgramImage) {
    var executed: Set<UInt64> = []
    var chances: Set<String> = []
    let callers = Self.callers(in: nodes)
    let used = Self.libraries(reachedFrom: image, in: nodes)
    // A thread that Gauge itself starts, and that ends at once, is none of the benchmark's.
    let ownThreads = nodes.contains { $0.symbol == Self.ownThread } ? 1 : 0
    if threads > 1 + ownThreads { chances.insert("it has threads") }
    let name = LoadedObject.name(ofPath: image.path)
    for (index, node) in nodes.enumerated() {
      if let chance = Self.chance(of: node.symbol), Self.isAsked(for: node, by: callers[index, default: []], used: used)
      {
        chances.insert(chance)
      }
      // What was run is a copy without debug information, at the same addresses.
      guard LoadedObject.name(ofPath: node.object) == name else { continue }
      for address in Set(node.own.keys).union(node.calls.map(\.address)) {
        guard image.elf.stub(at: address) == nil else { continue }
        executed.insert(image.object(at: address).map { image.objects[$0].start } ?? address)
        if let offset = image.offset(of: address),
          let chance = X86Instruction(image.elf.file.bytes, at: offset, end: .max)?.chance
        {
          chances.insert("it \(chance.rawValue)")
        }
      }
    }
    // A stub begins with the way into the loader, which is no stub.
    functions = executed.filter { address in
      image.object(at: address) != nil
        || image.section(at: address).map { !image.elf.sections[$0].name.hasPrefix(".plt") } ?? true
    }.sorted()
    self.chances = chances.sorted()
  }

  /// Who calls each node, by their places.
  private static func callers(in nodes: [CallgrindGraph.Node]) -> [Int: [CallgrindGraph.Node]] {
    var callers: [Int: [CallgrindGraph.Node]] = [:]
    for node in nodes { for call in node.calls { callers[call.callee, default: []].append(node) } }
    return callers
  }

  /// The executable, and the libraries of which it has called something, or these of one another.
  ///
  /// Calls by the C library and the loader don't count: they call what is at hand as a process begins and ends, and
  /// what a library gave them, which it then was called to do. Where the executable itself loads libraries, all count:
  /// their beginning can be all that they are for.
  private static func libraries(
    reachedFrom image: ProgramImage, in nodes: [CallgrindGraph.Node]
  ) -> Set<String> {
    let name = LoadedObject.name(ofPath: image.path)
    var open = nodes.indices.filter { LoadedObject.name(ofPath: nodes[$0].object) == name }
    var reached = Set(open)
    while let index = open.popLast() {
      if isSystem(LoadedObject.name(ofPath: nodes[index].object)) { continue }
      for call in nodes[index].calls where reached.insert(call.callee).inserted { open.append(call.callee) }
    }
    let loads = reached.contains { ["dlopen", "dlmopen"].contains(nodes[$0].symbol.prefix { $0 != "@" }) }
    return Set((loads ? Set(nodes.indices) : reached).map { LoadedObject.name(ofPath: nodes[$0].object) })
  }

  /// Whether a library is the C library or the loader.
  private static func isSystem(_ library: String) -> Bool {
    library.hasPrefix("libc.so") || library.hasPrefix("ld-linux") || library.hasPrefix("libpthread")
  }

  /// Whether a function of the C library is called by the benchmark, rather than by the C library or by Gauge for its
  /// own purposes, or by a library that was only loaded: one for secure connections draws random numbers then. Of a
  /// function that nobody calls it isn't known, but for the beginning of a thread.
  private static func isAsked(
    for node: CallgrindGraph.Node, by callers: [CallgrindGraph.Node], used: Set<String>
  ) -> Bool {
    if callers.isEmpty { return !node.symbol.contains("clone") }
    return callers.contains { caller in
      let library = LoadedObject.name(ofPath: caller.object)
      return caller.symbol != ownThread && caller.symbol != ownFork && used.contains(library) && !isSystem(library)
    }
  }

  /// What makes launches differ that call a function of the C library.
  private static func chance(of symbol: String) -> String? {
    // A function of the C library may have its version behind its name.
    let name = symbol.prefix { $0 != "@" }
    if CallgrindDump.clocks.contains(name) { return "it reads a clock (\(name))" }
    switch name {
    case "pthread_create", "thrd_create", "clone", "clone3", "__clone", "__clone3", "__clone_internal":
      return "it has threads"
    case "fork", "vfork", "__libc_fork", "_Fork", "daemon", "forkpty", "posix_spawn", "posix_spawnp", "system", "popen":
      return "it starts processes"
    // Swift's runtime asks the system itself.
    case "getrandom", "getentropy", "arc4random", "arc4random_buf", "arc4random_uniform", "swift_stdlib_random":
      return "it draws random numbers (\(name))"
    case "nanosleep", "clock_nanosleep", "usleep", "sleep", "timerfd_create", "timer_create", "setitimer", "alarm":
      return "it waits for a time (\(name))"
    default: return nil
    }
  }

  /// Functions of Gauge that fork launches, and start a thread in each.
  private static let ownFork = "probe_fork_per_line"
  private static let ownThread = "probe_run_empty_thread"
}

/// A recorded launch, or why there is none.
enum RecordedOutcome {
  case recorded(RecordedLaunch, libraries: Set<String>)
  case unavailable(String)
}

extension Callgrind {
  /// Options of recordings: everything from the beginning on, by address and thread.
  private static let recording = [
    "--instr-atstart=yes", "--dump-instr=yes", "--dump-line=no", "--demangle=no", "--separate-threads=yes",
  ]

  /// Records a launch of each of several benchmarks of one executable.
  ///
  /// - Parameters:
  ///   - points: The benchmarks.
  ///   - image: Their executable.
  ///   - environment: The user's environment, of which little is handed on.
  ///   - limit: Time after which one launch would be killed.
  ///   - signals: Signals on which all are killed at once.
  /// - Returns: By title; nothing of what a signal stopped.
  func recordings(
    of points: [BenchmarkPoint], _ image: ProgramImage, environment: [String: String],
    limit: Duration = Callgrind.limit, stoppingOn signals: PendingSignals?
  ) -> [String: RecordedOutcome] {
    var outcomes: [String: RecordedOutcome] = [:]
    for start in stride(from: 0, to: points.count, by: Self.batch) {
      let members = Array(points[start..<min(start + Self.batch, points.count)])
      do throws(SystemError) {
        defer { removeDumps() }
        let parts = try parts(
          of: members, environment: environment.merging([CountedInstructions.recordingVariable: "1"]) { $1 },
          details: Self.recording, limit: limit, stoppingOn: signals)
        guard let parts else { return outcomes }
        for (index, point) in members.enumerated() {
          guard index < parts.count else {
            outcomes[point.title] = .unavailable("its recorded launch did not come to its end")
            continue
          }
          outcomes[point.title] = outcome(of: parts[index], image)
        }
      } catch {
        for point in members { outcomes[point.title] = .unavailable("\(error)") }
      }
    }
    return outcomes
  }

  private func outcome(of part: LaunchBatch.Part, _ image: ProgramImage) -> RecordedOutcome {
    let run = ProcessRun(ending: .ended(ChildEnding(status: part.status)), output: "", report: part.report)
    switch LaunchOutcome(run, mayMeasureNothing: true) {
    case .measured: break
    case .skipped(let reason): return .unavailable("it asked to be skipped: \(reason)")
    case .broken(let reason, _): return .unavailable("its recorded launch broke: \(reason)")
    case .interrupted(let signal): return .unavailable(SystemError.words(forSignal: signal))
    }
    let begin = "\(Repetition.first.rawValue).\(part.process)"
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasPrefix(begin) }
    // A file for each thread, and a number more where the launch itself has asked for a count.
    guard !names.contains(where: { $0.hasPrefix(begin + ".") || $0.hasPrefix(begin + "-") && $0.hasSuffix(".1") })
    else {
      return .unavailable("it was built with a Gauge whose launches can't be recorded")
    }
    let threads = names.filter { $0.hasPrefix(begin + "-") }
    let texts = threads.compactMap { Files.text(of: "\(folder)/\($0)") }
    guard !texts.isEmpty, texts.count == threads.count else { return .unavailable("callgrind has left no record") }
    let nodes = texts.map(CallgrindGraph.nodes(ofProcess:))
    let all = nodes.reduce(into: [CallgrindGraph.Node]()) { all, more in
      let first = all.count
      all += more.map { node in
        var node = node
        for index in node.calls.indices { node.calls[index].callee += first }
        return node
      }
    }
    let name = LoadedObject.name(ofPath: image.path)
    let libraries = Set(all.map(\.object).filter { $0.hasPrefix("/") && LoadedObject.name(ofPath: $0) != name })
    return .recorded(RecordedLaunch(all, threads: threads.count, of: image), libraries: libraries)
  }
}
