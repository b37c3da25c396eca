// A bound for the values that are handed over to the thread that delivers.

import WeirQueues

/// Values that wait for the thread that delivers, where no more than so many may.
///
/// Each is one signal in the gate's queue, which says no more than that there is a value here. So the oldest value can
/// be dropped without taking it out of a queue that only the holder of the gate may take from: its signal stands for
/// the next.
@usableFromInline
package final class HandOverBound<Output, Failure: Error> {
  /// A value and, where the subject keeps its newest, its place among all that were stored.
  @frozen
  @usableFromInline
  struct Entry {
    @usableFromInline let value: Output
    @usableFromInline let version: Int

    @inlinable
    init(value: Output, version: Int) { (self.value, self.version) = (value, version) }
  }

  @usableFromInline let limit: Int
  @usableFromInline let whenFull: Publishers.BufferingStrategy<Failure>
  @usableFromInline let lock = SpinLock()
  /// Changed together with the gate's queue: there is one signal for each value. SAFETY (exclusivity): both
  /// are touched under `lock`.
  @safe @exclusivity(unchecked) @usableFromInline var entries = RingBuffer<Entry>()
  /// Whether the end waits behind the values: later ones have no place.
  @safe @exclusivity(unchecked) @usableFromInline var isClosed = false

  /// Creates an empty one.
  ///
  /// - Parameters:
  ///   - limit: How many values may wait; at least 1.
  ///   - whenFull: What happens to a value that finds no room.
  @inlinable
  package init(limit: Int, whenFull: Publishers.BufferingStrategy<Failure>) {
    precondition(limit > 0, "the limit of handed-over values is \(limit), but must be at least 1")
    self.limit = limit
    self.whenFull = whenFull
  }
}

extension SubjectCore {
  /// Leaves a value to the holder of the gate, if there is room.
  @inlinable @inline(never)
  func handOver(_ value: Output, to bound: HandOverBound<Output, Failure>) {
    var dropped: Output?
    perform(.value(value), leave(value, 0, to: bound, dropping: &dropped))
    withExtendedLifetime(dropped) {}
  }

  /// Leaves a value to the holder of the gate, if there is room.
  ///
  /// - Parameter dropped: A value that had to go, to be freed when no lock is held: its `deinit` may be user code.
  @inlinable
  func leave(
    _ value: Output, _ version: Int, to bound: HandOverBound<Output, Failure>, dropping dropped: inout Output?
  ) -> Placement {
    let entry = HandOverBound<Output, Failure>.Entry(value: value, version: version)
    bound.lock.lock()
    defer { bound.lock.unlock() }
    if bound.isClosed { return .left }
    switch bound.entries.offer(entry, limit: bound.limit, whenFull: bound.whenFull) {
    case .kept: return leave(.next)
    case .dropped: return .nowhere
    case .replaced(let former):
      dropped = former.value
      return .left
    case .failed:
      bound.isClosed = true
      return leave(.failFull)
    }
  }

  /// Leaves the end to the holder of the gate, behind the values that wait.
  ///
  /// Their signals stand for whatever values are there: one that came behind the end would be delivered before it.
  @inlinable @inline(never)
  func handOver(_ completion: Subscribers.Completion<Failure>, to bound: HandOverBound<Output, Failure>) {
    bound.lock.lock()
    let placement: Placement = bound.isClosed ? .left : leave(.completion(completion))
    bound.isClosed = true
    bound.lock.unlock()
    perform(.completion(completion), placement)
  }

  /// Delivers the first of the values whose number has a bound. Only the holder of the gate may call this.
  @inlinable
  func deliverNext() {
    guard let bound else { return }
    bound.lock.lock()
    let next = bound.entries.popFirst()
    bound.lock.unlock()
    guard let entry = next else { return }
    deliveredVersion = entry.version
    deliver(entry.value)
  }

  /// Ends the stream, as a value has found no room. Only the holder of the gate may call this.
  @inlinable @inline(never)
  func failFull() {
    guard completion == nil, case .customError(let error) = bound?.whenFull else { return }
    latest?.withLock { $0.isOver = true }
    complete(.failure(error()))
  }
}
