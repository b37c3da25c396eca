// What the tests of contexts share: who sends, and in whose context something is delivered.

import TestKit
import Weir
import WeirExtras

enum Sender {
  @TaskLocal static var id = "nobody"
  @TaskLocal static var span = 0
}

/// Does something as one who sends.
func by<Result>(_ id: String, _ body: () throws -> Result) rethrows -> Result {
  try Sender.$id.withValue(id, operation: body)
}

/// Does something as one who sends, within a span.
func by<Result>(_ id: String, span: Int, _ body: () throws -> Result) rethrows -> Result {
  try Sender.$span.withValue(span) { try by(id, body) }
}

extension Subscribers.Completion {
  /// The end in a word.
  var word: String {
    switch self {
    case .finished: "end"
    case .failure: "failure"
    }
  }
}

extension Publisher {
  /// Writes down what is delivered, and in whose context.
  func noted(in log: Log<String>) -> AnyCancellable {
    sink(
      receiveCompletion: { log.add("\($0.word) \(Sender.id)") }, receiveValue: { log.add("\($0) \(Sender.id)") })
  }
}

/// Operators that deliver later or elsewhere.
enum Edge: CaseIterable, Sendable {
  case receiveOn, delay, debounce, throttle, timeout, collect, buffer, flatMap, flatMapLatest, scope

  /// A stream across the operator.
  func callAsFunction<P: ContextCarrying>(
    _ stream: P, _ scheduler: ManualScheduler
  ) -> AnyPublisher<Int, TestFailure> where P.Output == Int, P.Failure == TestFailure {
    let later = { (value: Int) in
      Just(value).setFailureType(to: TestFailure.self).delay(for: 1, scheduler: scheduler)
    }
    return switch self {
    case .receiveOn: stream.receive(on: scheduler).eraseToAnyPublisher()
    case .delay: stream.delay(for: 1, scheduler: scheduler).eraseToAnyPublisher()
    case .debounce: stream.debounce(for: 1, scheduler: scheduler).eraseToAnyPublisher()
    case .throttle: stream.throttle(for: 1, scheduler: scheduler, latest: true).eraseToAnyPublisher()
    case .timeout: stream.timeout(.seconds(1), scheduler: scheduler).eraseToAnyPublisher()
    case .collect: stream.collect(.byTime(scheduler, 1)).map { $0[0] }.eraseToAnyPublisher()
    case .buffer: stream.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
    case .flatMap: stream.flatMap(later).eraseToAnyPublisher()
    case .flatMapLatest: stream.flatMapLatest(later).eraseToAnyPublisher()
    case .scope:
      stream.carrying(stream.carriedLocals) { $0.receive(on: scheduler).filter { _ in true } }.eraseToAnyPublisher()
    }
  }
}
