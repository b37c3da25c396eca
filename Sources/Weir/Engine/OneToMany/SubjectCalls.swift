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
  /// A link is freed after the gate was left by whoever took it out of the list, and nobody leaves the gate during the
  /// look; `calling` and the chain name links that were in the list when the present holder came, or later.
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
  /// it will see the link's turn before it does.
  func isCalling(_ member: Member) -> Bool {
    let address = unsafe Int(bitPattern: Unmanaged.passUnretained(member).toOpaque())
    if calling.acquireLoad() & ~CallMark.mark == address { return true }
    return gate.whileHeld {
      var outer = outerCalls.acquireLoad()
      for _ in 0..<64 {
        if outer == 0 || outer == address { return outer == address }
        // SAFETY: as in `nobodyTakes`.
        guard let next = unsafe Self.member(at: outer) else { return false }
        outer = unsafe next._withUnsafeGuaranteedRef { $0.nextOuter.acquireLoad() }
      }
      return true
    }
  }
}
