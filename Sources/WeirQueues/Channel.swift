// A queue whose ends wait for each other: threads asleep, tasks suspended.

/// Hands elements from any number of senders to any number of receivers, in the order in which they were sent; a sender
/// can wait for room, a receiver for an element.
///
/// There are three ways to use each end: at once or not at all (`trySend`, `tryReceive`), with the thread asleep until
/// it works, optionally for a limited time (`sendBlocking`, `receiveBlocking`), and with the task suspended, while the
/// thread does other work (`send`, `receive`). All may be mixed. Threads and tasks that wait stand in a line, and the
/// first is woken first, though one that arrives at the right moment may be quicker. One that is woken and finds
/// nothing left goes to the end of the line again. One whose task is cancelled leaves it at once, and others have what
/// it was woken for.
///
/// The channel is closed by `close()` of either end, or when the last reference to one of the ends goes: senders then
/// get their elements back, and receivers get what is there and then learn that no more comes. When the last receiver
/// goes, the elements that are there are freed, and those that are still being sent, with what is behind them, as soon
/// as that is done.
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
/// Any thread may use either end. While nobody waits, an element costs at most one atomic addition at each end more
/// than in the bare queues, and in a channel that grows also a lock for receivers. After `init` the channel allocates
/// memory only for threads and tasks that wait, for choices of `select`, and where it grows, as an `MPSCQueue` does.
///
/// The complexities of the operations leave out that whoever takes the last element of a closed channel wakes all
/// receivers that wait, that whoever sends while the last receiver goes may free all that nobody receives, and that
/// whoever wakes another one takes the places of `select`s that were woken elsewhere out of the line, each once.
@safe
@frozen
public struct Channel<Element: ~Copyable> {
  /// The end for senders.
  public let sender: Sender
  /// The end for receivers.
  public let receiver: Receiver

  /// Creates an empty, open channel.
  ///
  /// - Parameter minimumCapacity: How many elements it must be able to hold, rounded up to a power of two. Traps at
  ///   less than 1, and at more than memory can have addresses for.
  @inlinable
  public init(minimumCapacity: Int) {
    self.init(.bounded(MPMCQueue(minimumCapacity: minimumCapacity)))
  }

  /// Creates an empty, open channel that grows, so that no sender waits for room.
  ///
  /// It is an `MPSCQueue`, so that a sender waits where another one begins a segment. Its receivers take turns: if the
  /// system stops a receiver during its turn, the others wait for it, and so does whoever counts, whoever sends or
  /// closes while somebody waits, or while the last receiver goes, and whoever cancels a task that was just woken. This
  /// holds for `trySend` and the others that don't wait for elements, too.
  @inlinable
  public init() { self.init(.growing(GrowingQueue())) }

  @inlinable
  init(_ queue: consuming ChannelQueue<Element>) {
    let core = ChannelCore(queue)
    sender = Sender(core)
    receiver = Receiver(core)
  }

  /// The end of a channel that elements are put in at. Any thread may call this.
  @safe
  public final class Sender {
    @usableFromInline let core: ChannelCore<Element>

    @inlinable
    init(_ core: ChannelCore<Element>) { self.core = core }

    deinit { core.close() }
  }

  /// The end of a channel that elements come out at. Any thread may call this.
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
  /// Sends an element if there is room, without waiting. Any thread may call this.
  ///
  /// - Parameter element: What to send.
  /// - Returns: What became of it; `full` also if the slot that comes next is still being emptied.
  /// - Complexity: O(1), apart from races lost to other threads.
  @inlinable
  public func trySend(_ element: consuming Element) -> Offer<Element> {
    let offer = core.queue.offer(element)
    if offer.isTaken { core.settle() }
    return offer
  }

  /// Sends an element; the thread sleeps until there is room. Any thread may call this, except one that runs a task.
  ///
  /// - Parameter element: What to send.
  /// - Returns: What became of it; it is never `full`.
  /// - Complexity: O(1), apart from races lost to other threads; allocates if it has to wait.
  @available(*, noasync, message: "it would block a thread of the pool: use send(_:)")
  @inlinable
  public func sendBlocking(_ element: consuming Element) -> Offer<Element> { core.send(element, until: .max) }

