// Instructions, allocations and reference counting by call stack, from one launch under callgrind.

/// What a launch under callgrind tells about an operation.
///
/// Callgrind knows functions and the calls among them, not stacks. A function's costs are given to the stacks that lead
/// to it in proportion to what the calls from each have cost; calls that close a circle are left out. As the dumps have
/// a function apart for each chain of callers, hardly anything has to be shared out.
///
/// Frames of functions that the compiler has put into others stand in the stacks like those that were called. The
/// harness is left out: stacks begin with the operation, and what runs beside it isn't there.
struct InstructionProfile: Sendable {
  /// How often a function was entered, and how much code it is.
  struct Entries: Hashable, Sendable {
    /// Entries; for code that was put into its caller, how often its least used part ran.
    var count = 0.0
    /// Places in the code that ran, without those of functions that are called.
    var size = 0
    /// Whether it was called, so that the count is exact.
    var isCalled = false

    fileprivate mutating func note(calls: Double) {
      count += calls
      isCalled = true
    }

    fileprivate mutating func note(entered: Double, places: Int) {
      count += entered
      size = max(size, places)
    }
  }

  /// Instructions.
  var instructions: Profile
  /// Calls of the functions that allocate.
  var allocations: Profile
  /// Calls of the functions that retain.
  var retains: Profile
  /// Calls of the functions that release.
  var releases: Profile
  /// How often the last function of a stack was entered through the stack, lines left out.
  var entries: [[ProfileFrame]: Entries] = [:]
  /// Operations that were counted.
  var operations: Int { instructions.operations }

  /// All of it as profiles.
  var profiles: [Profile] { [instructions, allocations, retains, releases] }

  /// Makes the profile of a dump.
  ///
  /// - Parameters:
  ///   - graph: The dump of the operations.
  ///   - chain: The frames at an address of an object, outermost first; nothing where there is no debug information.
  init(_ graph: CallgrindGraph, chain: @escaping (_ object: String, _ address: UInt64) -> [ProfileFrame]) {
    let operations = graph.counted.operations
    instructions = Profile(.instructions, operations: operations)
    allocations = Profile(.allocations, operations: operations)
    retains = Profile(.retains, operations: operations)
    releases = Profile(.releases, operations: operations)
    var walk = Walk(graph, chain: chain)
    walk.run()
    for (stack, weight) in walk.weights where boundedCount(weight) > 0 {
      instructions.add(boundedCount(weight), at: stack)
    }
    for (stack, weight) in walk.calls {
      let weight = boundedCount(weight)
      guard let kind = Self.kinds[stack.last?.function ?? ""], weight > 0 else { continue }
      switch kind {
      case .allocations: allocations.add(weight, at: stack)
      case .retains: retains.add(weight, at: stack)
      default: releases.add(weight, at: stack)
      }
    }
    entries = walk.entries
    if walk.left <= 0 {
      note("its stacks have more than \(Self.mostFrames) frames together: what the rest called stays together")
    }
  }

  /// Frames of all stacks together beyond which no further call is looked into: calls that meet again and again make
  /// more stacks than there is time and memory for. Hardly any dump has a tenth of these.
  static let mostFrames = 100_000

  /// Notes what is missing.
  mutating func note(_ note: String) {
    instructions.notes.append(note)
    allocations.notes.append(note)
    retains.notes.append(note)
    releases.notes.append(note)
  }

  /// The functions whose calls are counted.
  static let kinds: [String: Profile.Kind] = {
    var kinds: [String: Profile.Kind] = [:]
    for name in ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign", "valloc"] {
      kinds[name] = .allocations
    }
    for name in ["swift_retain", "swift_retain_n", "swift_tryRetain"] { kinds[name] = .retains }
    for name in ["swift_release", "swift_release_n"] { kinds[name] = .releases }
    return kinds
  }()

  /// Whether a frame is the harness's loop, behind which the operation begins.
  static func isLoop(_ frame: ProfileFrame) -> Bool {
    frame.isLibrary && (frame.function.hasPrefix("BenchmarkRun.measure(") || frame.function.hasPrefix("Batches.run("))
  }

  /// Whether a frame belongs to what the harness does before and behind a batch.
  static func isHarness(_ frame: ProfileFrame) -> Bool {
    frame.isLibrary
      && (frame.function.hasPrefix("InstructionBatches.") || frame.function.hasPrefix("InstructionCounter.")
        || frame.function.hasPrefix("probe_"))
  }
}

