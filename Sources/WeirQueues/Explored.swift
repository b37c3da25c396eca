// Atomic words, locks and barriers as the interleaving explorer sees them: every operation is a call with its place.
// No test file: compiled with WEIR_EXPLORER only, and then driven by Tests/Interleavings.

#if WEIR_EXPLORER

  /// The memory behind every atomic word and lock: `Tests/Explorer` installs one before anything else happens, and runs
  /// the package's real types over it through every order of steps.
  package var exploredMemory: any ExploredMemory {
    // SAFETY: set once, before anything else happens; the simulated threads are all one.
    get { unsafe installed }
    set { unsafe installed = newValue }
  }

  nonisolated(unsafe) private var installed: any ExploredMemory = NoExploredMemory()

  /// The place of an operation in the sources.
  package struct Site {
    package let file: StaticString
    package let function: StaticString
    package let line: UInt

    package init(_ file: StaticString, _ function: StaticString, _ line: UInt) {
      self.file = file
      self.function = function
      self.line = line
    }
  }

  /// How an operation orders what stands around it.
  package enum AccessOrdering {
    case relaxed
    case acquire
    case release
    case acquireRelease
    case sequential
  }

  /// What `Atomics.swift`, `SpinLock.swift`, `Backoff.swift` and `Parker.swift` do elsewhere by instructions and calls
  /// of the system.
  package protocol ExploredMemory: AnyObject {
    func makeWord(_ value: Int) -> AnyObject
    func load(_ word: AnyObject, _ ordering: AccessOrdering, _ site: Site) -> Int
    func store(_ word: AnyObject, _ value: Int, _ ordering: AccessOrdering, _ site: Site)
    func exchange(_ word: AnyObject, _ value: Int, _ ordering: AccessOrdering, _ site: Site) -> Int
    func compareExchange(
      _ word: AnyObject, expected: Int, desired: Int, _ ordering: AccessOrdering, _ site: Site
    ) -> (exchanged: Bool, original: Int)
    func add(_ word: AnyObject, _ value: Int, _ site: Site) -> Int
    func lock(_ word: AnyObject, _ site: Site)
    func unlock(_ word: AnyObject, _ site: Site)
    func threadIdentity(_ site: Site) -> Int
    /// Lets another thread run: nothing changes here before one does.
    func spin(_ site: Site)
    /// Whether a spinner that has spun for `step` rounds goes on; both are explored.
    func goesOnSpinning(after step: Int, _ site: Site) -> Bool
    func heavyBarrier(_ site: Site) -> Bool
    func compilerBarrier(_ site: Site)
    /// Waits until something is so, or until no other thread can go on.
    func sleep(until condition: @escaping () -> Bool)
    /// Plain memory of a queue is filled or emptied.
    func noteSlotAccess(_ slot: UnsafeRawPointer)
  }

  @usableFromInline
  package struct AtomicWord: ~Copyable {
    private let word: AnyObject

    @usableFromInline
    package init(_ value: Int) { word = exploredMemory.makeWord(value) }

    @usableFromInline
    package func relaxedLoad(
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Int { exploredMemory.load(word, .relaxed, Site(file, function, line)) }

    @usableFromInline
    package func acquireLoad(
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Int { exploredMemory.load(word, .acquire, Site(file, function, line)) }

    @usableFromInline
    package func relaxedStore(
      _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) { exploredMemory.store(word, value, .relaxed, Site(file, function, line)) }

    @usableFromInline
    package func publish(
      _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) { exploredMemory.store(word, value, .release, Site(file, function, line)) }

    @usableFromInline
    package func exchange(
      _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Int { exploredMemory.exchange(word, value, .acquireRelease, Site(file, function, line)) }

    @usableFromInline
    package func compareExchange(
      expected: Int, desired: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> (exchanged: Bool, original: Int) {
      exploredMemory.compareExchange(
        word, expected: expected, desired: desired, .acquireRelease, Site(file, function, line))
    }

    @usableFromInline
    package func sequentialLoad(
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Int { exploredMemory.load(word, .sequential, Site(file, function, line)) }

    @usableFromInline
    package func sequentialExchange(
      _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Int { exploredMemory.exchange(word, value, .sequential, Site(file, function, line)) }

    @usableFromInline
    package func sequentialCompareExchange(
      expected: Int, desired: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> (exchanged: Bool, original: Int) {
      exploredMemory.compareExchange(
        word, expected: expected, desired: desired, .sequential, Site(file, function, line))
    }

    @usableFromInline
    package func add(
      _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Int { exploredMemory.add(word, value, Site(file, function, line)) }

    /// Where the word is, for a table of words that others keep.
    package struct Place {
      let word: AnyObject

      package func relaxedLoad(
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
      ) -> Int { exploredMemory.load(word, .relaxed, Site(file, function, line)) }
    }

    package var place: Place { Place(word: word) }
  }

  @usableFromInline
  package struct SpinLock: ~Copyable {
    private let word: AnyObject

    @usableFromInline
    package init() { word = exploredMemory.makeWord(0) }

    @usableFromInline
    package borrowing func lock(
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) { exploredMemory.lock(word, Site(file, function, line)) }

    @usableFromInline
    package borrowing func unlock(
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) { exploredMemory.unlock(word, Site(file, function, line)) }
  }

  @usableFromInline
  package struct Lock<State>: ~Copyable {
    private let turn = SpinLock()
    private let locked: Locked<State>

    @usableFromInline
    package init(_ state: State) { locked = Locked(state) }

    @usableFromInline
    package borrowing func withLock<Result>(
      _ body: (inout State) -> Result, file: StaticString = #fileID, function: StaticString = #function,
      line: UInt = #line
    ) -> Result {
      turn.lock(file: file, function: function, line: line)
      defer { turn.unlock(file: file, function: function, line: line) }
      return body(&locked.state)
    }
  }

  // SAFETY: the simulated threads are all one.
  extension Lock: @unchecked Sendable {}

  private final class Locked<State> {
    var state: State
    init(_ state: State) { self.state = state }
  }

  /// Changes nothing that another order of steps doesn't.
  @usableFromInline
  package func lingerForBurst() {}

  @usableFromInline
  package struct Backoff {
    private var step = 0

    @usableFromInline
    package init() {}

    @usableFromInline
    package mutating func spin(
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Bool {
      defer { step += 1 }
      return exploredMemory.goesOnSpinning(after: step, Site(file, function, line))
    }

    @usableFromInline
    package mutating func snooze(
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Bool {
      if spin(file: file, function: function, line: line) { return true }
      yieldToOthers(file: file, function: function, line: line)
      return false
    }
  }

  @usableFromInline
  package func currentThreadIdentity(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Int { exploredMemory.threadIdentity(Site(file, function, line)) }

  @usableFromInline
  package func spinHint(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) { exploredMemory.spin(Site(file, function, line)) }

  @usableFromInline
  package func yieldToOthers(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) { exploredMemory.spin(Site(file, function, line)) }

  /// A thread that sleeps for a time goes on when no other can.
  @usableFromInline
  package func nap() { exploredMemory.sleep { false } }

  /// No time passes.
  @usableFromInline
  package func monotonicNanoseconds() -> Int { 1 }

  @usableFromInline
  package func complain(_ line: String) {}

  @usableFromInline
  package func heavyBarrier(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Bool { exploredMemory.heavyBarrier(Site(file, function, line)) }

  @usableFromInline
  package func quickHeavyBarrier(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Bool { exploredMemory.heavyBarrier(Site(file, function, line)) }

  @usableFromInline
  package func noteSlotAccess(_ slot: UnsafeRawPointer) { unsafe exploredMemory.noteSlotAccess(slot) }

  @usableFromInline
  package func compilerBarrier(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) { exploredMemory.compilerBarrier(Site(file, function, line)) }

  private final class NoExploredMemory: ExploredMemory {
    private func missing() -> Never { preconditionFailure("built with WEIR_EXPLORER, but nothing explores") }

    func makeWord(_ value: Int) -> AnyObject { missing() }
    func load(_ word: AnyObject, _ ordering: AccessOrdering, _ site: Site) -> Int { missing() }
    func store(_ word: AnyObject, _ value: Int, _ ordering: AccessOrdering, _ site: Site) { missing() }
    func exchange(_ word: AnyObject, _ value: Int, _ ordering: AccessOrdering, _ site: Site) -> Int { missing() }
    func compareExchange(
      _ word: AnyObject, expected: Int, desired: Int, _ ordering: AccessOrdering, _ site: Site
    ) -> (exchanged: Bool, original: Int) { missing() }
    func add(_ word: AnyObject, _ value: Int, _ site: Site) -> Int { missing() }
    func lock(_ word: AnyObject, _ site: Site) { missing() }
    func unlock(_ word: AnyObject, _ site: Site) { missing() }
    func threadIdentity(_ site: Site) -> Int { missing() }
    func spin(_ site: Site) { missing() }
    func goesOnSpinning(after step: Int, _ site: Site) -> Bool { missing() }
    func heavyBarrier(_ site: Site) -> Bool { missing() }
    func compilerBarrier(_ site: Site) { missing() }
    func sleep(until condition: @escaping () -> Bool) { missing() }
    func noteSlotAccess(_ slot: UnsafeRawPointer) { missing() }
  }
#endif
