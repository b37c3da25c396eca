// A bounded queue between any threads: Dmitry Vyukov's bounded MPMC queue, whose slots carry sequence numbers.

/// A queue of fixed capacity that any thread fills and any thread empties.
///
/// At most one compare-exchange per operation, unless another thread is quicker, and an addition where `overwrite`
/// replaces; the queue allocates nothing after `init`. The order is that of the producers' tickets. Neither side waits
/// for a thread that is not running: an operation that meets an unfinished one at its slot reports the queue as full,
/// or as having no element now; `overwrite` alone waits for a thread that has not yet finished with the slot that comes
/// next. Any thread may call every operation. There is no way to look at the first element: another thread may take it
/// at any time.
@safe
public final class MPMCQueue<Element: ~Copyable> {
  // 1024cores.net, "Bounded MPMC queue"; crossbeam's ArrayQueue is the same with stamps.
  //
  // - `tail` is twice the next position to fill, and one more once the queue is closed; `head` twice the next position
  //   to empty. Both are moved by compare-exchange, which gives the slot of that position to the thread that succeeds.
  // - A slot's stamp is twice the position that may fill it next, and one more once that is done: published by the
  //   thread that has the slot, after filling or emptying it, and acquired by the next one. That the two differ by one,
  //   not by a position, is why a capacity of 1 works.
  // - Positions never repeat (62 bits), so an old ticket can't succeed late.
  // - Who overwrites (crossbeam's `force_push`) moves `head` past the oldest element of a full queue, which gives it
  //   that element, as it does a consumer. Its slot is also that of the next position, which nobody else can fill
  //   before it is published as empty; so this thread alone moves `tail` past it, and fills it.

  @usableFromInline let slots: StampedSlots<Element>
  /// How many elements it can hold: a power of two.
  public let capacity: Int

  /// Both sides read what is above; producers write the tail, consumers the head. On one line each side's exchange took
  /// all of it from the other.
  @usableFromInline let padding = CacheLinePadding()
  @usableFromInline let tail = AtomicWord(0)
  @usableFromInline let morePadding = CacheLinePadding()
  @usableFromInline let head = AtomicWord(0)

  /// Creates an empty, open queue.
  ///
  /// - Parameter minimumCapacity: How many elements it must be able to hold, rounded up to a power of two. Traps at
  ///   less than 1, and at more than memory can have addresses for.
  @inlinable
  public init(minimumCapacity: Int) {
    capacity = unsafe roundedToPowerOfTwo(minimumCapacity, of: StampedSlots<Element>.stride)
    unsafe slots = .allocate(count: capacity) { 2 * $0 }
  }

  deinit {
    while dequeue() != nil {}
    unsafe slots.deallocate(count: capacity)
  }

  /// `true` once the queue refuses further elements.
  @inlinable
  public var isClosed: Bool { tail.acquireLoad() & 1 != 0 }

  /// Adds an element at the end.
  ///
  /// - Parameter element: What to add.
  /// - Returns: `false` if the queue is closed, or full, or the slot is still being emptied; the element is dropped
  ///   then.
  /// - Complexity: O(1), apart from races lost to other producers.
  @inlinable
  public func enqueue(_ element: consuming Element) -> Bool {
    guard case .slot(let ticket) = claim() else { return false }
    // SAFETY: stamp and ticket give the empty slot to this thread until it publishes the next stamp.
    unsafe slots.element(index(of: ticket)).initialize(to: element)
    show(ticket)
    return true
  }

  /// Adds an element at the end, or gives it back.
  ///
  /// - Parameter element: What to add.
  /// - Returns: What became of it; `full` also if the slot is still being emptied.
  /// - Complexity: O(1), apart from races lost to other producers.
  @inlinable
  public func offer(_ element: consuming Element) -> Offer<Element> {
    switch claim() {
    case .slot(let ticket):
      // as in `enqueue`
      unsafe slots.element(index(of: ticket)).initialize(to: element)
      show(ticket)
      return .taken
    case .full: return .full(element)
    case .closed: return .closed(element)
    }
  }

  /// Takes the next slot to fill.
  @inlinable @inline(__always)
  func claim() -> Claim {
    var backoff = Backoff()
    while true {
      let ticket = tail.acquireLoad()
      guard ticket & 1 == 0 else { return .closed }
      // acquires the emptied slot (publish in `giveBack`)
      let stamp = unsafe slots.stamp(index(of: ticket)).pointee.acquireLoad()
      if stamp < ticket { return .full }
      if stamp == ticket, tail.compareExchange(expected: ticket, desired: ticket + 2).exchanged { return .slot(ticket) }
      backoff.pauseAfterLostRace()
    }
  }

