// Locks that are held for too long, or by the wrong thread.

import Foundation
import Gauge
import Synchronization

/// Everybody does all of the work under one lock.
final class Ledger {
  private let lock = NSLock()

  @inline(never) func post() {
    lock.lock()
    compute(cost(20_000, of: "Ledger.post()"))
    lock.unlock()
    leave()
  }
}

/// Memory is asked for while the lock is held.
final class Arena {
  private let lock = NSLock()
  private var blocks: [[UInt8]] = []

  @inline(never) func grow() {
    lock.lock()
    for _ in 0..<cost(2, of: "Arena.grow()") {
      for size in 1...28 { blocks.append([UInt8](repeating: 1, count: size * 1024)) }
      blocks.removeAll()
    }
    lock.unlock()
    leave()
  }
}

/// What is slow is waited for while the lock is held.
final class Cache {
  private let lock = NSLock()

  @inline(never) func refresh() {
    lock.lock()
    usleep(cost(3000, of: "Cache.refresh()"))
    lock.unlock()
    leave()
  }

  @inline(never) func value() {
    lock.lock()
    lock.unlock()
  }
}

/// One lock is waited for while the other is held, which everybody needs.
final class Transfers {
  private let accounts = NSLock()
  private let journal = NSLock()
  let hasJournal = DispatchSemaphore(value: 0)

  @inline(never) func audit() {
    journal.lock()
    hasJournal.signal()
    compute(cost(12 * quarter, of: "Transfers.audit()"))
    journal.unlock()
    leave()
  }

  @inline(never) func move() {
    accounts.lock()
    journal.lock()
    journal.unlock()
    accounts.unlock()
  }

  @inline(never) func balance() {
    accounts.lock()
    accounts.unlock()
  }
}

/// A lock of the standard library's.
final class Tally: Sendable {
  private let sum = Mutex(0)

  @inline(never) func add() {
    sum.withLock { sum in
      compute(cost(20_000, of: "Tally.add()"))
      sum += 1
    }
  }
}

/// Whoever writes waits for those who read.
final class Settings {
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
  let isRead = DispatchSemaphore(value: 0)

  init() { pthread_rwlock_init(lock, nil) }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  @inline(never) func read() {
    pthread_rwlock_rdlock(lock)
    isRead.signal()
    compute(cost(12 * quarter, of: "Settings.read()"))
    pthread_rwlock_unlock(lock)
    leave()
  }

  @inline(never) func reload() {
    pthread_rwlock_wrlock(lock)
    pthread_rwlock_unlock(lock)
  }
}

/// What matters most waits for what matters least, which waits for what matters somewhat.
final class Inversion {
  let resource = NSLock()
  let isTaken = DispatchSemaphore(value: 0)
  let turn = DispatchSemaphore(value: 0)
}

struct Low {
  let shared: Inversion

  @inline(never) func update() {
    shared.resource.lock()
    shared.isTaken.signal()
    shared.turn.wait()
    shared.resource.unlock()
  }
}

struct Medium {
  let shared: Inversion

  @inline(never) func run() {
    compute(cost(12 * quarter, of: "Medium.run()"))
    shared.turn.signal()
    leave()
  }
}

struct High {
  let shared: Inversion

  @inline(never) func run() {
    shared.isTaken.wait()
    shared.resource.lock()
    shared.resource.unlock()
  }
}

@BenchmarkBuilder var lockBenchmarks: [Benchmark] {
  Benchmark("waits/lock-convoy", threads: .several) { run in
    let ledger = Ledger()
    run.measure {
      let body = { for _ in 0..<200 { ledger.post() } }
      atOnce(body, body, body, body)
    }
  }
  Benchmark("waits/allocation-under-lock", threads: .several) { run in
    let arena = Arena()
    run.measure {
      let body = { for _ in 0..<200 { arena.grow() } }
      atOnce(body, body, body, body)
    }
  }
  Benchmark("waits/sleep-under-lock", threads: .several) { run in
    let cache = Cache()
    run.measure {
      atOnce({ cache.refresh() }, { for _ in 0..<3 { cache.value() } })
    }
  }
  Benchmark("waits/nested-locks", threads: .several) { run in
    run.measure {
      let transfers = Transfers()
      let audit = begin { transfers.audit() }
      transfers.hasJournal.wait()
      let move = begin { transfers.move() }
      transfers.balance()
      for thread in [move, audit] { pthread_join(thread, nil) }
    }
  }
  Benchmark("waits/swift-mutex", threads: .several) { run in
    let tally = Tally()
    run.measure {
      let body = { for _ in 0..<200 { tally.add() } }
      atOnce(body, body, body, body)
    }
  }
  Benchmark("waits/readers-block-writer", threads: .several) { run in
    run.measure {
      let settings = Settings()
      let reader = begin { settings.read() }
      settings.isRead.wait()
      settings.reload()
      pthread_join(reader, nil)
    }
  }
  Benchmark("waits/priority-inversion", threads: .several) { run in
    run.measure {
      let shared = Inversion()
      let others = [begin { Low(shared: shared).update() }, begin { Medium(shared: shared).run() }]
      High(shared: shared).run()
      for thread in others { pthread_join(thread, nil) }
    }
  }
}
