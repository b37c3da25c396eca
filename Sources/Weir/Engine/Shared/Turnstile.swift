// Tells two threads that call one subscriber at once.

import WeirQueues

/// Who is in a subscriber whose state calls at once would spoil, where the publisher may break its contract.
///
/// `word` is 0 if the publisher is one of Weir's, which call serially; otherwise `free`, or the identity of the thread
/// that is in. It costs others than foreign publishers one look.
@usableFromInline
package struct Turnstile: ~Copyable {
  @usableFromInline static var free: Int { 1 }

  @usableFromInline let word = AtomicWord(1)

  @inlinable
  package init() {}

  /// Whether calls have to pass.
  @inlinable @inline(__always)
  package var isWatched: Bool { word.relaxedLoad() != 0 }

  /// Watches no longer, if the subscription is one of a publisher of Weir's.
  @inlinable
  package borrowing func trust(_ subscription: any Subscription) {
    if !Link.isForeign(subscription) { _ = word.compareExchange(expected: Self.free, desired: 0) }
  }

  /// Ends the program with a message, in release builds, too: what is at stake is memory.
  @usableFromInline @inline(never)
  static func refuse(_ name: StaticString) -> Never {
    fatalError("API violation: \(name) received values or a completion from two threads at once\(CheckpointTrail.text)")
  }

  /// Runs `body`; traps if another thread is doing so.
  @inlinable
  package borrowing func pass<Result>(_ name: StaticString, _ body: () -> Result) -> Result {
    let me = currentThreadIdentity()
    let (isIn, former) = word.compareExchange(expected: Self.free, desired: me)
    if !isIn, former != me, former != 0 { Self.refuse(name) }
    let result = body()
    if isIn { word.publish(Self.free) }
    return result
  }
}
