// Which task code runs in, for what belongs to a task wherever it goes on.

/// The running task's identity, which no other live task has; `nil` where the calling code runs in no task.
@usableFromInline
package func currentTaskIdentity() -> Int? {
  // The hash is made from the task's address: that two live tasks share one is as likely as to guess 64 bits.
  unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue }
}
