// A publisher whose every call the test makes by hand, also those that a well-behaved publisher never makes.

import Weir

/// Passes its subscription, if it has one, to whoever subscribes, and then does only what the test says.
package final class ScriptedPublisher<Output, Failure: Error>: Publisher {
  /// What the newest subscriber gets when it subscribes; nothing if `nil`.
  package var subscription: RecordingSubscription?
  /// The newest subscriber.
  package private(set) var subscriber: AnySubscriber<Output, Failure>?

  package init(
    _ subscription: RecordingSubscription? = RecordingSubscription(), of output: Output.Type = Output.self,
    failingWith failure: Failure.Type = Failure.self
  ) {
    self.subscription = subscription
  }

  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    self.subscriber = AnySubscriber(subscriber)
    if let subscription { subscriber.receive(subscription: subscription) }
  }

  /// Hands the newest subscriber a value, asked for or not.
  ///
  /// - Returns: The demand that the subscriber returned.
  @discardableResult
  package func send(_ value: Output) -> Subscribers.Demand { subscriber!.receive(value) }

  /// Hands the newest subscriber a completion.
  package func send(completion: Subscribers.Completion<Failure>) { subscriber!.receive(completion: completion) }

  /// Hands the newest subscriber a further subscription.
  package func send(subscription: any Subscription) { subscriber!.receive(subscription: subscription) }

  /// Lets go of the subscriber.
  package func forgetSubscriber() { subscriber = nil }
}
