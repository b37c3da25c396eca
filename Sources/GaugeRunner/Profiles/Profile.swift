// What a profile is, whatever was counted and however: weights by call stack.

/// A place in a program that a call stack passes through.
struct ProfileFrame: Hashable, Sendable {
  /// Name of the function, demangled and shortened; `unknown` where no table names it.
  var function: String
  /// Last part of the path of the executable or library that holds it.
  var object: String
  /// Source file, where debug information names it.
  var file: String?
  /// Line in the file, counted from 1, where debug information names it.
  var line: Int?
  /// Whether the compiler has put the function's code into that of its caller, the frame before.
  var isInlined = false
  /// Whether it is not of the program itself: the language's library and runtime, the system,
  /// what the compiler has made.
  var isLibrary = false

  /// The name of a function that no table names.
  static let unknown = "unknown"

  /// What stands under it without being a function: what a thread waits for.
  func called(_ name: String) -> ProfileFrame { ProfileFrame(function: name, object: object, isLibrary: true) }

  /// What differs between two call sites in one function is left out: the function alone.
  var withoutLine: ProfileFrame {
    var frame = self
    frame.line = nil
    return frame
  }
}

extension [ProfileFrame] {
  /// Whether a stack stands before another: by the functions and lines from the root,
  /// of which mostly the first few are looked at.
  func precedes(_ other: [ProfileFrame]) -> Bool {
    lexicographicallyPrecedes(other) { ($0.function, $0.line ?? 0) < ($1.function, $1.line ?? 0) }
  }
}

/// Weights by call stack, of one kind, from one launch or the sum of several.
struct Profile: Sendable {
  /// What a profile weighs.
  enum Kind: String, Sendable, CaseIterable {
    /// CPU time in nanoseconds, sampled.
    case cpu
    /// Calls that allocate.
    case allocations
    /// Bytes that were allocated.
    case allocatedBytes = "allocated_bytes"
    /// Allocations that are there at the end.
    case liveAllocations = "live_allocations"
    /// Bytes that are there at the end.
    case liveBytes = "live_bytes"
    /// Calls that retain an object.
    case retains
    /// Calls that release an object.
    case releases
    /// Time off the processor, in nanoseconds, by the stack that waits.
    case waits
    /// The same, by the stack that has ended the wait.
    case wakers
    /// Instructions, as callgrind counts them.
    case instructions

    /// Unit of the weights.
    var unit: String {
      switch self {
      case .cpu, .waits, .wakers: "nanoseconds"
      case .allocations, .liveAllocations: "allocations"
      case .allocatedBytes, .liveBytes: "bytes"
      case .retains: "retains"
      case .releases: "releases"
      case .instructions: "instructions"
      }
    }
  }

  /// What is weighed.
  var kind: Kind
  /// Operations that the weights are for; weights of two profiles are compared by operation.
  var operations: Int
  /// What an operation is called.
  var per = "operation"
  /// How many of `operations` make one of those.
  var partsOfOperation = 1
  /// How many operations these are.
  var amount: Double { Double(max(1, operations)) / Double(partsOfOperation) }
  /// Whether it is of a whole recording, and no rate.
  var isOfWhole: Bool { per == Self.whole }
  /// What the operation is called then.
  static let whole = "recording"
  /// The weight of each call stack, from the root to the leaf.
  private(set) var weights: [[ProfileFrame]: Int] = [:]
  /// What may be added still, of whatever sign, so that every sum of weights is a whole number.
  private var room = largestSum
  /// What is missing, and why: no debug information, a stripped library, ...
  var notes: [String] = []

  /// An empty profile.
  ///
  /// - Parameters:
  ///   - kind: What will be weighed.
  ///   - operations: Operations that the weights will be for.
  init(_ kind: Kind, operations: Int) {
    self.kind = kind
    self.operations = operations
  }

  /// Most frames of a stack: trees are made of them, and walked by calls of calls.
  static let deepest = 2000

  /// Adds weight to a call stack.
  ///
  /// - Parameters:
  ///   - weight: In the kind's unit. What all weights together, of whatever sign, have beyond 2^61 is left out.
  ///   - stack: From the root to the leaf. One of more than `deepest` frames ends with the last of these.
  mutating func add(_ weight: Int, at stack: [ProfileFrame]) {
    let added = max(-room, min(room, weight))
    room -= abs(added)
    weights[stack.count > Self.deepest ? Array(stack[..<Self.deepest]) : stack, default: 0] += added
  }

  /// Adds another profile of the same kind.
  mutating func add(_ other: Profile) {
    precondition(kind == other.kind, "profiles of two kinds have no sum")
    operations = boundedSum(operations, other.operations)
    for (stack, weight) in other.weights { add(weight, at: stack) }
    for note in other.notes where !notes.contains(note) { notes.append(note) }
  }

  /// The sum of all weights.
  var total: Int { weights.values.reduce(0, +) }

  /// What a function weighs.
  struct Weight: Hashable, Sendable {
    /// Of the function's own code.
    var own = 0
    /// With what it calls, recursive calls counted once.
    var inclusive = 0
  }

  /// What each function weighs, lines left out.
  func weightsByFunction() -> [ProfileFrame: Weight] {
    var result: [ProfileFrame: Weight] = [:]
    for (stack, weight) in weights {
      let functions = stack.map(\.withoutLine)
      if let leaf = functions.last { result[leaf, default: Weight()].own += weight }
      for function in Set(functions) { result[function, default: Weight()].inclusive += weight }
    }
    return result
  }
}
