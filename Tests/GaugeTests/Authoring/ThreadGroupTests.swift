// Groups of threads: what their operations see.

import Testing

@testable import Gauge

@Suite struct ThreadGroupTests {
  @Test func aWorkerRepeatsItsOperation() {
    let count = Locked(0)
    let group = ThreadGroup("a", threads: 2) { count.withLock { $0 += 1 } }
    #expect(group.name == "a" && group.threads == 2)
    group.makeWorker(0).run(5)
    group.makeWorker(1).run(1)
    #expect(count.withLock { $0 } == 6)
  }

  @Test func eachThreadHasItsState() {
    let sums = Locked<[Int]>([])
    let group = ThreadGroup("a", threads: 2, state: { $0 * 100 }) { state in
      state += 1
      sums.withLock { [state] in $0.append(state) }
    }
    let workers = [group.makeWorker(0), group.makeWorker(1)]
    workers[1].run(2)
    workers[0].run(1)
    workers[1].run(1)
    #expect(sums.withLock { $0 } == [101, 102, 1, 103])
  }
}