  /// Where the slot of a ticket is.
  @inlinable @inline(__always)
  func index(of ticket: Int) -> Int { ticket >> 1 & (capacity - 1) }

  /// Shows the element in the slot that this thread had to fill.
  @inlinable @inline(__always)
  func show(_ ticket: Int) {
    // releases the element (acquired in `dequeue`, `claim` of a batch, and `overwrite`)
    unsafe slots.stamp(index(of: ticket)).pointee.publish(ticket + 1)
  }

  /// Gives the slot that this thread had to empty to the next lap.
  @inlinable @inline(__always)
  func giveBack(_ ticket: Int) {
    // releases the slot to the producer of the next lap (acquired in `claim` and `overwrite`)
    unsafe slots.stamp(index(of: ticket)).pointee.publish(ticket + 2 * capacity)
  }

  /// Adds an element at the end, in place of the oldest one if the queue is full.
  ///
  /// What is replaced was the oldest element at that moment. If a thread is at the slot that comes next, this waits
  /// until it is through with it, at last asleep.
  ///
  /// - Parameter element: What to add.
  /// - Returns: Whether there was room, and otherwise the element that had to leave; or the new one if the queue is
  ///   closed.
  /// - Complexity: O(1), apart from races lost to other threads.
  @inlinable
  public func overwrite(with element: consuming Element) -> Overwrite<Element> {
    var backoff = Backoff()
    while true {
      let ticket = tail.acquireLoad()
      guard ticket & 1 == 0 else { return .closed(element) }
      let index = index(of: ticket)
      let oldest = ticket - 2 * capacity
      // acquires the emptied slot (publish in `giveBack`), or the oldest element (publish in `show`)
      let stamp = unsafe slots.stamp(index).pointee.acquireLoad()
      if stamp == ticket, tail.compareExchange(expected: ticket, desired: ticket + 2).exchanged {
        // as in `enqueue`
        unsafe slots.element(index).initialize(to: element)
        show(ticket)
        return .appended
      }
      if stamp == oldest + 1, head.compareExchange(expected: oldest, desired: oldest + 2).exchanged {
        // SAFETY: stamp and exchange give the filled slot to this thread, as its consumer, until it publishes a stamp.
        let replaced = unsafe slots.element(index).move()
        // An addition, since the queue may be closed meanwhile; `isDrained` knows.
        _ = tail.add(2)
        unsafe slots.element(index).initialize(to: element)
        show(ticket)
        // As in `dequeue`.
        withExtendedLifetime(replaced) {}
        return .replaced(replaced)
      }
      if !backoff.snooze() { nap() }
    }
  }

  /// Refuses elements from now on; those in the queue can still be taken.
  ///
  /// - Complexity: O(1), apart from races lost to producers.
  @inlinable
  public func close() { setLowestBit(of: tail) }

  /// Takes the first element, if it is there.
  ///
  /// - Returns: The element, or `nil` if there is none now, or if its producer has not finished yet.
  /// - Complexity: O(1), apart from races lost to other consumers.
  @inlinable
  public func dequeue() -> Element? {
    var backoff = Backoff()
    while true {
      let ticket = head.acquireLoad()
      // acquires the element (publish in `show`)
      let stamp = unsafe slots.stamp(index(of: ticket)).pointee.acquireLoad()
      if stamp < ticket + 1 { return nil }
      if stamp == ticket + 1, head.compareExchange(expected: ticket, desired: ticket + 2).exchanged {
        // SAFETY: stamp and ticket give the filled slot to this thread until it publishes the next stamp.
        let element = unsafe slots.element(index(of: ticket)).move()
        giveBack(ticket)
        // Not freed before: its `deinit` may come back here.
        withExtendedLifetime(element) {}
        return element
      }
      backoff.pauseAfterLostRace()
    }
  }

  /// Takes elements and gives them to a body, until `dequeue` finds none or it has had as many as it may.
  ///
  /// An element has left the queue before the body gets it: the body may use the queue.
  ///
  /// - Parameters:
  ///   - limit: How many elements to take at most.
  ///   - body: Gets each element, in order. What it throws leaves those behind in the queue.
  /// - Returns: How many were taken.
  /// - Complexity: O(n) in the number of elements taken, apart from races lost to other consumers.
  @inlinable
  @discardableResult
  public func drain<Failure: Error>(
    atMost limit: Int = .max, _ body: (consuming Element) throws(Failure) -> Void
  ) throws(Failure) -> Int { try drained(atMost: limit, { dequeue() }, body) }

