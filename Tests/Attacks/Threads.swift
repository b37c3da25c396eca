// Threads of an attack.

import CAttacks
import WeirQueues

/// A running thread.
struct Runner {
  private let thread: UnsafeMutableRawPointer

  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  init(_ body: @escaping () -> Void) {
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    thread = attack_start({ Unmanaged<Body>.fromOpaque($0!).takeRetainedValue().run() }, context)
  }

  func join() { attack_join(thread) }
}

/// A moment that threads wait for together.
final class Barrier {
  private let missing: Count

  init(_ count: Int) { missing = Count(count) }

  func wait() {
    missing.add(-1)
    while missing.value > 0 { yieldToOthers() }
  }
}

/// Runs a body on several threads that start together, and waits for them.
func onThreads(_ count: Int, _ body: @escaping (Int) -> Void) {
  let barrier = Barrier(count)
  let runners = (0..<count).map { number in
    Runner {
      barrier.wait()
      body(number)
    }
  }
  for runner in runners { runner.join() }
}

/// What threads share on their own responsibility.
final class Box<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}
