// Tests of dispatch queues as schedulers: arithmetic, coding, and work on real queues, met by handshakes.

import Dispatch
import Foundation
import TestKit
import Testing
import WeirDispatch

@testable import Weir

@Suite struct DispatchQueueSchedulerTests {
  typealias Time = DispatchQueue.SchedulerTimeType
  typealias Stride = DispatchQueue.SchedulerTimeType.Stride

  // MARK: Lengths of time

  @Test func unitsAreNanoseconds() {
    #expect(Stride.seconds(2).magnitude == 2_000_000_000)
    #expect(Stride.milliseconds(2).magnitude == 2_000_000)
    #expect(Stride.microseconds(2).magnitude == 2_000)
    #expect(Stride.nanoseconds(2).magnitude == 2)
    #expect(Stride.seconds(1.5).magnitude == 1_500_000_000)
    #expect(Stride.seconds(-0.25).magnitude == -250_000_000)
    #expect((3 as Stride).magnitude == 3_000_000_000)
    #expect((0.5 as Stride).magnitude == 500_000_000)
    #expect(Stride(exactly: 7)?.magnitude == 7_000_000_000)
    #expect(Stride(exactly: UInt64.max) == nil)
  }

  @Test func unitsSaturate() {
    #expect(Stride.seconds(Int.max).magnitude == .max)
    #expect(Stride.seconds(Int.min).magnitude == .min)
    #expect(Stride.milliseconds(.max).magnitude == .max)
    #expect(Stride.microseconds(.min).magnitude == .min)
    #expect(Stride.nanoseconds(.max).magnitude == .max)
    #expect(Stride.seconds(1e300).magnitude == .max)
    #expect(Stride.seconds(-1e300).magnitude == .min)
    #expect(Stride.seconds(Double.infinity).magnitude == .max)
    #expect(Stride.seconds(-Double.infinity).magnitude == .min)
  }

  @Test(arguments: [
    (2, 3, 5, -1, 0), (-2, 3, 1, -5, 0), (.max, 1, .max, .max - 1, 9_223_372_036), (.max, .max, .max, 0, .max),
    (.min, -1, .min, .min + 1, 9_223_372_036), (.min, 1, .min + 1, .min, -9_223_372_036), (.max, .min, -1, .max, .min),
    (0, .min, .min, .max, 0), (1, .min, .min + 1, .max, -9_223_372_036), (.min, .max, -1, .min, .min),
  ])
  func arithmeticSaturates(left: Int, right: Int, sum: Int, difference: Int, product: Int) {
    let (left, right) = (Stride.nanoseconds(left), Stride.nanoseconds(right))
    #expect((left + right).magnitude == sum)
    #expect((left - right).magnitude == difference)
    #expect((left * right).magnitude == product)
    var value = left
    value += right
    #expect(value.magnitude == sum)
    value = left
    value -= right
    #expect(value.magnitude == difference)
    value = left
    value *= right
    #expect(value.magnitude == product)
  }

  @Test(arguments: [
    (Stride.seconds(3), Stride.seconds(2), 6_000_000_000), (.milliseconds(1500), -2, -3_000_000_000),
    (.milliseconds(1), .milliseconds(1), 1_000), (.nanoseconds(-1_999_999_999), .nanoseconds(1), -1),
    (.nanoseconds(.max), 1, .max), (.nanoseconds(.max), 2, .max), (.nanoseconds(.min), 2, .min),
    (.nanoseconds(.min), -1, .max), (.nanoseconds(.min), 1, .min), (.seconds(100_000), .seconds(100_000), .max),
    (0, .nanoseconds(.max), 0),
  ])
  func aProductIsOfSeconds(left: Stride, right: Stride, nanoseconds: Int) {
    #expect((left * right).magnitude == nanoseconds)
    #expect((right * left).magnitude == nanoseconds)
    var value = left
    value *= right
    #expect(value.magnitude == nanoseconds)
  }

  @Test func lengthsCompare() {
    #expect(Stride.milliseconds(1) == Stride.microseconds(1_000))
    #expect(Stride.milliseconds(1) < Stride.microseconds(1_001))
    #expect(Set([Stride.seconds(1), .milliseconds(1_000)]).count == 1)
  }

