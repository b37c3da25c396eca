// A subscription that writes down what it is asked.

import Weir

/// Keeps every call in `history` and does nothing else, unless a test hooks it.
package final class RecordingSubscription: Subscription, CustomStringConvertible {
  /// One call of the subscription.
  package enum Event: Equatable {
    case requested(Subscribers.Demand)
    case cancelled
  }

  /// Everything that was asked, in order.
  package private(set) var history: [Event] = []
  /// Runs inside `request`, after it was recorded.
  package var onRequest: ((Subscribers.Demand) -> Void)?
  /// Runs inside `cancel`, after it was recorded.
  package var onCancel: (() -> Void)?

  package let description: String

  package init(_ description: String = "RecordingSubscription") { self.description = description }

  package func request(_ demand: Subscribers.Demand) {
    history.append(.requested(demand))
    onRequest?(demand)
  }

  package func cancel() {
    history.append(.cancelled)
    onCancel?()
  }
}
