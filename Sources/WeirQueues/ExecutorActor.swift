// An actor for work on an executor that has none.
// No test file: ActorSchedulerTests have it run what is scheduled on an executor.

/// An actor that is nothing but its executor's.
package actor ExecutorActor {
  private let executor: any SerialExecutor

  /// - Parameter executor: Runs what is isolated to the actor; it is kept as long as that is.
  package init(_ executor: any SerialExecutor) { self.executor = executor }

  // SAFETY: the actor keeps the executor.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
}
