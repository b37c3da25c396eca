// Shared words, and what a thread knows of the others' past.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

/// For each thread, up to which of its releases something is known: a vector clock (C. Fidge, F. Mattern, 1988).
package typealias Clock = SIMD8<UInt32>

extension Clock {
  mutating func join(_ other: Clock) { self = pointwiseMax(self, other) }
}

/// A word of shared memory, or a lock (its value is then the number of the thread that holds it).
package final class Word {
  var value: Int
  /// What it was before its last change.
  var previous: Int
  /// What a reader that acquires learns.
  var clock = Clock.zero
  /// The same for the same word in other runs, as far as these are alike.
  private(set) var key: Int
  /// Bit per thread that has touched it.
  var accessors = 0
  /// Whether one of them has written it, or freed it.
  var isWritten = false
  /// Bit per thread that has written it.
  var writers = 0
  /// Whether several threads touch it and one writes it, in any run.
  private(set) var isShared: Bool
  /// Whether several threads write it, in any run.
  var hasWriters = false
  /// With this in it, a word's key stands for its having several writers.
  static let writersFlag = 1 << 39
  let number: Int
  /// The run that it was last touched in.
  private(set) var run: Int
  /// What it is to a memory that numbers its words.
  var location = 0
  /// What it is to a reduction.
  var bit: UInt64 = 0
  /// The line of memory that it is in, where somebody counts how lines pass between cores.
  var line: CoreLine?
  /// Whether the program has freed it.
  var isRetired = false
  /// Of a lock: how often it was taken, who had it last, and when.
  var takes = 0
  var holder = 0
  var held: UInt32 = 0

  init(_ value: Int, key: Int, isShared: Bool, number: Int, run: Int) {
    self.value = value
    previous = value
    self.key = key
    self.isShared = isShared
    self.number = number
    self.run = run
  }

  /// Takes a word of another run into this one: a global. It keeps its value, and nothing else of what was.
  func move(to run: Int, key: Int, isShared: Bool) {
    self.run = run
    self.key = key
    self.isShared = isShared
    previous = value
    clock = .zero
    accessors = 0
    isWritten = false
    writers = 0
    line = nil
    takes = 0
    holder = 0
    held = 0
  }

  func write(_ new: Int) {
    previous = value
    value = new
  }
}

/// Plain memory of a scenario that no two threads may touch without something that orders them: atomics of the program
/// under test, with the orderings that they ask for. So it finds what an order of steps alone would not show.
package final class Guarded {
  private let what: StaticString
  private let number: Int?
  private let place: Place?
  private var writer = 0
  private var written: UInt32 = 0
  private var read = Clock.zero
  /// The run that it was last touched in.
  private var run: Int

  init(_ what: StaticString, _ number: Int?, _ place: Place?) {
    self.what = what
    self.number = number
    self.place = place
    run = machine.runNumber
  }

  var name: String {
    if let place { return "\(what) \(place.fileAndLine)" }
    return number.map { "\(what) \($0)" } ?? "\(what)"
  }

  /// Notes a read.
  package func noteRead() {
    let (thread, clock) = present
    requireKnown(clock, "read while not ordered after a write by")
    read[thread] = clock[thread]
  }

  /// Notes a write.
  package func noteWrite() {
    let (thread, clock) = present
    requireKnown(clock, "touched while not ordered after")
    for other in read.indices where clock[other] < read[other] {
      machine.fail("\(name): written while not ordered after a read by \(machine.name(other))")
    }
    writer = thread
    written = clock[thread]
  }

  // MARK: Values that may be copies

  /// Notes a read of what may be a copy: what others write to the original later has nothing to do with it.
  func noteReadOfCopy() { requireKnown(present.clock, "read while not ordered after a write by") }

  /// Notes a write of what may be a copy.
  ///
  /// - Returns: What stands for it from now on: other copies keep what they had.
  func rewritten() -> Guarded {
    requireKnown(present.clock, "touched while not ordered after")
    let new = Guarded(what, number, place)
    new.noteWrite()
    return new
  }

  private func requireKnown(_ clock: Clock, _ problem: StaticString) {
    if clock[writer] < written { machine.fail("\(name): \(problem) \(machine.name(writer))") }
  }

  /// The running thread and what it knows. What outlives a run, as a global does, begins anew with the next.
  private var present: (thread: Int, clock: Clock) {
    if run != machine.runNumber {
      run = machine.runNumber
      writer = 0
      written = 0
      read = .zero
    }
    return machine.present
  }
}

/// Plain memory of a scenario that threads touch whenever they like, and for which they need no order: a reduction has
/// to know of it, as it may matter who comes first.
package struct Unguarded {
  private let bit: UInt64

  package init() { bit = machine.reduction?.bitOfUnguarded() ?? 0 }

  /// Notes a read.
  package func noteRead() { machine.reduction?.noteUnguarded(bit, writes: false) }

  /// Notes a write.
  package func noteWrite() { machine.reduction?.noteUnguarded(bit, writes: true) }
}
