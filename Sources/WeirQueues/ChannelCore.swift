// What the two ends of a channel share: a queue, and those who wait for it.

/// A queue with waiters.
///
/// Whatever an operation changes may be what others wait for: an element for a receiver; room for a sender; and, as
/// places are filled and emptied in any order, what one operation leaves behind is a change as well. So after each one
/// `settle` wakes whoever may go on then, and who is woken tries again: success is a change of its own, and failure
/// leaves the turn to whoever is at the slot, who will settle. A waiter leaves its line before it settles, so that it
/// wakes others and not itself; a `Selection`, which learns only by trying which lines it can leave, settles once more
/// behind that. Once nobody receives any more, who settles frees what is there instead.
@safe
@usableFromInline
final class ChannelCore<Element: ~Copyable> {
  @usableFromInline let queue: ChannelQueue<Element>
  @usableFromInline let waiters = ChannelWaiters()
  /// Why no more elements come, if whoever closed the channel has said so.
  let failure = Lock<(any Error)?>(nil)

  @inlinable
  init(_ queue: consuming ChannelQueue<Element>) { self.queue = queue }

  /// Looks for those who may go on after what the caller has done.
  @inlinable @inline(__always)
  func settle() { if waiters.areThere { wakeOthers() } }

  @inlinable @inline(never)
  func wakeOthers() {
    if waiters.isReceivingOver { return discard() }
    wakeReady()
  }

  @inlinable
  func wakeReady() {
    if queue.count > 0 {
      waiters.wakeOne(.receiving)
    } else if queue.isDrained {
      waiters.wakeAll(.receiving)
    }
    if !queue.isFull { waiters.wakeOne(.sending) }
  }

  /// Leaves the line for a task that is cancelled. If the waiter has been woken, others may go on instead.
  ///
  /// It frees no elements: whoever cancels the task holds locks of the runtime.
  @usableFromInline
  func giveUp(_ waiter: Waiter) { if !waiters.leave(waiter), waiters.areThere { wakeReady() } }

  /// Refuses elements from now on, and tells those who wait.
  @inlinable
  func close() {
    queue.close()
    // Once receiving is over, all have been told, and elements are being freed: one that closes the channel when it is
    // freed would free the next one within that.
    guard waiters.areThere, !waiters.isReceivingOver else { return }
    waiters.wakeAll(.sending)
    wakeOthers()
  }

  /// Refuses elements from now on, with nobody left to receive those that are there: they are freed.
  ///
  /// This ends at an element whose sender has not finished. That one settles afterwards, and frees it and what is
  /// behind it, up to the next such: as with waiters, either the sender finds that receiving is over, or its element is
  /// found here.
  @inlinable
  func endReceiving() {
    close()
    waiters.endReceiving()
    discard()
  }

  @inlinable
  func discard() { while queue.dequeue() != nil {} }

  /// Takes an element, and does not settle.
  @inlinable @inline(__always)
  func take() -> Received<Element> {
    if let element = queue.dequeue() { return .element(element) }
    return queue.isDrained ? .closed : .empty
  }

  /// Takes an element; the thread sleeps until there is one.
  @inlinable
  func receive(until deadline: Int) -> Received<Element> {
    var wait = Wait(waiters, .receiving, isPatient: deadline == .max)
    while true {
      let received = take()
      if !received.isEmpty || wait.isOver {
        wait.finish()
        settle()
        return received
      }
      if let waiter = wait.next() {
        waiter.park(until: deadline)
        wait.wokeUp()
      }
    }
  }

  /// Takes an element; the task is suspended until there is one.
  @inlinable
  nonisolated(nonsending) func receive() async -> Received<Element> {
    var wait = Wait(waiters, .receiving)
    while true {
      let received = take()
      if !received.isEmpty {
        wait.finish()
        settle()
        return received
      }
      if let waiter = wait.next() {
        // SAFETY: whoever cancels wakes others, and moves no element.
        let core = Unchecked(self)
        await waiter.suspend { core.value.giveUp(waiter) }
        wait.wokeUp()
      }
      // What came since its cancellation is for others, who may be waiting while this one was woken.
      if isTaskCancelled() {
        wait.finish()
        settle()
        return .empty
      }
    }
  }

  /// Adds an element; the thread sleeps until there is room.
  @inlinable
  func send(_ element: consuming Element, until deadline: Int) -> Offer<Element> {
    var wait = Wait(waiters, .sending, isPatient: deadline == .max)
    var rest = element
    while true {
      switch queue.offer(rest) {
      case .full(let back):
        if wait.isOver { return .full(back) }
        rest = back
      case .taken:
        wait.finish()
        settle()
        return .taken
      case .closed(let back):
        wait.finish()
        return .closed(back)
      }
      if let waiter = wait.next() {
        waiter.park(until: deadline)
        wait.wokeUp()
      }
    }
  }

  /// Adds an element; the task is suspended until there is room.
  @inlinable
  nonisolated(nonsending) func send(_ element: consuming Element) async -> Offer<Element> {
    var wait = Wait(waiters, .sending)
    var rest = element
    while true {
      switch queue.offer(rest) {
      case .full(let back): rest = back
      case .taken:
        wait.finish()
        settle()
        return .taken
      case .closed(let back):
        wait.finish()
        return .closed(back)
      }
      if let waiter = wait.next() {
        // SAFETY: whoever cancels wakes others, and moves no element.
        let core = Unchecked(self)
        await waiter.suspend { core.value.giveUp(waiter) }
        wait.wokeUp()
      }
      // As in `receive`.
      if isTaskCancelled() {
        wait.finish()
        settle()
        return .full(rest)
      }
    }
  }
}

// SAFETY: elements move from thread to thread, through a queue that any thread fills and any thread empties.
extension ChannelCore: @unchecked Sendable where Element: Sendable & ~Copyable {}
