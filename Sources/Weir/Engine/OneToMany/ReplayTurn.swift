// A replaying engine's subscriber called outside the gate: what it is owed when it subscribes or asks while others are
// served.

import WeirQueues

/// What the `turn` word of a `ReplayLink` means.
///
/// A subscriber is called by the holder of the gate, or by the thread whose identity `turn` is. Subscribing and asking
/// take the turn if they find the gate taken, and deliver the values whose `send` is over.
///
/// - A new subscriber's turn is that of the subscribing thread, from before it is in the list.
/// - Requester: write `turn`, heavy barrier, read `calling`. Holder: write `calling`, read `turn`. At least one of the
///   two sees the other's write: the requester goes away again, or the holder waits.
/// - The holder waits for a turn only with a value or the end that the subscriber would take; nobody else waits for
///   one.
/// - Whoever gives the turn back leaves what is owed to the holder of the gate then, or does it if there is none: a
///   value whose `send` was under way, and which the holder could not deliver for want of demand, is not lost.
/// - Who is called outside the gate may enter it within that call, as its holder. It passes the subscriber by then,
///   and nothing that this one is still to get is pushed out.
@usableFromInline
enum ReplayTurn {
  /// In `turn`: the subscriber is to be let go of, or has been.
  @usableFromInline static var closed: Int { 1 }
  /// In `turn`: somebody has asked while it was taken; look again.
  @usableFromInline static var asked: Int { 2 }
  /// All that is not a thread's identity.
  @usableFromInline static var marks: Int { 15 }
}

extension ReplayLink {
  /// Leaves something to the thread that has the turn.
  ///
  /// - Returns: `true` if the turn is over: the caller does it itself. Never for a request after the subscriber was let
  ///   go of.
  @usableFromInline
  func mark(_ mark: Int) -> Bool {
    var current = turn.acquireLoad()
    while current & ~ReplayTurn.marks != 0 {
      let (exchanged, original) = turn.compareExchange(expected: current, desired: current | mark)
      if exchanged { return false }
      current = original
    }
    return current & ReplayTurn.closed == 0 || mark == ReplayTurn.closed
  }

  /// Lets go of the subscriber after the end, or leaves that to the thread that has the turn. For whoever has taken the
  /// subscription out of the list and left the gate, once.
  @usableFromInline
  func retireSubscriber() {
    let isFree = turn.compareExchange(expected: 0, desired: ReplayTurn.closed).exchanged
    if isFree || mark(ReplayTurn.closed) { subscriber = nil }
  }
}

extension ReplayCore {
  /// Whether the holder of the gate is calling a subscriber that has no demand left, or has cancelled: Combine lets a
  /// value pass then. As for subjects, it has to be the same call in two looks.
  @usableFromInline
  func nobodyTakesAValue(_ look: inout Look) -> Bool {
    nobodyTakes(&look) { $0.ledger.demand != .none }
  }

  /// The same for the end of the stream, which needs no demand.
  @usableFromInline
  func nobodyTakesTheEnd(_ look: inout Look) -> Bool {
    nobodyTakes(&look) { !$0.ledger.isCancelled }
  }

  private func nobodyTakes(_ look: inout Look, _ takes: (Member) -> Bool) -> Bool {
    let former = look.call
    look.call = 0
    _ = gate.whileHeld {
      // SAFETY: what is called is in the list or retired, and nobody leaves the gate, before which it is kept, during
      // the look.
      let call = calling.acquireLoad()
      guard let called = unsafe UnsafeRawPointer(bitPattern: call & ~CallMark.mark) else { return false }
      if unsafe Unmanaged<Member>.fromOpaque(called)._withUnsafeGuaranteedRef(takes) { return false }
      look.call = gate.number(of: call, in: calling)
      return true
    }
    return look.call != 0 && look.call == former
  }

  /// Waits until no other thread calls a subscriber, if it would take a value or the end. For the holder of the gate.
  ///
  /// - Returns: `false` if it would take nothing, or the wait would be for ever, as it is in a call by this thread.
  @usableFromInline @inline(never)
  func awaitTurn(of member: Member) -> Bool {
    var wait = CallWait()
    while case let thread = member.turn.acquireLoad() & ~ReplayTurn.marks, thread != 0 {
      if thread == currentThreadIdentity() { return false }
      if member.ledger.isCancelled { return false }
      if completion == nil && member.ledger.demand == .none { return false }
      if !wait.goesOn(for: member.turn, or: member.turn, as: name) { return false }
    }
    return true
  }