  /// Sends an element; the thread sleeps until there is room, for a time at most. Any thread may call this, except one
  /// that runs a task.
  ///
  /// - Parameters:
  ///   - element: What to send.
  ///   - time: How long to wait, by a clock that never goes back; if it is not above zero, this does not wait.
  /// - Returns: What became of it; `full` if it found no room until the time was over.
  /// - Complexity: O(1), apart from races lost to other threads; allocates if it has to wait.
  @available(*, noasync, message: "it would block a thread of the pool: use send(_:)")
  @inlinable
  public func sendBlocking(_ element: consuming Element, for time: Duration) -> Offer<Element> {
    time > .zero ? core.send(element, until: deadline(after: time)) : trySend(element)
  }

  /// Sends an element; the task is suspended until there is room. Any task may call this.
  ///
  /// - Parameter element: What to send.
  /// - Returns: What became of it; `full` if the task was cancelled, before or while it waited, and had found no room.
  /// - Complexity: O(1), apart from races lost to other threads; allocates if it has to wait.
  @inlinable
  public nonisolated(nonsending) func send(_ element: consuming Element) async -> Offer<Element> {
    switch trySend(element) {
    case .taken: return .taken
    case .full(let back): return await core.send(back)
    case .closed(let back): return .closed(back)
    }
  }

  /// Sends an element, in place of the oldest one if there is no room. Any thread may call this; it waits for a thread
  /// that has not yet finished with the slot that comes next, and otherwise no more than `trySend` does.
  ///
  /// - Parameter element: What to send.
  /// - Returns: Whether there was room, and otherwise the element that had to leave; or the new one if the channel is
  ///   closed.
  /// - Complexity: O(1), apart from races lost to other threads.
  @inlinable
  public func sendReplacing(_ element: consuming Element) -> Overwrite<Element> {
    let overwrite = core.queue.overwrite(with: element)
    if overwrite.isTaken { core.settle() }
    return overwrite
  }

  /// How many elements fit into the channel; `nil` if it grows. Any thread may ask.
  @inlinable
  public var capacity: Int? { core.queue.capacity }

  /// How many elements are in the channel, or being added: a number that may have changed by the time this returns.
  /// While `sendReplacing` replaces the oldest element, neither that one nor the new one counts. Any thread may ask.
  @inlinable
  public var count: Int { core.queue.count }

  /// `true` once the channel refuses further elements. Any thread may ask.
  @inlinable
  public var isClosed: Bool { core.queue.isClosed }

  /// Refuses elements from now on; receivers get those that are there. Any thread may call this, any number of times.
  ///
  /// - Complexity: O(n) in the number of threads and tasks that wait, apart from races lost to senders.
  @inlinable
  public func close() { core.close() }

  /// Refuses elements from now on, with an error: receivers get those that are there, and then find it in `failure`, or
  /// have it thrown by `throwing`. Any thread may call this; of several errors the first counts, and one that comes
  /// behind `close()` does not.
  ///
  /// - Parameter error: Why no more elements come.
  /// - Complexity: O(n) in the number of threads and tasks that wait, apart from races lost to senders.
  public func close(throwing error: any Error) {
    core.failure.withLock { failure in
      if failure == nil, !core.queue.isClosed { failure = error }
    }
    core.close()
  }
}

extension Channel.Sender {
  /// Sends as many elements as there is room for, side by side, without waiting. Any thread may call this.
  ///
  /// It stops at a slot that a receiver has not finished with. In a channel that grows, elements of others may come
  /// between them where a segment of its queue ends.
  ///
  /// - Parameter elements: What to send, in order.
  /// - Returns: How many of the first elements were sent; 0 if the channel is closed.
  /// - Complexity: O(n) in the number of elements, apart from races lost to other threads.
  @inlinable
  public func trySend(contentsOf elements: ArraySlice<Element>) -> Int {
    let count = core.queue.enqueue(contentsOf: elements)
    if count > 0 { core.settle() }
    return count
  }
}

extension Channel.Receiver where Element: ~Copyable {
  /// Takes the first element if there is one, without waiting. Any thread may call this.
  ///
  /// - Returns: The element; `empty` if there is none now, or its sender has not finished yet; `closed` if none will
  ///   ever come.
  /// - Complexity: O(1), apart from races lost to other threads.
  @inlinable
  public func tryReceive() -> Received<Element> {
    let received = core.take()
    if !received.isEmpty { core.settle() }
    return received
  }

