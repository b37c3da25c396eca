// Tests of the lines at a channel's ends: order, leaving from anywhere, waking once, and when a time is over.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct ChannelWaitersTests {
  private let woken = Shared([Int]())

  /// - Returns: Waiters of that many numbers, asleep.
  private func sleepers(_ count: Int, in waiters: ChannelWaiters, _ end: ChannelWaiters.End = .receiving) -> [Waiter] {
    (0..<count).map { number in
      let waiter = waiters.join(end)
      waiter.sleep { woken.value.append(number) }
      return waiter
    }
  }

  @Test func wakesInTheOrderOfComing() {
    let waiters = ChannelWaiters()
    #expect(!waiters.areThere)
    _ = sleepers(3, in: waiters)
    #expect(waiters.areThere)
    #expect(!waiters.wakeOne(.sending))
    #expect((0..<4).map { _ in waiters.wakeOne(.receiving) } == [true, true, true, false])
    #expect(woken.value == [0, 1, 2])
    #expect(!waiters.areThere)
  }

  @Test(arguments: [[0], [1], [2], [0, 1], [1, 2], [2, 0], [0, 1, 2]]) func anyoneMayLeave(who: [Int]) {
    let waiters = ChannelWaiters()
    let all = sleepers(3, in: waiters, .sending)
    for number in who {
      #expect(waiters.leave(all[number]))
      #expect(!waiters.leave(all[number]))
    }
    #expect(waiters.areThere == (who.count < 3))
    waiters.wakeAll(.sending)
    #expect(woken.value == (0..<3).filter { !who.contains($0) })
    #expect(all.allSatisfy { !waiters.leave($0) })
  }

  @Test func theEndOfReceivingIsFoundBesideWhoWaits() {
    let waiters = ChannelWaiters()
    let waiter = waiters.join(.sending)
    #expect(!waiters.isReceivingOver)
    waiters.endReceiving()
    #expect(waiters.leave(waiter))
    #expect(waiters.areThere)
    #expect(waiters.isReceivingOver)
  }

  @Test func aWaiterIsWokenOnce() {
    let waiter = Waiter()
    waiter.sleep { woken.value.append(1) }
    waiter.wake()
    waiter.wake()
    #expect(woken.value == [1])
  }

  @Test func whoIsWokenBeforehandDoesNotSleep() {
    let waiter = Waiter()
    waiter.wake()
    waiter.sleep { woken.value.append(1) }
    #expect(woken.value == [1])
    let other = Waiter()
    other.wake()
    other.park(until: .max)
  }

  @Test func sleepsNoLongerThanItsTime() {
    Waiter().park(until: .min)
    Waiter().park(until: monotonicNanoseconds())
  }

  @Test func aTaskGoesOnWhenItIsWokenOrCancelled() async {
    let (waiter, other) = (Waiter(), Waiter())
    let tasks = [waiter, other].map { waiter in Task { await waiter.suspend {} } }
    waiter.wake()
    tasks[1].cancel()
    for task in tasks { await task.value }
  }

  @Test func whoeverCancelsGivesUpBeforeTheTaskGoesOn() async {
    let waiter = Waiter()
    let task = Task { await waiter.suspend { woken.value.append(1) } }
    task.cancel()
    await task.value
    #expect(woken.value == [1])
  }

  /// Each waited in the runtime for the other one to have cancelled.
  @MainActor
  @Test func threadsThatCancelMayWakeEachOthersTasks() async throws {
    let waiters = [Waiter(), Waiter()]
    let (begun, cancelling) = (Counter(), Counter())
    let tasks = (0..<2).map { number in
      Task {
        begun.add()
        await waiters[number].suspend {
          cancelling.add()
          cancelling.wait(for: 2)
          waiters[1 - number].wake()
        }
      }
    }
    // The tasks have the main actor from then on until they are suspended.
    while begun.value < 2 { await Task.yield() }
    let threads = tasks.map { task in OtherThread { task.cancel() } }
    try #require(threads.allSatisfy { $0.comesBack() })
    for task in tasks { await task.value }
  }

  @Test func whoWasWokenInAnotherLineIsPassedOver() {
    let (one, two) = (ChannelWaiters(), ChannelWaiters())
    let owner = Waiter()
    owner.sleep { woken.value.append(-1) }
    _ = [one.join(.receiving, for: owner), two.join(.receiving, for: owner)]
    _ = sleepers(2, in: two)
    #expect(one.wakeOne(.receiving))
    #expect(two.wakeOne(.receiving))
    #expect(woken.value == [-1, 0])
    #expect(two.wakeOne(.receiving))
    #expect(!two.wakeOne(.receiving))
    #expect(woken.value == [-1, 0, 1])
  }

  @Test func timesSaturate() {
    let now = monotonicNanoseconds()
    #expect((now...now + 1_000_000_000_000).contains(deadline(after: .zero)))
    #expect(deadline(after: .seconds(1_000_000)) >= now + 1_000_000_000_000_000)
    #expect(deadline(after: .seconds(-1_000_000)) < 0 || now > 900_000_000_000_000)
    #expect(deadline(after: .seconds(Int64.max)) == .max)
    #expect(deadline(after: .seconds(Int64.max / 1_000_000_000)) == .max)
    #expect(deadline(after: .seconds(Int64.min)) == .min)
    #expect(deadline(after: .seconds(UInt64.max)) == .max)
    #expect(deadline(after: Duration.seconds(Int64.max) * 2) == .max)
    #expect(deadline(after: Duration.seconds(Int64.min) * 2) == .min)
    #expect(deadline(after: .nanoseconds(5)) >= now + 5)
  }
}
