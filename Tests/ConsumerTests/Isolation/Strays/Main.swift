// Closures of the main actor that a stream calls on another thread: each has to stop the program. Without an argument
// it lists them.

import Combine
import Foundation
import WeirExtras

@MainActor
final class Model {
  private(set) var number = 0 {
    didSet { print("ran off the main actor: \(number)") }
  }
  private var token: AnyCancellable?
  private let queue = DispatchQueue(label: "elsewhere")

  /// Runs a closure of the main actor by way of an operator, a subscriber or a scheduler, off the main actor, and
  /// returns when it has.
  func stray(_ way: String) async {
    let numbers = PassthroughSubject<Int, Never>()
    let elsewhere = numbers.receive(on: queue).eraseToAnyPublisher()
    switch way {
    case "scheduler": return await stray(on: queue) { self.queue.schedule { self.number = 1 } }
    case "anyScheduler": return await stray(on: queue) { self.schedule(on: self.queue) }
    case "operations":
      let operations = OperationQueue()
      operations.maxConcurrentOperationCount = 1
      return await stray(on: operations) { operations.schedule { self.number = 1 } }
    case "loop":
      let loop = EventLoopScheduler()
      return await stray(on: loop) { loop.schedule { self.number = 1 } }
    default:
      token =
        transform(elsewhere, way) ?? decide(elsewhere, way) ?? fail(elsewhere, way) ?? watch(numbers, elsewhere, way)
        ?? subscribe(elsewhere, way)
    }
    for number in 1...2 { numbers.send(number) }
    numbers.send(completion: .finished)
    // Behind all that the stream has put there, and what that has.
    for _ in 1...3 { await withCheckedContinuation { continuation in queue.async { continuation.resume() } } }
  }

  private func transform(_ elsewhere: AnyPublisher<Int, Never>, _ way: String) -> AnyCancellable? {
    switch way {
    case "map": elsewhere.map { number -> Int in self.keep(number) }.sink { @Sendable _ in }
    case "tryMap": elsewhere.tryMap { self.keep($0) }.replaceError(with: 0).sink { @Sendable _ in }
    case "compactMap": elsewhere.compactMap { Optional(self.keep($0)) }.sink { @Sendable _ in }
    case "flatMap": elsewhere.flatMap { Just(self.keep($0)) }.sink { @Sendable _ in }
    case "flatMapLatest": elsewhere.flatMapLatest { Just(self.keep($0)) }.sink { @Sendable _ in }
    case "scan": elsewhere.scan(0) { self.keep($0 + $1) }.sink { @Sendable _ in }
    case "reduce": elsewhere.reduce(0) { self.keep($0 + $1) }.sink { @Sendable _ in }
    case "pairwise": elsewhere.pairwise().map { self.keep($0.0) }.sink { @Sendable _ in }
    case "withLatestFrom": elsewhere.withLatestFrom(Just(1)) { self.keep($0 + $1) }.sink { @Sendable _ in }
    default: nil
    }
  }

  private func decide(_ elsewhere: AnyPublisher<Int, Never>, _ way: String) -> AnyCancellable? {
    switch way {
    case "filter": elsewhere.filter { self.keep($0) > 0 }.sink { @Sendable _ in }
    case "removeDuplicates": elsewhere.removeDuplicates { self.keep($0) == $1 }.sink { @Sendable _ in }
    case "first": elsewhere.first { self.keep($0) > 1 }.sink { @Sendable _ in }
    case "drop": elsewhere.drop { self.keep($0) < 2 }.sink { @Sendable _ in }
    case "max": elsewhere.max { self.keep($0) < $1 }.sink { @Sendable _ in }
    default: nil
    }
  }

  private func fail(_ elsewhere: AnyPublisher<Int, Never>, _ way: String) -> AnyCancellable? {
    let failing = elsewhere.tryMap { @Sendable _ -> Int in throw CancellationError() }
    return switch way {
    case "catch": failing.catch { _ in Just(self.keep(-1)) }.sink { @Sendable _ in }
    case "mapError":
      failing.mapError { error in
        self.number = -1
        return error
      }.replaceError(with: 0).sink { @Sendable _ in }
    default: nil
    }
  }

  private func watch(
    _ numbers: PassthroughSubject<Int, Never>, _ elsewhere: AnyPublisher<Int, Never>, _ way: String
  ) -> AnyCancellable? {
    switch way {
    case "receiveSubscription":
      numbers.handleEvents(receiveSubscription: { _ in self.number = 1 }).subscribe(on: queue).sink { @Sendable _ in }
    case "receiveRequest":
      // The subject may have ended by then.
      Just(1).handleEvents(receiveRequest: { _ in self.number = 1 }).subscribe(on: queue).sink { @Sendable _ in }
    case "receiveOutput": elsewhere.handleEvents(receiveOutput: { self.number = $0 }).sink { @Sendable _ in }
    case "receiveCompletion":
      elsewhere.handleEvents(receiveCompletion: { _ in self.number = -1 }).sink { @Sendable _ in }
    case "receiveCancel": elsewhere.handleEvents(receiveCancel: { self.number = -1 }).prefix(1).sink { @Sendable _ in }
    case "deferred": Deferred { Just(self.keep(1)) }.subscribe(on: queue).sink { @Sendable _ in }
    default: nil
    }
  }

  private func subscribe(_ elsewhere: AnyPublisher<Int, Never>, _ way: String) -> AnyCancellable? {
    switch way {
    case "sink": return elsewhere.sink { self.number = $0 }
    case "completion":
      return elsewhere.sink { _ in
        self.number = -1
      } receiveValue: { @Sendable _ in
      }
    case "subscriber":
      elsewhere.subscribe(
        AnySubscriber(
          receiveSubscription: { @Sendable in $0.request(.unlimited) },
          receiveValue: {
            self.number = $0
            return .none
          }))
    case "cancellation":
      let token = AnyCancellable { self.number = 1 }
      queue.async { token.cancel() }
    default: break
    }
    return nil
  }

  private func stray(on scheduler: some Scheduler, _ schedule: () -> Void) async {
    schedule()
    await withCheckedContinuation { continuation in scheduler.schedule { @Sendable in continuation.resume() } }
  }

  /// Unlike where the scheduler's type is known, this calls what is declared by the protocol.
  private func schedule(on scheduler: some Scheduler) { scheduler.schedule { self.number = 1 } }

  private func keep(_ number: Int) -> Int {
    self.number = number
    return number
  }
}

@main
struct Main {
  static let ways = [
    "map", "tryMap", "compactMap", "flatMap", "flatMapLatest", "scan", "reduce", "pairwise", "withLatestFrom", "filter",
    "removeDuplicates", "first", "drop", "max", "catch", "mapError", "receiveSubscription", "receiveRequest",
    "receiveOutput", "receiveCompletion", "receiveCancel", "deferred", "sink", "completion", "subscriber",
    "cancellation", "scheduler", "anyScheduler", "operations", "loop",
  ]

  @MainActor
  static func main() async {
    guard let way = CommandLine.arguments.dropFirst().first else { return print(ways.joined(separator: " ")) }
    let model = Model()
    await model.stray(way)
    print("was not stopped: \(model.number)")
  }
}