  /// Takes the first element; the thread sleeps until there is one. Any thread may call this, except one that runs a
  /// task.
  ///
  /// - Returns: The element, or `closed` if none will ever come; it is never `empty`.
  /// - Complexity: O(1), apart from races lost to other threads; allocates if it has to wait.
  @available(*, noasync, message: "it would block a thread of the pool: use receive()")
  @inlinable
  public func receiveBlocking() -> Received<Element> { core.receive(until: .max) }

  /// Takes the first element; the thread sleeps until there is one, for a time at most. Any thread may call this,
  /// except one that runs a task.
  ///
  /// - Parameter time: How long to wait, by a clock that never goes back; if it is not above zero, this does not wait.
  /// - Returns: The element; `empty` if it found none until the time was over, `closed` if none will ever come.
  /// - Complexity: O(1), apart from races lost to other threads; allocates if it has to wait.
  @available(*, noasync, message: "it would block a thread of the pool: use receive()")
  @inlinable
  public func receiveBlocking(for time: Duration) -> Received<Element> {
    time > .zero ? core.receive(until: deadline(after: time)) : tryReceive()
  }

  /// Takes the first element; the task is suspended until there is one. Any task may call this.
  ///
  /// - Returns: The element; `empty` if the task was cancelled while it waited, `closed` if none will ever come. One
  ///   that was cancelled before takes what is there, and does not wait. One that is cancelled while it is suspended
  ///   takes nothing that was sent since; while it looks for an element, it may.
  /// - Complexity: O(1), apart from races lost to other threads; allocates if it has to wait.
  @inlinable
  public nonisolated(nonsending) func receive() async -> Received<Element> {
    let received = tryReceive()
    if !received.isEmpty { return received }
    return await core.receive()
  }

  /// Takes elements and gives them to a body, until `tryReceive` finds none or it has had as many as it may. Any thread
  /// may call this.
  ///
  /// - Parameters:
  ///   - limit: How many elements to take at most.
  ///   - body: Gets each element, in order. It may use the channel. What it throws leaves those behind in the channel.
  /// - Returns: How many were taken.
  /// - Complexity: O(n) in the number of elements taken, apart from races lost to other threads.
  @inlinable
  @discardableResult
  public func drain<Failure: Error>(
    atMost limit: Int = .max, _ body: (consuming Element) throws(Failure) -> Void
  ) throws(Failure) -> Int { try drained(atMost: limit, { tryReceive().taken() }, body) }

  /// How many elements are in the channel, or being added: a number that may have changed by the time this returns.
  /// While `sendReplacing` replaces the oldest element, neither that one nor the new one counts. Any thread may ask.
  @inlinable
  public var count: Int { core.queue.count }

  /// `true` if `count` is zero. Any thread may ask.
  @inlinable
  public var isEmpty: Bool { core.queue.count == 0 }

  /// Gives back the memory that a channel that grows keeps for when it becomes longer again. Any thread may call this.
  ///
  /// - Returns: How many bytes went back to the allocator; 0 if it does not grow.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public func trim() -> Int { core.queue.trim() }

  /// `true` once the channel refuses further elements. Any thread may ask.
  @inlinable
  public var isClosed: Bool { core.queue.isClosed }

  /// Accepts no more elements: senders are refused from now on; the elements that are there can still be taken. Any
  /// thread may call this, any number of times.
  ///
  /// - Complexity: O(n) in the number of threads and tasks that wait, apart from races lost to senders.
  @inlinable
  public func close() { core.close() }

  /// The error with which the channel was closed, if it was closed with one: certain once `closed` was received. Any
  /// thread may ask.
  public var failure: (any Error)? { core.failure.withLock { $0 } }
}

