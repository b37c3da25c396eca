// Which task code runs in, for what belongs to a task wherever it goes on.

import CMachine

/// The running task's identity, which no other live task or thread has; `nil` where the calling code runs in no task.
@inlinable
package func currentTaskIdentity() -> Int? {
  let identity = Int(bitPattern: machine_task_identity())
  return identity == 0 ? nil : identity
}
