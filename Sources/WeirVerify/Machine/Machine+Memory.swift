// Operations on words, locks and barriers.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

extension Machine {
  func load(_ word: Word, _ ordering: Ordering, _ place: Place) -> Int {
    adopt(word)
    let thread = current
    let behaviour = behaviour(place, .load)
    // Where nobody else writes the word, it is as it was left.
    if !word.hasWriters, memory.ownValue(of: word, for: thread) != nil {
      countStep()
      touch(word, writes: false)
    } else {
      arrive(at: word, isVisible: false, writes: false)
      requireAlive(word)
    }
    if let own = memory.ownValue(of: word, for: thread), !memory.replacesOwnStore(of: word, for: thread, on: self) {
      log?.note(thread, "load w\(word.number): ", own, "(own store)", place, of: word)
      return own
    }
    var value = memory.load(word, by: thread, behaviour.ordering ?? ordering, on: self)
    countRead(of: word)
    switch behaviour {
    case .stale: value = word.previous
    case .returns(let instead): value = instead
    default: break
    }
    if thread.isWorthTelling { log?.note(thread, "load w\(word.number): ", value, memory.remark, place, of: word) }
    finishPostponed(thread)
    return value
  }

  func store(_ word: Word, _ value: Int, _ ordering: Ordering, _ place: Place) {
    adopt(word)
    let thread = current
    if memory.showsStoresAtOnce || thread.mayFreeze {
      arrive(at: word, isVisible: false)
    } else {
      countStep()
      touch(word, writes: true)
    }
    requireAlive(word)
    countWrite(of: word)
    let behaviour = behaviour(place, .store)
    let store = pending(word, value, behaviour.ordering ?? ordering, thread)
    switch behaviour {
    case .skipped: return
    case .postponed(let operations):
      thread.postponed = (store, operations)
      return
    default: break
    }
    put(store, thread)
    log?.note(
      thread, "store w\(word.number) = ", value, thread.number == 0 || memory.showsStoresAtOnce ? "" : "(buffered)",
      place, of: word)
    finishPostponed(thread)
  }

  private func pending(_ word: Word, _ value: Int, _ ordering: Ordering, _ thread: SimulatedThread) -> PendingStore {
    PendingStore(
      word: word, value: value, ordering: ordering, clock: ordering.releases ? thread.clock : .zero,
      time: thread.clock[thread.number])
  }

  private func put(_ store: PendingStore, _ thread: SimulatedThread) {
    noteWrite()
    reduction?.noteWrite(store.word)
    memory.store(store, by: thread, on: self)
  }

  func finishPostponed(_ thread: SimulatedThread, isLast: Bool = false) {
    guard let (store, operations) = thread.postponed else { return }
    let isDue = isLast || operations <= 1
    thread.postponed = isDue ? nil : (store, operations - 1)
    if isDue { put(store, thread) }
  }

  /// Writes a word in one step with reading it, after everything that the thread has stored before.
  private func modify(
    _ word: Word, _ place: Place, _ operation: Operation, _ ordering: Ordering = .acquireRelease,
    _ change: (Int) -> Int?
  ) -> (old: Int, hasWritten: Bool) {
    adopt(word)
    let thread = current
    let behaviour = behaviour(place, operation)
    switch behaviour {
    case .split, .buffered: return modifyInTwoSteps(word, place, operation, behaviour, change)
    default: break
    }
    // Who finds nothing to change has only looked.
    let isFence = !thread.buffer.isEmpty
    arrive(at: word, isVisible: false, changes: isFence || change(word.value).map { $0 != word.value } ?? false)
    requireAlive(word)
    let ordering = behaviour.ordering ?? ordering
    if case .skipped = behaviour {
      let old = memory.modify(word, by: thread, ordering, on: self) { _ in nil }
      log?.note(thread, operation, word, old, old, place)
      return (old, change(old) != nil)
    }
    let old = memory.modify(word, by: thread, ordering, on: self, change)
    let new = change(old)
    countModification(of: word, fails: operation == .compareExchange && new == nil)
    if let new {
      if isFence || new != old { noteWrite() }
      reduction?.noteWrite(word)
    }
    if thread.isWorthTelling { log?.note(thread, operation, word, old, new, place) }
    finishPostponed(thread)
    return (old, new != nil)
  }

