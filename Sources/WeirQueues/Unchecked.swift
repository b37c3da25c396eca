// Carries a value to another thread where the types can't show that this is right.

/// A value that goes to another thread by the contract of the code that sends it, not by its type.
///
/// Combine's schedulers take closures that are not `Sendable`, and hand them to queues that ask for it.
@frozen
@usableFromInline
package struct Unchecked<Value>: @unchecked Sendable {
  @usableFromInline package let value: Value

  @inlinable
  package init(_ value: Value) { self.value = value }
}

/// A closure that goes to another thread by the contract of the code that sends it, not by its type. It is the same
/// closure: nothing is allocated, as it would be for one around it.
package func uncheckedSendable(_ action: @escaping () -> Void) -> @Sendable () -> Void {
  // In structures, as a closure that is a generic argument itself would be wrapped, and wrapped once more on its way
  // out.
  struct Plain { let action: () -> Void }
  struct Sent { let action: @Sendable () -> Void }
  // Only the type checker knows `@Sendable`: closures with it and without it are represented the same.
  return unsafe unsafeBitCast(Plain(action: action), to: Sent.self).action
}
