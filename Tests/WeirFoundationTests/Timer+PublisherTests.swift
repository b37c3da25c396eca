// Tests of timers as publishers, on this thread's run loop.

import Foundation
import TestKit
import Testing
import Weir
import WeirFoundation

@Suite struct TimerPublisherTests {
  typealias Recorder = RecordingSubscriber<Date, Never>

  private let lifetimes = Lifetimes()
  private let timer = Timer.publish(every: 0.001, on: .current, in: .default)

  @Test func keepsItsParameters() {
    let publisher = Timer.TimerPublisher(interval: 2, tolerance: 0.5, runLoop: .current, mode: .common)
    #expect(publisher.interval == 2)
    #expect(publisher.tolerance == 0.5)
    #expect(publisher.runLoop === RunLoop.current)
    #expect(publisher.mode == .common)
    #expect(publisher.options == nil)
    // As in Combine, the function drops the tolerance.
    #expect(Timer.publish(every: 1, tolerance: 3, on: .current, in: .default).tolerance == nil)
  }

  @Test func describesItself() {
    let recorder = Recorder()
    timer.subscribe(recorder)
    #expect("\(recorder.subscriptions[0])" == "Timer")
    recorder.cancel()
  }

  @Test func publishesNothingBeforeItIsConnected() {
    let recorder = Recorder(.unlimited)
    timer.subscribe(recorder)
    var turned = false
    RunLoop.current.schedule(after: RunLoop.current.now.advanced(by: .milliseconds(5))) { turned = true }
    turn { turned }
    #expect(recorder.values == [])
    recorder.cancel()
  }

  @Test(arguments: [1_000_000, .infinity]) func theFirstDateDoesNotComeAtOnce(interval: TimeInterval) {
    let recorder = Recorder(.unlimited)
    let timer = Timer.publish(every: interval, on: .current, in: .default)
    timer.subscribe(recorder)
    let connection = timer.connect()
    var turned = false
    RunLoop.current.schedule(after: RunLoop.current.now.advanced(by: .milliseconds(5))) { turned = true }
    turn { turned }
    #expect(recorder.values == [])
    connection.cancel()
  }

  @Test func publishesTheDatesInOrder() {
    let recorder = Recorder(.unlimited)
    timer.subscribe(recorder)
    let connection = timer.connect()
    turn { recorder.values.count >= 3 }
    #expect(recorder.values == recorder.values.sorted())
    connection.cancel()
  }

  @Test func eachSubscriberHasItsOwnDemand() {
    let limited = Recorder(.max(1))
    let returning = Recorder(.max(1))
    returning.demandPerValue = { _ in returning.values.count < 3 ? .max(1) : .none }
    let unlimited = Recorder(.unlimited)
    for recorder in [limited, returning, unlimited] { timer.subscribe(recorder) }
    let connection = timer.connect()
    turn { unlimited.values.count >= 5 }
    #expect(limited.values == Array(unlimited.values.prefix(1)))
    #expect(returning.values == Array(unlimited.values.prefix(3)))
    connection.cancel()
  }

  @Test func aDemandForNothingBringsNothing() {
    let nothing = Recorder(Subscribers.Demand.none)
    let other = Recorder(.unlimited)
    for recorder in [nothing, other] { timer.subscribe(recorder) }
    let connection = timer.connect()
    turn { other.values.count >= 2 }
    #expect(nothing.values.isEmpty)
    connection.cancel()
  }

  @Test func cancellingASubscriptionLeavesTheOthers() {
    let first = Recorder(.unlimited)
    let second = Recorder(.unlimited)
    for recorder in [first, second] { timer.subscribe(recorder) }
    let connection = timer.connect()
    turn { first.values.count >= 2 }
    let count = first.values.count
    first.cancel()
    let others = second.values.count
    turn { second.values.count >= others + 2 }
    #expect(first.values.count == count)
    connection.cancel()
  }

  @Test func cancellingTheConnectionEndsAllSubscriptions() {
    weak var weakRecorder: Recorder?
    do {
      let tracked = lifetimes.track()
      let recorder = Recorder(.unlimited)
      recorder.onValue = { _ in tracked.touch() }
      weakRecorder = recorder
      timer.subscribe(recorder)
      let connection = timer.connect()
      turn { recorder.values.count >= 1 }
      connection.cancel()
      connection.cancel()
    }
    #expect(weakRecorder == nil)
    #expect(lifetimes.live == 0)
  }

  @Test func cancellingAConnectionAgainLeavesThoseOfTheNextOne() {
    let first = timer.connect()
    first.cancel()
    let recorder = Recorder(.unlimited)
    timer.subscribe(recorder)
    let second = timer.connect()
    first.cancel()
    let other = Recorder(.unlimited)
    timer.subscribe(other)
    turn { other.values.count >= 1 }
    #expect(recorder.values.count >= 1)
    second.cancel()
  }

  /// The defect: who subscribed within the first subscription connected a second time, and that timer ran for ever.
  @Test func connectingAgainStartsNoSecondTimer() {
    let first = timer.connect(), second = timer.connect()
    #expect(first as AnyObject === second as AnyObject)
    let recorder = Recorder(.unlimited)
    timer.subscribe(recorder)
    turn { recorder.values.count >= 2 }
    second.cancel()
    let count = recorder.values.count
    var turned = false
    RunLoop.current.schedule(after: RunLoop.current.now.advanced(by: .milliseconds(5))) { turned = true }
    turn { turned }
    #expect(recorder.values.count == count)
    let third = timer.connect()
    #expect(third as AnyObject !== first as AnyObject)
    third.cancel()
  }

  @Test func aCancelledConnectionLetsGoOfThePublisher() {
    weak var weakTimer: Timer.TimerPublisher?
    do {
      let timer = Timer.publish(every: 0.001, on: .current, in: .default)
      weakTimer = timer
      let connection = timer.connect()
      #expect(weakTimer != nil)
      connection.cancel()
    }
    #expect(weakTimer == nil)
  }

  @Test func connectsByItself() {
    var received = 0
    let cancellable = Timer.publish(every: 0.001, on: .current, in: .default).autoconnect().sink { _ in received += 1 }
    turn { received >= 2 }
    cancellable.cancel()
    let count = received
    var turned = false
    RunLoop.current.schedule(after: RunLoop.current.now.advanced(by: .milliseconds(5))) { turned = true }
    turn { turned }
    #expect(received == count)
  }

  @Test func cancellingWithinADateIsTheLast() {
    let recorder = Recorder(.unlimited)
    recorder.onValue = { _ in recorder.cancel() }
    let other = Recorder(.unlimited)
    timer.subscribe(recorder)
    timer.subscribe(other)
    let connection = timer.connect()
    turn { other.values.count >= 3 }
    #expect(recorder.values.count == 1)
    connection.cancel()
  }

  /// It published one date.
  @Test(arguments: [0, -1]) func anIntervalOfNothingIsTheShortest(interval: TimeInterval) {
    let recorder = Recorder(.unlimited)
    let timer = Timer.publish(every: interval, on: .current, in: .default)
    timer.subscribe(recorder)
    let connection = timer.connect()
    turn { recorder.values.count >= 3 }
    connection.cancel()
    #expect(timer.interval == interval)
  }
}
