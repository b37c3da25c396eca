// A queue whose ends wait for each other: threads asleep, tasks suspended.

/// Hands elements from any number of senders to any number of receivers, in the order in which they were sent; a sender
/// can wait for room, a receiver for an element.
///
/// There are three ways to use each end: at once (`trySend`, `tryReceive`), with the thread asleep until it works, for a
/// time if one likes (`sendBlocking`, `receiveBlocking`), and with the task suspended, which blocks no thread (`send`,
/// `receive`). All may be mixed. Those who wait stand in a line, and the first is woken first; one that comes at the right
/// moment may be quicker than it. Who is woken and finds nothing left goes to the end of the line again.
///
/// The channel is closed by `close()` of either end, or when the last reference to one of the ends goes: senders then have
/// their elements back, and receivers get what is there and then learn that no more comes. What is there when the last
/// receiver goes is freed, and what is still being sent then once that is done.
///
/// ```swift
/// let channel = Channel<Int>(minimumCapacity: 16)
/// Task {
///   for number in 1...100 { _ = await channel.sender.send(number) }
///   channel.sender.close()
/// }
/// for await number in channel.receiver { print(number) }
/// ```
///
/// Both ends may be used by any thread. Beside the bare queues an element costs one atomic addition more at each end,
/// in a channel that grows also a lock for receivers; nothing is allocated but for those who wait, and as the channel
/// grows.
@safe
@frozen
public struct Channel<Element: ~Copyable> {
  /// The end for those who send.
  public let sender: Sender
  /// The end for those who receive.
  public let receiver: Receiver

  /// Creates an empty, open channel.
  ///
  /// - Parameter minimumCapacity: How many elements it must be able to hold, at least 1; rounded up to a power of two.
  @inlinable
  public init(minimumCapacity: Int) {
    self.init(.bounded(MPMCQueue(minimumCapacity: minimumCapacity)))
  }

  /// Creates an empty, open channel that grows: there is always room, and no sender waits.
  ///
  /// It is an `MPSCQueue`, whose receivers take turns: one that the system stops in its turn holds the others up.
  @inlinable
  public init() { self.init(.growing(GrowingQueue())) }

  @inlinable
  init(_ queue: consuming ChannelQueue<Element>) {
    let core = ChannelCore(queue)
    sender = Sender(core)
    receiver = Receiver(core)
  }

  /// The end of a channel that elements are put in at. Any thread's.
  @safe
  public final class Sender {
    @usableFromInline let core: ChannelCore<Element>

    @inlinable
    init(_ core: ChannelCore<Element>) { self.core = core }

    deinit { core.close() }
  }

  /// The end of a channel that elements come out at. Any thread's.
  @safe
  public final class Receiver {
    @usableFromInline let core: ChannelCore<Element>

    @inlinable
    init(_ core: ChannelCore<Element>) { self.core = core }

    deinit { core.endReceiving() }
  }
}

extension Channel: Sendable where Element: Sendable & ~Copyable {}

// SAFETY: the core is constant, and for any threads.
extension Channel.Sender: @unchecked Sendable where Element: Sendable & ~Copyable {}

// SAFETY: the core is constant, and for any threads.
extension Channel.Receiver: @unchecked Sendable where Element: Sendable & ~Copyable {}

extension Channel.Sender where Element: ~Copyable {
  /// Sends an element if there is room, without waiting. Any thread's.
  ///
  /// - Parameter element: What to send.
  /// - Returns: What became of it.
  /// - Complexity: O(1) but for races lost to other threads.
  @inlinable
  public func trySend(_ element: consuming Element) -> Offer<Element> {
    let offer = core.queue.offer(element)
    if offer.isTaken { core.settle() }
    return offer
  }

  /// Sends an element; the thread sleeps until there is room. Any thread's, but not that of a task.
  ///
  /// - Parameter element: What to send.
  /// - Returns: What became of it; it is never `full`.
  /// - Complexity: O(1) but for races lost to other threads; allocates if it sleeps.
  @available(*, noasync, message: "it would block a thread of the pool: use send(_:)")
  @inlinable
  public func sendBlocking(_ element: consuming Element) -> Offer<Element> { core.send(element, until: .max) }

