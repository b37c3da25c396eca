// Tests of what a channel's ends share: who is woken by what.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct ChannelCoreTests {
  private let woken = Shared([String]())
  private let lifetimes = Lifetimes()

  private func wait(_ core: ChannelCore<Int>, _ end: ChannelWaiters.End, _ name: String) {
    core.waiters.join(end).sleep { woken.value.append(name) }
  }

  @Test func anElementWakesOneReceiver() {
    let core = ChannelCore<Int>(.bounded(MPMCQueue(minimumCapacity: 2)))
    wait(core, .receiving, "first")
    wait(core, .receiving, "second")
    #expect(core.queue.offer(1) == .taken)
    core.settle()
    #expect(woken.value == ["first"])
    // Who takes one of two wakes the next one.
    #expect(core.queue.offer(2) == .taken)
    #expect(core.take() == .element(1))
    core.settle()
    #expect(woken.value == ["first", "second"])
  }

  @Test func roomWakesOneSender() {
    let core = ChannelCore<Int>(.bounded(MPMCQueue(minimumCapacity: 1)))
    #expect(core.queue.offer(1) == .taken)
    wait(core, .sending, "first")
    wait(core, .sending, "second")
    core.settle()
    #expect(woken.value == [])
    #expect(core.take() == .element(1))
    core.settle()
    #expect(woken.value == ["first"])
  }

  @Test func closingWakesAllSendersAndReceiversOnceItIsDrained() {
    let core = ChannelCore<Int>(.bounded(MPMCQueue(minimumCapacity: 1)))
    #expect(core.queue.offer(1) == .taken)
    for name in ["s", "t"] { wait(core, .sending, name) }
    for name in ["a", "b", "c"] { wait(core, .receiving, name) }
    core.close()
    #expect(woken.value == ["s", "t", "a"])
    #expect(core.take() == .element(1))
    core.settle()
    #expect(woken.value == ["s", "t", "a", "b", "c"])
  }

  /// An element behind one that is still being sent when the last receiver goes.
  @Test func whoeverFinishesLateFreesWhatNobodyReceives() {
    let queue = MPMCQueue<LifetimeTracked>(minimumCapacity: 4)
    var channel: Channel? = Channel(.bounded(queue))
    let sender = channel!.sender
    guard case .slot(let ticket) = queue.claim() else { fatalError("there is no room") }
    #expect(sender.trySend(lifetimes.track(2)) == .taken)
    channel = nil
    #expect(lifetimes.live == 1)
    queue.slots.element(queue.index(of: ticket)).initialize(to: lifetimes.track(1))
    queue.show(ticket)
    sender.core.settle()
    #expect(lifetimes.live == 0)
  }

  @Test func whoeverFinishesLateFreesWhatNobodyReceivesOfOneThatGrows() {
    let queue = GrowingQueue<LifetimeTracked>()
    var channel: Channel? = Channel(.growing(queue))
    let sender = channel!.sender
    guard let (ticket, address) = queue.queue.takePlace() else { fatalError("it is closed") }
    #expect(sender.trySend(lifetimes.track(2)) == .taken)
    channel = nil
    #expect(lifetimes.live == 1)
    queue.queue.fill(ticket, of: address, with: lifetimes.track(1))
    sender.core.settle()
    #expect(lifetimes.live == 0)
  }

  @Test func aChannelThatGrowsWakesItsReceivers() {
    let core = ChannelCore<Int>(.growing(GrowingQueue()))
    for name in ["first", "second", "third"] { wait(core, .receiving, name) }
    #expect(core.queue.enqueue(contentsOf: [1, 2]) == 2)
    core.settle()
    #expect(woken.value == ["first"])
    #expect(core.take() == .element(1))
    core.settle()
    #expect(woken.value == ["first", "second"])
    #expect(core.take() == .element(2))
    core.settle()
    #expect(woken.value == ["first", "second"])
    core.close()
    #expect(woken.value == ["first", "second", "third"])
  }
}
