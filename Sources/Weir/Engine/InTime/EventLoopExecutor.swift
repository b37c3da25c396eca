// Tasks and actors on the thread of an event loop.
// No test file: EventLoopSchedulerTests have it run tasks and actors.

/// The end of an event loop that others keep: runs tasks and actors on its thread. When nobody keeps it any more, the
/// loop ends.
package final class EventLoopExecutor: SerialExecutor, TaskExecutor {
  package let loop: EventLoop

  package init(_ loop: EventLoop) { self.loop = loop }

  deinit { loop.abandon() }

  package func enqueue(_ job: consuming ExecutorJob) { loop.submit(UnownedJob(job), of: self) }

  package func checkIsolated() {
    precondition(loop.isRunningHere, "this has to be called on the thread of its event loop")
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  package func isIsolatingCurrentContext() -> Bool? { loop.isRunningHere }
}