  /// Sends an element; the thread sleeps until there is room, for a time at most. Any thread's, but not that of a task.
  ///
  /// - Parameters:
  ///   - element: What to send.
  ///   - time: How long to wait, by a clock that never goes back; without waiting if it is not above zero.
  /// - Returns: What became of it; `full` if there was no room until the time was over.
  /// - Complexity: O(1) but for races lost to other threads; allocates if it sleeps.
  @available(*, noasync, message: "it would block a thread of the pool: use send(_:)")
  @inlinable
  public func sendBlocking(_ element: consuming Element, for time: Duration) -> Offer<Element> {
    core.send(element, until: deadline(after: time))
  }

  /// Sends an element; the task is suspended until there is room. Any task's.
  ///
  /// - Parameter element: What to send.
  /// - Returns: What became of it; `full` if the task was cancelled before there was room.
  /// - Complexity: O(1) but for races lost to other threads; allocates if it is suspended.
  @inlinable
  public func send(_ element: consuming Element) async -> Offer<Element> { await core.send(element) }

  /// Sends an element, in place of the oldest one if there is no room. Any thread's; it waits for nobody but a thread that is
  /// at the oldest element.
  ///
  /// - Parameter element: What to send.
  /// - Returns: Whether there was room, and otherwise the element that had to leave; or the new one if the channel is closed.
  /// - Complexity: O(1) but for races lost to other threads.
  @inlinable
  public func sendReplacing(_ element: consuming Element) -> Overwrite<Element> {
    let overwrite = core.queue.overwrite(with: element)
    core.settle()
    return overwrite
  }

  /// How many elements fit into the channel; `nil` if it grows. Any thread may ask.
  @inlinable
  public var capacity: Int? { core.queue.capacity }

  /// How many elements are in the channel, or being added: a number that may be over when it is known. Any thread may ask.
  @inlinable
  public var count: Int { core.queue.count }

  /// Whether nothing is taken any more. Any thread may ask.
  @inlinable
  public var isClosed: Bool { core.queue.isClosed }

  /// Refuses elements from now on; receivers get those that are there. Any thread's, and as often as one likes.
  ///
  /// - Complexity: O(n) in the number of those who wait.
  @inlinable
  public func close() { core.close() }
}

extension Channel.Sender {
  /// Sends as many elements as there is room for, side by side, without waiting. Any thread's.
  ///
  /// In a channel that grows, elements of others may come between them where a segment of its queue ends.
  ///
  /// - Parameter elements: What to send, in order.
  /// - Returns: How many of the first elements were sent; 0 if the channel is closed.
  /// - Complexity: O(n) in the number of elements, but for races lost to other threads.
  @inlinable
  public func trySend(contentsOf elements: ArraySlice<Element>) -> Int {
    let count = core.queue.enqueue(contentsOf: elements)
    if count > 0 { core.settle() }
    return count
  }
}

extension Channel.Receiver where Element: ~Copyable {
  /// Takes the first element if there is one, without waiting. Any thread's.
  ///
  /// - Returns: The element; `empty` if there is none now, `closed` if none will ever come.
  /// - Complexity: O(1) but for races lost to other threads.
  @inlinable
  public func tryReceive() -> Received<Element> {
    let received = core.take()
    if !received.isEmpty { core.settle() }
    return received
  }

  /// Takes the first element; the thread sleeps until there is one. Any thread's, but not that of a task.
  ///
  /// - Returns: The element, or `closed` if none will ever come; it is never `empty`.
  /// - Complexity: O(1) but for races lost to other threads; allocates if it sleeps.
  @available(*, noasync, message: "it would block a thread of the pool: use receive()")
  @inlinable
  public func receiveBlocking() -> Received<Element> { core.receive(until: .max) }

