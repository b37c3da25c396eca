// A thread of the simulated machine: a fiber, and what the machine knows of it.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

/// A thread of the simulated machine.
@safe
final class SimulatedThread {
  let number: Int
  var name = "main"
  var clock = Clock.zero
  var buffer: [PendingStore] = []
  // SAFETY: made and freed by the machine, and switched to in between.
  var fiber: OpaquePointer?
  var body: (() -> Void)?
  /// What it holds until that has returned.
  var captures = Captures()
  /// Whether it is at work for the machine: what is released there is none of the program's.
  var isInMachine = false
  var isFinished = false
  /// Whether it may stop at any step, and go on only when all others have ended.
  var mayFreeze = false
  var isFrozen = false
  /// Spins: nothing changes for it before another thread has written something.
  var hasYielded = false
  /// Has had a turn since all threads spin.
  var hasLookedAgain = false
  /// How many spinners' rounds have been followed by another's turn although this one could have had it.
  var pollsBefore = 0
  /// How many spinners' rounds there were while it had stores that have not arrived.
  var pollsOfBuffer = 0
  /// How many steps it has done.
  var steps = 0
  var isDraining = false
  /// Where it has spun last, and how many steps there were then.
  var spin: (place: Place, step: Int)?
  /// Whether it may choose to spin to its limit: somebody has written something since it last had the choice.
  var canSpinAlone = true
  /// How many rounds it has spun while nobody else had a turn, as it has chosen, and how many steps there were before.
  var roundsAlone = 0
  var stepsBefore = 0
  /// Where it has been since it last wrote something.
  var placesSinceWrite: [Place] = []
  /// Whether it has come to another place than in the rounds before: to what is behind a limit.
  var isBehindLimit = false
  /// The words that it has looked at since it last wrote something, a bit per word; several may share one.
  var looks: UInt64 = 0
  /// Whether it looks once more at what it has spun on: nobody comes before, and no store arrives.
  var isLookingAgain = false
  /// Has given up spinning, and written nothing since: if it spins again, it is a wait.
  var hasGivenUp = false
  /// The lock it waits for.
  var wanted: Word?
  /// What it waits for.
  var condition: (() -> Bool)?
  /// Whether it goes on for no other reason.
  var waitsForever = false
  var hasWaitedInVain = false
  /// When it last waited in vain: those that sleep for a time go on in turn.
  var lastWaited = 0
  /// Words it has made.
  var made = 0
  var postponed: (store: PendingStore, operations: Int)?

  init(_ number: Int) {
    self.number = number
    buffer.reserveCapacity(64)
  }

  func reset() {
    clock = .zero
    buffer.removeAll(keepingCapacity: true)
    body = nil
    captures.removeAll()
    isInMachine = false
    isFinished = false
    mayFreeze = false
    isFrozen = false
    hasYielded = false
    hasLookedAgain = false
    pollsBefore = 0
    pollsOfBuffer = 0
    steps = 0
    hasGivenUp = false
    spin = nil
    canSpinAlone = true
    forgetLooks()
    isDraining = false
    wanted = nil
    condition = nil
    waitsForever = false
    hasWaitedInVain = false
    lastWaited = 0
    made = 0
    postponed = nil
    unsafe fiber = nil
  }

  func hasBuffered(_ word: Word) -> Bool { buffer.contains { $0.word === word } }

  @inline(never)
  func runBody() {
    callBody()
    isInMachine = true
    machine.finish(self)
  }

  /// What is released when it has returned, the thread holds no more.
  @inline(never)
  private func callBody() {
    isInMachine = true
    performBody()
    captures.removeAll()
    isInMachine = false
    body = nil
  }

  /// The machine's own hold on the body, meanwhile, is none of the program's.
  @inline(never)
  private func performBody() {
    let body = self.body
    isInMachine = false
    body?()
    isInMachine = true
  }
}
