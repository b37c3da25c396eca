// The subscriber of named places in streams.
// No test file: the operator `checkpoint` is tested.

import WeirQueues

/// Stands between a publisher and a subscriber, and has values and failures come past a named place.
///
/// Like `StatelessSubscriber` it has no subscription of its own, forwards blindly, and is always inlined.
@frozen
@usableFromInline
package struct CheckpointSubscriber<Downstream: Subscriber>: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline let mark: CheckpointMark
  @usableFromInline let downstream: Downstream

  @inlinable @inline(__always)
  package init(_ mark: CheckpointMark, _ downstream: Downstream) {
    self.mark = mark
    self.downstream = downstream
  }

  @inlinable @inline(__always)
  package var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @inlinable @inline(__always)
  package func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable @inline(__always)
  package func receive(_ input: Input) -> Subscribers.Demand {
    withOnTrail(mark) { downstream.receive(input) }
  }

  @inlinable @inline(__always)
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard case .failure = completion else { return downstream.receive(completion: completion) }
    withOnTrail(mark) { downstream.receive(completion: completion) }
  }

  @usableFromInline package var description: String { "Checkpoint" }
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror {
    let children: [Mirror.Child] = [("name", mark.name), ("file", mark.file), ("line", mark.line)]
    return Mirror(of: self, children: children)
  }
}
