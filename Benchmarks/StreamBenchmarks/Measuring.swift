// What several families share: rates, passes, measured bodies, and a subscriber that asks for nothing by itself.

import Gauge
import Weir

/// Operations per second in the open loop: a busy stream that leaves a core almost idle.
let sendRate = 100_000
/// The same for operations that wake a thread.
let hopRate = 10_000

extension Set<LaunchRequest.Pass> {
  /// Everything but latency, for rows that differ from one with latency in what they cost, not in how it scatters.
  static let withoutLatency = Set(LaunchRequest.Pass.allCases).subtracting([.latency, .openLatency])
}

/// Counts what it is given; whoever holds its subscription asks.
final class Consumer<Input, Failure: Error>: Subscriber {
  private(set) var subscription: (any Subscription)?
  private(set) var count = 0

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: Input) -> Subscribers.Demand {
    blackHole(input)
    count &+= 1
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {}
}

/// Thrown where a benchmark's stream did not do what it is measured for.
struct WrongResult: Error, CustomStringConvertible {
  let description: String

  /// Checks how many values arrived.
  static func check(_ arrived: Int, expected: Int) throws {
    guard arrived != expected else { return }
    throw WrongResult(description: "\(arrived) values arrived, expected \(expected)")
  }
}

/// Measures one send of a changing value.
@inline(__always)
func measureSends(to subject: PassthroughSubject<Int, Never>, _ run: BenchmarkRun) {
  var value = 0
  run.measure {
    value &+= 2
    subject.send(value)
  }
}

/// The same for what sends in another way.
@inline(__always)
func measureSends(_ run: BenchmarkRun, _ send: (Int) -> Void) {
  var value = 0
  run.measure {
    value &+= 1
    send(value)
  }
}

/// Measures asking a subscription for a number of values, which arrive before the call returns.
@inline(__always)
func measureRequests<P: Publisher>(
  of count: Int, elements: Int, to publisher: P, isShared: Bool = false, _ run: BenchmarkRun
) throws {
  try measureRequests(of: count, elements: elements, isShared: isShared, run) {
    (consumer: Consumer<P.Output, P.Failure>) in publisher.subscribe(consumer)
  }
}

/// The same for what subscribes by itself.
@inline(__always)
func measureRequests<Input, Failure: Error>(
  of count: Int, elements: Int, isShared: Bool = false, _ run: BenchmarkRun,
  subscribe: (Consumer<Input, Failure>) -> Void
) throws {
  let consumer = Consumer<Input, Failure>()
  subscribe(consumer)
  guard let subscription = consumer.subscription else {
    throw WrongResult(description: "the publisher gave no subscription")
  }
  if isShared { share { subscription.request(.max(1)) } }
  run.elements = elements
  var requested = consumer.count
  run.measure {
    requested &+= count
    subscription.request(.max(count))
  }
  subscription.cancel()
  try WrongResult.check(consumer.count, expected: requested)
}