extension Channel.Receiver {
  /// Takes several elements side by side, without waiting, up to one whose sender has not finished. Any thread may call
  /// this.
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

extension Channel.Receiver {
  /// Takes several elements, as many as there are, but none behind one whose sender has not finished; the task is
  /// suspended until there is one. Any task may call this.
  ///
  /// Others may take elements between the first one and the rest.
  ///
  /// - Parameters:
  ///   - limit: How many to take at most; with none this does not wait.
  ///   - elements: Where they are appended, in order.
  /// - Returns: How many were taken; 0 if `limit` is less than 1, none will ever come, or the task was cancelled while
  ///   it was suspended. One that was cancelled before takes what is there, if anything.
  /// - Complexity: O(n) in the number of elements taken, amortised over the array's growth.
  @inlinable
  @discardableResult
  public nonisolated(nonsending) func receive(atMost limit: Int, into elements: inout [Element]) async -> Int {
    guard limit > 0, let first = await receive().taken() else { return 0 }
    elements.append(first)
    return 1 + tryReceive(atMost: limit - 1, into: &elements)
  }

  /// The elements as an asynchronous sequence that throws the error with which the channel was closed, if there is one.
  @inlinable
  public var throwing: ThrowingElements { ThrowingElements(elements: makeAsyncIterator()) }

  /// Elements of a channel, and the error at their end.
  @frozen
  public struct ThrowingElements: AsyncSequence, AsyncIteratorProtocol {
    @usableFromInline var elements: Iterator
    @usableFromInline var isTold = false

    @inlinable
    init(elements: Iterator) { self.elements = elements }

    /// Takes the next element; the task is suspended until there is one.
    ///
    /// - Returns: The element, or `nil` if none will ever come or the task is cancelled.
    /// - Throws: The error with which the channel was closed, once for each iterator, behind the last element.
    @inlinable
    public nonisolated(nonsending) mutating func next() async throws -> Element? {
      if let element = await elements.next() { return element }
      try throwFailure()
      return nil
    }

    /// Takes the next element, on the caller's actor; the task is suspended until there is one.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: The element, or `nil` if none will ever come or the task is cancelled.
    /// - Throws: The error with which the channel was closed, once for each iterator, behind the last element.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
      if let element = await elements.next(isolation: actor) { return element }
      try throwFailure()
      return nil
    }

    @usableFromInline
    mutating func throwFailure() throws {
      guard !isTold, !isTaskCancelled(), let failure = elements.receiver.failure else { return }
      isTold = true
      throw failure
    }

    /// A new iterator over these elements. Several iterators share them: each goes to one of them.
    @inlinable
    public func makeAsyncIterator() -> ThrowingElements { elements.receiver.throwing }
  }
}

extension Channel.Receiver.Iterator: Sendable where Element: Sendable {}
extension Channel.Receiver.ThrowingElements: Sendable where Element: Sendable {}

extension Channel.Receiver: AsyncSequence {
  /// Takes elements as they come, until the channel is closed and empty, or the task is cancelled, which leaves the
  /// other elements in the channel, but for one that it may be about to take. On an actor it takes at most 256 elements
  /// that are ready before it lets other tasks of the actor and of its own priority run. Several iterators share the
  /// elements: each goes to one of them.
  @frozen
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let receiver: Channel.Receiver
    @usableFromInline var readyRun = ReadyRun()

    @inlinable
    init(_ receiver: Channel.Receiver) { self.receiver = receiver }

    /// Takes the next element; the task is suspended until there is one.
    ///
    /// - Returns: The element, or `nil` if none will ever come or the task is cancelled.
    @inlinable
    public nonisolated(nonsending) mutating func next() async -> Element? {
      if readyRun.isOver(on: #isolation) { await Task.yield() }
      // Otherwise it would go on as long as there are elements.
      if isTaskCancelled() { return nil }
      let received = receiver.tryReceive()
      if !received.isEmpty { return received.taken() }
      return await receiver.core.receive().taken()
    }

    /// Takes the next element, on the caller's actor; the task is suspended until there is one.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: The element, or `nil` if none will ever come or the task is cancelled.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      // As in `next`, which would be a second call of an asynchronous function.
      if readyRun.isOver(on: actor) { await Task.yield() }
      if isTaskCancelled() { return nil }
      let received = receiver.tryReceive()
      if !received.isEmpty { return received.taken() }
      return await receiver.core.receive().taken()
    }
  }

  /// An iterator over the elements, those that are there and those that come. Any thread may call this.
  @inlinable
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