  @Test func convertsDispatchIntervals() {
    #expect(Stride(.seconds(1)).magnitude == 1_000_000_000)
    #expect(Stride(.milliseconds(1)).magnitude == 1_000_000)
    #expect(Stride(.microseconds(1)).magnitude == 1_000)
    #expect(Stride(.nanoseconds(1)).magnitude == 1)
    #expect(Stride(.never).magnitude == .max)
    #expect(Stride.milliseconds(3).timeInterval == .nanoseconds(3_000_000))
  }

  // MARK: Moments

  @Test func momentsMoveAndMeasure() {
    let start = Time(DispatchTime(uptimeNanoseconds: 10_000_000_000))
    let later = start.advanced(by: .milliseconds(5))
    #expect(later.dispatchTime.uptimeNanoseconds == 10_005_000_000)
    #expect(start.distance(to: later) == .milliseconds(5))
    #expect(later.distance(to: start) == .milliseconds(-5))
    #expect(later.advanced(by: .milliseconds(-5)) == start)
    #expect(start < later)
    #expect(Set([start, later, later.advanced(by: .milliseconds(-5))]).count == 2)
  }

  @Test func distancesSaturate() {
    let start = Time(DispatchTime(uptimeNanoseconds: 1))
    let future = Time(.distantFuture)
    #expect(start.distance(to: future).magnitude == .max)
    #expect(future.distance(to: start).magnitude == -Int.max)
    #expect(start.advanced(by: .nanoseconds(.max)).dispatchTime == .distantFuture)
    #expect(start.advanced(by: .nanoseconds(.min)) <= start)
    #expect(-Stride.nanoseconds(.min) == .nanoseconds(.max))
  }

  @Test func survivesCoding() throws {
    let moment = Time(DispatchTime(uptimeNanoseconds: 123_456_789_000))
    let data = try JSONEncoder().encode([moment])
    #expect(String(decoding: data, as: UTF8.self) == "[123456789000]")
    #expect(try JSONDecoder().decode([Time].self, from: data) == [moment])
    let length = Stride.milliseconds(-3)
    #expect(try JSONDecoder().decode(Stride.self, from: JSONEncoder().encode(length)) == length)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Time].self, from: Data("[-1]".utf8)) }
  }

  // MARK: Real queues

