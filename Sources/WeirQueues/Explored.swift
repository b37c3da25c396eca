// Atomic words, locks and barriers as the interleaving explorer sees them: every operation is a call with its place.
// No test file: compiled with the trait Verification only, and then driven by WeirVerify.
// What is public is documented where it is done by instructions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

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
  package struct AccessSite {
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
    func freeWord(_ word: AnyObject)
    func load(_ word: AnyObject, _ ordering: AccessOrdering, _ site: AccessSite) -> Int
    func store(_ word: AnyObject, _ value: Int, _ ordering: AccessOrdering, _ site: AccessSite)
    func exchange(_ word: AnyObject, _ value: Int, _ ordering: AccessOrdering, _ site: AccessSite) -> Int
    func compareExchange(
      _ word: AnyObject, expected: Int, desired: Int, _ ordering: AccessOrdering, _ site: AccessSite
    ) -> (exchanged: Bool, original: Int)
    func add(_ word: AnyObject, _ value: Int, _ site: AccessSite) -> Int
    func lock(_ word: AnyObject, _ site: AccessSite)
    func unlock(_ word: AnyObject, _ site: AccessSite)
    func threadIdentity(_ site: AccessSite) -> Int
    /// Lets another thread run: nothing changes here before one does.
    func spin(_ site: AccessSite)
    /// Whether a spinner that has spun for `step` rounds goes on; both are explored.
    func goesOnSpinning(after step: Int, _ site: AccessSite) -> Bool
    func heavyBarrier(_ site: AccessSite) -> Bool
    func compilerBarrier(_ site: AccessSite)
    /// Waits until something is so, or unless it is `forever` until no other thread can go on.
    func sleep(forever: Bool, until condition: @escaping () -> Bool)
    /// Plain memory of a queue is filled or emptied.
    func noteSlotAccess(_ slot: UnsafeRawPointer)
    /// A field that is not atomic is given its first value.
    func makeField(_ site: AccessSite) -> AnyObject
    /// A field of an object that is not atomic is read or written.
    func noteAccess(to field: AnyObject, of object: UnsafeRawPointer, writes: Bool)
    /// One that may be a copy is read.
    func noteReadOfCopy(of field: AnyObject)
    /// One that may be a copy is written: returns what stands for it from now on.
    func rewritten(_ field: AnyObject) -> AnyObject
    /// Whether nobody else has an object, which `look` returns then.
    func isSoleHolder(_ look: () -> ObjectIdentifier?) -> Bool
  }

  public struct AtomicWord: ~Copyable {
    private let word: AnyObject

    public init(_ value: Int) { word = exploredMemory.makeWord(value) }

    deinit { exploredMemory.freeWord(word) }

    public func relaxedLoad(
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Int { exploredMemory.load(word, .relaxed, AccessSite(file, function, line)) }

    public func acquireLoad(
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Int { exploredMemory.load(word, .acquire, AccessSite(file, function, line)) }

    public func relaxedStore(
      _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) { exploredMemory.store(word, value, .relaxed, AccessSite(file, function, line)) }

    public func publish(
      _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) { exploredMemory.store(word, value, .release, AccessSite(file, function, line)) }

    public func exchange(
      _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Int { exploredMemory.exchange(word, value, .acquireRelease, AccessSite(file, function, line)) }

    public func compareExchange(
      expected: Int, desired: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> (exchanged: Bool, original: Int) {
      exploredMemory.compareExchange(
        word, expected: expected, desired: desired, .acquireRelease, AccessSite(file, function, line))
    }

    public func sequentialLoad(
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Int { exploredMemory.load(word, .sequential, AccessSite(file, function, line)) }

    public func sequentialExchange(
      _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Int { exploredMemory.exchange(word, value, .sequential, AccessSite(file, function, line)) }

    public func sequentialCompareExchange(
      expected: Int, desired: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> (exchanged: Bool, original: Int) {
      exploredMemory.compareExchange(
        word, expected: expected, desired: desired, .sequential, AccessSite(file, function, line))
    }

    public func add(
      _ value: Int, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Int { exploredMemory.add(word, value, AccessSite(file, function, line)) }

    /// Where the word is, for a table of words that others keep.
    package struct Place {
      let word: AnyObject

      package func relaxedLoad(
        file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
      ) -> Int { exploredMemory.load(word, .relaxed, AccessSite(file, function, line)) }
    }

    package var place: Place { Place(word: word) }
  }

  // SAFETY: the simulated threads are all one.
  extension AtomicWord: @unchecked Sendable {}

  @usableFromInline
  package struct SpinLock: ~Copyable {
    private let word: AnyObject

    @usableFromInline
    package init() { word = exploredMemory.makeWord(0) }

    @usableFromInline
    package borrowing func lock(
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) { exploredMemory.lock(word, AccessSite(file, function, line)) }

    @usableFromInline
    package borrowing func unlock(
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) { exploredMemory.unlock(word, AccessSite(file, function, line)) }
  }

  public struct Lock<State>: ~Copyable {
    private let turn = SpinLock()
    private let locked: LockedState<State>

    public init(_ state: State) { locked = LockedState(state) }

    public borrowing func withLock<Result>(
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

  /// Its lock alone holds it: to `WeirVerify`, by its name, whoever else does so in passing says nothing.
  final class LockedState<State> {
    var state: State
    init(_ state: State) { self.state = state }
  }

  /// In place of that of the standard library: who finds that nobody else has an object comes behind all who had it.
  public func isKnownUniquelyReferenced<Object: AnyObject>(_ object: inout Object) -> Bool {
    exploredMemory.isSoleHolder { Swift.isKnownUniquelyReferenced(&object) ? ObjectIdentifier(object) : nil }
  }

  public func isKnownUniquelyReferenced<Object: AnyObject>(_ object: inout Object?) -> Bool {
    exploredMemory.isSoleHolder { Swift.isKnownUniquelyReferenced(&object) ? object.map { ObjectIdentifier($0) } : nil }
  }

  @propertyWrapper
  public struct NonAtomic<Value> {
    private var value: Value
    private var field: AnyObject

    public init(wrappedValue: Value, file: StaticString = #fileID, line: UInt = #line) {
      value = wrappedValue
      field = exploredMemory.makeField(AccessSite(file, "", line))
    }

    /// Where it is the property of a value, others may have copies, which are no places of this one's: it brings along
    /// who wrote it. Who has read it is not known, as that may have been a copy.
    public var wrappedValue: Value {
      get {
        exploredMemory.noteReadOfCopy(of: field)
        return value
      }
      set {
        field = exploredMemory.rewritten(field)
        value = newValue
      }
    }

    /// Where it is the property of an object, it has one place.
    public static subscript<Object: AnyObject>(
      _enclosingInstance object: Object, wrapped wrappedKeyPath: ReferenceWritableKeyPath<Object, Value>,
      storage storageKeyPath: ReferenceWritableKeyPath<Object, NonAtomic<Value>>
    ) -> Value {
      get {
        let place = object[keyPath: storageKeyPath]
        // SAFETY: the caller has the object.
        let owner = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        unsafe exploredMemory.noteAccess(to: place.field, of: owner, writes: false)
        return place.value
      }
      set {
        // SAFETY: the caller has the object.
        let owner = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        unsafe exploredMemory.noteAccess(to: object[keyPath: storageKeyPath].field, of: owner, writes: true)
        object[keyPath: storageKeyPath].value = newValue
      }
    }
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
      return exploredMemory.goesOnSpinning(after: step, AccessSite(file, function, line))
    }

    @usableFromInline
    package mutating func pauseAfterLostRace(
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) { if !spin(file: file, function: function, line: line) { self = Backoff() } }

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
  ) -> Int { exploredMemory.threadIdentity(AccessSite(file, function, line)) }

  public func spinHint(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) { exploredMemory.spin(AccessSite(file, function, line)) }

  @usableFromInline
  package func yieldToOthers(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) { exploredMemory.spin(AccessSite(file, function, line)) }

  /// A thread that sleeps for a time goes on when no other can.
  @usableFromInline
  package func nap() { exploredMemory.sleep(forever: false) { false } }

  /// No time passes.
  @usableFromInline
  package func monotonicNanoseconds() -> Int { 1 }

  @usableFromInline
  package func complain(_ line: String) {}

  @usableFromInline
  package func heavyBarrier(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Bool { exploredMemory.heavyBarrier(AccessSite(file, function, line)) }

  @usableFromInline
  package func quickHeavyBarrier(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Bool { exploredMemory.heavyBarrier(AccessSite(file, function, line)) }

  @usableFromInline
  package func noteSlotAccess(_ slot: UnsafeRawPointer) { unsafe exploredMemory.noteSlotAccess(slot) }

  @usableFromInline
  package func compilerBarrier(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) { exploredMemory.compilerBarrier(AccessSite(file, function, line)) }

  private final class NoExploredMemory: ExploredMemory {
    private func missing() -> Never {
      preconditionFailure("with the trait Verification, atomic words, locks and queues work inside of verify only")
    }

    func makeWord(_ value: Int) -> AnyObject { missing() }
    func freeWord(_ word: AnyObject) { missing() }
    func load(_ word: AnyObject, _ ordering: AccessOrdering, _ site: AccessSite) -> Int { missing() }
    func store(_ word: AnyObject, _ value: Int, _ ordering: AccessOrdering, _ site: AccessSite) { missing() }
    func exchange(_ word: AnyObject, _ value: Int, _ ordering: AccessOrdering, _ site: AccessSite) -> Int { missing() }
    func compareExchange(
      _ word: AnyObject, expected: Int, desired: Int, _ ordering: AccessOrdering, _ site: AccessSite
    ) -> (exchanged: Bool, original: Int) { missing() }
    func add(_ word: AnyObject, _ value: Int, _ site: AccessSite) -> Int { missing() }
    func lock(_ word: AnyObject, _ site: AccessSite) { missing() }
    func unlock(_ word: AnyObject, _ site: AccessSite) { missing() }
    func threadIdentity(_ site: AccessSite) -> Int { missing() }
    func spin(_ site: AccessSite) { missing() }
    func goesOnSpinning(after step: Int, _ site: AccessSite) -> Bool { missing() }
    func heavyBarrier(_ site: AccessSite) -> Bool { missing() }
    func compilerBarrier(_ site: AccessSite) { missing() }
    func sleep(forever: Bool, until condition: @escaping () -> Bool) { missing() }
    func noteSlotAccess(_ slot: UnsafeRawPointer) { missing() }
    func makeField(_ site: AccessSite) -> AnyObject { missing() }
    func noteAccess(to field: AnyObject, of object: UnsafeRawPointer, writes: Bool) { missing() }
    func noteReadOfCopy(of field: AnyObject) { missing() }
    func rewritten(_ field: AnyObject) -> AnyObject { missing() }
    func isSoleHolder(_ look: () -> ObjectIdentifier?) -> Bool { look() != nil }
  }
#endif
