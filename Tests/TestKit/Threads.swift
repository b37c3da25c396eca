// Real threads that start together.

import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs a body on several threads at once and waits for all of them. No thread enters its body before all exist.
///
/// - Parameters:
///   - count: How many threads.
///   - body: Gets the thread's number, from 0. What it shares is the test's responsibility.
package func onThreads(_ count: Int, _ body: @escaping (Int) -> Void) {
  let barrier = StartBarrier(count)
  let threads = (0..<count).map { number in
    startThread {
      barrier.wait()
      body(number)
    }
  }
  for thread in threads { pthread_join(thread, nil) }
}

/// Runs different bodies at once, one thread each, and waits for all of them.
package func onThreads(_ bodies: [() -> Void]) {
  onThreads(bodies.count) { bodies[$0]() }
}

/// A thread of its own that a test waits for, though not for ever: what hangs fails, and the other tests go on.
package struct OtherThread {
  private let isDone = DispatchSemaphore(value: 0)

  /// Starts the thread.
  package init(_ body: @escaping () -> Void) {
    let isDone = isDone
    let thread = startThread {
      body()
      isDone.signal()
    }
    pthread_detach(thread)
  }

  /// Waits for the thread for two minutes, a guard against a hang and not a measure of time.
  ///
  /// - Returns: Whether it came back.
  package func comesBack() -> Bool { isDone.wait(timeout: .now() + .seconds(120)) == .success }
}

/// Lets another thread run, if one waits for this core.
package func yieldThread() { sched_yield() }

/// A count of threads that none passes before all have come.
private final class StartBarrier: Sendable {
  private let missing: Atomic<Int>

  init(_ count: Int) { missing = Atomic(count) }

  func wait() {
    missing.subtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 { yieldThread() }
  }
}

/// Lets in one thread at a time, for so short that the others may wait awake. ThreadSanitizer sees it, unlike `Mutex`.
final class SpinLock: Sendable {
  private let isTaken = Atomic(false)

  func locked<Result>(_ body: () -> Result) -> Result {
    while isTaken.exchange(true, ordering: .acquiring) { yieldThread() }
    defer { _ = isTaken.exchange(false, ordering: .releasing) }
    return body()
  }
}

private final class ThreadBody {
  let run: () -> Void
  init(_ run: @escaping () -> Void) { self.run = run }
}

private func startThread(_ body: @escaping () -> Void) -> pthread_t {
  let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?
    let result = pthread_create(
      &thread, nil,
      {
        Unmanaged<ThreadBody>.fromOpaque($0).takeRetainedValue().run(); return nil
      }, context)
    precondition(result == 0, "no thread: error \(result)")
    return thread!
  #else
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      {
        Unmanaged<ThreadBody>.fromOpaque($0!).takeRetainedValue().run()
        return nil
      }, context)
    precondition(result == 0, "no thread: error \(result)")
    return thread
  #endif
}

/// An integer that threads share.
package final class Counter: Sendable {
  private let word: Atomic<Int>

  package init(_ value: Int = 0) { word = Atomic(value) }

  /// The number as it stands.
  package var value: Int { word.load(ordering: .sequentiallyConsistent) }

  /// Adds to the number.
  ///
  /// - Returns: The number afterwards.
  @discardableResult
  package func add(_ delta: Int = 1) -> Int { word.add(delta, ordering: .sequentiallyConsistent).newValue }

  /// Replaces the number.
  package func set(_ value: Int) { _ = word.exchange(value, ordering: .sequentiallyConsistent) }

  /// Lets other threads run until the number is at least `target`.
  package func wait(for target: Int) { while value < target { yieldThread() } }
}

/// What a test shares between threads on its own responsibility.
package final class Shared<Value>: @unchecked Sendable {
  package var value: Value
  package init(_ value: Value) { self.value = value }
}
