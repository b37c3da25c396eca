// Threads that send together: started before measuring, released by a barrier in every operation.

import Dispatch
import WeirQueues

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A number of threads that run a body together, round after round. A round allocates nothing.
///
/// Waking a thread takes microseconds, so those that are awake spin at a barrier until all are: the bodies start
/// together however many threads there are. Rounds should be long against a wake-up.
final class SenderThreads: Sendable {
  private let starts: [DispatchSemaphore]
  private let hasFinished = DispatchSemaphore(value: 0)
  // Threads that ever came to the barrier, and that ever finished a round.
  private let arrivals = AtomicWord(0)
  private let finishes = AtomicWord(0)
  private let isOver = AtomicWord(0)

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - count: How many threads.
  ///   - body: What a thread does in a round, given its number from 0.
  init(_ count: Int, body: @escaping (Int) -> Void) {
    starts = (0..<count).map { _ in DispatchSemaphore(value: 0) }
    let body = Unchecked(body)
    for number in 0..<count {
      // A queue whose block never ends is a thread of its own.
      DispatchQueue(label: "sender \(number)").async { self.runRounds(number, body.value) }
    }
  }

  /// Runs one round, and returns when every thread has finished it.
  func runRound() {
    for start in starts { start.signal() }
    hasFinished.wait()
  }

  /// Ends the threads.
  func end() {
    isOver.publish(1)
    runRound()
  }

  private func runRounds(_ number: Int, _ body: (Int) -> Void) {
    var round = 0
    var isLast = false
    while !isLast {
      starts[number].wait()
      isLast = isOver.acquireLoad() != 0
      round += 1
      _ = arrivals.add(1)
      waitUntil(arrivals, reaches: round * starts.count)
      if !isLast { body(number) }
      if finishes.add(1) == round * starts.count - 1 { hasFinished.signal() }
    }
  }
}

/// A wait for another thread that spins, and gives the core away where the other does not seem to be running.
struct Spinner {
  private var backoff = Backoff()

  /// Waits for a moment.
  mutating func wait() {
    guard !backoff.spin() else { return }
    sched_yield()
    backoff = Backoff()
  }
}

/// Spins until a counter has reached a value.
func waitUntil(_ counter: borrowing AtomicWord, reaches value: Int) {
  var spinner = Spinner()
  while counter.acquireLoad() < value { spinner.wait() }
}

/// A count that one thread raises and another waits for.
final class ArrivalCounter: Sendable {
  let count = AtomicWord(0)

  /// Raises the count.
  func arrive() { _ = count.add(1) }

  /// Waits for a count.
  func wait(for value: Int) { waitUntil(count, reaches: value) }
}

/// Does something until this thread owns every gate on the way, and then once on another thread: the gates are shared
/// from then on.
func share(_ action: @escaping () -> Void) {
  for _ in 0..<100 { action() }
  let body = Unchecked(action)
  let isDone = DispatchSemaphore(value: 0)
  let never = DispatchSemaphore(value: 0)
  DispatchQueue(label: "share").async {
    body.value()
    isDone.signal()
    // The thread sleeps from now on, and retains and releases nothing on its way there: this may be while something is
    // counted. One that ended would free its memory then.
    never.wait()
  }
  isDone.wait()
}
