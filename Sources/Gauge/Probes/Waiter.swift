// Runs an asynchronous body to its end from the main thread, which waits meanwhile.

import CProbes

/// The bridge from a process's `main` to a body that awaits.
enum Waiter {
  /// What a task leaves for the thread that waits for it.
  ///
  /// One thread at a time uses it: the task until it opens the latch, the waiting thread once it has seen it open. The
  /// latch's mutex orders the two. The wait destroys the latch, and only the task and the wait know of it.
  @safe private final class Handover<Input>: @unchecked Sendable {
    private let latch = unsafe probe_latch_create()
    let body: @Sendable (Input) async throws -> Void
    let input: Input
    var failure: (any Error)?

    init(body: @escaping @Sendable (Input) async throws -> Void, input: Input) {
      self.body = body
      self.input = input
    }

    func open() { unsafe probe_latch_open(latch) }
    func wait() { unsafe probe_latch_wait_and_destroy(latch) }
  }

  /// Runs `body` in a task and waits for it.
  ///
  /// - Throws: What the body throws.
  static func run<Input>(_ body: @escaping @Sendable (Input) async throws -> Void, _ input: Input) throws {
    let handover = Handover(body: body, input: input)
    Task.detached {
      do {
        try await handover.body(handover.input)
      } catch {
        handover.failure = error
      }
      handover.open()
    }
    handover.wait()
    if let failure = handover.failure { throw failure }
  }
}
