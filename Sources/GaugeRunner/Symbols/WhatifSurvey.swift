// The functions of a program that may be worth a speed-up, from the stacks of all its threads: how much of the threads'
// time each has with what it calls, and where its code is.

/// What the threads of a launch were seen to do.
struct WhatifSurvey {
  /// A function of the program.
  struct Function: Hashable {
    /// Its name.
    var name: String
    /// Its code in the executable's file, several pieces where there are several copies; empty where it is part of its
    /// callers'.
    var code: [Range<UInt64>] = []
    /// Nanoseconds of CPU time on whose stacks it was.
    var used = 0
    /// Nanoseconds of sleep, and of waits that nobody ended, on whose stacks it was.
    var asleep = 0
    /// How far from the root it was, on average.
    var depth = 0.0
    /// The functions that its code is part of.
    var callers: Set<String> = []
    /// Whether it is of the program, and not of the language, the system, or the harness.
    var isProgram = true
  }

  /// All functions, the one that has most time first; of those with equal time the one furthest from the root.
  private(set) var functions: [Function] = []
  /// Nanoseconds of all that is the program's.
  private(set) var total = 0

  /// Reads a launch's stacks.
  ///
  /// - Parameters:
  ///   - file: The stacks.
  ///   - executable: Path of the benchmark's executable.
  ///   - symboliser: What names addresses.
  init(_ file: SampleFile, executable: String, symboliser: Symboliser) {
    let unwinder = StackUnwinder(file, objects: symboliser.object)
    let stacks = file.records.map { record in
      unwinder.unwind(record) { address in
        unwinder.place(of: address).flatMap(symboliser.symbol).map(Symboliser.isAsynchronous) ?? false
      }
    }
    symboliser.name(Set(stacks.joinedAddresses).compactMap { unwinder.place(of: $0) })
    var found: [String: Function] = [:]
    var depths: [String: (sum: Int, count: Int)] = [:]
    for (record, stack) in zip(file.records, stacks) {
      let names = StackProfiles.names(on: stack, unwinder, symboliser, executable)
      guard let kept = StackProfiles.cut(names, leavesOutRuntime: false) else { continue }
      let (used, asleep) = (record.weights.first ?? 0, record.weights.dropFirst().first ?? 0)
      // A thread of a pool that has nothing to do has nobody of the program's on its stack.
      if used == 0, kept.allSatisfy(\.frame.isLibrary) { continue }
      total = boundedSum(total, boundedSum(used, asleep))
      var seen: Set<String> = []
      for (depth, name) in kept.enumerated() where seen.insert(name.frame.function).inserted {
        let function = name.frame.function
        found[function, default: Function(name: function)].used += used
        found[function]?.asleep += asleep
        found[function]?.isProgram = !name.frame.isLibrary
        depths[function, default: (0, 0)].sum += depth
        depths[function]?.count += 1
      }
      for address in stack.frames.map(\.address) {
        guard let place = unwinder.place(of: address), place.path == executable else { continue }
        let names = symboliser.names(at: place).map(\.frame.function)
        guard let outermost = names.first else { continue }
        for name in names.dropFirst() where name != outermost { found[name]?.callers.insert(outermost) }
        guard let code = symboliser.object(place.path)?.code(at: place.address) else { continue }
        if found[outermost]?.code.contains(code) == false { found[outermost]?.code.append(code) }
      }
    }
    for (name, depth) in depths { found[name]?.depth = Double(depth.sum) / Double(depth.count) }
    functions = found.values.sorted {
      (-$0.time, -$0.depth, $0.name) < (-$1.time, -$1.depth, $1.name)
    }
  }

  /// Holds what was found.
  init(functions: [Function], total: Int) {
    self.functions = functions
    self.total = total
  }

  /// Share of the threads' time that is spent in a function, 0 to 1.
  func share(of function: Function) -> Double { Double(function.time) / Double(max(1, total)) }

  /// The functions that are tried where none is named: those of the program with code of their own, up to a number.
  func candidates(_ limit: Int) -> [Function] {
    Array(
      functions.lazy.filter { $0.isProgram && !$0.code.isEmpty && share(of: $0) >= Self.smallestShare }.prefix(limit))
  }

  /// The function of a name, or the only one whose name begins with it.
  ///
  /// - Throws: Why there is none, with what to do.
  func function(_ name: String) throws(Unknown) -> Function {
    let exact = functions.filter { $0.name == name }
    let fitting = exact.isEmpty ? functions.filter { $0.name.hasPrefix(name) } : exact
    guard let function = fitting.first else {
      let near = Suggestion.nearest(to: name, among: functions.map(\.name))
      let some = candidates(3).map { "'\($0.name)'" }.joined(separator: ", ")
      throw Unknown(
        description: "no thread was seen in '\(name)'"
          + (near.map { ": did you mean '\($0)'?" } ?? (some.isEmpty ? "" : ", but in \(some)")))
    }
    guard fitting.count == 1 else {
      throw Unknown(
        description: "'\(name)' is the beginning of several names: "
          + fitting.prefix(5).map { "'\($0.name)'" }.joined(separator: ", "))
    }
    guard function.code.isEmpty else { return function }
    let callers = function.callers.sorted().prefix(3).map { "'\($0)'" }.joined(separator: ", ")
    throw Unknown(
      description: "the code of '\(function.name)' is not its own: "
        + (callers.isEmpty
          ? "it is in a library. Name what calls it" : "the compiler has made it part of \(callers). Name that")
        + ", or mark the function @inline(never)")
  }

  /// Why a function can't be tried.
  struct Unknown: Error, Hashable, CustomStringConvertible {
    var description: String
  }

  /// Functions with less of the threads' time are not tried unless they are named: nothing could be told of them.
  static let smallestShare = 0.01
}

extension WhatifSurvey.Function {
  /// Nanoseconds in which threads were seen in it.
  var time: Int { boundedSum(used, asleep) }
}

extension [StackUnwinder.Stack] {
  fileprivate var joinedAddresses: [UInt64] { flatMap { $0.frames.map(\.address) } }
}
