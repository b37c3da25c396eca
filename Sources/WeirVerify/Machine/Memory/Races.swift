// Races: two accesses to a location that nothing orders, one of which is plain and one of which writes.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

/// Finds races by vector clocks, as accesses come.
struct Races {
  /// For each thread its last access of a kind.
  private struct Accesses {
    var plainReads = Clock.zero
    var plainWrites = Clock.zero
    var atomicReads = Clock.zero
    var atomicWrites = Clock.zero
  }

  private var accesses: [Accesses] = []
  /// The first that was found.
  private(set) var first: String?

  mutating func addLocation() { accesses.append(Accesses()) }

  /// Notes an access.
  ///
  /// - Parameter clock: What the thread knows, and for itself the number of the access.
  mutating func note(_ location: Int, by thread: Int, _ clock: Clock, isPlain: Bool, writes: Bool) {
    let former = accesses[location]
    var others = former.plainWrites
    if writes { others.join(former.plainReads) }
    if isPlain { others.join(former.atomicWrites) }
    if isPlain, writes { others.join(former.atomicReads) }
    if first == nil, let other = others.indices.first(where: { others[$0] > clock[$0] }) {
      first = "nothing orders accesses of threads \(other) and \(thread) to location \(location)"
    }
    switch (isPlain, writes) {
    case (true, true): accesses[location].plainWrites[thread] = clock[thread]
    case (true, false): accesses[location].plainReads[thread] = clock[thread]
    case (false, true): accesses[location].atomicWrites[thread] = clock[thread]
    case (false, false): accesses[location].atomicReads[thread] = clock[thread]
    }
  }
}
