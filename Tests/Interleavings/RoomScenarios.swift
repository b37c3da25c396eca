// A loop that starts handlers as long as there is room for them, and handlers that end meanwhile.

import WeirQueues
import WeirVerify

let roomScenarios = [
  // Whoever ends lets the loop go on: it waits for each of them in turn.
  Scenario("room/one-at-a-time", bound: 3) { run in
    let handlers = Handlers(run, atOnce: 1)
    run.thread("loop") { handlers.start(3) }
    for number in 1...2 { run.thread("handler \(number)") { handlers.end(afterStartOf: number) } }
    run.check { run.expect(handlers.started, 3, "started") }
  },
  // Two end at the same time while the loop waits: one of them lets it go on, the other's room is there for later.
  Scenario("room/two-at-once", bound: 2) { run in
    let handlers = Handlers(run, atOnce: 2)
    run.thread("loop") { handlers.start(4) }
    for number in 1...2 { run.thread("handler \(number)") { handlers.end(afterStartOf: 2) } }
    run.check { run.expect(handlers.started, 4, "started") }
  },
]

/// Handlers that threads of the scenario end.
private final class Handlers {
  private(set) var started = 0
  /// When each of them was: whoever ends it comes behind that.
  private var starts: [Moment] = []
  private var ended = 0
  private let limit: Int
  private let room: Room
  private let run: Run

  init(_ run: Run, atOnce limit: Int) {
    self.run = run
    self.limit = limit
    room = Room(for: limit)
  }

  /// Starts so many in a task, and fails the run where more are under way than may be, or nobody lets it go on.
  func start(_ count: Int) {
    TaskThread().run(run) {
      for _ in 0..<count {
        await self.room.take()
        self.started += 1
        self.starts.append(self.run.now())
        self.run.expect(self.started - self.ended <= self.limit, "too many are under way")
      }
    }
  }

  /// Ends one, once so many have been started.
  func end(afterStartOf count: Int) {
    guard run.wait(until: { self.started >= count }) else { return run.expect(false, "nobody was started") }
    run.hear(of: starts[count - 1])
    ended += 1
    room.giveBack()
  }
}