  /// Takes as many positions in a row as have come to one side, up to a number, by one exchange.
  ///
  /// - Parameters:
  ///   - limit: How many positions at most.
  ///   - side: `tail` or `head`.
  ///   - turn: What a stamp is above its ticket when it is this side's turn: 0 for producers, 1 for consumers.
  /// - Returns: The ticket of the first, and how many.
  @inlinable
  func claim(atMost limit: Int, of side: borrowing AtomicWord, turn: Int) -> (ticket: Int, count: Int) {
    let limit = min(limit, capacity)
    var backoff = Backoff()
    while limit > 0 {
      let ticket = side.acquireLoad()
      guard ticket & 1 == 0 else { break }
      // Slots whose turn it is stay so until this side has moved on. Acquires each (publish in `show` and `giveBack`).
      let first = unsafe slots.stamp(index(of: ticket)).pointee.acquireLoad()
      if first < ticket + turn { break }
      if first == ticket + turn {
        var count = 1
        while count < limit,
          unsafe slots.stamp(index(of: ticket + 2 * count)).pointee.acquireLoad() == ticket + 2 * count + turn
        {
          count += 1
        }
        if side.compareExchange(expected: ticket, desired: ticket + 2 * count).exchanged { return (ticket, count) }
      }
      backoff.pauseAfterLostRace()
    }
    return (0, 0)
  }

  /// The size of its slots, in bytes: allocated by `init`, and kept until the queue is freed.
  @inlinable
  public var allocatedBytes: Int { unsafe capacity * StampedSlots<Element>.stride }

  /// How many places producers have taken that no consumer has taken: the elements in the queue, and those that are
  /// being added. A number from 0 to `capacity`, which may have changed by the time this returns.
  ///
  /// While `overwrite` replaces the oldest element of a full queue, for a few instructions, neither that one nor the
  /// new one counts.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var count: Int {
    // In this order: the tail is never behind a head that was read before.
    let first = head.acquireLoad() >> 1
    return min(tail.acquireLoad() >> 1 - first, capacity)
  }

  /// `true` if there is no element, and none is being added, as `count` has it: also while the only place of a queue is
  /// being overwritten.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// `true` if there is no room, as `count` has it: not while an element is being overwritten, although there is none
  /// then.
  @inlinable
  public var isFull: Bool { count == capacity }

  /// `true` once the queue is closed and every element taken, so that none will ever come.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var isDrained: Bool {
    let last = tail.acquireLoad()
    guard last & 1 != 0, head.acquireLoad() == last - 1 else { return false }
    // A closed tail is final, but for a thread that was about to overwrite: it has the slot of this position until
    // then.
    return unsafe slots.stamp(index(of: last)).pointee.acquireLoad() == last - 1
  }
}

extension MPMCQueue {
  /// Adds as many elements side by side as there is room for, by one exchange. It stops at a slot that is still being
  /// emptied.
  ///
  /// - Parameter elements: What to add, in order.
  /// - Returns: How many of the first elements were added; 0 if the queue is closed.
  /// - Complexity: O(n) in the number of elements, apart from races lost to other producers.
  @inlinable
  public func enqueue(contentsOf elements: ArraySlice<Element>) -> Int {
    let (ticket, count) = claim(atMost: elements.count, of: tail, turn: 0)
    for offset in 0..<count {
      let ticket = ticket + 2 * offset
      // SAFETY: as in `enqueue`.
      unsafe slots.element(index(of: ticket)).initialize(to: elements[elements.startIndex + offset])
      show(ticket)
    }
    return count
  }

  /// Takes several elements side by side, by one exchange. It stops at one whose producer has not finished yet.
  ///
  /// - Parameters:
  ///   - limit: How many to take at most.
  ///   - elements: Where they are appended, in order.
  /// - Returns: How many were taken.
  /// - Complexity: O(n) in the number of elements taken, amortised over the array's growth, apart from races lost to
  ///   other consumers.
  @inlinable
  @discardableResult
  public func dequeue(atMost limit: Int, into elements: inout [Element]) -> Int {
    let (ticket, count) = claim(atMost: limit, of: head, turn: 1)
    for offset in 0..<count {
      let ticket = ticket + 2 * offset
      // SAFETY: as in `dequeue`.
      unsafe elements.append(slots.element(index(of: ticket)).move())
      giveBack(ticket)
    }
    return count
  }
}

// SAFETY: the class's thread contract; elements move from thread to thread.
extension MPMCQueue: @unchecked Sendable where Element: Sendable & ~Copyable {}
