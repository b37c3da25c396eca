// The two closures of a subscriber, called without counting references and freed as soon as nothing can run in them.

import WeirQueues

/// Holds the closures for values and for the completion until the stream ends.
///
/// `retireUnlessBusy` may come from any thread. Values and completion nest when a closure sends to its own source.
/// Publishers of Weir's send them serially; others should, by their contract, but nothing makes them.
///
/// **Trusted**, once the subscription of one of Weir's publishers has come:
///
/// - `busy` is 1 while a value or the completion is being received, otherwise 0; only the receiving thread writes it.
/// - `closures` is freed by whoever lets go of it first. A completion nested in a value leaves that to the value that
///   it is nested in.
/// - Cancelling thread: end the state, heavy barrier, read `busy`. Receiving thread: write `busy`, read the state. The
///   heavy barrier makes every thread of the process pass a full barrier (Linux `membarrier`), so at least one of the
///   two sees the other's write, and the receiving side pays for no fence (asymmetric Dekker; Dice, Huang, Yang, 2001).
///   Where there is no such barrier the closures stay until their owner is freed.
///
/// **Untrusted**, before and with other subscriptions: `busy` has the mark `untrusted`, and beside it one unit for each
/// call under way, of any thread, and the mark `ended` once the stream is over. All its changes are read-modify-writes
/// that release and acquire. A call counts itself, and looks at the closures only if the stream is not over then. Who
/// has ended the stream says so here afterwards: so a call that comes later sees the end. Whoever leaves `untrusted`
/// and `ended` and no call behind frees the closures; nobody is in them then or comes to be.
///
/// **Handed out**: one of Weir's publishers may retain the closures before the subscription comes (`HeldSubscriber`),
/// and then calls them without this. Its gate lets one thread at a time in; it keeps the closures until the stream is
/// over for it and nothing runs in them any more.
///
/// No thread waits for another one: trusted calls are wait-free, all else is lock-free but for the heavy barrier.
@usableFromInline
package struct GuardedClosures<Input, Failure: Error>: ~Copyable {
  @usableFromInline typealias Closures = SubscriberClosures<Input, Failure>

  @usableFromInline let busy = AtomicWord(2)
  @usableFromInline let closures: OwnedReference

  @inlinable
  package init(
    receiveValue: @escaping (Input) -> Void, receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    closures = OwnedReference(SubscriberClosures(receiveValue: receiveValue, receiveCompletion: receiveCompletion))
  }

  /// The marks of untrusted handlers, and what a call there adds.
  @usableFromInline static var untrusted: Int { 2 }
  @usableFromInline static var ended: Int { 4 }
  @usableFromInline static var call: Int { 8 }

  /// Trusts the publisher to call serially from now on, unless a call is under way already.
  @inlinable @inline(__always)
  package borrowing func trust() { _ = busy.compareExchange(expected: Self.untrusted, desired: 0) }

  /// Receives a value, unless the stream is over.
  @inlinable @inline(__always)
  package borrowing func receive(_ value: Input, unless state: borrowing SubscriptionState) {
    guard busy.relaxedLoad() == 0 else { return receiveBusy(value, unless: state) }
    busy.relaxedStore(1)
    compilerBarrier()
    let address = closures.address
    if address != 0, !state.isOver {
      // SAFETY: `busy` keeps other threads from freeing the closures; whatever is nested in this call leaves it to us.
      unsafe Self.at(address)._withUnsafeGuaranteedRef { $0.receiveValue(value) }
    }
    busy.publish(0)
    compilerBarrier()
    if state.isOver { retire() }
  }

  /// Receives a value within a call, or from a publisher that is not trusted.
  @inlinable @inline(never)
  borrowing func receiveBusy(_ value: Input, unless state: borrowing SubscriptionState) {
    enter()
    let address = closures.address
    if !state.isOver, address != 0 {
      // SAFETY: the call that this one is nested in, or the count, keeps others from freeing the closures.
      unsafe Self.at(address)._withUnsafeGuaranteedRef { $0.receiveValue(value) }
    }
    leave()
  }

  /// Receives the completion.
  ///
  /// - Parameter end: Ends the state, and says whether it was this call that did; otherwise the completion is dropped.
  @inlinable @inline(__always)
  package borrowing func finish(_ completion: Subscribers.Completion<Failure>, ending end: () -> Bool) {
    // Before the end, after which another call that leaves would free the closures.
    enter()
    guard end() else { return leave() }
    finish(completion)
  }

  @inlinable
  borrowing func finish(_ completion: Subscribers.Completion<Failure>) {
    let isOutermost = busy.relaxedLoad() == 0
    if isOutermost { busy.relaxedStore(1) }
    let address = closures.address
    if address != 0 {
      // SAFETY: nobody cancels a stream that has ended by itself, and values leave the closures alone while `busy` is
      // set.
      unsafe Self.at(address)._withUnsafeGuaranteedRef { $0.receiveCompletion(completion) }
    }
    guard isOutermost else { return leave(saying: Self.ended) }
    busy.publish(0)
    retire()
  }

  /// Counts a call, unless it is nested in a trusted one.
  @inlinable
  borrowing func enter() {
    if busy.relaxedLoad() & Self.untrusted != 0 { _ = busy.add(Self.call) }
  }

  /// Ends a call, and frees the closures if it was the last after the end.
  ///
  /// - Parameter end: `ended` if the caller has ended the stream, otherwise 0.
  @inlinable
  borrowing func leave(saying end: Int = 0) {
    guard busy.relaxedLoad() & Self.untrusted != 0 else { return }
    if busy.add(end - Self.call) + end == Self.untrusted + Self.ended + Self.call { retire() }
  }

  /// Frees the closures of a stream that was cancelled, unless a value is being received, which then does it.
  @inlinable
  package borrowing func retireUnlessBusy() {
    var current = busy.relaxedLoad()
    // Not by an addition: the publisher may be trusted meanwhile, and then `busy` is the receiving thread's.
    while current & Self.untrusted != 0 {
      let (exchanged, original) = busy.compareExchange(expected: current, desired: current + Self.ended)
      if exchanged {
        if current == Self.untrusted { retire() }
        return
      }
      current = original
    }
    if quickHeavyBarrier(), busy.acquireLoad() == 0 { retire() }
  }

  /// Frees the closures, if nobody has yet.
  @inlinable @inline(never)
  borrowing func retire() { closures.release() }

  /// The closure for values; does nothing once freed.
  package var receiveValue: (Input) -> Void {
    let address = closures.address
    // SAFETY: reading the closures while another thread ends the stream is outside the contract, as in Combine.
    return address == 0 ? { _ in } : unsafe Self.at(address).takeUnretainedValue().receiveValue
  }

  /// The closure for the completion; does nothing once freed.
  package var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
    let address = closures.address
    // SAFETY: as for `receiveValue`.
    return address == 0 ? { _ in } : unsafe Self.at(address).takeUnretainedValue().receiveCompletion
  }

  /// The closures, retained once more; `nil` if there has been a stream, or is one.
  @inlinable
  borrowing func retainedClosures(unless state: borrowing SubscriptionState) -> Unmanaged<Closures>? {
    // Trusted as soon as its first subscription has come.
    guard busy.relaxedLoad() & Self.untrusted != 0 else { return nil }
    enter()
    defer { leave() }
    let address = closures.address
    // SAFETY: the count keeps others from freeing the closures.
    return unsafe address == 0 || state.hasBegun ? nil : Self.at(address).retain()
  }

  // SAFETY: an address other than 0 is that of retained closures, as only the initialiser writes one.
  @inlinable @inline(__always)
  static func at(_ address: Int) -> Unmanaged<Closures> {
    unsafe .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }
}

