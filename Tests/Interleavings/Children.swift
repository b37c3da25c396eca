// Work in several child processes at a time, results in order.

import WeirVerify

/// Does pieces of work in children, several at a time.
///
/// - Parameters:
///   - count: How many pieces there are.
///   - parallel: How many children there are at a time.
///   - seconds: How much processor time a child may take.
///   - work: Does a piece, in a child.
///   - done: Told of each child's end, in the order of the pieces.
func inChildren(
  _ count: Int, parallel: Int, seconds: UInt32, work: (Int, Region) -> Void, done: (Int, Ended) -> Void
) {
  var running: [Int32: (piece: Int, child: Child)] = [:]
  var ended: [Int: Ended] = [:]
  var started = 0, told = 0
  while told < count {
    while started < count, running.count < parallel {
      let child = Child(seconds: seconds) { work(started, $0) }
      running[child.number] = (started, child)
      started += 1
    }
    let (number, code) = waitForChild()
    let former = running.removeValue(forKey: number)!
    ended[former.piece] = former.child.ended(code)
    while let next = ended.removeValue(forKey: told) {
      done(told, next)
      next.region.free()
      told += 1
    }
  }
}