extension InstructionProfile {
  /// A walk over all stacks of a graph.
  private struct Walk {
    private let graph: CallgrindGraph
    private let chain: (String, UInt64) -> [ProfileFrame]
    private var inclusive: [Double]
    /// Instructions that all calls of a node cost together, without those that close a circle.
    private var incoming: [Double]
    /// Places in `calls` of a node that close a circle.
    private var closing: [Set<Int>]
    private var names: [String: FunctionName] = [:]
    /// Symbols of functions that the harness's loop is in.
    private var loops: Set<String> = []
    /// Frames that stacks may have still.
    private(set) var left = InstructionProfile.mostFrames

    var weights: [[ProfileFrame]: Double] = [:]
    var calls: [[ProfileFrame]: Double] = [:]
    var entries: [[ProfileFrame]: Entries] = [:]

    init(_ graph: CallgrindGraph, chain: @escaping (String, UInt64) -> [ProfileFrame]) {
      self.graph = graph
      self.chain = chain
      inclusive = graph.nodes.map { node in node.calls.reduce(Double(node.ownTotal)) { $0 + Double($1.inclusive) } }
      incoming = Array(repeating: 0, count: graph.nodes.count)
      closing = Array(repeating: [], count: graph.nodes.count)
    }

    mutating func run() {
      findCircles()
      for (index, node) in graph.nodes.enumerated() {
        for (place, call) in node.calls.enumerated() where !closing[index].contains(place) {
          incoming[call.callee] += Self.share(of: call)
        }
      }
      for index in graph.nodes.indices where incoming[index] == 0 {
        visit(index, part: 1, stack: [])
      }
    }

    /// What a call counts for in sharing out; one that costs nothing still counts a little.
    private static func share(of call: CallgrindGraph.Call) -> Double {
      Double(call.inclusive) + Double(call.count) * 1e-6
    }

    /// Marks the calls that lead back to a function that is being walked.
    private mutating func findCircles() {
      enum State { case new, open, done }
      var states = Array(repeating: State.new, count: graph.nodes.count)
      let called = Set(graph.nodes.flatMap { $0.calls.map(\.callee) })
      let order = graph.nodes.indices.filter { !called.contains($0) } + graph.nodes.indices.filter(called.contains)
      // A stack of its own: chains of callers can be long.
      for start in order where states[start] == .new {
        var path = [(node: start, next: 0)]
        states[start] = .open
        while let top = path.last {
          let calls = graph.nodes[top.node].calls
          guard top.next < calls.count else {
            states[top.node] = .done
            path.removeLast()
            continue
          }
          path[path.count - 1].next += 1
          let callee = calls[top.next].callee
          switch states[callee] {
          case .open: closing[top.node].insert(top.next)
          case .new:
            states[callee] = .open
            path.append((callee, 0))
          case .done: break
          }
        }
      }
    }

