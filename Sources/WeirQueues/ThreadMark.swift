// A number that each thread has of its own, for what is said to code further down the same stack.

import CMachine

/// The calling thread's mark, 0 unless it is in the body of `withThreadMark`.
@usableFromInline
package var threadMark: Int { Int(machine_mark()) }

/// Runs a body with a mark on the calling thread, which then has its former one again.
@inlinable
package func withThreadMark<Result>(_ mark: Int, _ body: () -> Result) -> Result {
  let former = exchangeThreadMark(mark)
  defer { _ = exchangeThreadMark(former) }
  return body()
}

@usableFromInline
func exchangeThreadMark(_ mark: Int) -> Int { Int(machine_exchange_mark(Int32(mark))) }
