// What a sender does while another thread is delivering.

import WeirQueues

/// What a thread does that sends a value while another thread is delivering to a subscriber that would take it.
public enum ContentionPolicy: Sendable {
  /// It waits until that delivery is over and then delivers its own value, as in Combine: when `send` returns, the
  /// value has been delivered, on the sender's thread. This is the default everywhere.
  ///
  /// It does not wait for subscribers that would not take its value, nor where threads would wait for each other in a
  /// circle: there, the thread that is delivering delivers that value too. <doc:ThreadSafety> says who waits for whom.
  case wait
  /// It leaves its value to the thread that is delivering, in order, and goes on: for senders that must not wait.
  /// `send` may return before the value is delivered, by the other thread. Values that are waiting take memory: see the
  /// subject's `handOverDepth`, and `handOverLimit:whenFull:` for a bound. <doc:HandOver> lists everything that follows
  /// from this.
  case handOver
}

extension ContentionPolicy {
  /// The mark of a thread that is subscribing to streams with this policy.
  @inlinable
  var mark: Int { self == .handOver ? 1 : 0 }

  /// The policy of an operator that is being subscribed to on this thread.
  @inlinable
  static var ofJoins: ContentionPolicy { threadMark == 1 ? .handOver : .wait }
}
