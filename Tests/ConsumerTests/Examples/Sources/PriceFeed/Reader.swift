// A reader that takes its time, and asks for the next value when it has come to the end of the last.

import Combine
import Foundation

/// Takes one value at a time from a stream.
///
/// Any thread may use it.
final class Reader<Input, Failure: Error>: Subscriber, @unchecked Sendable {
  private let lock = NSLock()
  private var subscription: (any Subscription)?
  private var received: [Input] = []
  private var end: Subscribers.Completion<Failure>?

  /// What it has taken.
  var values: [Input] { lock.withLock { received } }

  /// The end, once it has come.
  var completion: Subscribers.Completion<Failure>? { lock.withLock { end } }

  /// Takes one value more, now or when there is one.
  func next() { lock.withLock { subscription }?.request(.max(1)) }

  func receive(subscription: any Subscription) { lock.withLock { self.subscription = subscription } }

  func receive(_ input: Input) -> Subscribers.Demand {
    lock.withLock { received.append(input) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    lock.withLock { (end, subscription) = (completion, nil) }
  }
}
