// Tests of the log pipeline, in virtual time.

import Combine
import Synchronization
import Testing
import WeirTesting

@testable import LogPipeline

/// A store that answers when the test says so.
private final class SlowStore: Sendable {
  private let offered = Mutex<[Int]>([])
  private let answers = MockPublisher<Result<Void, StoreError>, Never>()

  /// The numbers of the batches that were offered, again for each attempt.
  var offers: [Int] { offered.withLock { $0 } }

  func store(_ batch: Batch) -> AnyPublisher<Void, StoreError> {
    offered.withLock { $0.append(batch.number) }
    return answers.first().setFailureType(to: StoreError.self).flatMap { $0.publisher }.eraseToAnyPublisher()
  }

  func answer(_ error: StoreError? = nil) { answers.send(error.map { .failure($0) } ?? .success(())) }
}

struct LogPipelineTests {
  private let clock = TestScheduler()
  private let store = SlowStore()

  private func pipeline(_ policy: LogPolicy = LogPolicy()) -> LogPipeline<TestScheduler<VirtualTime, Never>> {
    LogPipeline(policy: policy, wait: .seconds(1), window: .seconds(60), clock: clock, store: store.store)
  }

  private func entry(_ message: String, _ level: Level = .info) -> Entry {
    Entry(level: level, service: "shop", message: message)
  }

  @Test func entriesAreStoredAfterAWhileOrWhenABatchIsFull() {
    let pipeline = pipeline(LogPolicy(batchSize: 2))
    let reports = pipeline.reports.record()
    let running = pipeline.start()
    pipeline.log("info shop: 1")
    pipeline.log("debug shop: not stored")
    clock.advance(by: .milliseconds(999))
    #expect(store.offers == [])
    clock.advance(by: .milliseconds(1))
    #expect(store.offers == [1])
    store.answer()
    pipeline.log("info shop: 2")
    pipeline.log("error shop: 3")
    clock.advance()
    #expect(store.offers == [1, 2])
    store.answer()
    reports.expect(values: [
      .stored(Batch(number: 1, entries: [entry("1")])),
      .stored(Batch(number: 2, entries: [entry("2"), entry("3", .error)])),
    ])
    running.cancel()
    #expect(reports.completion == nil)
  }

  @Test func aBusyStoreIsAskedAgainAfterPausesThatDouble() {
    let pipeline = pipeline(LogPolicy(batchSize: 1, attempts: 3))
    let reports = pipeline.reports.record()
    let running = pipeline.start()
    pipeline.log("info shop: 1")
    clock.advance()
    store.answer(.busy)
    clock.advance(by: .milliseconds(100))
    #expect(store.offers == [1, 1])
    store.answer(.busy)
    clock.advance(by: .milliseconds(199))
    #expect(store.offers == [1, 1])
    clock.advance(by: .milliseconds(1))
    #expect(store.offers == [1, 1, 1])
    store.answer(.busy)
    reports.expect(values: [.refused(Batch(number: 1, entries: [entry("1")]), .busy)])
    running.cancel()
  }

  @Test func aFullStoreIsNotAskedAgainAndTheNextBatchGoesOn() {
    let pipeline = pipeline(LogPolicy(batchSize: 1))
    let reports = pipeline.reports.record()
    let running = pipeline.start()
    pipeline.log("info shop: 1")
    pipeline.log("info shop: 2")
    clock.advance()
    store.answer(.full)
    #expect(store.offers == [1, 2])
    store.answer()
    reports.expect(values: [
      .refused(Batch(number: 1, entries: [entry("1")]), .full),
      .stored(Batch(number: 2, entries: [entry("2")])),
    ])
    running.cancel()
  }

  @Test func whatAStoreIsTooSlowForIsLostAndCounted() {
    let pipeline = pipeline(LogPolicy(batchSize: 1, waitingBatches: 2))
    let reports = pipeline.reports.record()
    let running = pipeline.start()
    for number in 1...6 { pipeline.log("info shop: \(number)") }
    clock.advance()
    for _ in 1...3 { store.answer() }
    #expect(store.offers == [1, 5, 6])
    reports.expect(values: [
      .stored(Batch(number: 1, entries: [entry("1")])),
      .lost(3),
      .stored(Batch(number: 5, entries: [entry("5")])),
      .stored(Batch(number: 6, entries: [entry("6")])),
    ])
    running.cancel()
  }

  @Test func linesThatNobodyCanReadAreReportedAtOnce() {
    let pipeline = pipeline()
    let reports = pipeline.reports.record()
    let running = pipeline.start()
    for line in ["", "fatal shop: x", "error shop", "error : x"] { pipeline.log(line) }
    reports.expect(values: [
      .unreadable(.noLevel("")), .unreadable(.noLevel("fatal shop: x")), .unreadable(.noService("error shop")),
      .unreadable(.noService("error : x")),
    ])
    running.cancel()
  }

  @Test func servicesInTroubleAreToldOncePerWindow() {
    let pipeline = pipeline(LogPolicy(alarmingErrors: 3))
    let alarms = pipeline.alarms.record()
    let running = pipeline.start()
    for number in 1...4 { pipeline.log("error shop: \(number)") }
    for number in 1...2 { pipeline.log("error mail: \(number)") }
    clock.advance(by: .seconds(60))
    alarms.expect(values: [Alarm(service: "shop", errors: 4)])
    pipeline.log("error mail: 3")
    clock.advance(by: .seconds(60))
    alarms.expect(values: [Alarm(service: "shop", errors: 4)])
    running.cancel()
  }

  @Test func aShutdownStoresWhatWaitsAndFinishes() {
    let pipeline = pipeline()
    let reports = pipeline.reports.record()
    let alarms = pipeline.alarms.record()
    let running = pipeline.start()
    pipeline.log("info shop: 1")
    pipeline.shutDown()
    pipeline.log("info shop: too late")
    clock.advance()
    #expect(store.offers == [1])
    #expect(reports.completion == nil)
    store.answer()
    reports.expect(values: [.stored(Batch(number: 1, entries: [entry("1")]))])
    reports.expectFinished()
    alarms.expectFinished()
    running.cancel()
  }
}
