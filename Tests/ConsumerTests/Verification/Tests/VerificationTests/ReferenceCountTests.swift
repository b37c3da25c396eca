// What reference counts order: who frees an object, or has it alone, comes behind all who have let go of it.

import Testing
import WeirVerify

private let memories = [MemoryModel.tso, .rc11(stale: 2)]

/// A right program.
struct RightProgram: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let program: @Sendable (Run) -> Void

  init(_ name: String, _ program: @escaping @Sendable (Run) -> Void) {
    testDescription = name
    self.program = program
  }
}

@Suite struct ReferenceCountTests {
  @Test(arguments: rightPrograms, memories)
  func whoFreesKnowsWhatTheOthersDid(right: RightProgram, memory: MemoryModel) {
    #expect(failure(memory, right.program) == nil)
  }

  /// A store that others couldn't see yet has arrived when the object is freed by one of them.
  @Test(arguments: memories)
  func whoFreesSeesWhatTheOthersStored(memory: MemoryModel) {
    let reason = failure(memory) { run in
      let told = WordBox(9), session = StoredSession(told)
      run.thread("A") { session.word.publish(1) }
      run.thread("B") { _ = session.told }
      run.check { run.expect(told.word.acquireLoad(), 1, "what was stored") }
    }
    #expect(reason == nil)
  }

  /// Each has a copy that it reads when it likes; who writes makes one of its own where others have the old one.
  @Test(arguments: memories, [true, false])
  func aValueThatIsCopiedWhenItIsWrittenIsRight(memory: MemoryModel, isRight: Bool) {
    let reason = failure(memory) { run in
      let shared = Lock(CopiedOnWrite())
      run.thread("reader") {
        let mine = shared.withLock { $0 }
        run.expect(mine.number, in: [0, 1], "number")
      }
      run.thread("writer") { shared.withLock { $0.set(1, fault: isRight ? nil : .doesNotAsk) } }
      run.check { run.expect(shared.withLock { $0.number }, 1, "number") }
    }
    #expect((reason == nil) == isRight)
    #expect(isRight || reason?.contains("written while not ordered after a read by reader") == true)
  }

  /// Nobody came between the copy and its last use, so that the storage was always the writer's own.
  @Test(arguments: memories, [CopiedOnWrite.Fault.asksInVain, .asksForOnePartOnly])
  private func aCopyMayBeHeldWhenSomebodyAsks(memory: MemoryModel, fault: CopiedOnWrite.Fault) {
    let reason = failure(memory) { run in
      let shared = Lock(CopiedOnWrite())
      run.thread("reader") {
        let mine = shared.withLock { $0 }
        run.expect(mine.number, in: [0, 1], "number")
      }
      run.thread("writer") { shared.withLock { $0.set(1, fault: fault) } }
    }
    #expect(reason?.contains("written while not ordered after a read by reader") == true)
  }

  @Test(arguments: memories) func whatIsDoneWhereSomebodyElseHasItIsTried(memory: MemoryModel) {
    let reason = failure(memory) { run in
      let shared = Lock(CopiedOnWrite())
      run.thread("reader") { _ = shared.withLock { $0 }.number }
      run.thread("writer") { shared.withLock { $0.set(1) { run.expect(false, "it is copied") } } }
    }
    #expect(reason == "it is copied")
  }

  /// What a thread writes when it has let go of an object, whoever frees that knows nothing of.
  @Test(arguments: memories)
  func whatIsWrittenAfterwardsIsARace(memory: MemoryModel) {
    let reason = failure(memory) { run in
      let total = WordBox(0), other = Session(total)
      let session = Unmanaged.passRetained(Session(total, reads: other))
      let address = WordBox(Int(bitPattern: session.retain().toOpaque()))
      run.thread("A") {
        release(address)
        other.first = 1
      }
      run.thread("B") { release(address) }
    }
    #expect(reason?.contains("not ordered after") == true)
  }

  /// A word of what a closure has captured may look like an address of something that looks like an object.
  @Test func whatOnlyLooksLikeAnObjectIsNone() {
    let reason = failure(.rc11(stale: 2)) { run in
      let memory = UnsafeMutablePointer<UInt>.allocate(capacity: 64)
      memory.initialize(repeating: 0, count: 64)
      defer { memory.deallocate() }
      let start = UInt(bitPattern: memory + (UInt(bitPattern: memory) & 15 == 0 ? 0 : 1))
      // Metadata of a class with a million fields.
      let object = UnsafeMutablePointer<UInt>(bitPattern: start)!
      object[0] = start + 64
      object[8 + 5] = start + 256
      let description = UnsafeMutablePointer<UInt32>(bitPattern: start + 256)!
      (description[0], description[4], description[9]) = (16, 1, 1_000_000)
      let word = WordBox(0)
      for name in ["A", "B"] { run.thread(name) { _ = word.word.add(start == 1 ? 2 : 1) } }
    }
    #expect(reason == nil)
  }

  private func failure(_ memory: MemoryModel, _ program: @escaping @Sendable (Run) -> Void) -> String? {
    do throws(VerificationFailure) {
      try verify(memory: memory, program)
      return nil
    } catch {
      return error.reason
    }
  }
}

