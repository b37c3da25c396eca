// A subscriber that writes down what it is told and asks for what the test scripted.

import Weir

/// Keeps every event in `history`, and the subscriptions, which it never cancels by itself.
///
/// A subscription that is kept keeps its publisher's side alive; leak tests therefore turn `keepsSubscriptions` off or
/// call `forgetSubscriptions()`.
package final class RecordingSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  package typealias Event = StreamEvent<Input, Failure>

  /// Everything that happened, in order.
  package private(set) var history: [Event] = []
  /// The subscriptions that arrived, in order.
  package private(set) var subscriptions: [any Subscription] = []
  /// Whether arriving subscriptions are kept.
  package var keepsSubscriptions = true

  /// What is asked for when a subscription arrives; nothing if `nil`.
  package var initialDemand: Subscribers.Demand?
  /// What is asked for in return for a value.
  package var demandPerValue: (Input) -> Subscribers.Demand

  /// Runs inside the callback, after the event was recorded and before any demand is signalled.
  package var onSubscription: ((any Subscription) -> Void)?
  /// Runs inside the callback, after the event was recorded.
  package var onValue: ((Input) -> Void)?
  /// Runs inside the callback, after the event was recorded.
  package var onCompletion: ((Subscribers.Completion<Failure>) -> Void)?

  /// Creates a subscriber.
  ///
  /// - Parameters:
  ///   - initialDemand: What is asked for when a subscription arrives; nothing if `nil`.
  ///   - demandPerValue: What is asked for in return for each value.
  package init(
    _ initialDemand: Subscribers.Demand? = nil, perValue demandPerValue: Subscribers.Demand = .none,
    of input: Input.Type = Input.self, failingWith failure: Failure.Type = Failure.self
  ) {
    self.initialDemand = initialDemand
    self.demandPerValue = { _ in demandPerValue }
  }

  package func receive(subscription: any Subscription) {
    history.append(.subscription("\(subscription)"))
    if keepsSubscriptions { subscriptions.append(subscription) }
    onSubscription?(subscription)
    if let initialDemand { subscription.request(initialDemand) }
  }

  package func receive(_ input: Input) -> Subscribers.Demand {
    history.append(.value(input))
    onValue?(input)
    return demandPerValue(input)
  }

  package func receive(completion: Subscribers.Completion<Failure>) {
    history.append(.completion(completion))
    onCompletion?(completion)
  }

  /// The values among the events.
  package var values: [Input] {
    history.compactMap { event in
      guard case .value(let value) = event else { return nil }
      return value
    }
  }

  /// The completions among the events.
  package var completions: [Subscribers.Completion<Failure>] {
    history.compactMap { event in
      guard case .completion(let completion) = event else { return nil }
      return completion
    }
  }

  /// Asks the newest subscription for values.
  package func request(_ demand: Subscribers.Demand) { subscriptions.last?.request(demand) }

  /// Cancels the newest subscription.
  package func cancel() { subscriptions.last?.cancel() }

  /// Lets go of the subscriptions without cancelling them.
  package func forgetSubscriptions() { subscriptions = [] }

  package var description: String { "RecordingSubscriber" }
}

extension RecordingSubscriber where Failure == any Error {
  /// Everything that happened, in order, where errors are the tests' own.
  package var events: [StreamEvent<Input, TestFailure>] {
    history.map { event in
      switch event {
      case .subscription(let description): .subscription(description)
      case .value(let value): .value(value)
      case .completion(.finished): .completion(.finished)
      case .completion(.failure(let failure)): .completion(.failure(failure as! TestFailure))
      }
    }
  }
}
