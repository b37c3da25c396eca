// What the machine's threads share: how a store becomes a value that others load.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

/// A model of shared memory. The running thread has the turn when it is asked for something; what it leaves open is a
/// choice of the machine's, which is passed to it so that it keeps none.
protocol Memory: AnyObject {
  /// Forgets the former run.
  func reset()

  /// Makes a word known.
  ///
  /// - Parameter thread: Who has made it in this run; `nil` for a global, which everybody knows.
  func add(_ word: Word, by thread: SimulatedThread?, on machine: Machine)

  /// A thread begins, with all that the one that sets up has done.
  func start(_ thread: SimulatedThread, after main: SimulatedThread)

  /// All threads have ended: whatever they stored arrives, and the one that looks at the end knows it.
  func finish(for main: SimulatedThread, on machine: Machine)

  /// What a load returns that needs to know nothing of other threads.
  func ownValue(of word: Word, for thread: SimulatedThread) -> Int?

  /// A thread is about to load a word that it has stored, where only it can see that yet.
  ///
  /// - Returns: Whether its store arrives, and after it one of another thread's: then it loads what is there.
  func replacesOwnStore(of word: Word, for thread: SimulatedThread, on machine: Machine) -> Bool

  /// Whether what is done is done for everybody: then what was done before something else can be told by the order of
  /// turns, and otherwise only by what a thread knows.
  var hasOneTime: Bool { get }

  /// Whether others may see a store as soon as it is done: then it takes a turn.
  var showsStoresAtOnce: Bool { get }

  func load(_ word: Word, by thread: SimulatedThread, _ ordering: Ordering, on machine: Machine) -> Int

  func store(_ store: PendingStore, by thread: SimulatedThread, on machine: Machine)

  /// Reads a word and writes what `change` makes of it, if anything, in one step.
  ///
  /// - Parameter ordering: If it acquires, it does so also if it writes nothing.
  /// - Returns: What was read.
  func modify(
    _ word: Word, by thread: SimulatedThread, _ ordering: Ordering, on machine: Machine, _ change: (Int) -> Int?
  ) -> Int

  /// Takes a lock that is free, or gives it back.
  func setLock(_ word: Word, to value: Int, by thread: SimulatedThread, on machine: Machine)

  /// Lets all that a thread has stored arrive.
  func drain(_ thread: SimulatedThread, on machine: Machine)

  /// The cheap half of an asymmetric fence.
  func lightBarrier(_ thread: SimulatedThread, on machine: Machine)

  /// The dear half.
  func heavyBarrier(_ thread: SimulatedThread, on machine: Machine)

  /// The thread has waited for something that others have done, by means that are none of the program's: it knows no
  /// more of them than before.
  func noteWait(_ thread: SimulatedThread, on machine: Machine)

  /// The thread has spun, or slept for a while: what it has read before it reads anew.
  func noteSpin(_ thread: SimulatedThread)

  /// The thread hears of a moment, by means that are none of the program's.
  func hear(of moment: Moment, _ thread: SimulatedThread)

  /// The thread learns what others knew when they let go of an object that it has alone now.
  func learn(_ known: Clock, _ thread: SimulatedThread, on machine: Machine)

  /// The thread lets go of an object that others hold: what it does from now on whoever frees that needn't know.
  func noteRelease(by thread: SimulatedThread)

  /// The thread touches memory that no word stands for: what it does before and after is told apart by its clock.
  func noteStep(_ thread: SimulatedThread)

  /// How far it is: the number of what was done to it in this run, if it keeps all that.
  var progress: Int { get }

  /// What a person should know of the last load.
  var remark: String { get }
}

extension Memory {
  func replacesOwnStore(of word: Word, for thread: SimulatedThread, on machine: Machine) -> Bool { false }
}

/// The memory that threads share: what a processor, or the language, may do with what they store.
public enum MemoryModel: Equatable, Sendable {
  /// That of x86 (x86-TSO): a store waits in its thread's buffer, and all else is in order.
  case tso
  /// That of C++20, as RC11 formalises it, which stands for arm64 too: loads and stores are ordered only as far as
  /// their orderings ask for it. `stale` is how often in a run something older than the newest may be read, or a store
  /// be placed before one that came first; with 0 it is sequentially consistent.
  case rc11(stale: Int)
}

/// A store as it was asked for.
struct PendingStore {
  let word: Word
  let value: Int
  let ordering: Ordering
  /// What the thread knew then, if it releases.
  let clock: Clock
  /// How often it had released something.
  let time: UInt32
}
