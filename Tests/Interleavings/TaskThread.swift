// A task on a simulated thread: what it awaits is awaited by the runtime, and it goes on where the scenario says.

import WeirQueues
import WeirVerify

/// Runs the jobs of one task on the simulated thread that calls `run`.
///
/// A scenario has one at most: the simulated threads are one to the runtime, which notes for each the task that runs.
/// Nobody may cancel the task itself, as the runtime has a lock of its own for that, which the machine doesn't know.
final class TaskThread: TaskExecutor, @unchecked Sendable {
  // All simulated threads are one.
  /// With when they were made: whoever runs a job comes behind that, with every executor.
  private var jobs: [(since: Moment?, job: UnownedJob)] = []
  private var scenario: Run?

  func enqueue(_ job: consuming ExecutorJob) { jobs.append((scenario?.now(), UnownedJob(job))) }

  /// Runs a task to its end; fails the run if nobody resumes it.
  func run(_ run: Run, _ body: @escaping () async -> Void) {
    scenario = run
    let isOver = Held(false)
    let task = Unchecked { () async -> Void in
      await body()
      isOver.value = true
    }
    Task.detached(executorPreference: self) { await task.value() }
    while !isOver.value {
      guard run.wait(until: { !self.jobs.isEmpty }) else { return run.expect(false, "nobody resumes the task") }
      let (since, job) = jobs.removeFirst()
      if let since { run.hear(of: since) }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
