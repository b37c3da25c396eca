// Threads of one kind in a measurement of several threads at once: what each of them does, and how many there are.

/// Threads that all repeat one operation, as a part of what `BenchmarkRun.measure(_:)` measures.
///
/// Groups of different operations measure what they do to each other: publishers, subscribers and cancellers of one
/// subject, readers and writers of one lock. Each group has scores of its own.
///
/// ```swift
/// Benchmark("counter/contended", threads: .several) { run in
///   let counter = LockedCounter()
///   try run.measure(
///     ThreadGroup("writers", threads: 3) { counter.add(1) },
///     ThreadGroup("readers", threads: 1) { counter.value })
/// }
/// ```
public struct ThreadGroup {
  /// Name of the group in the names of its metrics: ASCII letters, digits and `_`.
  public let name: String
  /// How many threads it has, at least 1.
  public let threads: Int
  /// Makes what one of its threads repeats, in that thread.
  @usableFromInline let makeWorker: @Sendable (_ number: Int) -> GroupWorker

  @usableFromInline
  init(_ name: String, threads: Int, makeWorker: @escaping @Sendable (_ number: Int) -> GroupWorker) {
    self.name = name
    self.threads = threads
    self.makeWorker = makeWorker
  }

  /// A group without state: all its threads do the same.
  ///
  /// - Parameters:
  ///   - name: Name of the group: ASCII letters, digits and `_`; none twice in a measurement.
  ///   - threads: How many threads it has, at least 1.
  ///   - operation: What each of them repeats. It must end by itself: a thread that waits for another one waits for
  ///     ever once that has stopped.
  @inlinable @inline(__always)
  public init<Result>(_ name: String, threads: Int = 1, operation: @escaping @Sendable () -> Result) {
    self.init(name, threads: threads) { _ in
      StatefulWorker(()) { count, _ in
        var remaining = count
        repeat {
          blackHole(operation())
          remaining &-= 1
        } while remaining != 0
      }
    }
  }

  /// A group whose threads have a state each, such as a generator or a subscription of their own.
  ///
  /// - Parameters:
  ///   - name: Name of the group: ASCII letters, digits and `_`; none twice in a measurement.
  ///   - threads: How many threads it has, at least 1.
  ///   - state: Makes the state of a thread, in that thread and not measured, from its number in the group, which
  ///     counts from 0. It is destroyed when the measurement has ended.
  ///   - operation: What each thread repeats. It must end by itself.
  @inlinable @inline(__always)
  public init<State, Result>(
    _ name: String, threads: Int = 1, state: @escaping @Sendable (_ number: Int) -> State,
    operation: @escaping @Sendable (inout State) -> Result
  ) {
    self.init(name, threads: threads) { number in
      StatefulWorker(state(number)) { count, state in
        var remaining = count
        repeat {
          blackHole(operation(&state))
          remaining &-= 1
        } while remaining != 0
      }
    }
  }
}

extension GroupCrew {
  /// A crew of such groups.
  ///
  /// - Parameters:
  ///   - groups: The groups, in the order of their numbers.
  ///   - clock: What times operations singly.
  ///   - overhead: Ticks to subtract from each of those.
  convenience init(_ groups: [ThreadGroup], clock: TickClock = .monotonic, overhead: Double = 0) {
    self.init(
      groups.map { Members(count: $0.threads, makeWorker: $0.makeWorker) }, clock: clock, overhead: overhead)
  }
}