private let rightPrograms = [
  RightProgram("each writes a field that deinit reads") { run in
    let total = WordBox(0), session = Session(total)
    run.thread("A") { session.first = 1 }
    run.thread("B") { session.second = 2 }
    run.check { run.expect(total.word.acquireLoad(), 3, "total") }
  },
  RightProgram("a lock hands an object over, of which another one has a copy") { run in
    let shared = Lock<Session?>(Session(WordBox(0)))
    run.thread("A") { shared.withLock { $0 }?.first = 1 }
    run.thread("B") {
      let session = shared.withLock { state in
        defer { state = nil }
        return state
      }
      session?.second = 2
    }
  },
  RightProgram("objects are left in a queue, and read when they go") { run in
    let total = WordBox(0), queue = MPSCQueue<Session>()
    for name in ["A", "B"] {
      run.thread(name) {
        let session = Session(total)
        session.first = 1
        _ = queue.enqueue(session)
      }
    }
    run.thread("C") { _ = queue.dequeue() }
  },
  RightProgram("an array lets go of an object") { run in
    var sessions: [Session]? = [Session(WordBox(0)), Session(WordBox(0))]
    run.thread("A") { [session = sessions![0]] in session.first = 1 }
    run.thread("B") { [sessions] in sessions![1].second = 2 }
    sessions = nil
  },
  RightProgram("a dictionary that both have lets go of an object") { run in
    var sessions: [Int: Session]? = [1: Session(WordBox(0))]
    run.thread("A") { [sessions] in sessions![1]!.first = 1 }
    run.thread("B") { [sessions] in sessions![1]!.second = 2 }
    sessions = nil
  },
  RightProgram("an existential lets go of an object") { run in
    var session: Session? = Session(WordBox(0))
    run.thread("A") { [session] in session!.first = 1 }
    run.thread("B") { [any = session! as Any] in (any as? Session)?.second = 2 }
    session = nil
  },
  RightProgram("a list behind a lock is emptied while another one has an element") { run in
    let total = WordBox(0), sessions = Lock([Session(total), Session(total)])
    run.thread("A") { sessions.withLock { $0.first }?.first = 1 }
    run.thread("B") { sessions.withLock { $0.removeAll() } }
  },
  RightProgram("an array lets go of an object that frees another one, which reads its fields") { run in
    var owners: [Owner]? = [Owner(Session(WordBox(0)))]
    run.thread("A") { [owner = owners![0]] in owner.session.first = 1 }
    run.thread("B") { [owners] in _ = owners!.count }
    owners = nil
  },
  RightProgram("an array lets go of an object that reads another one's field") { run in
    var sessions: [Session]? = [Session(WordBox(0), reads: Session(WordBox(0)))]
    run.thread("A") { [session = sessions![0]] in session.write(toOther: 1) }
    run.thread("B") { [sessions] in _ = sessions!.count }
    sessions = nil
  },
  RightProgram("an unmanaged object in a constant") { run in
    let keeper = Keeper(Session(WordBox(0)))
    run.thread("A") {
      keeper.session.takeUnretainedValue().first = 1
      keeper.session.release()
    }
    run.thread("B") {
      keeper.session.takeUnretainedValue().second = 2
      keeper.session.release()
    }
  },
]

private func release(_ address: WordBox) {
  Unmanaged<Session>.fromOpaque(UnsafeRawPointer(bitPattern: address.word.acquireLoad())!).release()
}

private final class WordBox: Sendable {
  let word: AtomicWord
  init(_ value: Int) { word = AtomicWord(value) }
}

/// Adds up its fields when it is freed, or those of another one.
private final class Session {
  @NonAtomic var first = 0
  @NonAtomic var second = 0
  private let total: WordBox
  private let other: Session?

  init(_ total: WordBox, reads other: Session? = nil) {
    self.total = total
    self.other = other
  }

  func write(toOther number: Int) { other?.first = number }

  deinit {
    if let other { _ = total.word.add(other.first) } else { _ = total.word.add(first + second) }
  }
}

/// Tells what has been stored when it is freed.
private final class StoredSession {
  let word = AtomicWord(0)
  let told: WordBox
  init(_ told: WordBox) { self.told = told }
  deinit { told.word.relaxedStore(word.acquireLoad()) }
}

/// Has an object that each of two threads lets go of by hand.
private final class Keeper: @unchecked Sendable {
  let session: Unmanaged<Session>

  init(_ session: Session) {
    self.session = .passRetained(session)
    _ = self.session.retain()
  }
}

private struct CopiedOnWrite {
  enum Fault: Sendable { case doesNotAsk, asksInVain, asksForOnePartOnly }

  private final class Storage {
    @NonAtomic var number: Int
    init(_ number: Int) { self.number = number }
  }

  private var storage = Storage(0), other = Storage(0)

  var number: Int { max(storage.number, other.number) }

  mutating func set(_ number: Int, fault: Fault? = nil, whereCopied: () -> Void = {}) {
    if fault != .doesNotAsk, !isKnownUniquelyReferenced(&storage) {
      if fault != .asksInVain { storage = Storage(storage.number) }
      whereCopied()
    }
    storage.number = number
    if fault == .asksForOnePartOnly { other.number = number }
  }
}

/// Has an object that it lets go of when it is freed itself.
private final class Owner {
  let session: Session
  init(_ session: Session) { self.session = session }
}
