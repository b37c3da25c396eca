// Tests of what the extras refuse by stopping the program, and of what they say then.

import Foundation
import TestKit
import Testing
import Weir
import WeirExtras
import WeirFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct TrapTests {
  /// Whether the program said so before it stopped; in release builds it says nothing.
  private func said(_ message: String, _ result: ExitTest.Result?) -> Bool {
    #if DEBUG
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains("failed: " + message)
    #else
      result != nil
    #endif
  }

  @Test func aNegativeNumberOfValuesToReplay() async {
    let operators = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).shareReplay(bufferSize: -1)
    }
    #expect(said("ShareReplay can't replay fewer than no values", operators))
    let subjects = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ReplaySubject<Int, Never>(bufferSize: -1)
    }
    #expect(said("ReplaySubject can't keep fewer than no values", subjects))
  }

  @Test func aLoopThatIsMisused() async {
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EventLoopScheduler(spinningFor: .nanoseconds(-1), startsThread: false)
    }
    #expect(said("a thread can't spin for less than no time", negative))
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let loop = EventLoopScheduler(startsThread: false)
      loop.schedule { loop.poll() }
      loop.poll()
    }
    #expect(said("an event loop is run by one thread at a time", twice))
    let late = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let loop = EventLoopScheduler()
      loop.shutDown()
      await Task(executorPreference: loop.executor) {}.value
    }
    #expect(said("a task can't go on: its event loop has been shut down", late))
    let elsewhere = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      EventLoopScheduler(startsThread: false).executor.checkIsolated()
    }
    #expect(said("this has to be called on the thread of its event loop", elsewhere))
  }

  @Test func aPlanOfRetriesThatMakesNoSense() async {
    let fewer = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Backoff(maxRetries: -1, initialDelay: 1, maxDelay: 2)
    }
    #expect(said("a stream can't be retried less than not at all", fewer))
    let shorter = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Backoff(maxRetries: 1, initialDelay: -1, maxDelay: 2)
    }
    #expect(said("a pause can't be shorter than nothing", shorter))
    await #expect(processExitsWith: .failure) { _ = Backoff(maxRetries: 1, initialDelay: 1, maxDelay: -2) }
    let larger = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Backoff(maxRetries: 1, initialDelay: 1, maxDelay: 2, jitter: 1.5)
    }
    #expect(said("jitter is a share, from 0 to 1", larger))
  }

  @Test func noValueUnderWayAtOnce() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Publishers.MapAsync<Just<Int>, Int>(upstream: Just(1), maxConcurrent: 0) { $0 }
    }
    #expect(said("at least one value has to be under way at once", result))
  }

  @Test func aLimitBelowNoBytesAtAll() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NetworkPublisher<Int>(request: URLRequest(url: URL(string: "http://localhost/")!), mostBytes: -1)
    }
    #expect(said("API violation: NetworkPublisher was given a limit below 0 bytes", result))
  }

  @Test func noDemandOfADataTaskBehindACheckpoint() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let sink = Just(1).checkpoint("orders", file: "Shop/Orders.swift", line: 12).sink { _ in
        URLSession.shared.dataTaskPublisher(for: URL(string: "http://localhost/")!)
          .subscribe(
            RecordingSubscriber<URLSession.DataTaskPublisher.Output, URLError>(Subscribers.Demand.none))
      }
      sink.cancel()
    }
    let places = #"behind the checkpoint "orders" (Shop/Orders.swift:12)"#
    #expect(
      said("API violation: DataTaskPublisher was asked for no value; ask for at least one, \(places)", result))
  }

  @Test func noDemandOfAnAsynchronousSequence() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      AnyPublisher.fromAsyncSequence(AsyncStream<Int> { $0.finish() })
        .subscribe(RecordingSubscriber<Int, any Error>(Subscribers.Demand.none))
    }
    #expect(said("API violation: AsyncSequence was asked for no value", result))
  }

  @Test func noDemandOfWhatTakesTheLatestOfAnother() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Just(1).withLatestFrom(Just(2)).subscribe(RecordingSubscriber<Int, Never>(Subscribers.Demand.none))
    }
    #expect(said("API violation: WithLatestFrom was asked for no value; demand must be greater than zero", result))
  }

  @Test func noRoomForValues() async {
    let mapped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).mapAsync(buffering: .newest(0)) { $0 }
    }
    #expect(said("API violation: there can't be newest(0)", mapped))
  }

  @Test func noHandlerAtOnce() async {
    let handled = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).sinkAsync(maxConcurrent: 0) { _ in }
    }
    #expect(said("API violation: sinkAsync needs room for one handler at least", handled))
  }
  @Test func aLabelThatOpenMetricsHasNoPlaceFor() async {
    let taken = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).measured("a", labels: ["stream": ""])
    }
    #expect(said("API violation: no label of a stream can be called stream", taken))
    await #expect(processExitsWith: .failure) { _ = Just(1).measured("a", labels: ["le": ""]) }
    await #expect(processExitsWith: .failure) { _ = Just(1).measured("a", labels: ["__a": ""]) }
    await #expect(processExitsWith: .failure) { _ = Just(1).measured("a", labels: ["1a": ""]) }
    await #expect(processExitsWith: .failure) { _ = Just(1).measured("a", labels: ["a-b": ""]) }
    await #expect(processExitsWith: .failure) { _ = Just(1).measured("a", labels: ["\u{e4}": ""]) }
    await #expect(processExitsWith: .failure) { _ = Just(1).measured("a", labels: ["": ""]) }
  }

  @Test func aShareOfMoreThanAll() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let sink = Just(1).measured("a").sink { _ in }
      _ = StreamMetrics.shared["a"]?.handling.quantile(1.5)
      sink.cancel()
    }
    #expect(said("API violation: a share is a number from 0 to 1", result))
  }
}
