// Who changes a state.

import WeirQueues

/// Who changes states: a task, or the thread of code that runs in none.
///
/// A change in place can be suspended, where an asynchronous method of the value waits. The task then goes on on
/// another thread perhaps, and its first thread does something else meanwhile. So what a change holds belongs to the
/// task, and the thread is only where that was last seen.
@usableFromInline
struct Changer {
  /// The identity of whoever runs here.
  @usableFromInline static var current: Int { Changer(thread: currentThreadIdentity()).identity }

  let identity: Int
  let thread: Int

  /// Whoever runs on a thread, which is the calling one.
  init(thread: Int) {
    self.thread = thread
    identity = currentTaskIdentity() ?? thread
  }

  var isTask: Bool { identity != thread }
}
