// Whom the holder of a subject's gate is calling, for threads that wait for it.

import WeirQueues

/// What a waiting sender has seen when it last looked.
@frozen
@usableFromInline
package struct Look {
  /// The number of the holder's innermost call, if nobody of those it was calling would have taken the signal; 0
  /// otherwise.
  @usableFromInline var call = 0

  @inlinable
  package init() {}
}

extension SubjectCore {
  /// Whether the holder of the gate is calling subscribers that have no demand left, or have cancelled: Combine lets a
  /// value pass then. It has to be the same call in two looks, a millisecond apart: others end by themselves, and the
  /// sender delivers its own value then.
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
    look.call = callInVain(takes)
    return look.call != 0 && look.call == former
  }

  /// Looks at all whom the holder of the gate is calling.
  ///
  /// A link is freed after the gate was left by whoever took it out of the list, and during the look nobody leaves the
  /// gate, or frees such links after having given the gate away; `calling` and the chain name links that were in the
  /// list when the present holder came, or later.
  ///
  /// - Returns: The number of its innermost call; 0 if one of them would take the signal, or it is calling none.
  private func callInVain(_ takes: (Member) -> Bool) -> Int {
    var number = 0
    _ = gate.whileHeld {
      // SAFETY: as above.
      let call = calling.acquireLoad()
      guard let called = unsafe Self.member(at: call) else { return false }
      if unsafe called._withUnsafeGuaranteedRef(takes) { return false }
      var outer = unsafe Self.member(at: outerCalls.acquireLoad())
      // The holder may change the chain meanwhile, so that there may be no end to it.
      for _ in 0..<64 {
        guard let member = unsafe outer else {
          number = gate.number(of: call, in: calling)
          return true
        }
        if unsafe member._withUnsafeGuaranteedRef(takes) { return false }
        unsafe outer = Self.member(at: member._withUnsafeGuaranteedRef { $0.nextOuter.acquireLoad() })
      }
      return false
    }
    return number
  }

  /// The link at an address, which may be marked; `nil` for 0.
  @usableFromInline
  static func member(at address: Int) -> Unmanaged<Member>? {
    unsafe UnsafeRawPointer(bitPattern: address & ~CallMark.mark).map { unsafe Unmanaged<Member>.fromOpaque($0) }
  }

  /// Takes a signal that this thread sends while it is calling a subscriber, further up its stack: at once, but where
  /// senders wait, behind signals that others have handed over since then. Theirs have returned; and they may lead back
  /// here, where what comes then must find this one before it.
  @inlinable @inline(never)
  func nest(_ signal: Signal) {
    guard waits, gate.hasQueued else { return callWithin { process(signal) } }
    gate.enqueue(signal)
    callWithin { takeQueued() }
  }

  /// Calls subscribers while this thread is calling another one, further up its stack.
  @inlinable
  func callWithin(_ body: () -> Void) {
    let outer = calling.relaxedLoad() & ~CallMark.mark
    beginOuterCall(outer)
    body()
    calling.publish(outer)
    returns.publish(returns.relaxedLoad() &+ 1)
    endOuterCall(outer)
  }

  @inlinable @inline(never)
  func takeQueued() { gate.takeQueued { process($0) } }

  /// Notes a link that the holder of the gate is calling while it goes on to call others, deeper in its stack.
  @usableFromInline
  func beginOuterCall(_ address: Int) {
    // SAFETY: links that are being called are not freed before the gate is left.
    unsafe Self.member(at: address)?._withUnsafeGuaranteedRef { member in
      member.outerDepth += 1
      guard member.outerDepth == 1 else { return }
      // Both release a link that its thread may have made since it entered (acquireLoad in `callInVain`): who has read
      // the first address before may still follow this one.
      member.nextOuter.publish(outerCalls.relaxedLoad())
      outerCalls.publish(address)
    }
  }

  /// Ends what `beginOuterCall` began. As calls nest, the link is the first of the chain if this was its only one.
  @usableFromInline
  func endOuterCall(_ address: Int) {
    // SAFETY: as for `beginOuterCall`.
    unsafe Self.member(at: address)?._withUnsafeGuaranteedRef { member in
      member.outerDepth -= 1
      if member.outerDepth == 0 { outerCalls.publish(member.nextOuter.relaxedLoad()) }
    }
  }

  /// Whether the holder of the gate is calling a link, or about to: only after a heavy barrier does `false` mean that
  /// it will see the link's turn before it does. It may say `true` of a call that is just over.
  func isCalling(_ member: Member) -> Bool {
    let address = unsafe Int(bitPattern: Unmanaged.passUnretained(member).toOpaque())
    let returns = returns.acquireLoad()
    if calling.acquireLoad() & ~CallMark.mark == address { return true }
    let isOuter = gate.whileHeld {
      var outer = outerCalls.acquireLoad()
      for _ in 0..<64 {
        if outer == 0 || outer == address { return outer == address }
        // SAFETY: as in `nobodyTakes`.
        guard let next = unsafe Self.member(at: outer) else { return false }
        outer = unsafe next._withUnsafeGuaranteedRef { $0.nextOuter.acquireLoad() }
      }
      return true
    }
    // The holder may have come back to the link between the two looks.
    return isOuter || self.returns.relaxedLoad() != returns
  }
}
