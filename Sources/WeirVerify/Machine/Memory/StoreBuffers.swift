// The memory of x86 (x86-TSO): a store waits in its thread's buffer; everything else is in order.
//
// When a store arrives is decided by the first who touches its word: before or after. Read-modify-writes, locks and
// barriers wait until their own thread's buffer is empty; a thread sees its own stores, until another's has come after
// them.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

/// Memory behind store buffers.
final class StoreBuffers: Memory {
  func reset() {}
  func add(_ word: Word, by thread: SimulatedThread?, on machine: Machine) {}

  func start(_ thread: SimulatedThread, after main: SimulatedThread) {
    thread.clock = main.clock
    thread.clock[thread.number] = 1
  }

  func finish(for main: SimulatedThread, on machine: Machine) {
    let threads = machine.threads[1..<machine.count]
    for thread in threads { drain(thread, on: machine) }
    for thread in threads { main.clock.join(thread.clock) }
  }

  // MARK: Accesses

  func ownValue(of word: Word, for thread: SimulatedThread) -> Int? {
    thread.buffer.last { $0.word === word }?.value
  }

  func replacesOwnStore(of word: Word, for thread: SimulatedThread, on machine: Machine) -> Bool {
    guard thread.number != 0, word.hasWriters, !thread.isLookingAgain else { return false }
    let (found, candidates) = whoHasBuffered(word, beside: thread, machine)
    guard found > 0 else { return false }
    let chosen = machine.choose(of: found + 1)
    guard chosen > 0 else { return false }
    drain(thread, thread.buffer.lastIndex { $0.word === word }! + 1, machine)
    let other = machine.threads[pick(chosen - 1, of: candidates)]
    // It may have arrived before those of the thread itself.
    if let index = other.buffer.firstIndex(where: { $0.word === word }) { drain(other, index + 1, machine) }
    return true
  }

  var hasOneTime: Bool { true }
  var showsStoresAtOnce: Bool { false }

  func load(_ word: Word, by thread: SimulatedThread, _ ordering: Ordering, on machine: Machine) -> Int {
    settle(word, for: thread, machine)
    if ordering.acquires { thread.clock.join(word.clock) }
    return word.value
  }

  func store(_ store: PendingStore, by thread: SimulatedThread, on machine: Machine) {
    if thread.number == 0 {
      store.word.write(store.value)
      store.word.clock = store.clock
    } else {
      thread.buffer.append(store)
    }
    thread.clock[thread.number] += 1
  }

  func modify(
    _ word: Word, by thread: SimulatedThread, _ ordering: Ordering, on machine: Machine, _ change: (Int) -> Int?
  ) -> Int {
    drain(thread, on: machine)
    settle(word, for: thread, machine)
    let old = word.value
    let new = change(old)
    if ordering.acquires { thread.clock.join(word.clock) }
    guard let new else { return old }
    word.write(new)
    if ordering.releases {
      word.clock.join(thread.clock)
      thread.clock[thread.number] += 1
    }
    return old
  }

  func setLock(_ word: Word, to value: Int, by thread: SimulatedThread, on machine: Machine) {
    drain(thread, on: machine)
    word.value = value
    if value == 0 {
      word.clock = thread.clock
      thread.clock[thread.number] += 1
    } else {
      thread.clock.join(word.clock)
    }
  }

  func lightBarrier(_ thread: SimulatedThread, on machine: Machine) {}

  func heavyBarrier(_ thread: SimulatedThread, on machine: Machine) {
    let threads = machine.threads[1..<machine.count]
    for other in threads { drain(other, on: machine) }
    for other in threads { thread.clock.join(other.clock) }
    for other in threads where other !== thread { other.clock.join(thread.clock) }
    thread.clock[thread.number] += 1
  }

  func noteWait(_ thread: SimulatedThread, on machine: Machine) {}
  func noteSpin(_ thread: SimulatedThread) {}
  func hear(of moment: Moment, _ thread: SimulatedThread) {}

  /// What was stored before has arrived then, and the rest may wait on.
  func learn(_ known: Clock, _ thread: SimulatedThread, on machine: Machine) {
    for other in machine.threads[1..<machine.count] where other !== thread {
      drain(other, other.buffer.prefix { $0.time < known[other.number] }.count, machine)
    }
    thread.clock.join(known)
  }

  func noteRelease(by thread: SimulatedThread) { thread.clock[thread.number] += 1 }
  func noteStep(_ thread: SimulatedThread) {}
  var progress: Int { 0 }
  var remark: String { "" }

  // MARK: Buffers

  func drain(_ thread: SimulatedThread, on machine: Machine) {
    drain(thread, thread.buffer.count, machine)
  }

  private func drain(_ thread: SimulatedThread, _ stores: Int, _ machine: Machine) {
    thread.isDraining = true
    for _ in 0..<stores {
      let store = thread.buffer.removeFirst()
      settle(store.word, for: thread, machine)
      store.word.write(store.value)
      store.word.clock = store.clock
      machine.log?.note(thread, "store of w\(store.word.number) = ", store.value, "arrives", of: store.word)
    }
    thread.isDraining = false
  }

  /// Whoever touches a word decides which of the others' stores to it have arrived.
  private func settle(_ word: Word, for thread: SimulatedThread, _ machine: Machine) {
    guard thread.number != 0, !thread.isLookingAgain else { return }
    while true {
      let (found, candidates) = whoHasBuffered(word, beside: thread, machine)
      guard found > 0 else { return }
      let chosen = machine.choose(of: found + 1)
      if chosen == found { return }
      let other = machine.threads[pick(chosen, of: candidates)]
      drain(other, other.buffer.firstIndex { $0.word === word }! + 1, machine)
    }
  }

  /// The other threads that have stored a word, and whose stores have not arrived, by their numbers.
  private func whoHasBuffered(
    _ word: Word, beside thread: SimulatedThread, _ machine: Machine
  ) -> (found: Int, candidates: (Int, Int, Int, Int)) {
    var found = 0
    var candidates = (0, 0, 0, 0)
    for number in 1..<machine.count {
      let other = machine.threads[number]
      guard other !== thread, !other.isDraining, other.hasBuffered(word) else { continue }
      if found == 0 {
        candidates.0 = number
      } else if found == 1 {
        candidates.1 = number
      } else if found == 2 {
        candidates.2 = number
      } else {
        candidates.3 = number
      }
      found += 1
    }
    return (found, candidates)
  }
}

private func pick(_ chosen: Int, of candidates: (Int, Int, Int, Int)) -> Int {
  switch chosen {
  case 0: candidates.0
  case 1: candidates.1
  case 2: candidates.2
  default: candidates.3
  }
}
