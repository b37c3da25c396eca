// A simulated machine: threads that take turns, one operation at a time, and memory that is a model's: see Memory.
//
// Every order that the machine leaves open is a choice. Only what can matter is one:
// - A thread may lose its turn before an operation that another thread can notice, on a word that several threads touch
//   and one at least writes. The others are found out on the way; a run that shows another to be shared starts the
//   exploration anew.
// - Where a store waits in a buffer it takes no turn: when others see it is decided when they look.
// So a run stands for all that differ only in the order of steps that can't see each other.

import CExplorer

/// The machine that runs now.
package var machine: Machine {
  // SAFETY: the simulated threads are all one, and there is one exploration at a time.
  get { unsafe running }
  set { unsafe running = newValue }
}

nonisolated(unsafe) private var running = Machine()

package final class Machine {
  /// Number 0 is the one that sets the others up and looks at what they left.
  let threads: [SimulatedThread]
  private(set) var count = 1
  var current: SimulatedThread
  let memory: any Memory
  /// What reference counts order.
  let releases = Releases()
  package var choices = Choices(bound: 0)
  /// What keeps the same from being tried twice, if anything does.
  var reduction: Reduction?
  private(set) package var failure: String?
  /// Whether the run was ended as the time was over: it says nothing.
  private(set) var isOutOfTime = false
  var mutation: Mutation?
  private(set) var mutationUses = 0
  var heavyBarrierWorks = true
  /// Who touched a queue's slot last, and when.
  var slots: [Int: (thread: Int, time: UInt32)] = [:]
  var watchesSlots = true
  var timesEndEarly = true
  /// The thread that the one that sets up passes for.
  var disguise: Int?
  package internal(set) var steps = 0
  /// What the threads of this run have done, if somebody wants to know.
  var counts: ContentionCounts?
  /// The lines of memory of this run's objects that have words, by object and place.
  var coreLines: [Int: CoreLine] = [:]
  /// How many there were when something was last written.
  private(set) var lastWrite = 0

  /// Words that several threads have been seen to touch, one of them writing, in any run.
  var shared: Set<Int> = []
  private(set) var hasFoundShared = false
  private var wordCount = 0
  /// Words that are gone in this run, and might still be touched.
  private var retired: [Word] = []
  /// How many were asked for in this run.
  var moments = 0
  /// Counts runs, of all machines: words may outlive these.
  nonisolated(unsafe) private static var runCount = 0
  private(set) var runNumber = 0
  private var isStarting = false
  private var isRunning = false
  /// Whether threads can be declared.
  private var isSettingUp = true

  var passed: Passed?
  var log: Log?

  init(_ kind: MemoryModel = .tso) {
    threads = (0..<5).map { SimulatedThread($0) }
    current = threads[0]
    switch kind {
    case .tso: memory = StoreBuffers()
    case .rc11(let stale): memory = GraphMemory(stale: stale)
    }
  }

  // MARK: Runs

  /// Forgets the former run.
  func reset() {
    releases.observeNothing()
    for thread in threads { thread.reset() }
    // SAFETY: there is one exploration at a time.
    unsafe Self.runCount += 1
    runNumber = unsafe Self.runCount
    count = 1
    current = threads[0]
    current.clock[0] = 1
    failure = nil
    isOutOfTime = false
    isOwnWork = false
    heavyBarrierWorks = true
    steps = 0
    lastWrite = 0
    wordCount = 0
    moments = 0
    hasFoundShared = false
    isStarting = false
    isSettingUp = true
    choices.rewind()
    reduction?.begin()
    slots.removeAll(keepingCapacity: true)
    coreLines.removeAll(keepingCapacity: true)
    memory.reset()
    log?.reset()
  }

  func add(_ name: String, mayFreeze: Bool = false, _ body: @escaping () -> Void) {
    guard isSettingUp else { return fail("thread \(name) is declared when threads run or have run: declare it before") }
    guard count < threads.count else { return fail("thread \(name) is more than a run may have: four") }
    let thread = threads[count]
    ours {
      let name = name.oneLine, names = threads[1..<count].map(\.name)
      let others = (2...count + 1).lazy.map { "\(name) (\($0))" }
      thread.name = names.contains(name) ? others.first { !names.contains($0) } ?? name : name
    }
    thread.body = body
    thread.mayFreeze = mayFreeze
    count += 1
  }

  /// Makes a run, on a stack that is left where the run fails: what sets it up, its threads, and what looks at the end.
  func runAll(_ body: @escaping () -> Void) {
    threads[0].body = body
    start(threads[0])
    isRunning = true
    unsafe explorer_fiber_switch(explorer_fiber_main(), threads[0].fiber)
    isRunning = false
    for thread in threads {
      guard let fiber = unsafe thread.fiber else { continue }
      unsafe explorer_fiber_free(fiber)
      unsafe thread.fiber = nil
    }
  }

  private func start(_ thread: SimulatedThread) {
    // SAFETY: the machine keeps the thread.
    unsafe thread.fiber = unsafe explorer_fiber_make(
      { unsafe Unmanaged<SimulatedThread>.fromOpaque($0!).takeUnretainedValue().runBody() },
      Unmanaged.passUnretained(thread).toOpaque())
  }

  /// Goes back to the explorer, and never comes back.
  private func endRun() -> Never {
    unsafe explorer_fiber_switch(threads[0].fiber, explorer_fiber_main())
    fatalError("a run that has ended goes on")
  }

  /// Runs the threads to their ends, and lets every store arrive.
  func run() {
    isSettingUp = false
    guard failure == nil else { return }
    let main = threads[0]
    main.isInMachine = true
    for thread in threads[1..<count] { memory.start(thread, after: main) }
    releases.observe(threads[1..<count])
    main.clock[0] += 1
    isStarting = true
    for thread in threads[1..<count] {
      start(thread)
      go(to: thread)
      if failure != nil { return }
    }
    isStarting = false
    if let first = pick() { go(to: first) }
    guard failure == nil else { return }
    releases.observeNothing()
    memory.finish(for: main, on: self)
    retired.removeAll(keepingCapacity: true)
  }

  /// Ends the run, as there is no time for more of it.
  func stop() {
    isOutOfTime = true
    fail("the time is over")
  }

  /// Ends the run; it is the one to report.
  func fail(_ message: String) {
    if failure == nil { failure = message }
    log?.note("*** \(message)")
    if current.number != 0 { leave(to: threads[0]) }
    if isRunning { endRun() }
  }

  func name(_ thread: Int) -> String { threads[thread].name }

  private func go(to thread: SimulatedThread) {
    let former = current
    current = thread
    unsafe explorer_fiber_switch(former.fiber, thread.fiber)
  }

  /// As `go`, and never comes back.
  private func leave(to thread: SimulatedThread) {
    go(to: thread)
    fatalError("a finished thread goes on")
  }

  func finish(_ thread: SimulatedThread) {
    if thread.number == 0 { endRun() }
    finishPostponed(thread, isLast: true)
    thread.forgetLooks()
    thread.isFinished = true
    if isStarting { leave(to: threads[0]) }
    leave(to: pick() ?? threads[0])
  }

  // MARK: Turns

  /// The running thread is about to do something that others may notice. It goes on when it has the turn.
  ///
  /// - Parameters:
  ///   - word: What it is about to touch, if it is a word.
  ///   - isVisible: Whether others notice in any case.
  ///   - writes: Whether it writes the word, once all that it has stored before has arrived.
  ///   - changes: Whether others may find something changed by it; if nothing is said, who writes changes something.
  func arrive(at word: Word?, isVisible: Bool, writes: Bool = true, changes: Bool? = nil) {
    countStep()
    guard current.number != 0 else { return }
    if let word { touch(word, writes: writes) }
    if looksAgain(at: word, changes: changes ?? writes) { return }
    guard isVisible || word?.isShared ?? true || writes && !current.buffer.isEmpty else { return }
    freezeIfChosen()
    if isStarting {
      go(to: threads[0])
    } else if let next = pick(), next !== current {
      go(to: next)
    }
  }

  func touch(_ word: Word, writes: Bool, frees: Bool = false) {
    let bit = 1 << current.number
    guard bit > 1 else { return }
    word.accessors |= bit
    if writes { word.isWritten = true }
    if writes, !frees {
      word.writers |= bit
      if !word.hasWriters, word.writers != bit, !memory.showsStoresAtOnce {
        if shared.insert(word.key | Word.writersFlag).inserted { hasFoundShared = true }
      }
    }
    guard !word.isShared, word.isWritten, word.accessors != bit else { return }
    if shared.insert(word.key).inserted { hasFoundShared = true }
  }

  /// Chooses who has the next turn. Costs one if the running thread could go on.
  private func pick() -> SimulatedThread? {
    let me = current
    reduction?.endStep(of: me, threads[1..<count], isIdle: choices.isIdle)
    let canGoOn = me.number != 0 && isEnabled(me)
    var candidates = SIMD4<UInt8>()
    var found = 0, costs = 0
    func consider(_ thread: SimulatedThread, _ cost: Int) {
      candidates[found] = UInt8(thread.number)
      costs |= cost << found
      found += 1
    }
    if canGoOn, !me.hasYielded { consider(me, 0) }
    let cost = found
    let isPoll = me.hasYielded
    let polls = isPoll ? pollsBeforeNext(besides: me) : 0
    for number in 1..<count where number != me.number {
      let other = threads[number]
      if !other.hasYielded, other.pollsBefore >= polls, isEnabled(other) { consider(other, cost) }
    }
    // Spinners have a turn after another thread has written something, or when there are only spinners: then each has
    // one before any of them has another, as what it spun on may have come to it since. Behind these come those that
    // wait for some time.
    let areAllSpinning = found == 0
    for round in 0..<2 where found == 0 {
      for thread in threads[1..<count] where isEnabled(thread) && !thread.hasLookedAgain { consider(thread, 0) }
      if found > 0 { break }
      for thread in threads[1..<count] { thread.hasLookedAgain = false }
      if round == 0, threads[1..<count].contains(where: waitsForSomeTime) { break }
    }
    if found == 0 { return pickWaiting() }
    let chosen =
      if let reduction {
        reduction.chooseTurn(of: found, candidates, costs: costs, isFirstOwn: cost == 1, me.number, on: self)
      } else {
        found == 1 ? 0 : choose(of: found, costs: costs, isTurn: true)
      }
    let next = threads[Int(candidates[chosen])]
    if isPoll, !areAllSpinning { for option in 0..<found { threads[Int(candidates[option])].pollsBefore += 1 } }
    next.pollsBefore = 0
    next.hasYielded = false
    if areAllSpinning { next.hasLookedAgain = true }
    return next
  }

  /// How many spinners' rounds there may be while a thread could have had its turn, or has stores that have not
  /// arrived: spinners that change something, as a lock, wake each other for ever.
  static let mostPolls = 4

  /// The fewest rounds that have passed over whoever has the next turn: none, as long as nobody was passed over too
  /// often.
  private func pollsBeforeNext(besides me: SimulatedThread) -> Int {
    for other in threads[1..<count]
    where other !== me && !other.hasYielded && other.pollsBefore >= Self.mostPolls && isEnabled(other) {
      return Self.mostPolls
    }
    return 0
  }

  private func waitsForSomeTime(_ thread: SimulatedThread) -> Bool {
    !thread.isFinished && !thread.isFrozen && thread.condition != nil && !thread.waitsForever
  }

  /// Nobody can go on: those that wait for something to happen are told that it never will.
  private func pickWaiting() -> SimulatedThread? {
    let waiting = threads[1..<count].filter(waitsForSomeTime)
    if let waiting = waiting.min(by: { $0.lastWaited < $1.lastWaited }) {
      waiting.lastWaited = steps
      waiting.condition = nil
      waiting.hasWaitedInVain = true
      reduction?.passTurn(from: current.number, to: waiting.number)
      return waiting
    }
    let stuck = threads[1..<count].filter { !$0.isFinished && !$0.isFrozen }
    if stuck.isEmpty { return thaw() }
    let waits = stuck.map { thread in
      thread.name + (thread.wanted.map { " waits for lock w\($0.number)" } ?? " waits to be woken")
    }
    fail("deadlock: " + waits.joined(separator: ", "))
    return nil
  }

  func choose(of options: Int, costs: Int = 0, without excluded: Int = 0, isTurn: Bool = false) -> Int {
    if let chosen = choices.choose(of: options, costs: costs, without: excluded, isTurn: isTurn) { return chosen }
    let problem = choices.isFull ? Self.tooManyChoices : Self.differentProgram
    fail(problem)
    fatalError(problem)
  }

  // MARK: What operations have in common

  func makeWord(_ value: Int) -> Word {
    wordCount += 1
    current.made += 1
    let key = current.number << 32 | current.made
    let word = Word(value, key: key, isShared: shared.contains(key), number: wordCount, run: runNumber)
    word.hasWriters = shared.contains(key | Word.writersFlag)
    word.bit = bit(of: word)
    memory.add(word, by: current, on: self)
    return word
  }

  /// Takes a word of another run into this one: a global. It keeps the key that it was made with, apart from those of
  /// the runs' own words, so globals are to be made before anything is explored.
  func adopt(_ word: Word) {
    guard word.run != runNumber else { return }
    let key = word.key | threads.count << 32
    word.move(to: runNumber, key: key, isShared: shared.contains(key))
    word.hasWriters = shared.contains(key | Word.writersFlag)
    word.bit = bit(of: word)
    memory.add(word, by: nil, on: self)
  }

  /// Takes a word for gone: whoever touches it must come before. It is kept until the threads have ended, as one of
  /// them may be about to.
  func retire(_ word: Word) {
    guard current.number != 0 else { return }
    touch(word, writes: true, frees: true)
    reduction?.noteWrite(word)
    word.isRetired = true
    ours { retired.append(word) }
  }

  /// Fails the run if a word, which the running thread touches, is gone.
  func requireAlive(_ word: Word) {
    if word.isRetired { fail("word w\(word.number) is used after it was freed") }
  }

  private func bit(of word: Word) -> UInt64 { word.isShared ? reduction?.bit(of: word.key) ?? 0 : 0 }

  /// The running thread writes something: whoever spins may see it.
  func noteWrite() {
    reduction?.noteWake()
    lastWrite = steps
    current.hasGivenUp = false
    current.forgetLooks()
    for thread in threads[1..<count] {
      thread.hasLookedAgain = false
      thread.canSpinAlone = true
      if thread !== current { thread.hasYielded = false }
    }
  }

  /// How to do an operation at a place: usually as it should be done, and always where the threads are set up.
  func behaviour(_ place: Place, _ operation: Operation) -> Mutation.Behaviour {
    passed?.note(place, operation)
    current.notePlace(place)
    guard let mutation, current.number != 0, mutation.matches(place, operation) else { return .faithful }
    mutationUses += 1
    return mutation.behaviour
  }
}
