// The two closures of a sink, called without counting references and freed as soon as nothing can run in them.

import WeirQueues

/// Holds a sink's closures until its stream ends.
///
/// Values and completion come serially, by the publisher's contract, but nest when a closure sends to its own source;
/// `retireUnlessBusy` may come from any thread.
///
/// - `busy` is 1 while a value or the completion is being received; only the receiving thread writes it.
/// - `closures` is the address of the retained closures, or 0; whoever exchanges it for 0 frees them, nobody else. A
///   completion nested in a value leaves that to the value it is nested in.
/// - Cancelling thread: end the state, heavy barrier, read `busy`. Receiving thread: write `busy`, read the state. The heavy
///   barrier makes every thread of the process pass a full barrier (Linux `membarrier`), so at least one of the two sees
///   the other's write, and the receiving side pays for no fence (asymmetric Dekker; Dice, Huang, Yang, 2001). Where
///   there is no such barrier the closures stay until the sink itself is freed.
@usableFromInline
package struct SinkHandlers<Input, Failure: Error>: ~Copyable {
  @usableFromInline
  final class Closures {
    @usableFromInline let receiveValue: (Input) -> Void
    @usableFromInline let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

    @inlinable
    init(
      receiveValue: @escaping (Input) -> Void,
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) {
      self.receiveValue = receiveValue
      self.receiveCompletion = receiveCompletion
    }
  }

  @usableFromInline let busy = AtomicWord(0)
  @usableFromInline let closures: AtomicWord

  @inlinable
  package init(
    receiveValue: @escaping (Input) -> Void, receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    let closures = Closures(receiveValue: receiveValue, receiveCompletion: receiveCompletion)
    self.closures = unsafe AtomicWord(Int(bitPattern: Unmanaged.passRetained(closures).toOpaque()))
  }

  deinit { Self.release(closures.exchange(0)) }

  /// Receives a value, unless the stream is over.
  @inlinable @inline(__always)
  package borrowing func receive(_ value: Input, unless state: borrowing SubscriptionState) {
    let isNested = busy.relaxedLoad() != 0
    busy.relaxedStore(1)
    compilerBarrier()
    let address = closures.acquireLoad()
    if address != 0, !state.isOver {
      // SAFETY: `busy` keeps other threads from freeing the closures; whatever is nested in this call leaves it to us.
      unsafe Self.at(address)._withUnsafeGuaranteedRef { $0.receiveValue(value) }
    }
    guard !isNested else { return }
    busy.publish(0)
    compilerBarrier()
    if state.isOver { retire() }
  }

  /// Receives the completion. The caller has ended the state, alone, so this happens once.
  @inlinable
  package borrowing func finish(_ completion: Subscribers.Completion<Failure>) {
    let isNested = busy.relaxedLoad() != 0
    busy.relaxedStore(1)
    let address = closures.acquireLoad()
    if address != 0 {
      // SAFETY: nobody cancels a stream that has ended by itself, and values leave the closures alone while `busy` is set.
      unsafe Self.at(address)._withUnsafeGuaranteedRef { $0.receiveCompletion(completion) }
    }
    guard !isNested else { return }
    busy.publish(0)
    retire()
  }

  /// Frees the closures of a stream that was cancelled, unless a value is being received, which then does it.
  @inlinable
  package borrowing func retireUnlessBusy() {
    if heavyBarrier(), busy.acquireLoad() == 0 { retire() }
  }

  /// Frees the closures, if nobody has yet.
  @inlinable @inline(never)
  borrowing func retire() { Self.release(closures.exchange(0)) }

  /// The closure for values; does nothing once freed.
  package var receiveValue: (Input) -> Void {
    let address = closures.acquireLoad()
    // SAFETY: reading a sink's closures while another thread ends its stream is outside the contract, as in Combine.
    return address == 0 ? { _ in } : unsafe Self.at(address).takeUnretainedValue().receiveValue
  }

  /// The closure for the completion; does nothing once freed.
  package var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
    let address = closures.acquireLoad()
    // SAFETY: as for `receiveValue`.
    return address == 0 ? { _ in } : unsafe Self.at(address).takeUnretainedValue().receiveCompletion
  }

  // SAFETY of both: an address other than 0 is that of a retained `Closures`, as only the initialiser writes one.
  @inlinable @inline(__always)
  static func at(_ address: Int) -> Unmanaged<Closures> {
    unsafe .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }

  @inlinable
  static func release(_ address: Int) {
    if address != 0 { unsafe at(address).release() }
  }
}
