// Four services that log from threads of their own, and a store that is busy now and then.

import Combine
import Dispatch
import Foundation
import Synchronization

/// Stands for a database: every third attempt finds it busy.
final class Database: Sendable {
  private let attempts = Atomic(0)
  private let queue = DispatchQueue(label: "database")

  func store(_ batch: Batch) -> AnyPublisher<Void, StoreError> {
    let attempt = attempts.wrappingAdd(1, ordering: .relaxed).newValue
    return Result<Void, StoreError>.Publisher(attempt % 3 == 0 ? .failure(.busy) : .success(()))
      .receive(on: queue)
      .eraseToAnyPublisher()
  }
}

/// What the pipeline has told.
struct Told {
  var entries: [Entry] = []
  var largest = 0
  var unreadable: [LineError] = []
  var others: [Report] = []
  var alarms: [Alarm] = []

  mutating func add(_ report: Report) {
    switch report {
    case .stored(let batch):
      entries += batch.entries
      largest = max(largest, batch.entries.count)
    case .unreadable(let error): unreadable.append(error)
    case .refused, .lost: others.append(report)
    }
  }
}

@main
struct Program {
  static func main() {
    let database = Database()
    let policy = LogPolicy(batchSize: 64, waitingBatches: 1000, firstPause: 0.001)
    let pipeline = LogPipeline(
      policy: policy, wait: .milliseconds(1), window: .seconds(3600), clock: DispatchQueue(label: "clock"),
      store: database.store)
    let told = Mutex(Told())
    let ends = DispatchGroup()
    var subscriptions: Set<AnyCancellable> = []
    ends.enter()
    pipeline.reports
      .sink(
        receiveCompletion: { @Sendable _ in ends.leave() },
        receiveValue: { @Sendable report in told.withLock { $0.add(report) } }
      )
      .store(in: &subscriptions)
    ends.enter()
    pipeline.alarms
      .sink(
        receiveCompletion: { @Sendable _ in ends.leave() },
        receiveValue: { @Sendable alarm in told.withLock { $0.alarms.append(alarm) } }
      )
      .store(in: &subscriptions)
    pipeline.start().store(in: &subscriptions)

    let services = ["billing", "mail", "search", "shop"]
    DispatchQueue.concurrentPerform(iterations: services.count) { index in
      let service = services[index]
      for number in 1...500 {
        let level = number % 25 == 0 && index < 2 ? "error" : number % 2 == 0 ? "info" : "debug"
        pipeline.log("\(level) \(service): request \(number)")
      }
      pipeline.log("\(service) is not a level")
    }
    pipeline.shutDown()
    pipeline.log("error mail: too late")
    ends.wait()

    let result = told.withLock { $0 }
    for service in services {
      let requests = result.entries.filter { $0.service == service }.compactMap { Int($0.message.dropFirst(8)) }
      print("\(service): \(requests.count) entries stored, in order: \(requests == requests.sorted())")
    }
    print("no batch was larger than 64: \(result.largest <= 64); lost or refused: \(result.others.count)")
    print("unreadable: \(result.unreadable.map { "\($0)" }.sorted())")
    print("alarms: \(result.alarms.map { "\($0.service) \($0.errors)" })")
  }
}