  /// A queue that can tell whether code runs on it.
  private static func makeQueue(concurrent: Bool = false) -> (queue: DispatchQueue, isCurrent: () -> Bool) {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "tests", attributes: concurrent ? .concurrent : [])
    queue.setSpecific(key: key, value: true)
    return (queue, { DispatchQueue.getSpecific(key: key) == true })
  }

  @Test func runsWorkOnTheQueue() {
    let (queue, isCurrent) = Self.makeQueue()
    let ran = DispatchSemaphore(value: 0)
    let onQueue = Shared(false)
    queue.schedule {
      onQueue.value = isCurrent()
      ran.signal()
    }
    ran.wait()
    #expect(onQueue.value)
  }

  @Test func honoursTheGroup() {
    let (queue, _) = Self.makeQueue()
    let group = DispatchGroup()
    let count = Counter()
    let options = DispatchQueue.SchedulerOptions(qos: .userInitiated, flags: .barrier, group: group)
    queue.schedule(options: options) { count.add() }
    queue.schedule(after: queue.now, tolerance: .zero, options: options) { count.add() }
    group.wait()
    #expect(count.value == 2)
  }

  @Test func aRunOfARepetitionBelongsToTheGroup() {
    let (queue, _) = Self.makeQueue()
    let group = DispatchGroup()
    let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let repetition = queue.schedule(
      after: queue.now, interval: .seconds(1_000), tolerance: .zero,
      options: DispatchQueue.SchedulerOptions(group: group)
    ) {
      begun.signal()
      goOn.wait()
    }
    begun.wait()
    #expect(group.wait(timeout: .now()) == .timedOut)
    goOn.signal()
    group.wait()
    repetition.cancel()
  }

  @Test func runsWorkAfterADate() {
    let (queue, isCurrent) = Self.makeQueue()
    let ran = DispatchSemaphore(value: 0)
    let seen = Shared<(onQueue: Bool, now: Time)?>(nil)
    let date = queue.now.advanced(by: .milliseconds(2))
    queue.schedule(after: date) {
      seen.value = (isCurrent(), queue.now)
      ran.signal()
    }
    ran.wait()
    #expect(seen.value?.onQueue == true)
    #expect(seen.value.map { $0.now >= date } == true)
  }

  @Test func repeatsWorkUntilItIsCancelled() {
    let (queue, isCurrent) = Self.makeQueue()
    let ran = DispatchSemaphore(value: 0)
    let lifetimes = Lifetimes()
    let offQueue = Counter()
    var repetition: (any Cancellable)?
    do {
      let tracked = lifetimes.track()
      repetition = queue.schedule(after: queue.now, interval: .milliseconds(1), tolerance: .zero, options: nil) {
        tracked.touch()
        if !isCurrent() { offQueue.add() }
        ran.signal()
      }
    }
    for _ in 0..<3 { ran.wait() }
    #expect(lifetimes.live == 1)
    repetition?.cancel()
    repetition = nil
    queue.sync {}
    #expect(offQueue.value == 0)
  }

  @Test(arguments: [Int.min, -1, 0, .max]) func acceptsAnyIntervalAndTolerance(nanoseconds: Int) {
    let (queue, _) = Self.makeQueue()
    let ran = DispatchSemaphore(value: 0)
    let repetition = queue.schedule(
      after: queue.now, interval: .nanoseconds(nanoseconds), tolerance: .nanoseconds(min(nanoseconds, 0))
    ) { ran.signal() }
    ran.wait()
    repetition.cancel()
  }

  @Test func honoursTheOptionsOfARepetition() {
    let (queue, isCurrent) = Self.makeQueue(concurrent: true)
    let ran = DispatchSemaphore(value: 0)
    let offQueue = Counter()
    let repetition = queue.schedule(
      after: queue.now, interval: .milliseconds(1), tolerance: .zero,
      options: DispatchQueue.SchedulerOptions(qos: .utility, flags: .barrier)
    ) {
      if !isCurrent() { offQueue.add() }
      ran.signal()
    }
    ran.wait()
    ran.wait()
    repetition.cancel()
    queue.sync(flags: .barrier) {}
    #expect(offQueue.value == 0)
  }

  @Test func optionsHaveDefaults() {
    let options = DispatchQueue.SchedulerOptions()
    #expect(options.qos == .unspecified)
    #expect(options.flags == [])
    #expect(options.group == nil)
    #expect(options.batch == nil)
  }

  // MARK: Streams

  /// Sends into streams to a queue that stands still meanwhile.
  ///
  /// - Returns: What the streams and the queue's own jobs did, in order.
  private func order(
    options: DispatchQueue.SchedulerOptions? = nil,
    _ program: (DispatchQueue, (Int) -> Void, PassthroughSubject<Int, Never>, PassthroughSubject<Int, Never>) -> Void
  ) -> [Int] {
    let queue = DispatchQueue(label: "tests")
    queue.suspend()
    let order = Shared([Int]())
    let subjects = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let tokens = [subjects.0, subjects.1].map { subject in
      subject.receive(on: queue, options: options).sink { order.value.append($0) }
    }
    program(queue, { number in queue.async { order.value.append(number) } }, subjects.0, subjects.1)
    queue.resume()
    for _ in 0..<100 { queue.sync {} }
    tokens.forEach { $0.cancel() }
    return order.value
  }

  @Test func streamsToOneQueueKeepTheOrderBetweenThem() {
    let order = order { _, _, loading, data in
      loading.send(1)
      data.send(10)
      loading.send(0)
    }
    #expect(order == [1, 10, 0])
  }

  @Test(arguments: 0..<3) func aValueIsDeliveredInItsPlaceAmongOtherJobs(kind: Int) {
    let options: DispatchQueue.SchedulerOptions? = [nil, .init(), .init(group: DispatchGroup())][kind]
    let order = order(options: options) { _, job, first, second in
      first.send(1)
      job(-1)
      first.send(2)
      second.send(3)
      job(-2)
      first.send(4)
    }
    #expect(order == [1, -1, 2, 3, -2, 4])
    options?.group?.wait()
  }

  @Test func batchesOvertakeOtherJobsAndGiveWayWhenTheyAreFull() {
    let order = order(options: .batches(of: 10, within: .seconds(3_600))) { _, job, first, second in
      first.send(0)
      job(-1)
      for value in 1..<25 { first.send(value) }
      second.send(100)
    }
    #expect(order == Array(0..<10) + [-1, 100] + Array(10..<25))
    let options = DispatchQueue.SchedulerOptions(qos: .utility, batch: DeliveryBatch(values: 3))
    #expect(options.batch?.values == 3)
    #expect(DispatchQueue.SchedulerOptions.batches().batch == DeliveryBatch())
  }

  /// Each value brings the next: the queue's other jobs wait for no more than a batch.
  @Test func valuesThatKeepComingKeepTheQueueForABatchOnly() {
    let queue = DispatchQueue(label: "tests")
    let order = Shared([Int]())
    let subject = PassthroughSubject<Int, Never>()
    let finished = DispatchSemaphore(value: 0)
    queue.suspend()
    let token = subject.receive(on: queue, options: .batches(of: 10, within: .seconds(3_600))).sink { value in
      order.value.append(value)
      if value < 24 { subject.send(value + 1) } else { finished.signal() }
    }
    subject.send(0)
    queue.async { order.value.append(-1) }
    queue.resume()
    finished.wait()
    #expect(order.value == Array(0..<10) + [-1] + Array(10..<25))
    token.cancel()
  }

  /// A job of a concurrent queue that finds the stream busy returns: its thread serves others meanwhile.
  @Test func aBusyStreamHoldsNoThreadOfAConcurrentQueue() {
    let queue = DispatchQueue(label: "tests", attributes: .concurrent)
    let received = Shared([Int]())
    let (isInside, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let subject = PassthroughSubject<Int, Never>()
    let group = DispatchGroup()
    let token = subject.receive(on: queue, options: .init(group: group)).sink { value in
      received.value.append(value)
      if value == 0 {
        isInside.signal()
        mayLeave.wait()
      }
    }
    subject.send(0)
    isInside.wait()
    for value in 1..<500 { subject.send(value) }
    // Behind 500 jobs of a stream that is busy, with far fewer threads in the pool.
    let served = DispatchSemaphore(value: 0)
    queue.async { served.signal() }
    served.wait()
    mayLeave.signal()
    group.wait()
    #expect(received.value == Array(0..<500))
    token.cancel()
  }

  @Test func whatIsCancelledOrEndedIsFreedThoughItsJobsAreStillToRun() {
    let lifetimes = Lifetimes()
    let queue = DispatchQueue(label: "tests")
    queue.suspend()
    for ends in [true, false] {
      let tracked = lifetimes.track()
      let subject = PassthroughSubject<Int, Never>()
      let token = subject.receive(on: queue).sink { _ in tracked.touch() }
      for value in 1...3 { subject.send(value) }
      if ends { subject.send(completion: .finished) }
      token.cancel()
    }
    queue.resume()
    queue.sync {}
    #expect(lifetimes.live == 0)
  }

  @Test func hasNoTolerance() {
    #expect(DispatchQueue.main.minimumTolerance == .zero)
    #expect(DispatchQueue.main.now <= DispatchQueue.main.now)
  }

  @Test func deliversAStreamOnTheQueue() {
    let (queue, isCurrent) = Self.makeQueue(concurrent: true)
    let finished = DispatchSemaphore(value: 0)
    let received = Shared((values: [Int](), offQueue: 0))
    let cancellable = (1...1_000).publisher.receive(on: queue)
      .sink(
        receiveCompletion: { _ in finished.signal() },
        receiveValue: {
          received.value.values.append($0)
          if !isCurrent() { received.value.offQueue += 1 }
        })
    finished.wait()
    #expect(received.value.values == Array(1...1_000))
    #expect(received.value.offQueue == 0)
    cancellable.cancel()
  }
}
