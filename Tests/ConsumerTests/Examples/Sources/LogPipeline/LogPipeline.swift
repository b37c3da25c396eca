// From lines of many threads to a store: read, sifted, counted, gathered into batches, and written one at a time.

import Combine
import WeirExtras

/// Why a batch was not stored.
enum StoreError: Error, Equatable {
  case busy
  case full
}

/// What became of what was logged.
enum Report: Equatable, Sendable {
  case stored(Batch)
  /// The store didn't take it.
  case refused(Batch, StoreError)
  /// So many batches were dropped, as the store was too slow.
  case lost(Int)
  /// A line that nobody can read.
  case unreadable(LineError)
}

/// A service that has logged too many errors.
struct Alarm: Equatable, Sendable {
  var service: String
  var errors: Int
}

/// How a pipeline treats what is logged.
struct LogPolicy: Sendable {
  /// What is less than that is not stored.
  var threshold = Level.info
  /// How many entries a batch has at most.
  var batchSize = 100
  /// How many batches wait for the store; the oldest are lost then.
  var waitingBatches = 8
  /// How many attempts to store a batch are made while the store is busy.
  var attempts = 5
  /// The pause behind the first attempt, in seconds; it doubles from attempt to attempt.
  var firstPause = 0.1
  /// From how many errors of a service in a window on there is an alarm.
  var alarmingErrors = 10
}

/// Takes lines from any thread.
///
/// Whoever wants reports and alarms subscribes, and then calls `start()`. Behind `shutDown()` both finish when
/// everything is stored.
final class LogPipeline<Clock: Scheduler>: @unchecked Sendable {
  typealias Interval = Clock.SchedulerTimeType.Stride
  typealias Reading = Result<Entry, LineError>

  /// What becomes of what is logged.
  let reports: AnyPublisher<Report, Never>
  /// Services in trouble, told at the end of each window.
  let alarms: AnyPublisher<Alarm, Never>

  private let lines = PassthroughSubject<String, Never>()
  private let readings: Publishers.Multicast<AnyPublisher<Reading, Never>, PassthroughSubject<Reading, Never>>

  /// Prepares a pipeline.
  ///
  /// - Parameters:
  ///   - policy: How it treats what is logged.
  ///   - wait: How long an entry waits for others at most before it is stored.
  ///   - window: For how long errors are counted.
  ///   - clock: Where all that is timed.
  ///   - store: Writes a batch; it sends a value when that is done.
  init(
    policy: LogPolicy, wait: Interval, window: Interval, clock: Clock,
    store: @escaping @Sendable (Batch) -> AnyPublisher<Void, StoreError>
  ) {
    readings =
      lines
      .map { line in Reading { () throws(LineError) in try Entry(line: line) } }
      .eraseToAnyPublisher()
      .multicast { PassthroughSubject() }
    let entries = readings.compactMap { try? $0.get() }

    let stored =
      entries
      .filter { $0.level >= policy.threshold }
      .collect(.byTimeOrCount(clock, wait, policy.batchSize))
      .scan(Batch(number: 0, entries: [])) { Batch(number: $0.number + 1, entries: $1) }
      .buffer(size: policy.waitingBatches, prefetch: .byRequest, whenFull: .dropOldest)
      .scan(Arrival(batch: Batch(number: 0, entries: []), missing: 0)) { $0.followed(by: $1) }
      .flatMap(maxPublishers: .max(1)) { arrival in
        Deferred { store(arrival.batch) }
          .retryWithBackoff(
            maxRetries: policy.attempts - 1, initialDelay: policy.firstPause, maxDelay: 5,
            scheduler: clock, shouldRetry: { $0 == .busy }
          )
          .map { Report.stored(arrival.batch) }
          .catch { Just(.refused(arrival.batch, $0)) }
          .prepend(arrival.missing > 0 ? [.lost(arrival.missing)] : [])
      }
    let unreadable = readings.compactMap { reading -> Report? in
      if case .failure(let error) = reading { .unreadable(error) } else { nil }
    }
    reports = stored.merge(with: unreadable).share().eraseToAnyPublisher()

    alarms =
      entries
      .filter { $0.level == .error }
      .collect(.byTime(clock, window))
      .flatMap { errors in
        Dictionary(grouping: errors, by: \.service)
          .map { Alarm(service: $0.key, errors: $0.value.count) }
          .filter { $0.errors >= policy.alarmingErrors }
          .sorted { $0.service < $1.service }
          .publisher
      }
      .share()
      .eraseToAnyPublisher()
  }

  /// Lets lines through.
  ///
  /// - Returns: Stops the pipeline at once, with what is in it.
  func start() -> AnyCancellable { AnyCancellable(readings.connect()) }

  /// Takes a line.
  func log(_ line: String) { lines.send(line) }

  /// Takes no more lines, and stores those that it has.
  func shutDown() { lines.send(completion: .finished) }
}

/// A batch that comes to the store, and how many before it didn't.
private struct Arrival {
  var batch: Batch
  var missing: Int

  func followed(by next: Batch) -> Arrival { Arrival(batch: next, missing: next.number - batch.number - 1) }
}
