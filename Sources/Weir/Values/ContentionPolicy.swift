// What a subject does with a value while another thread is delivering.

/// What a thread does that sends to a subject while another thread is delivering a value of it.
public enum ContentionPolicy: Sendable {
  /// It leaves its value to the thread that is delivering, in order, and goes on. Senders never wait for subscribers, and
  /// `send` may return before its value is delivered. What waits takes memory: see the subject's `handOverDepth`.
  case handOver
  /// It sleeps until the delivery is over and then delivers its own value, as Combine does: nothing is queued, and when
  /// `send` returns the value is delivered. Two subjects whose subscribers send to each other can deadlock, as with any
  /// lock that is held over a delivery.
  case wait
}
