// A queue of limited length: what happens to an element that finds it full.

import WeirQueues

/// What became of an element that was offered to a queue of limited length.
@frozen
@usableFromInline
enum Offer<Element> {
  /// It is the last one of the queue, which is longer by one.
  case kept
  /// It is not in the queue.
  case dropped
  /// It is the last one of the queue, and this is no longer in it. To be freed when no lock is held and nothing is
  /// accessed: its `deinit` may be user code.
  case replaced(Element)
  /// It is not in the queue, and the stream is to fail.
  case failed
}

extension RingBuffer {
  /// Adds an element at the end, if there is room or room is made.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - limit: The most elements.
  ///   - whenFull: What happens where there are as many.
  @inlinable @inline(__always)
  mutating func offer<Failure>(
    _ element: Element, limit: Int, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Offer<Element> {
    guard count >= limit else {
      append(element)
      return .kept
    }
    switch whenFull {
    case .dropNewest: return .dropped
    case .dropOldest:
      guard let oldest = popFirst() else { return .dropped }
      append(element)
      return .replaced(oldest)
    case .customError: return .failed
    }
  }
}
