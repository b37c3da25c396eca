// The loop of a scheduler: what is added runs, once, also where its thread falls asleep meanwhile, and the loop ends.

import Weir
import WeirVerify

let eventLoopScenarios = [
  // Each addition finds the thread awake, asleep, or on its way.
  Scenario("event-loop/wake", bound: 3) { run in
    let loop = ScenarioLoop(run)
    run.thread("loop") { loop.loop.run() }
    run.thread("sender") {
      (1...2).forEach { loop.add($0) }
      loop.free()
    }
    run.check { loop.expect([1, 2]) }
  },
  Scenario("event-loop/two-senders", bound: 2) { run in
    let loop = ScenarioLoop(run, users: 2)
    run.thread("loop") { loop.loop.run() }
    for number in 1...2 {
      run.thread("sender \(number)") {
        loop.add(number * 10)
        loop.free()
      }
    }
    run.check { loop.expect([10, 20]) }
  },
  // The date comes while the thread sleeps, or looks.
  Scenario("event-loop/date", bound: 2) { run in
    let loop = ScenarioLoop(run)
    run.thread("loop") { loop.loop.run() }
    run.thread("sender") {
      loop.add(1, at: 4)
      loop.add(2)
      loop.free()
    }
    run.check { loop.expect([1, 2]) }
  },
  // What was added before is run before the call returns, if it is taken at all.
  Scenario("event-loop/shut-down", bound: 2) { run in
    let loop = ScenarioLoop(run)
    loop.add(1)
    run.thread("loop") { loop.loop.run() }
    run.thread("sender") { loop.add(2) }
    run.thread("closer") { loop.loop.shutDown() }
    run.check {
      run.expect(loop.numbers, in: [[1], [1, 2]], "run")
      loop.free()
    }
  },
  Scenario("event-loop/two-closers", bound: 2) { run in
    let loop = ScenarioLoop(run)
    loop.add(1)
    run.thread("loop") { loop.loop.run() }
    for number in 1...2 { run.thread("closer \(number)") { loop.loop.shutDown() } }
    run.check {
      loop.expect([1])
      loop.free()
    }
  },
  // Nobody can add anything, and what is waited for is cancelled.
  Scenario("event-loop/cancelled-date", bound: 2) { run in
    let loop = ScenarioLoop(run)
    let work = ScheduledWork { run.expect(false, "ran what is due after all") }
    loop.loop.perform(at: .max - 1, every: 1, work)
    run.thread("loop") { loop.loop.run() }
    run.thread("owner") { loop.free() }
    run.thread("canceller") {
      work.drop()
      loop.loop.noteDropped()
    }
    run.check { loop.expect([]) }
  },
  Scenario("event-loop/added-and-cancelled", bound: 2) { run in
    let loop = ScenarioLoop(run)
    run.thread("loop") { loop.loop.run() }
    run.thread("owner") {
      let work = ScheduledWork { run.expect(false, "ran what is due after all") }
      loop.loop.perform(at: .max - 1, every: 1, work)
      work.drop()
      loop.loop.noteDropped()
      loop.free()
    }
    run.check { loop.expect([]) }
  },
]

/// A loop that never spins, in a time that passes whenever it looks.
private final class ScenarioLoop {
  let loop: EventLoop
  private(set) var numbers: [Int] = []
  private var executor: EventLoopExecutor?
  private var users: Int
  private let run: Run

  /// - Parameter users: How many have to free the loop for its end.
  init(_ run: Run, users: Int = 1) {
    var time = 0
    loop = EventLoop(spinningFor: 0) {
      time += 1
      return time
    }
    executor = EventLoopExecutor(loop)
    self.users = users
    self.run = run
  }

  /// Adds an action, or a work with a date.
  func add(_ number: Int, at date: Int? = nil) {
    let payload = run.payload(number)
    let action = {
      payload.use()
      self.numbers.append(payload.number)
    }
    if let date { loop.perform(at: date, ScheduledWork(action)) } else { loop.perform(action) }
  }

  /// Lets go of the loop.
  func free() {
    users -= 1
    if users == 0 { executor = nil }
  }

  /// Expects that just these were run.
  func expect(_ expected: [Int]) { run.expect(numbers.sorted(), expected, "run") }
}
