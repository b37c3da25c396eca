// What a sender does while another thread is delivering.

import WeirQueues

/// What a thread does that sends while another thread is delivering to a subscriber that would take its value.
public enum ContentionPolicy: Sendable {
  /// It waits until that delivery is over and then delivers its own value, as in Combine: when `send` returns the value is
  /// delivered, on the sender's thread. The default everywhere.
  ///
  /// It does not wait for subscribers that would not take its value, nor where threads would wait for each other in a circle:
  /// the thread that is delivering delivers that one value, too. <doc:ThreadSafety> says who waits for whom.
  case wait
  /// It leaves its value to the thread that is delivering, in order, and goes on: for senders that must not wait. `send` may
  /// return before its value is delivered, which another thread does. What waits takes memory: see the subject's
  /// `handOverDepth`, and `handOverLimit:whenFull:` for a bound. <doc:HandOver> lists all that follows.
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
