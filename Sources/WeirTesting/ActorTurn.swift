// How a scheduler of tests waits for tasks of its caller's actor, and for those of the pool.
// No test file: TestScheduler+ClockTests moves clocks on actors with all kinds of tasks.

import WeirQueues

/// How long is waited for what may never come.
struct Patience {
  private let end: ContinuousClock.Instant

  init(_ time: Duration = .seconds(5)) { end = .now + time }

  var isOver: Bool { ContinuousClock.now >= end }
}

/// How long is waited, at least, for tasks that have been woken from a sleep.
struct WakeLimits: Sendable {
  /// Turns of the actor and the pool in each of which they may go on.
  var turns = 150
  /// How often that is, where they go on and others are woken.
  var rounds = 3
  /// The shortest time that a round takes while nobody goes on, and that all of them take together.
  var time: Duration = .seconds(5)
}

/// The actors that were waited for in vain, and have not been idle since.
final class BusyActors: Sendable {
  /// What is waited for in vain keeps its actor until its turn comes, and takes it out then.
  private let actors = Lock<Set<ObjectIdentifier>>([])

  func contain(_ actor: any Actor) -> Bool { actors.withLock { $0.contains(ObjectIdentifier(actor)) } }

  func insert(_ actor: any Actor) { actors.withLock { _ = $0.insert(ObjectIdentifier(actor)) } }

  func remove(_ actor: any Actor) { actors.withLock { _ = $0.remove(ObjectIdentifier(actor)) } }
}

/// A wait for a task's turn on its actor.
final class ActorTurn: Sendable {
  private let continuation: Lock<CheckedContinuation<Void, Never>?>

  private init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Lock(continuation) }

  /// Waits for the turn of a task that is as little urgent as can be.
  static func wait(_ busyActors: BusyActors, isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation { continuation in
      let turn = ActorTurn(continuation)
      let isBusy = isolation.map { busyActors.contain($0) } ?? false
      if !isBusy {
        // It runs on the actor of the caller, as it captures that.
        _ = Task(priority: .background) {
          turn.end()
          if let isolation { busyActors.remove(isolation) }
        }
      }
      if let isolation { turn.end(after: isBusy ? 1 : 100, to: isolation, busyActors) }
    }
  }

  /// Ends the wait, unless it has ended.
  ///
  /// - Parameter work: What is done before, if it has not ended.
  private func end(after work: () -> Void = {}) {
    let waiting = continuation.withLock { continuation in
      if continuation != nil { work() }
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume()
  }

  private var isOver: Bool { continuation.withLock { $0 == nil } }

  /// Ends the wait after a number of visits to the actor, which is a busy one then: once it has nothing more urgent to
  /// do than a visit, what is waited for is next, behind what is as little urgent. So it has some time for that between
  /// two visits.
  private func end(after visits: Int, to actor: any Actor, _ busyActors: BusyActors) {
    let priority = Task.currentPriority
    _ = Task.detached(priority: .background) { [weak actor] in
      let patience = Patience()
      for visit in 1...visits {
        if self.isOver { return }
        if let actor { await Task.detached(priority: priority) { await Self.visit(actor) }.value }
        if self.isOver { return }
        guard visit < visits, visit < 40 || !patience.isOver else { break }
        try? await Task.sleep(for: .milliseconds(20))
      }
      self.end { if visits > 1, let actor { busyActors.insert(actor) } }
    }
  }

  private static func visit(_ actor: isolated any Actor) {}
}

/// A wait for a turn of the pool's threads.
final class PoolTurn: Sendable {
  private let left: Lock<Int>
  private let continuation: CheckedContinuation<Void, Never>

  private init(_ count: Int, _ continuation: CheckedContinuation<Void, Never>) {
    left = Lock(count)
    self.continuation = continuation
  }

  /// Waits for a task of each urgency: it mostly comes behind those that are as urgent and ready.
  static func wait(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation { continuation in
      let priorities = [TaskPriority.high, .medium, .low, .background]
      let turn = PoolTurn(priorities.count, continuation)
      for priority in priorities { _ = Task.detached(priority: priority) { turn.endOne() } }
    }
  }

  private func endOne() {
    let isLast = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isLast { continuation.resume() }
  }
}