  /// Takes a request of a subscriber, and serves it.
  ///
  /// - Parameter demand: What it asks for; nothing if that has been noted.
  @inlinable
  func acknowledge(_ demand: Subscribers.Demand = .none, of member: Member) {
    var demand = demand
    if member.turn.relaxedLoad() & ~ReplayTurn.marks == currentThreadIdentity() {
      _ = member.ledger.note(&demand)
      return
    }
    repeat {
      let entry = gate.enter()
      if entry != .taken {
        _ = member.ledger.note(&demand)
        return receive(.serve(member), entry)
      }
    } while !serveOutside(member, adding: &demand)
  }

  /// Serves a subscriber while another thread holds the gate.
  ///
  /// If that one is calling this very subscriber, it looks for demand afterwards. Only for the first value the caller
  /// waits until the call is over, and notes what is asked for then: so the first value comes on this thread.
  ///
  /// - Returns: `false` if the caller is to try again.
  @usableFromInline @inline(never)
  func serveOutside(_ member: Member, adding demand: inout Subscribers.Demand) -> Bool {
    guard member.turn.compareExchange(expected: 0, desired: currentThreadIdentity()).exchanged else {
      return !member.ledger.note(&demand) || !member.mark(ReplayTurn.asked)
    }
    // The turn, which other calls of this subscriber respect from now on, comes before the look.
    let isOrdered = heavyBarrier()
    let isFirst = member.begun.relaxedLoad() == 0
    let isAlone = isOrdered && (waits && isFirst ? awaitCall(of: member) : !isCalling(member))
    let isAsked = member.ledger.note(&demand)
    if isAlone, isAsked { catchUp(member, withNewest: limit > 0 && isFirst) }
    // The holder that is calling it looks for demand when it is through, but not whether values are kept for it.
    let isOwed = isAlone ? isOwed(member) : isKeptFor(member)
    let isMarked = endTurn(of: member, isAlone: isAlone)
    if isAlone || !isOrdered || isOwed {
      if isOwed || !isAlone { handOver(.serve(member)) }
      return true
    }
    // What is asked for comes before the look: if the holder is calling still, it sees that when it is through.
    return !isMarked && heavyBarrier() && isCalling(member)
  }

  /// Whether the holder of the gate is calling a subscriber, or about to.
  private func isCalling(_ member: Member) -> Bool {
    let address = unsafe Int(bitPattern: Unmanaged.passUnretained(member).toOpaque())
    return calling.acquireLoad() & ~CallMark.mark == address
  }

  /// Waits until the holder of the gate is through with a subscriber.
  ///
  /// - Returns: `false` if it has demand, so that the holder may be waiting for this thread's turn, or if threads wait
  ///   for each other in a circle.
  private func awaitCall(of member: Member) -> Bool {
    gate.outlast(as: name, while: { isCalling(member) }, unless: { member.ledger.demand != .none })
  }

  /// Whether a subscriber that has asked for more has not got all, or may not have got the end, or values are kept for
  /// it. What comes later is offered to it by the holder of the gate, which waits for the turn. For the thread that has
  /// the turn.
  @usableFromInline
  func isOwed(_ member: Member) -> Bool {
    changing.lock()
    defer { changing.unlock() }
    // The holder offers the end when it has written that, and waits for the turn of whom it finds calling: who finds
    // none here gets it offered later.
    if completion != nil { return true }
    return member.isReading || member.ledger.demand != .none && member.next < base + values.count
  }

  /// Whether values are kept for a subscriber. For the thread that has the turn.
  private func isKeptFor(_ member: Member) -> Bool {
    changing.lock()
    defer { changing.unlock() }
    return member.isReading
  }

  @inlinable
  func handOver(_ signal: Signal) {
    if gate.handOver(signal) || (!waits && gate.relieve()) { settle() }
  }

