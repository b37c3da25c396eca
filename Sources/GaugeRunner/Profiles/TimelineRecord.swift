// The events of a launch as its file has them: values, from which timelines are made.
// No test file: it only holds what was read; the tests of Timeline and of TimelineRecord+Words use all of it.

/// What happened within operations, in order.
struct TimelineRecord: Hashable, Sendable {
  /// What happened. The numbers are part of the format.
  enum Kind: UInt64, Sendable {
    /// A block was allocated.
    case allocate = 1
    /// A block is about to be freed.
    case free
    /// A block is about to be reallocated.
    case beginReallocating
    /// It has been, at another address or its own; at none where it was freed, or stays as it was.
    case endReallocating
    /// An object is about to be retained; the size is how often.
    case retain
    /// An object is about to be released; the size is how often.
    case release
    /// A call is about to block; the type is the cause.
    case beginWaiting
    /// It goes on; it may have begun before the first event.
    /// The size is 1 where nobody ended it, as of one with a limit.
    case endWaiting
    /// A thread ends waits for an object.
    case wake
    /// The mark before an operation.
    case beginOperation
    /// The mark behind it.
    case endOperation
  }

  /// One event.
  struct Event: Hashable, Sendable {
    /// Nanoseconds from the first event on.
    var time: Int
    /// The system's number of the thread.
    var thread: UInt64
    /// What happened.
    var kind: Kind
    /// The block, the object, or what is waited for; 0 for nothing.
    var address: UInt64 = 0
    /// Bytes that were asked for, or how often.
    var size = 0
    /// Address of the object's type, or number of a wait's cause; 0 for unknown.
    var type: UInt64 = 0
    /// Place of the stack; `nil` for none.
    var stack: Int?
  }

  /// A thread that has events.
  struct Thread: Hashable, Sendable {
    /// The system's number.
    var id: UInt64
    /// Its name; empty for one that has ended.
    var name: String
  }

  /// Events that there was no room for: they are the last.
  var lost = 0
  /// The threads.
  var threads: [Thread]
  /// The events, in order.
  var events: [Event]

  /// The number of stacks that there must be.
  var highestStack: Int { events.reduce(0) { max($0, ($1.stack ?? -1) + 1) } }
}
