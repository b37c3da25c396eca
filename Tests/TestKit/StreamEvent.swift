// What a subscriber can be told, as a value that tests compare.

import Weir

/// One call of a subscriber.
package enum StreamEvent<Input, Failure: Error> {
  /// A subscription arrived; its description at that moment.
  case subscription(String)
  /// A value arrived.
  case value(Input)
  /// The stream ended.
  case completion(Subscribers.Completion<Failure>)
}

extension StreamEvent: Equatable where Input: Equatable, Failure: Equatable {}
