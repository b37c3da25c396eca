// Work of the explorer's own in the middle of a run: neither its memory nor what it releases is the program's.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

import CExplorer

/// Whether such work is under way.
var isOwnWork: Bool {
  // SAFETY: the simulated threads are all one, and there is one exploration at a time.
  get { unsafe isUnderWay }
  set { unsafe isUnderWay = newValue }
}

nonisolated(unsafe) private var isUnderWay = false

/// Does something that is no part of the program.
func ours<Result>(_ body: () -> Result) -> Result {
  let counts = explorer_heap_pause()
  let wasOwnWork = isOwnWork
  isOwnWork = true
  defer {
    isOwnWork = wasOwnWork
    explorer_heap_resume(counts)
  }
  return body()
}

/// Does something that a thread of the program asks the machine for. What the thread releases there is none of the
/// program's; other threads may run meanwhile.
func inMachine<Result>(_ body: () -> Result) -> Result {
  let thread = machine.current
  let was = thread.isInMachine
  thread.isInMachine = true
  defer { thread.isInMachine = was }
  return body()
}
