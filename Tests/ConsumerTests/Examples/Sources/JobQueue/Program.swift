// A queue that four threads fill, with jobs that succeed, that need more than one attempt, and that never succeed.

import Combine
import Dispatch
import Foundation
import Synchronization

/// Stands for services elsewhere that fail as their jobs say.
final class Services: Sendable {
  private let attempts = Mutex<[Int: Int]>([:])
  private let pool = DispatchQueue(label: "services", attributes: .concurrent)

  func run(_ job: Job) -> AnyPublisher<String, JobError> {
    Future { promise in
      let attempt = self.attempts.withLock { attempts in
        attempts[job.id, default: 0] += 1
        return attempts[job.id, default: 0]
      }
      switch job.name {
      case "flaky" where attempt < 3: promise(.failure(.temporary("busy")))
      case "broken": promise(.failure(.permanent("no such customer")))
      case "down": promise(.failure(.temporary("no connection")))
      default: promise(.success("attempt \(attempt)"))
      }
    }
    .subscribe(on: pool)
    .eraseToAnyPublisher()
  }
}

@main
struct Program {
  static func main() {
    let services = Services()
    let policy = JobQueuePolicy(workers: 8, capacity: 1000, attempts: 4, firstPause: 0.001, longestPause: 0.002)
    let queue = JobQueue(policy: policy, limit: .seconds(60), clock: DispatchQueue(label: "clock"), run: services.run)

    let everything = DispatchSemaphore(value: 0)
    let outcomes = Mutex<[Outcome]>([])
    let subscription = queue.outcomes.sink(
      receiveCompletion: { @Sendable _ in everything.signal() },
      receiveValue: { @Sendable outcome in outcomes.withLock { $0.append(outcome) } })

    let names = ["mail", "flaky", "mail", "broken", "mail", "mail", "down", "mail"]
    let rejected = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<100 {
        let id = 100 * thread + number
        do { try queue.submit(Job(id: id, name: names[id % names.count])) } catch {
          rejected.wrappingAdd(1, ordering: .relaxed)
        }
      }
    }
    queue.shutDown()
    do { try queue.submit(Job(id: 400, name: "mail")) } catch { print("behind the shutdown: \(error)") }
    everything.wait()

    let all = outcomes.withLock { $0 }
    print("400 submitted, \(rejected.load(ordering: .relaxed)) rejected, \(Set(all.map(\.job.id)).count) through")
    for name in Set(names).sorted() {
      let results = all.filter { $0.job.name == name }.map { "\($0.result) in \($0.attempts) attempts" }
      print("\(name): \(results.count) times \(Set(results).sorted().joined(separator: ", "))")
    }
    subscription.cancel()
  }
}
