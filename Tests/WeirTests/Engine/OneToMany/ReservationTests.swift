// Tests of storing a value and delivering it as two calls.

import TestKit
import Testing

@testable import Weir

@Suite struct ReservationTests {
  private func core() -> SubjectCore<Int, Never> { SubjectCore(name: "Test", latest: LatestValue(0)) }

  @Test func aReservedValueIsStoredAtOnceAndDeliveredLater() {
    let core = core()
    let subscriber = RecordingSubscriber<Int, Never>(.unlimited)
    core.subscribe(subscriber, to: subscriber)
    let reservation = core.reserve(1, keeping: 10)
    #expect(core.value == 10 && subscriber.values == [0])
    core.deliver(1, reservation)
    #expect(subscriber.values == [0, 1])
    let later = RecordingSubscriber<Int, Never>(.unlimited)
    core.subscribe(later, to: subscriber)
    #expect(later.values == [10])
  }

  @Test func aValueReservedWithinADeliveryGoesBehindIt() {
    let core = core()
    let first = RecordingSubscriber<Int, Never>(.unlimited)
    let second = RecordingSubscriber<Int, Never>(.unlimited)
    core.subscribe(first, to: first)
    core.subscribe(second, to: first)
    first.onValue = { if $0 == 1 { core.deliver(2, core.reserve(2, keeping: 2)) } }
    core.deliver(1, core.reserve(1, keeping: 1))
    #expect(first.values == [0, 1, 2] && second.values == [0, 1, 2])
  }

  @Test func whatOthersReserveMeanwhileIsDeliveredInOrder() {
    let core = core()
    let subscriber = RecordingSubscriber<Int, Never>(.unlimited)
    core.subscribe(subscriber, to: subscriber)
    let first = core.reserve(1, keeping: 1)
    onThreads(1) { _ in core.deliver(2, core.reserve(2, keeping: 2)) }
    #expect(subscriber.values == [0])
    core.deliver(1, first)
    #expect(subscriber.values == [0, 1, 2])
  }
}
