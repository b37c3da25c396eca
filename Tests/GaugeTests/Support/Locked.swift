// A value behind a lock that ThreadSanitizer knows: of `Mutex` it tells races that are none.

import Foundation

/// A value that several threads change in turn.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  /// Runs a body with the value, alone.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}