  /// Keeps what a new subscriber asks for until the holder of the gate has brought it up to date, which it does with
  /// the `join` or `serve` that is left to it. For the thread that subscribes. Later, when the subscriber is in the
  /// list and asks, the holder waits for the turn with the next value.
  @usableFromInline
  func beginReading(_ member: Member) {
    guard limit > 0 else { return }
    changing.lock()
    defer { changing.unlock() }
    skipPushedOut(member)
    noteReader(member)
  }

  /// For the holder of `changing`.
  private func noteReader(_ member: Member) {
    guard !member.isReading, !member.isRetired else { return }
    member.readerPlace = readers.count
    readers.append(member)
  }

  /// Says that a subscriber is up to date, and drops what was kept for it alone.
  @inlinable @inline(__always)
  func endReading(_ member: Member) { if member.isReading { endReadingNow(member) } }

  @usableFromInline @inline(never)
  func endReadingNow(_ member: Member) {
    changing.lock()
    let last = readers.removeLast()
    if last !== member {
      readers[member.readerPlace] = last
      last.readerPlace = member.readerPlace
    }
    member.readerPlace = -1
    let left = readers.count
    changing.unlock()
    // To evict looks at all that are left: where many end one after another, that is done when they are half as many.
    if left & (left - 1) == 0 { evictUnread() }
  }

  /// Delivers to a subscriber what it has asked for, of the values whose `send` is over. For the thread that has the
  /// turn.
  ///
  /// - Parameter withNewest: Whether values whose `send` is under way are delivered, too: for one that is not in the
  ///   list yet.
  @usableFromInline
  func catchUp(_ member: Member, withNewest: Bool = false) {
    while let subscriber = member.subscriber, !member.ledger.isCancelled {
      guard let value = nextDelivered(member, withNewest) else { return end(member, subscriber) }
      guard member.ledger.take() else { return }
      member.next += 1
      member.begun.relaxedStore(1)
      member.isCalledOutside = true
      let more = subscriber.receiveValue(value)
      member.isCalledOutside = false
      if more != .none { member.ledger.add(more) }
    }
  }

  /// Delivers the end to a subscriber that has got all values, if its `send` is over.
  private func end(_ member: Member, _ subscriber: ErasedSubscriber<Output, Failure>) {
    // In this order: the number of values is final once the end is seen, which acquires it.
    guard isOver.acquireLoad() != 0 else { return }
    guard member.next >= delivered.relaxedLoad(), let completion else { return }
    guard member.ledger.cancel() != DemandLedger.cancelled else { return }
    handOver(.remove(member))
    member.release()
    subscriber.receiveCompletion(completion)
  }

  /// The next value that a subscriber is to get, if its `send` is over or that does not matter. What comes after it is
  /// kept from now on: the subscriber may send.
  private func nextDelivered(_ member: Member, _ withNewest: Bool) -> Output? {
    changing.lock()
    defer { changing.unlock() }
    if member.next < base + first || base + values.count - member.next > limit { skipPushedOut(member) }
    guard withNewest || member.next < delivered.acquireLoad(), member.next < base + values.count else { return nil }
    noteReader(member)
    return values[member.next - base]
  }

  /// Gives the caller's turn back, and does what others have left to it.
  ///
  /// - Parameter isAlone: Whether the holder of the gate respects the turn; otherwise the caller goes on with what was
  ///   asked for.
  /// - Returns: Whether others have asked meanwhile.
  @inlinable @discardableResult
  func endTurn(of member: Member, isAlone: Bool = true) -> Bool {
    if member.turn.compareExchange(expected: currentThreadIdentity(), desired: 0).exchanged { return false }
    return endMarkedTurn(of: member, isAlone)
  }

  @usableFromInline @inline(never)
  func endMarkedTurn(of member: Member, _ isAlone: Bool) -> Bool {
    var isMarked = false
    while true {
      let current = member.turn.acquireLoad()
      if current & ReplayTurn.asked != 0 {
        isMarked = true
        _ = member.turn.compareExchange(expected: current, desired: current & ~ReplayTurn.asked)
        if isAlone { catchUp(member) }
        continue
      }
      let isOwed = isAlone && isOwed(member)
      guard member.turn.compareExchange(expected: current, desired: current & ReplayTurn.closed).exchanged else {
        continue
      }
      if current & ReplayTurn.closed != 0 { member.subscriber = nil } else if isOwed { handOver(.serve(member)) }
      return isMarked
    }
  }
}