    private mutating func visit(_ index: Int, part: Double, stack: [ProfileFrame]) {
      let node = graph.nodes[index]
      var insides: [[ProfileFrame]: Executions] = [:]
      let places = node.own.keys.sorted()
      if places.contains(where: { chain(node.object, $0).contains(where: InstructionProfile.isLoop) }) {
        loops.insert(node.symbol)
      }
      for (number, address) in places.enumerated() {
        // The loop's own instructions are the harness's, and what is called there is the operation's.
        let isLoop = chain(node.object, address).contains(where: InstructionProfile.isLoop)
        guard let frames = frames(behind: stack, node, address, before: isLoop ? [] : places[..<number]),
          !frames.isEmpty
        else { continue }
        left -= frames.count
        let weight = Double(node.own[address] ?? 0) * part
        weights[frames, default: 0] += weight
        note(weight, frames, below: stack.count, in: &insides)
      }
      for (place, call) in node.calls.enumerated() where !closing[index].contains(place) {
        let called = frame(of: graph.nodes[call.callee])
        let before = places[..<places.partitioningIndex { $0 >= call.address }]
        guard let frames = frames(behind: stack, node, call.address, before: before),
          !InstructionProfile.isHarness(called)
        else {
          continue
        }
        let share = part * Self.share(of: call) / incoming[call.callee]
        let entered = frames + [called]
        // Too little to tell apart, or a chain that does not end: what is behind it stays together.
        guard share * inclusive[call.callee] >= 0.5, stack.count < 400, left > 0 else {
          weights[entered, default: 0] += share * inclusive[call.callee]
          continue
        }
        left -= entered.count
        let count = Double(call.count) * part
        calls[entered, default: 0] += count
        entries[entered.map(\.withoutLine), default: Entries()].note(calls: count)
        visit(call.callee, part: share, stack: frames)
      }
      for (frames, executions) in insides {
        // Those that were called have been counted at the call.
        let entered = frames.last?.isInlined == true ? executions.least : 0
        entries[frames, default: Entries()].note(entered: entered, places: executions.places)
      }
    }

    /// How often the code of a function ran that was put into another.
    private struct Executions {
      var least = Double.infinity
      var places = 0
    }

    /// Notes a place of code for its function and all that this was put into.
    private func note(
      _ weight: Double, _ frames: [ProfileFrame], below depth: Int, in insides: inout [[ProfileFrame]: Executions]
    ) {
      let functions = frames.map(\.withoutLine)
      for end in stride(from: functions.count, to: depth, by: -1) {
        let key = Array(functions[..<end])
        insides[key, default: Executions()].least = min(insides[key]?.least ?? .infinity, weight)
        if end == functions.count { insides[key]?.places += 1 }
      }
    }

    /// The stack at an address of a node; empty in the harness's loop itself, and `nil` in the rest of the harness.
    ///
    /// - Parameter place: The address's place among those of the node, where code without a line of its own is to be
    ///   taken for part of what stands before it: the end of an object's life has none.
    private mutating func frames(
      behind stack: [ProfileFrame], _ node: CallgrindGraph.Node, _ address: UInt64,
      before places: ArraySlice<UInt64> = []
    ) -> [ProfileFrame]? {
      var frames = chain(node.object, address)
      if frames.isEmpty { return plain(stack, node) }
      if frames.contains(where: InstructionProfile.isHarness) { return nil }
      let isInLoop = frames.contains(where: InstructionProfile.isLoop)
      frames = Self.withoutLoop(frames)
      let isOutside = !isInLoop && places.first.map { _ in loops.contains(node.symbol) } ?? false
      if isOutside || frames.isEmpty {
        for place in places.reversed().prefix(Self.reach) {
          let known = Self.withoutLoop(chain(node.object, place))
          if known.count > 1 || known.first?.isInlined == true,
            let end = known.lastIndex(where: { !$0.isLibrary && $0.line != nil })
          {
            return stack + known[...end]
          }
        }
        if isOutside { return stack }
      }
      return stack + frames
    }

    private mutating func plain(_ stack: [ProfileFrame], _ node: CallgrindGraph.Node) -> [ProfileFrame]? {
      let frame = frame(of: node)
      return InstructionProfile.isHarness(frame) ? nil : stack + [frame]
    }

    private static func withoutLoop(_ frames: [ProfileFrame]) -> [ProfileFrame] {
      guard let loop = frames.lastIndex(where: InstructionProfile.isLoop) else { return frames }
      return Array(frames[(loop + 1)...])
    }

    /// How many places before are looked at.
    private static let reach = 40

    private mutating func frame(of node: CallgrindGraph.Node) -> ProfileFrame {
      let name = names[node.symbol] ?? FunctionName(symbol: node.symbol)
      names[node.symbol] = name
      let object = node.object.split(separator: "/").last.map(String.init) ?? node.object
      return ProfileFrame(function: name.text, object: object, isLibrary: !name.isProgram)
    }
  }
}
