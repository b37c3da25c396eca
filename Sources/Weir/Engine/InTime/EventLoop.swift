// One thread that runs what others give it: the engine of EventLoopScheduler.

import WeirQueues

/// Runs actions one at a time, in the order in which they came, and those with a date when that has come.
///
/// What there is to do lies in two queues from many threads to this one, with dates and without. A thread that finds
/// both empty spins for as long as that has paid lately (`SpinBudget`): first awake, with `pause`, and then letting
/// others run between its looks. Then it sleeps.
///
/// **Falling asleep and waking** are exchanges of one word, `sleeper`. Who sleeps writes *asleep* into it and looks at
/// the queues once more; who has added something writes *awake*. Of the two exchanges one is the second: if it is the
/// sleeper's, that sees what was added; if it is the other's, that finds *asleep*, and as only one thread can, it alone
/// signals. So a signal comes exactly where somebody has found *asleep*, and the sleeper, which writes *awake* itself
/// when it goes on, knows whether to wait for one. While the thread is awake an addition costs one exchange, of a word
/// that nobody else looks at.
///
/// **The end.** What comes after it is refused; what came before is run. An end by `shutDown` lets go of what has a
/// date; one by `abandon`, as nobody can add anything any more, waits for the dates.
@safe
package final class EventLoop {
  enum Work {
    case action(() -> Void)
    /// One and the same job for each value of a stream.
    case job(EventLoopJob.Submission)
    /// A piece of a task, or of what an actor has to do.
    case task(UnownedJob, EventLoopExecutor)
  }

  private struct Closers {
    /// Whether a thread runs the loop until its end.
    var isRun = false
    var waiting: [Parker] = []
  }

  /// How many actions without a date are run between looks for those with one.
  private static let turnLength = 64
  /// How many looks at the queues there are between looks at the clock, and for how many nanoseconds they go on without
  /// letting others run between them.
  private static let looks = 16
  private static let awakeNanoseconds = 10_000
  /// How many works with dates may be let go of before a thread that sleeps is woken for that.
  private static let droppedAtOnce = 1024
  /// How many holds on an owner of jobs may be left to be ended together.
  private static let mostHolds = 64

  // In `sleeper`.
  private static let awake = 0
  private static let asleep = 1
  // In `ending`.
  private static let runsDates = 1
  private static let dropsDates = 2

  private let queue = MPSCQueue<Work>()
  private let dated = MPSCQueue<DatedWork>()
  private let clock: () -> Int
  private let parker = Parker()
  /// The thread that runs the loop, or 0.
  private let runner = AtomicWord(0)
  /// How the loop ends, or 0.
  private let ending = AtomicWord(0)
  /// How many works with dates were let go of since they were last removed.
  private let dropped = AtomicWord(0)
  private let closers = Lock(Closers())
  // All who add something write the word between, and the thread that runs the loop what is behind it.
  private let paddingBefore = CacheLinePadding()
  private let sleeper = AtomicWord(0)
  private let paddingBehind = CacheLinePadding()

  // SAFETY (exclusivity): of the thread that runs the loop; `runner` passes them on.
  @safe @exclusivity(unchecked) private var timers = DatedWorks()
  @safe @exclusivity(unchecked) private var budget: SpinBudget
  /// The last job that was done, and how many submissions of it still hold its owner.
  @safe @exclusivity(unchecked) private var done: JobTicket?
  @safe @exclusivity(unchecked) private var holds = 0

  /// Creates a loop that nobody runs yet.
  ///
  /// - Parameters:
  ///   - nanoseconds: For how long its thread may spin in one wait at most; it never does on a single processor.
  ///   - clock: Tells the time in nanoseconds that never go back. Any thread may call it.
  package init(spinningFor nanoseconds: Int, clock: @escaping () -> Int) {
    self.clock = clock
    budget = SpinBudget(most: nanoseconds)
  }

  deinit {
    while let work = queue.dequeue() {
      if case .job(let submission) = work { submission.ticket.endHold() }
    }
  }

  /// Whether the caller is the thread that runs the loop.
  package var isRunningHere: Bool { runner.relaxedLoad() == currentThreadIdentity() }

  // MARK: What any thread may call

  /// Runs an action as soon as possible; once the loop has ended, lets go of it.
  ///
  /// - Returns: Whether it will be run.
  @discardableResult
  package func perform(_ action: @escaping () -> Void) -> Bool {
    let isTaken = queue.enqueue(.action(action))
    if isTaken { wake() }
    return isTaken
  }

  /// Does a job once more.
  package func submit(_ job: EventLoopJob) {
    job.ticket.issue()
    if queue.enqueue(.job(EventLoopJob.Submission(of: job))) { wake() } else { job.ticket.endHold() }
  }

  /// Runs a piece of a task. Traps if the loop has ended: the task would never go on.
  func submit(_ job: UnownedJob, of executor: EventLoopExecutor) {
    let isTaken = queue.enqueue(.task(job, executor))
    precondition(isTaken, "a task can't go on: its event loop has been shut down")
    wake()
  }

  /// Runs work at a date, or again and again from then on. The caller says by `noteDropped` if it lets go of it.
  ///
  /// - Parameters:
  ///   - date: In nanoseconds of the clock; `Int.max` for never.
  ///   - interval: The nanoseconds from one run to the next; 0 for work that is run once.
  ///   - work: What to run.
  package func perform(at date: Int, every interval: Int = 0, _ work: ScheduledWork) {
    if dated.enqueue(DatedWork(date: date, interval: interval, work: work)) { wake() } else { work.drop() }
  }

  /// Says that a work with a date was let go of, so that its place is given up some time.
  package func noteDropped() {
    let before = dropped.add(1)
    // Finds the end, or is found by it: the thread may wait for nothing else but this work. Otherwise it is woken now
    // and then, so that a thread that sleeps for long doesn't keep the places of many.
    if ending.add(0) != 0 || before % Self.droppedAtOnce == Self.droppedAtOnce - 1 { wake() }
  }

  /// Starts a thread that runs the loop to its end. Traps if the system has none.
  package func startThread(named name: String) {
    closers.withLock { $0.isRun = true }
    let isStarted = HelperThread.start(named: name) { self.run() }
    precondition(isStarted, "the system has no thread for an event loop")
  }

  /// Ends the loop as nobody can add anything: it runs what it has, with dates and without.
  func abandon() {
    // Releases and acquires as `noteDropped` does.
    _ = ending.compareExchange(expected: 0, desired: Self.runsDates)
    close()
  }

  /// Ends the loop: what has come without a date is run, and the rest is dropped. Waits for that, if a thread runs the
  /// loop to its end and it is not the caller's. Blocking.
  package func shutDown() {
    _ = ending.exchange(Self.dropsDates)
    close()
    guard !isRunningHere else { return }
    let parker = Parker()
    let isRun = closers.withLock { closers in
      if closers.isRun { closers.waiting.append(parker) }
      return closers.isRun
    }
    if isRun { parker.park() }
  }

  private func close() {
    queue.close()
    dated.close()
    wake()
  }

  private func wake() {
    // Releases what the caller did (acquired in `sleep`), or finds the sleeper.
    if sleeper.exchange(Self.awake) == Self.asleep { parker.unpark() }
  }

  // MARK: Running

  /// Runs the loop on this thread until its end. Traps if another thread is running it.
  package func run() {
    closers.withLock { $0.isRun = true }
    begin()
    if allowedProcessors() == 1 { budget = SpinBudget(most: 0) }
    while true {
      if turn() > 0 { continue }
      if isOver { break }
      wait()
    }
    leave()
    let waiting = closers.withLock { closers in
      defer { closers = Closers() }
      return closers.waiting
    }
    for parker in waiting { parker.unpark() }
  }

  /// Runs what there is and what is due, but not what that adds, whatever its date. Traps if a thread is running the
  /// loop.
  ///
  /// - Returns: How many actions were run.
  @discardableResult
  package func poll() -> Int {
    begin()
    collect()
    let (end, now) = (queue.end, clock())
    var count = 0
    while queue.position < end, let work = queue.dequeue() {
      run(work)
      count += 1
    }
    count += runDue(by: now)
    // What has been added since is let go of if the loop was shut down meanwhile.
    collect()
    leave()
    return count
  }

  private func begin() {
    // Acquires what the thread before did (publish in `leave`).
    let (isFree, _) = runner.compareExchange(expected: 0, desired: currentThreadIdentity())
    precondition(isFree, "an event loop is run by one thread at a time")
  }

  private func leave() {
    endHolds()
    if isOver { timers.dropAll() }
    runner.publish(0)
  }

  /// Whether nothing is left to run, and nothing will come.
  private var isOver: Bool {
    // Acquires nothing that `close` doesn't order.
    let ending = self.ending.relaxedLoad()
    return ending != 0 && queue.isDrained && dated.isDrained && (ending == Self.dropsDates || timers.count == 0)
  }

  /// Runs some of what there is.
  ///
  /// - Returns: How many actions were run.
  private func turn() -> Int {
    var count = 0
    while count < Self.turnLength, let work = queue.dequeue() {
      run(work)
      count += 1
    }
    collect()
    return count + (timers.count > 0 ? runDue(by: clock()) : 0)
  }

  private func run(_ work: Work) {
    switch work {
    case .action(let action):
      endHolds()
      action()
    case .job(let submission):
      let ticket = submission.ticket
      ticket.work()
      leaveHold(of: ticket)
    case .task(let job, let executor):
      endHolds()
      unsafe job.runSynchronously(
        isolatedTo: executor.asUnownedSerialExecutor(), taskExecutor: executor.asUnownedTaskExecutor())
    }
  }

  /// Leaves the hold of a job that was done to be ended with others of its owner.
  ///
  /// Each end would take the count of the owner's references from the thread that submits, which counts there before
  /// each submission: that would be part of the time of a hop. They are ended before anything else is run, and after
  /// some microseconds if nothing is.
  private func leaveHold(of ticket: JobTicket) {
    if let done, holds < Self.mostHolds, done.hasOwner(of: ticket) {
      holds += 1
    } else {
      endHolds()
      done = ticket
      holds = 1
    }
  }

  private func endHolds() {
    guard let ticket = done else { return }
    let count = holds
    done = nil
    // What is freed may run the user's code.
    for _ in 0..<count { ticket.endHold() }
  }

  /// Whether works with dates are let go of, those among them whose date has come.
  private var dropsDates: Bool { ending.relaxedLoad() == Self.dropsDates }

  /// Runs the collected works whose dates have come by a moment, by their dates.
  ///
  /// - Returns: How many were run: those that were let go of don't count.
  private func runDue(by now: Int) -> Int {
    guard !dropsDates, let first = timers.firstDate, first <= now else { return 0 }
    endHolds()
    var count = 0
    while !dropsDates, let next = timers.popFirst(notAfter: now) {
      guard next.interval > 0 else {
        if next.work.runOnce() { count += 1 }
        continue
      }
      if next.work.run() { count += 1 }
      if next.work.isAlive, let following = next.following(after: clock()) { timers.insert(following) }
    }
    return count
  }

  /// Takes works with dates out of their queue, and removes those that were let go of.
  private func collect() {
    while let work = dated.dequeue() {
      // Of what was let go of before it came here, the count may have been taken already.
      if work.date < .max, work.work.isAlive { timers.insert(work) } else { work.work.drop() }
    }
    if hasManyDropped {
      _ = dropped.add(-dropped.relaxedLoad())
      timers.removeDropped()
    }
  }

  /// Whether so many works were let go of that their places are given up now: half of those that wait for their dates.
  private var hasManyDropped: Bool {
    let count = dropped.relaxedLoad()
    return count > 0 && 2 * count >= timers.count
  }

  // MARK: Waiting

  /// Whether there is something to do before the next date.
  private var hasWork: Bool {
    // What was let go of may be all that the end waits for.
    queue.peek { _ in true } != nil || dated.peek { _ in true } != nil || hasManyDropped
  }

  private func wait() {
    // At the end dates are waited for no longer, those that have come included.
    let date = dropsDates ? nil : timers.firstDate
    let began = clock()
    if let date, date <= began { return }
    if spin(from: began, until: date) { return }
    endHolds()
    sleep(until: date)
    budget.noteWait(of: clock() - began)
  }

  /// Looks for work until there is some, a date or the end has come, or the budget is used up.
  ///
  /// - Returns: Whether there is something to do.
  private func spin(from began: Int, until date: Int?) -> Bool {
    let limit = budget.limit(at: began)
    guard limit > 0 else { return false }
    var last = began
    while true {
      for _ in 0..<Self.looks {
        if hasWork { return true }
        spinHint()
      }
      let now = clock()
      if let date, date <= now { return true }
      if isOver { return true }
      if now - last > SpinBudget.interruption {
        budget.noteInterruption(at: now)
        return false
      }
      if now - began >= limit { return false }
      if now - began >= Self.awakeNanoseconds {
        endHolds()
        yieldToOthers()
      }
      last = now
    }
  }

  /// Sleeps until somebody adds something, or until a date.
  private func sleep(until date: Int?) {
    // Acquires what was added before (exchange in `wake`), or is found by who adds something later.
    _ = sleeper.exchange(Self.asleep)
    if !hasWork, !isOver {
      if let date { parker.park(atMost: date - clock()) } else { parker.park() }
    }
    if sleeper.exchange(Self.awake) != Self.asleep {
      // Somebody has found this thread asleep: the signal is there, or on its way.
      parker.park()
      parker.reset()
    }
  }
}

/// A job that can be submitted to a loop again and again. Its owner keeps it.
package final class EventLoopJob {
  fileprivate let ticket: JobTicket

  package init(_ ticket: JobTicket) { self.ticket = ticket }

  /// A job in a loop's queue: one word, that counts no reference.
  @safe
  struct Submission {
    // SAFETY: the job's owner keeps it, and each submission holds the owner.
    private let job: Unmanaged<EventLoopJob>

    fileprivate init(of job: EventLoopJob) { unsafe self.job = .passUnretained(job) }

    fileprivate var ticket: JobTicket { unsafe job._withUnsafeGuaranteedRef { $0.ticket } }
  }
}

// SAFETY: queues and words that threads share, and fields of the thread that runs the loop. Its clock is called by any
// thread, as it says.
extension EventLoop: @unchecked Sendable {}
