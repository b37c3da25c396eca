// Changes in what threads share: what they wait for, or pass from core to core.

import Foundation
import Gauge
import Synchronization

@BenchmarkBuilder var threadBenchmarks: [Benchmark] {
  Benchmark("sampled/false-sharing", threads: .several) { run in
    let lanes = Lanes()
    try run.measure(.lane("first", lanes, 0), .lane("second", lanes, 1))
  }
  Benchmark("sampled/lock-granularity", threads: .several) { run in
    let shards = Shards()
    try run.measure(.shard("first", shards, 0), .shard("second", shards, 1))
  }
  Benchmark("sampled/held-too-long", threads: .several) { run in
    let journal = Journal()
    try run.measure(threads: 2) { journal.publish() }
  }
  Benchmark("sampled/shared-counter", threads: .several) { run in
    let counters = Counters()
    try run.measure(.counter("first", counters, 0), .counter("second", counters, 1))
  }
}

extension ThreadGroup {
  static func lane(_ name: String, _ lanes: Lanes, _ number: Int) -> ThreadGroup {
    ThreadGroup(name, threads: 1) { lanes.bump(number) }
  }

  static func shard(_ name: String, _ shards: Shards, _ number: Int) -> ThreadGroup {
    ThreadGroup(name, threads: 1) { shards.record(number) }
  }

  static func counter(_ name: String, _ counters: Counters, _ number: Int) -> ThreadGroup {
    ThreadGroup(name, threads: 1) { counters.count(number) }
  }
}

/// Words that lie on one line, or on two.
final class Lanes: @unchecked Sendable {
  private let words = UnsafeMutablePointer<Int>.allocate(capacity: 64)
  private let distance = choice(32, regressed: 1)

  init() { words.initialize(repeating: 0, count: 64) }
  deinit { words.deallocate() }

  @inline(never) func bump(_ number: Int) -> Int {
    let word = words + number * distance
    for _ in 0..<1000 { word.pointee = opaque(word.pointee &+ 1) }
    return word.pointee
  }
}

/// A lock for each part, or one for all.
final class Shards: Sendable {
  private let first = Mutex(0)
  private let second = Mutex(0)
  private let isOne = choice(false, regressed: true)

  @inline(never) func record(_ number: Int) -> Int {
    if number == 0 || isOne { return first.withLock { work(&$0) } }
    return second.withLock { work(&$0) }
  }

  private func work(_ sum: inout Int) -> Int {
    for value in 0..<3000 { sum = opaque(sum ^ value) }
    return sum
  }
}

/// What is computed before the lock is taken, or while it is held.
final class Journal: Sendable {
  private let entries = Mutex(0)

  @inline(never) func publish() -> Int {
    #if REGRESSED
      entries.withLock { entries in
        entries &+= prepare()
        return entries
      }
    #else
      let entry = prepare()
      return entries.withLock { entries in
        entries &+= entry
        return entries
      }
    #endif
  }

  @inline(__always) private func prepare() -> Int {
    var sum = 0
    for value in 0..<3000 { sum = opaque(sum ^ value) }
    return sum
  }
}

/// A counter for each thread, or one for all.
final class Counters: Sendable {
  private let first = Atomic(0)
  private let padding = Padding()
  private let second = Atomic(0)
  private let isOne = choice(false, regressed: true)

  @inline(never) func count(_ number: Int) -> Int {
    for _ in 0..<1000 {
      if number == 0 || isOne {
        first.add(1, ordering: .relaxed)
      } else {
        second.add(1, ordering: .relaxed)
      }
    }
    return first.load(ordering: .relaxed)
  }
}

/// Keeps its neighbours on lines of their own.
struct Padding {
  let words: InlineArray<16, Int> = InlineArray(repeating: 0)
}
