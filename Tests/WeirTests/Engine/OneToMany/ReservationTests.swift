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

  @Test func aValueThatIsDeliveredLaterKeepsNobodyWaiting() {
    let core = core()
    let subscriber = RecordingSubscriber<Int, Never>(.unlimited)
    core.subscribe(subscriber, to: subscriber)
    for number in 1...100 { core.deliver(number, core.reserve(number, keeping: number)) }
    let later = core.reserve(101, keeping: 101, deliveringLater: true)
    #expect(core.value == 101 && subscriber.values.last == 100)
    onThreads(1) { _ in core.deliver(102, core.reserve(102, keeping: 102)) }
    #expect(subscriber.values == Array(0...102))
    core.deliver(101, later)
    #expect(subscriber.values == Array(0...102))
  }

  @Test func aValueThatIsDeliveredLaterIsDeliveredWithoutAnother() {
    let core = core()
    let subscriber = RecordingSubscriber<Int, Never>(.unlimited)
    core.subscribe(subscriber, to: subscriber)
    let later = (1...2).map { ($0, core.reserve($0, keeping: $0, deliveringLater: true)) }
    let last = RecordingSubscriber<Int, Never>(.unlimited)
    core.subscribe(last, to: subscriber)
    onThreads(1) { _ in for (value, reservation) in later { core.deliver(value, reservation) } }
    #expect(subscriber.values == [0, 1, 2] && last.values == [2])
  }

  @Test func aValueThatIsDeliveredLaterMayComeWithinADelivery() {
    let core = core()
    let subscriber = RecordingSubscriber<Int, Never>(.unlimited)
    core.subscribe(subscriber, to: subscriber)
    subscriber.onValue = { if $0 == 1 { core.deliver(2, core.reserve(2, keeping: 2, deliveringLater: true)) } }
    core.deliver(1, core.reserve(1, keeping: 1))
    #expect(subscriber.values == [0, 1, 2])
  }
}
