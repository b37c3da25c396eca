// How many of the values that their senders did not deliver an attack holds against the engine.

/// Why another thread may deliver a value in an attack.
package enum Excuse: Sendable {
  /// For no reason: nobody cancels, everybody wants values, and no subscriber sends.
  case none
  /// Because the holder was kept by a subscriber that takes nothing more, which others in the attack do.
  case standstill(senders: Int)
  /// Because threads waited for each other in a circle.
  case circle
  /// Because senders are meant to hand over.
  case handOver
}

/// The values that their senders did not deliver themselves, and what excuses them.
package struct Verdict: Sendable {
  package let excuse: Excuse
  /// The `send` of each of them, as far as they were kept.
  package var handOvers: [Span] = []
  /// How many there were.
  package var handedOver = 0
  /// Deliveries on a thread that did not cause them.
  package var offThread = 0
  /// How many subscribers each value goes to.
  package var subscribers = 1
  package var standstills = Standstills()
  /// How many values were left to others in circles that the attack has seen itself.
  package var inCircles = 0
  /// How many deliveries follow from those.
  package var deliveriesOfCircles = 0

  package init(_ excuse: Excuse) { self.excuse = excuse }

  /// How many of the values that were handed over had a reason.
  package var excused: Int {
    switch excuse {
    case .none: 0
    case .standstill(let senders): standstills.excused(handOvers, senders: senders)
    case .circle: inCircles
    case .handOver: handedOver
    }
  }

  /// What is left without a reason: values, and deliveries that no excused value explains.
  package var failures: Int {
    let excused = excused
    let deliveries: Int
    switch excuse {
    case .handOver: return 0
    case .circle: deliveries = deliveriesOfCircles
    case .none, .standstill: deliveries = excused * subscribers
    }
    return handedOver - excused + max(offThread - deliveries, 0)
  }
}
