// What a recording subscriber wrote down, whatever its types: for tests that put the same question to many operators.

import Weir

/// A recording subscriber without its types.
package protocol StreamRecorder: AnyObject {
  /// Everything that happened, as words: a subscription's description, a value's, `finished`, or `failed` with the
  /// error.
  var log: [String] { get }

  /// Asks the newest subscription for values.
  func request(_ demand: Subscribers.Demand)

  /// Cancels the newest subscription.
  func cancel()

  /// Lets go of the subscriptions without cancelling them.
  func forgetSubscriptions()

  /// Runs a body inside the callback of each value.
  func onEachValue(_ body: @escaping () -> Void)
}

extension RecordingSubscriber: StreamRecorder {
  package var log: [String] {
    history.map { event in
      switch event {
      case .subscription(let description): description
      case .value(let value): "\(value)"
      case .completion(.finished): "finished"
      case .completion(.failure(let failure)): "failed \(failure)"
      }
    }
  }

  package func onEachValue(_ body: @escaping () -> Void) { onValue = { _ in body() } }
}
