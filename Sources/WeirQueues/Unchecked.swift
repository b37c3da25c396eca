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
