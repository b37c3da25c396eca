// The memory of C++20 behind the machine's words: what `RC11` allows, up to a number of stale reads.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

/// Memory as in C++20.
///
/// Until they know of a store others may read what was there before, and place their own stores before it. Each time
/// that something but the newest is chosen is counted, as a stale read, and there may be so many of them in a run.
final class GraphMemory: Memory {
  private let mostStale: Int
  private var stale = 0
  private var graph = RC11()
  /// For each thread what it has looked at since it last wrote something, and what of that it has spun on.
  private var looks = [Looks](repeating: Looks(), count: Clock.scalarCount)
  private(set) var remark = ""

  init(stale: Int) {
    mostStale = stale
  }

  func reset() {
    for thread in looks.indices { looks[thread].forget() }
    stale = 0
    graph = RC11()
    graph.takesNewest = mostStale == 0
    remark = ""
  }

  func add(_ word: Word, by thread: SimulatedThread?, on machine: Machine) {
    word.location = ours { graph.makeLocation(word.value, by: thread?.number) }
    if let thread { learn(thread, machine) }
  }

  func start(_ thread: SimulatedThread, after main: SimulatedThread) {
    ours { graph.start(thread.number) }
    thread.clock = graph.clock(of: thread.number)
  }

  func finish(for main: SimulatedThread, on machine: Machine) {
    ours { for number in 1..<machine.count { graph.end(number) } }
    learn(main, machine)
  }

  // MARK: Accesses

  func ownValue(of word: Word, for thread: SimulatedThread) -> Int? { nil }

  var hasOneTime: Bool { false }
  var showsStoresAtOnce: Bool { true }

  func load(_ word: Word, by thread: SimulatedThread, _ ordering: Ordering, on machine: Machine) -> Int {
    let before = stale
    ours {
      looks[thread.number].add(word.location)
      if thread.isLookingAgain || looks[thread.number].spunOn.contains(word.location) { graph.takesNewest = true }
    }
    let value = ours { graph.load(word.location, by: thread.number, ordering, { choose($0, machine) }) }
    remark = stale == before ? "" : "(stale)"
    noteSource(word, thread, machine)
    learn(thread, machine)
    return value
  }

  func store(_ store: PendingStore, by thread: SimulatedThread, on machine: Machine) {
    ours {
      graph.store(
        store.word.location, store.value, by: thread.number, store.ordering, { choose($0, machine) })
    }
    noteWrite(store.word, thread, machine)
  }

  func modify(
    _ word: Word, by thread: SimulatedThread, _ ordering: Ordering, on machine: Machine, _ change: (Int) -> Int?
  ) -> Int {
    let (old, hasWritten) = ours {
      looks[thread.number].add(word.location)
      if thread.isLookingAgain { graph.takesNewest = true }
      return graph.modify(
        word.location, by: thread.number, ordering, failure: ordering.ofReadAlone, { choose($0, machine) }, change)
    }
    noteSource(word, thread, machine)
    if hasWritten { noteWrite(word, thread, machine) } else { learn(thread, machine) }
    return old
  }

  func setLock(_ word: Word, to value: Int, by thread: SimulatedThread, on machine: Machine) {
    ours {
      if value == 0 {
        graph.store(word.location, 0, by: thread.number, .release, { _ in 0 })
      } else {
        _ = graph.modify(word.location, by: thread.number, .acquire, failure: .acquire, { _ in 0 }, { _ in value })
      }
    }
    word.write(value)
    learn(thread, machine)
  }

  func drain(_ thread: SimulatedThread, on machine: Machine) {}

  func lightBarrier(_ thread: SimulatedThread, on machine: Machine) {
    ours { graph.lightFence(by: thread.number) }
    learn(thread, machine)
  }

  func heavyBarrier(_ thread: SimulatedThread, on machine: Machine) {
    ours { graph.heavyFence(by: thread.number) }
    learn(thread, machine)
  }

  func noteWait(_ thread: SimulatedThread, on machine: Machine) { noteSpin(thread) }

  func noteSpin(_ thread: SimulatedThread) {
    ours { looks[thread.number].spin() }
  }

  func learn(_ known: Clock, _ thread: SimulatedThread, on machine: Machine) {
    graph.learn(thread.number, known)
    thread.clock = graph.clock(of: thread.number)
  }

  func noteRelease(by thread: SimulatedThread) {}

  func hear(of moment: Moment, _ thread: SimulatedThread) { learn(moment.clock, thread, on: machine) }

  func noteStep(_ thread: SimulatedThread) {
    graph.step(thread.number)
    thread.clock = graph.clock(of: thread.number)
  }

  var progress: Int { graph.events.count }

  // MARK: What it takes

  /// The newest is always option 0.
  private func choose(_ options: Int, _ machine: Machine) -> Int {
    let chosen = machine.choose(of: machine.reduction?.kept(of: options) ?? options)
    if chosen > 0 { stale += 1 }
    return chosen
  }

  /// The last thing done was to read a word.
  private func noteSource(_ word: Word, _ thread: SimulatedThread, _ machine: Machine) {
    machine.reduction?.noteRead(word, from: graph.events[progress - 1].source, by: thread.number)
  }

  private func noteWrite(_ word: Word, _ thread: SimulatedThread, _ machine: Machine) {
    ours { looks[thread.number].forget() }
    word.write(graph.finalValue(of: word.location))
    learn(thread, machine)
  }

  /// The machine's threads know what those of the graph know.
  private func learn(_ thread: SimulatedThread, _ machine: Machine) {
    thread.clock = graph.clock(of: thread.number)
    if let race = graph.race { machine.fail("a word is touched while its making is not known: \(race)") }
    graph.takesNewest = stale >= mostStale
  }
}

/// What a thread has looked at since it last wrote something, and what of that it has spun on: of these words it loads
/// the newest, as stores reach everybody in finite time.
private struct Looks {
  private(set) var spunOn: Set<Int> = []
  /// What it has looked at since it last spun.
  private var words: [Int] = []
  private var hasSpun = false
  /// What it had looked at when it first spun. The end of that is the first round; it begins as the second one does.
  private var first: [Int] = []

  mutating func add(_ word: Int) {
    if let start = first.lastIndex(of: word) { spunOn.formUnion(first[start...]) }
    first.removeAll(keepingCapacity: true)
    words.append(word)
  }

  mutating func spin() {
    if hasSpun {
      spunOn.formUnion(words)
      words.removeAll(keepingCapacity: true)
    } else {
      swap(&first, &words)
      hasSpun = true
    }
  }

  mutating func forget() {
    spunOn.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
    first.removeAll(keepingCapacity: true)
    hasSpun = false
  }
}
