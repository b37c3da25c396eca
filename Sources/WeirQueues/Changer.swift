// Who changes a state, and who waits.

/// Who changes states, or waits: a task, or the thread of code that runs in none.
///
/// A change in place can be suspended, where an asynchronous method of the value waits. The task then goes on on
/// another thread perhaps, and its first thread does something else meanwhile. So what a change holds belongs to the
/// task, and the thread is only where that was last seen.
@frozen
@usableFromInline
package struct Changer {
  /// The identity of whoever runs here.
  @inlinable package static var current: Int { Changer(thread: currentThreadIdentity()).identity }

  @usableFromInline package let identity: Int
  @usableFromInline package let thread: Int

  @inlinable
  package init(identity: Int, thread: Int) {
    self.identity = identity
    self.thread = thread
  }

  /// Whoever runs on a thread, which is the calling one.
  @inlinable
  package init(thread: Int) { self.init(identity: currentTaskIdentity() ?? thread, thread: thread) }

  @inlinable package var isTask: Bool { identity != thread }
}