/// The two closures, as one object.
@usableFromInline
package final class SubscriberClosures<Input, Failure: Error> {
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

/// An object that is held until the first of several threads lets go of it.
///
/// `word` is the address of the retained object, or 0; whoever exchanges it for 0 frees the object, nobody else.
@usableFromInline
package struct OwnedReference: ~Copyable {
  @usableFromInline let word: AtomicWord

  // SAFETY: the reference is balanced in `release` or, if nobody called that, at the end of the life.
  @inlinable
  init(_ object: AnyObject) { word = unsafe AtomicWord(Int(bitPattern: Unmanaged.passRetained(object).toOpaque())) }

  deinit {
    // SAFETY: nobody else has it any more, so that the address is that of the retained object, or 0.
    if let address = unsafe UnsafeRawPointer(bitPattern: word.relaxedLoad()) {
      unsafe Unmanaged<AnyObject>.fromOpaque(address).release()
    }
  }

  /// The object's address, or 0. It stays valid only as far as the caller keeps others from letting go.
  @inlinable @inline(__always)
  var address: Int { word.acquireLoad() }

  /// Lets go of the object, if nobody has yet.
  @inlinable
  borrowing func release() {
    // SAFETY: the exchange takes the retained reference out, once.
    if let address = unsafe UnsafeRawPointer(bitPattern: word.exchange(0)) {
      unsafe Unmanaged<AnyObject>.fromOpaque(address).release()
    }
  }
}
