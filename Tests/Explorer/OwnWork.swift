// Work of the explorer's own in the middle of a run: neither its memory nor what it releases is the program's.

import CExplorer

/// Whether such work is under way.
nonisolated(unsafe) private(set) var isOwnWork = false

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