  private func modifyInTwoSteps(
    _ word: Word, _ place: Place, _ operation: Operation, _ behaviour: Mutation.Behaviour, _ change: (Int) -> Int?
  ) -> (old: Int, hasWritten: Bool) {
    let thread = current
    let old: Int
    if let own = memory.ownValue(of: word, for: thread) {
      old = own
      thread.clock.join(word.clock)
    } else {
      arrive(at: word, isVisible: false)
      old = memory.load(word, by: thread, .acquire, on: self)
    }
    guard let new = change(old) else { return (old, false) }
    if case .split = behaviour {
      log?.note(thread, "\(operation.rawValue) (mutated), load w\(word.number): ", old, "", place, of: word)
      arrive(at: word, isVisible: true)
    }
    put(pending(word, new, .release, thread), thread)
    log?.note(thread, "\(operation.rawValue) (mutated), store w\(word.number) = ", new, "(buffered)", place, of: word)
    return (old, true)
  }

  func exchange(_ word: Word, _ value: Int, _ ordering: Ordering, _ place: Place) -> Int {
    returned(modify(word, place, .exchange, ordering) { _ in value }.old, by: .exchange, place)
  }

  func compareExchange(
    _ word: Word, expected: Int, desired: Int, _ ordering: Ordering, _ place: Place
  ) -> (exchanged: Bool, original: Int) {
    if let mutation, current.number != 0, mutation.matches(place, .compareExchange) {
      switch mutation.behaviour {
      case .forced:
        _ = modify(word, place, .compareExchange) { _ in desired }
        return (true, expected)
      case .claimed:
        _ = modify(word, place, .compareExchange) { _ in nil }
        return (true, expected)
      default: break
      }
    }
    let (old, hasWritten) = modify(word, place, .compareExchange, ordering) { $0 == expected ? desired : nil }
    return (hasWritten, old)
  }

  func add(_ word: Word, _ value: Int, _ place: Place) -> Int {
    returned(modify(word, place, .add) { $0 &+ value }.old, by: .add, place)
  }

  /// What a read-modify-write returns: what it found, unless it is mutated to return something else.
  private func returned(_ old: Int, by operation: Operation, _ place: Place) -> Int {
    guard let mutation, current.number != 0, mutation.matches(place, operation),
      case .returns(let instead) = mutation.behaviour
    else { return old }
    return instead
  }

  // MARK: Locks

  func lock(_ word: Word, _ place: Place) {
    adopt(word)
    let thread = current
    let isSkipped = if case .skipped = behaviour(place, .lock) { true } else { false }
    if thread.number == 0, word.value != 0 { fail("a lock is still held when all threads have ended") }
    if thread.number != 0, isSkipped {
      arrive(at: word, isVisible: false)
    } else if thread.number != 0 {
      thread.wanted = word
      let (before, isFree, takes) = (steps, word.value == 0, word.takes)
      arrive(at: word, isVisible: !isFree)
      requireAlive(word)
      thread.wanted = nil
      if !isFree || word.takes != takes { countWait(since: before) }
      word.takes += 1
      countModification(of: word)
      memory.setLock(word, to: thread.number, by: thread, on: self)
      log?.note(thread, "lock w\(word.number)", place, of: word)
    }
    reduction?.noteWrite(word)
    if thread.clock[word.holder] < word.held {
      fail("a lock's state is touched while \(name(word.holder)) may be at it")
    }
    word.holder = thread.number
    word.held = thread.clock[thread.number]
  }

  func unlock(_ word: Word, _ place: Place) {
    let thread = current
    guard thread.number != 0, word.value == thread.number else { return }
    if !thread.buffer.isEmpty || thread.mayFreeze { arrive(at: nil, isVisible: true) }
    noteWrite()
    reduction?.noteWrite(word)
    countWrite(of: word)
    memory.setLock(word, to: 0, by: thread, on: self)
    log?.note(thread, "unlock w\(word.number)", place, of: word)
  }

  // MARK: The rest

  func threadIdentity(_ place: Place) -> Int {
    if case .returns(let instead) = behaviour(place, .identity) { return instead }
    return ((disguise ?? current.number) + 1) << 4
  }

