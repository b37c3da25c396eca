// A small program for the simulated machine, and what it must leave behind.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

/// A program of up to four threads.
package struct Scenario: Sendable {
  package let name: String
  /// How many preemptions there may be.
  package let bound: Int
  /// Whether freed memory is handed out again at once, as a real heap does: finds what goes wrong with recycled
  /// addresses, and misses some uses of freed memory.
  package let reusesMemory: Bool
  package let timesEndEarly: Bool
  package let body: @Sendable (Run) -> Void

  /// - Parameters:
  ///   - name: Its name, `subject/case`.
  ///   - bound: How many preemptions there may be in a run.
  ///   - reusesMemory: Whether freed memory is handed out again.
  ///   - timesEndEarly: Whether who waits for some time may go on before nobody else can.
  ///   - body: Makes what the threads share, and says with `thread` and `check` what is done with it. Called for each
  ///     run.
  package init(
    _ name: String, bound: Int = 3, reusesMemory: Bool = false, timesEndEarly: Bool = true,
    _ body: @escaping @Sendable (Run) -> Void
  ) {
    self.name = name
    self.bound = bound
    self.reusesMemory = reusesMemory
    self.timesEndEarly = timesEndEarly
    self.body = body
  }
}

/// A moment of a run, as one of its threads sees it.
package struct Moment {
  /// Which one, where all threads have one time.
  let turn: Int?
  let thread: Int
  let clock: Clock

  /// Whether it comes before another one: by the clock on the wall, or in a memory where there is none by what the
  /// other's thread knows.
  package func precedes(_ other: Moment) -> Bool {
    if let turn, let otherTurn = other.turn { return turn < otherTurn }
    return isKnown(at: other)
  }

  /// Whether the thread of another moment knows of it then.
  func isKnown(at other: Moment) -> Bool { other.clock[thread] >= clock[thread] }
}

/// One run of a program: what its threads do, and what must hold when they have ended.
///
/// Four threads at most are declared with ``thread(_:mayFreeze:_:)`` while the run is set up, and begin when that is
/// over.
/// Everything that they share is made anew for each run. A check that fails ends the run, and is reported with the
/// schedule that led there.
public final class Run {
  private let tally: Tally
  private var checks: [() -> Void] = []
  private var lastChecks: [() -> Void] = []
  private var kept: [AnyObject] = []

  init(_ tally: Tally) { self.tally = tally }

  /// Adds a thread, four at most.
  ///
  /// - Parameters:
  ///   - name: What the schedule calls it.
  ///   - mayFreeze: Whether it may stop before any step, and goes on only when all others have ended, as if the system
  ///     did not let it run: if one of these waits for it, the run fails. What is lock-free passes.
  ///   - body: What it does.
  public func thread(_ name: String, mayFreeze: Bool = false, _ body: @escaping () -> Void) {
    machine.add(name, mayFreeze: mayFreeze, body)
  }

  /// Adds a look at what is left when all threads have ended. One that another look adds comes behind those that there
  /// are.
  ///
  /// - Parameter body: Looks, and says with `expect` what must be so.
  public func check(_ body: @escaping () -> Void) { checks.append(body) }

  /// Adds a look that comes behind all that `check` adds.
  func checkLast(_ body: @escaping () -> Void) { lastChecks.append(body) }

  /// Keeps an object until the checks are over, so that what has ended is freed by the end and not by the object's
  /// `deinit`.
  package func keep(_ object: AnyObject) { kept.append(object) }

  /// Fails the run if something is not so.
  ///
  /// - Parameters:
  ///   - isSo: What must be true.
  ///   - text: What to report.
  public func expect(_ isSo: Bool, _ text: @autoclosure () -> String) {
    if !isSo { machine.fail(text()) }
  }

  /// Fails the run if two things are not alike.
  ///
  /// - Parameters:
  ///   - value: What there is.
  ///   - expected: What there should be.
  ///   - what: What it is, for the report.
  public func expect<Value: Equatable>(_ value: Value, _ expected: Value, _ what: @autoclosure () -> String) {
    if value != expected { machine.fail("\(what()): \(value) instead of \(expected)") }
  }

