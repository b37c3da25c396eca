// What is left to do upstream when a signal has been taken, and how an operator goes on afterwards.
// No test file: SerialLinkTests does errands.

/// What is to be done upstream for a signal: by the thread that took it, when it has left the gate.
@frozen
@usableFromInline
package enum Errand {
  /// To ask for values, and to go on afterwards.
  case ask(Link, Subscribers.Demand, then: NextStep)
  /// To cancel a stream.
  case cancel(Link)
  /// To run code of the user's, or to subscribe.
  case run(() -> Void)
}

/// What an operator goes on with, inside the gate, once it has asked upstream. It doesn't depend on the operator's
/// types, so that code which isn't compiled for them is as fast.
@frozen
@usableFromInline
package enum NextStep {
  /// Nothing.
  case none
  /// To go on delivering what waits, and then to ask for what was added to the demand, by a lane's answer or otherwise.
  case serve(Subscribers.Demand, LaneID?)
  /// To ask each lane for everything, from one on.
  case askForAll(slot: Int)
  /// To ask the lanes from a number on for values, all but one, and then, if so said, to finish if no further tuple is
  /// possible.
  case ask(Subscribers.Demand, from: Int, butFor: Int, thenConclude: Bool)
  /// To give the subscriber its subscription.
  case announce
}

/// A place for an inner stream, and which of its streams in turn is meant.
@frozen
@usableFromInline
package struct LaneID {
  @usableFromInline let slot: Int
  @usableFromInline let generation: Int

  @inlinable
  init(slot: Int, generation: Int) {
    self.slot = slot
    self.generation = generation
  }
}

/// What can happen to a serial link.
@usableFromInline
package protocol SerialSignal {
  /// To go on after an errand.
  static func goOn(_ step: NextStep) -> Self
}

/// What can happen to a serial link whose errands have no next step.
@usableFromInline
package protocol SteplessSignal: SerialSignal {}

extension SteplessSignal {
  @usableFromInline
  package static func goOn(_ step: NextStep) -> Self { step.refuse() }
}

extension NextStep {
  /// Ends the program: the operator has no such step.
  @usableFromInline
  func refuse() -> Never { preconditionFailure("the operator has no step \(self)") }
}