  /// Takes the first element; the thread sleeps until there is one, for a time at most. Any thread's, but not that of a task.
  ///
  /// - Parameter time: How long to wait, by a clock that never goes back; without waiting if it is not above zero.
  /// - Returns: The element; `empty` if none came until the time was over, `closed` if none will ever come.
  /// - Complexity: O(1) but for races lost to other threads; allocates if it sleeps.
  @available(*, noasync, message: "it would block a thread of the pool: use receive()")
  @inlinable
  public func receiveBlocking(for time: Duration) -> Received<Element> { core.receive(until: deadline(after: time)) }

  /// Takes the first element; the task is suspended until there is one. Any task's.
  ///
  /// - Returns: The element; `empty` if the task was cancelled before there was one, `closed` if none will ever come. An
  ///   element that comes together with the cancellation is returned.
  /// - Complexity: O(1) but for races lost to other threads; allocates if it is suspended.
  @inlinable
  public func receive() async -> Received<Element> { await core.receive() }

  /// Takes elements and gives them to a body, until there is none or it has had as many as it may. Any thread's.
  ///
  /// - Parameters:
  ///   - limit: How many elements to take at most.
  ///   - body: Gets each element, in order. It may use the channel. What it throws leaves those behind in the channel.
  /// - Returns: How many were taken.
  /// - Complexity: O(n) in the number of elements taken, but for races lost to other threads.
  @inlinable
  @discardableResult
  public func drain<Failure: Error>(
    atMost limit: Int = .max, _ body: (consuming Element) throws(Failure) -> Void
  ) throws(Failure) -> Int { try drained(atMost: limit, { tryReceive().taken() }, body) }

  /// How many elements are in the channel, or being added: a number that may be over when it is known. Any thread may ask.
  @inlinable
  public var count: Int { core.queue.count }

  /// Whether there is no element, and none is being added. Any thread may ask.
  @inlinable
  public var isEmpty: Bool { core.queue.count == 0 }

  /// Gives back the memory that a channel that grows keeps for when it becomes longer again. Any thread's.
  ///
  /// - Returns: How many bytes went back to the allocator; 0 if it does not grow.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public func trim() -> Int { core.queue.trim() }

  /// Whether nothing is taken any more. Any thread may ask.
  @inlinable
  public var isClosed: Bool { core.queue.isClosed }

  /// Wants no more elements: senders are refused from now on; those elements that are there can still be taken. Any
  /// thread's, and as often as one likes.
  ///
  /// - Complexity: O(n) in the number of those who wait.
  @inlinable
  public func close() { core.close() }
}

extension Channel.Receiver {
  /// Takes several elements side by side, without waiting. Any thread's.
  ///
  /// - Parameters:
  ///   - limit: How many to take at most.
  ///   - elements: Where they are appended, in order.
  /// - Returns: How many were taken.
  /// - Complexity: O(n) in the number of elements taken, amortised over the array's growth.
  @inlinable
  @discardableResult
  public func tryReceive(atMost limit: Int, into elements: inout [Element]) -> Int {
    let count = core.queue.dequeue(atMost: limit, into: &elements)
    if count > 0 { core.settle() }
    return count
  }
}

extension Channel.Receiver: AsyncSequence {
  /// Takes elements as they come, until the channel is closed and empty, or the task cancelled, which leaves the rest where it
  /// is. Several share the elements.
  @frozen
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let receiver: Channel.Receiver

    @inlinable
    init(_ receiver: Channel.Receiver) { self.receiver = receiver }

    /// Takes the next element; the task is suspended until there is one.
    ///
    /// - Returns: The element, or `nil` if none will ever come or the task is cancelled.
    @inlinable
    public mutating func next() async -> Element? {
      // Otherwise it would go on as long as there are elements.
      if Task.isCancelled { return nil }
      return await receiver.receive().taken()
    }
  }

  /// An iterator over the elements, those that are there and those that come. Any thread's.
  @inlinable
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