  /// The running thread waits for another to do something.
  ///
  /// - Parameter mayHaveLimit: Whether it may stop to do so after some rounds of its own.
  func spin(_ place: Place, mayHaveLimit: Bool = true) {
    let thread = current
    guard thread.number != 0 else { return }
    _ = behaviour(place, .spin)
    thread.spin = (place, steps)
    reduction?.noteSpin()
    memory.noteSpin(thread)
    if mayHaveLimit, spinsAlone(thread) {
      steps += 1
      if thread.roundsAlone == 1 { log?.note(thread, "spin, and on to its limit", place) }
      return
    }
    thread.hasYielded = true
    // Stores don't wait for ever.
    let areAllWaiting = threads[1..<count].allSatisfy {
      $0.isFinished || $0.isFrozen || $0.hasYielded || $0.wanted != nil || $0.condition != nil
    }
    for other in threads[1..<count] {
      other.pollsOfBuffer = other.buffer.isEmpty ? 0 : other.pollsOfBuffer + 1
      if areAllWaiting || other.pollsOfBuffer > Self.mostPolls { memory.drain(other, on: self) }
    }
    log?.note(thread, "spin", place)
    let before = steps
    arrive(at: nil, isVisible: true)
    countWait(since: before)
  }

  /// A bounded spinner either gives up at once or sees what others do meanwhile; once, as further rounds add nothing.
  /// One that has given up and comes again with nothing done depends on others, and waits.
  func goesOnSpinning(after step: Int, _ place: Place) -> Bool {
    let thread = current
    guard thread.number != 0, step == 0 else { return false }
    guard thread.hasGivenUp || choose(of: 2) == 1 else {
      thread.hasGivenUp = true
      return false
    }
    spin(place, mayHaveLimit: false)
    return true
  }

  func heavyBarrier(_ place: Place) -> Bool {
    let thread = current
    guard heavyBarrierWorks else { return false }
    let behaviour = behaviour(place, .barrier)
    arrive(at: nil, isVisible: true)
    log?.note(thread, "heavy barrier", place)
    if case .skipped = behaviour { return true }
    memory.heavyBarrier(thread, on: self)
    return true
  }

  /// The compiler moves nothing across.
  func lightBarrier(_ place: Place) {
    if case .skipped = behaviour(place, .lightBarrier) { return }
    memory.lightBarrier(current, on: self)
  }

  /// Whoever fills or empties a slot must know of the one who did so before. Where freed memory comes back, a slot's
  /// address says nothing.
  func noteSlotAccess(_ slot: UnsafeRawPointer) {
    guard watchesSlots else { return }
    let (thread, clock) = present
    let slot = Int(bitPattern: slot)
    if let last = slots[slot], clock[last.thread] < last.time {
      fail("a slot is touched while not ordered after \(name(last.thread))")
    }
    slots[slot] = (thread, clock[thread])
  }

  // MARK: What scenarios add

  /// The running thread, about to touch memory that is no word, and what it knows.
  var present: (thread: Int, clock: Clock) {
    memory.noteStep(current)
    return (current.number, current.clock)
  }

  /// Now, as the running thread sees it.
  func moment() -> Moment {
    moments += 1
    let (thread, clock) = present
    return Moment(turn: memory.hasOneTime ? moments : nil, thread: thread, clock: clock)
  }

  func hear(of moment: Moment) {
    reduction?.noteOpen()
    memory.hear(of: moment, current)
  }

  /// A step that others may come before or after, in the middle of what the program does.
  func pause(_ text: String) {
    guard current.number != 0 else { return }
    arriveOpenly()
    log?.note(current, text)
  }

  /// Waits until something is so.
  ///
  /// - Parameter forever: Whether it is a deadlock if nobody is left who could make it so.
  /// - Returns: `false` if nobody is left who could make it so.
  func wait(forever: Bool = false, until condition: @escaping () -> Bool) -> Bool {
    let thread = current
    thread.condition = condition
    thread.waitsForever = forever
    let (before, mustWait) = (steps, !condition())
    arriveOpenly()
    if mustWait { countWait(since: before) }
    defer { thread.hasWaitedInVain = false }
    thread.condition = nil
    if thread.hasWaitedInVain { memory.noteSpin(thread) } else { memory.noteWait(thread, on: self) }
    return !thread.hasWaitedInVain
  }

  /// Sleeps until something is so, or for some time: until nobody else can go on or, which is a choice and costs as
  /// much as a preemption, until earlier.
  func sleep(forever: Bool, until condition: @escaping () -> Bool) {
    if !forever, timesEndEarly, current.number != 0, choose(of: 2, costs: 0b10) == 1 {
      current.hasYielded = true
      arriveOpenly()
      memory.noteSpin(current)
    } else {
      _ = wait(forever: forever, until: condition)
    }
  }

  /// Arrives where what the scenario itself keeps may change: it matters who comes before and who behind.
  private func arriveOpenly() {
    reduction?.noteOpen()
    arrive(at: nil, isVisible: true)
    reduction?.noteOpen()
  }
}
