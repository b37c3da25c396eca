// Whether the running task is cancelled, asked for each value.
// No test file: `PullSubscriberTests` and `ChannelTests` cancel tasks.

import CMachine

/// Whether there is a running task, and it is cancelled.
///
/// `Task.isCancelled` says the same, and retains and releases the task: two atomic operations of five for a value.
@inlinable @inline(__always)
package func isTaskCancelled() -> Bool { machine_task_is_cancelled() != 0 }
