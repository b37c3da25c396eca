// A thread for tests of what blocks: Swift's concurrency has few threads,
// and a test that blocks one may wait for itself.

import Foundation

/// Runs `body` on a thread of its own.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result(catching: body)) }.start()
  }
}