  /// Fails the run if something is none of what it may be.
  ///
  /// - Parameters:
  ///   - value: What there is.
  ///   - allowed: What there may be.
  ///   - what: What it is, for the report.
  public func expect<Value: Equatable>(_ value: Value, in allowed: [Value], _ what: @autoclosure () -> String) {
    if !allowed.contains(value) { machine.fail("\(what()): \(value) is none of \(allowed)") }
  }

  /// A moment in which other threads may come between, in the middle of what the program does.
  ///
  /// - Parameter text: What the schedule calls it.
  public func pause(_ text: String) { inMachine { machine.pause(text) } }

  /// Waits until something is so, by means that are none of the program's: it orders nothing else. What another thread
  /// has done before it made that so may not be seen yet, and a `NonAtomic` field that it wrote is a race.
  ///
  /// - Parameter condition: Whether it is so. Asked at any moment, and changes nothing.
  /// - Returns: `false` if nobody is left to make it so.
  public func wait(until condition: @escaping () -> Bool) -> Bool { inMachine { machine.wait(until: condition) } }

  /// Like `wait`, but lets those that sleep for a time go on some times before it gives up.
  package func waitLong(until condition: @escaping () -> Bool) -> Bool {
    (0..<8).contains { _ in wait(until: condition) }
  }

  /// Plain memory that the program under test has to guard.
  package func guarded(_ name: StaticString) -> Guarded { Guarded(name, nil, nil) }

  /// An object whose life is watched: it must be freed once, and not be used afterwards.
  ///
  /// - Parameter number: Tells it from others.
  public func payload(_ number: Int = 0) -> Payload { Payload(number, tally) }

  /// Whether `heavyBarrier` works; it doesn't on every system.
  package var heavyBarrierWorks: Bool {
    get { machine.heavyBarrierWorks }
    set { machine.heavyBarrierWorks = newValue }
  }

  /// Does something before the threads start, as if one of them did it.
  package func prepare(asThread number: Int, _ body: () -> Void) {
    machine.disguise = number
    defer { machine.disguise = nil }
    body()
  }

  /// The running thread: threads count from 1, in the order in which they were added.
  package var threadNumber: Int { machine.current.number }

  /// Now, as the running thread sees it.
  package func now() -> Moment { machine.moment() }

  /// The running thread hears of a moment from whoever has lived it, as by a flag of the scenario's own.
  package func hear(of moment: Moment) { machine.hear(of: moment) }

  /// How many payloads live.
  package var livePayloads: Int { tally.live }

  func runThreads() {
    machine.run()
    // A check may add others.
    while machine.failure == nil, !checks.isEmpty || !lastChecks.isEmpty {
      let check = checks.isEmpty ? lastChecks.removeFirst() : checks.removeFirst()
      check()
    }
    checks = []
    lastChecks = []
    kept = []
  }
}

/// Counts payloads.
final class Tally {
  var live = 0
}

/// An object that knows whether it lives, and whether its user may see what its maker wrote.
public final class Payload: Equatable {
  /// Tells it from others.
  public let number: Int
  private let content: Guarded
  private var isAlive = Payload.alive
  private let tally: Tally

  private static var alive: Int { 0x600D_600D }

  init(_ number: Int, _ tally: Tally) {
    self.number = number
    self.tally = tally
    content = Guarded("payload", number, nil)
    tally.live += 1
    content.noteWrite()
  }

  deinit {
    requireAlive()
    isAlive = 0
    tally.live -= 1
  }

  /// Fails the run if the object has been freed, or came here by a way that orders nothing.
  @inline(never)
  public func use() {
    requireAlive()
    content.noteRead()
  }

  private func requireAlive() {
    if isAlive != Self.alive { machine.fail("a payload is used after it was freed") }
  }

  /// Whether two have the same number.
  public static func == (lhs: Payload, rhs: Payload) -> Bool { lhs.number == rhs.number }
}
