// An executor that counts how often tasks come to it.

import Dispatch

/// Runs jobs on a queue of its own, one after the other, and counts them: a task that leaves an actor and comes back is
/// one more.
package final class CountingExecutor: SerialExecutor {
  /// How many jobs there were.
  package let jobs = Counter()
  private let queue = DispatchQueue(label: "CountingExecutor")

  /// Creates an executor without jobs.
  package init() {}

  /// Runs a job when those before it have run.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.add()
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// This executor for an actor.
  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// An actor whose tasks are counted.
package actor CountedActor {
  private let executor = CountingExecutor()

  /// Creates an actor that no task has come to.
  package init() {}

  /// The actor's executor.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Does something on the actor.
  ///
  /// - Parameter body: What to do there.
  /// - Returns: How often its task came back to the actor meanwhile.
  package func returns(during body: @Sendable (isolated CountedActor) async throws -> Void) async rethrows -> Int {
    let before = executor.jobs.value
    try await body(self)
    return executor.jobs.value - before
  }
}
