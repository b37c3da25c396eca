// What every publisher is asked about its life cycle, as scripts that end in a history.

import TestKit
import Weir

/// A question; its answer is everything that happened, in order.
enum Question: String, CaseIterable, Sendable {
  case secondSubscription = "second subscription"
  case valueFirst = "value before subscription"
  case finishFirst = "finish before subscription"
  case failureFirst = "failure before subscription"
  case finishTwice = "finish twice"
  case failTwice = "fail twice"
  case cancelFirst = "cancel first and twice"
  case cancelWithinDelivery = "cancel within delivery"
  case sendWithinDelivery = "value within delivery"
  case finishWithinDelivery = "finish within delivery"
  case requestWithinDelivery = "request within delivery"
  case sendWithinClosure = "value within closure"
  case finishWithinClosure = "finish within closure"
  case cancelWithinClosure = "cancel within closure"
  case requestWithinClosure = "request within closure"
  case zeroDemand = "zero demand"
  case leakAfterFinish = "kept after finish"
  case leakAfterFailure = "kept after failure"
  case leakAfterCancellation = "kept after cancellation"

  /// Why a specimen can't be asked; `nil` if it can.
  func reasonAgainst(_ specimen: Specimen) -> Specimen.Lack? { needs.first(where: specimen.lacks.contains) }

  private var needs: [Specimen.Lack] {
    switch self {
    case .finishTwice, .cancelFirst, .leakAfterFinish, .leakAfterCancellation: []
    case .zeroDemand: [.demand]
    case .cancelWithinDelivery: [.value]
    case .requestWithinDelivery: [.value, .demand]
    case .secondSubscription, .valueFirst, .finishFirst: [.upstream]
    case .failureFirst, .failTwice, .leakAfterFailure: [.upstream, .upstreamFailure]
    case .sendWithinDelivery, .finishWithinDelivery: [.upstream, .value]
    case .sendWithinClosure, .finishWithinClosure, .cancelWithinClosure, .requestWithinClosure: [.upstream, .closure]
    }
  }

  /// Puts the question.
  func ask(_ specimen: Specimen) -> String {
    let bench = Bench()
    switch self {
    case .secondSubscription: secondSubscription(specimen, bench)
    case .valueFirst:
      bench.source.subscription = nil
      specimen.subscribe(on: bench)
      bench.send(7)
    case .finishFirst:
      bench.source.subscription = nil
      specimen.subscribe(on: bench)
      bench.finish()
    case .failureFirst:
      bench.source.subscription = nil
      specimen.subscribe(on: bench)
      bench.fail(.first)
    case .finishTwice: ends(specimen, bench) { bench.finish() }
    case .failTwice: ends(specimen, bench) { bench.fail(.first) }
    case .cancelFirst: cancelFirst(specimen, bench)
    case .cancelWithinDelivery: withinDelivery(specimen, bench) { bench.cancel() }
    case .sendWithinDelivery: withinDelivery(specimen, bench) { bench.send(2) }
    case .finishWithinDelivery: withinDelivery(specimen, bench) { bench.finish() }
    case .requestWithinDelivery:
      bench.demand = .max(1)
      withinDelivery(specimen, bench) { bench.request(.max(1)) }
    case .sendWithinClosure: withinClosure(specimen, bench) { bench.send(2) }
    case .finishWithinClosure: withinClosure(specimen, bench) { bench.finish() }
    case .cancelWithinClosure: withinClosure(specimen, bench) { bench.cancel() }
    case .requestWithinClosure:
      bench.demand = .max(2)
      withinClosure(specimen, bench) { bench.request(.max(1)) }
    case .zeroDemand:
      bench.demand = nil
      specimen.subscribe(on: bench)
      bench.request(.none)
    case .leakAfterFinish: leak(specimen, bench, after: .finished)
    case .leakAfterFailure: leak(specimen, bench, after: .failure(.first))
    case .leakAfterCancellation: leak(specimen, bench, after: nil)
    }
    return bench.log.isEmpty ? "nothing" : bench.log.joined(separator: " ")
  }

  private func secondSubscription(_ specimen: Specimen, _ bench: Bench) {
    specimen.subscribe(on: bench)
    bench.source.send(subscription: bench.subscription(named: "second"))
    bench.settle()
    bench.finish()
    bench.source.send(subscription: bench.subscription(named: "third"))
    bench.settle()
  }

  private func ends(_ specimen: Specimen, _ bench: Bench, _ end: () -> Void) {
    specimen.subscribe(on: bench)
    bench.send(1)
    end()
    end()
    bench.send(2)
    bench.request(.max(1))
    bench.cancel()
  }

  private func cancelFirst(_ specimen: Specimen, _ bench: Bench) {
    bench.demand = nil
    specimen.subscribe(on: bench)
    bench.cancel()
    bench.cancel()
    bench.request(.max(1))
    bench.send(1)
    bench.finish()
  }

  private func withinDelivery(_ specimen: Specimen, _ bench: Bench, _ body: @escaping () -> Void) {
    bench.onValue = { [unowned bench] in
      bench.onValue = {}
      body()
    }
    specimen.subscribe(on: bench)
    bench.send(1)
    bench.send(3)
    bench.finish()
  }

  private func withinClosure(_ specimen: Specimen, _ bench: Bench, _ body: @escaping () -> Void) {
    bench.inside = { [unowned bench] in
      bench.inside = {}
      bench.log.append("(")
      body()
      bench.log.append(")")
    }
    specimen.subscribe(on: bench)
    if specimen.trigger == .secondValue { bench.send(5) }
    if specimen.trigger != .failure { bench.send(1) }
    if specimen.trigger == .failure { bench.fail(.first) } else { bench.finish() }
  }

  /// What is still there when all is over, while the source and the specimen's subscription are.
  private func leak(_ specimen: Specimen, _ bench: Bench, after end: Subscribers.Completion<TestFailure>?) {
    let source = FreeingPublisher()
    weak var closures: Bench?
    do {
      let capturedByClosures = Bench(sharing: bench)
      closures = capturedByClosures
      specimen.subscribe(on: bench, closures: capturedByClosures, to: source.eraseToAnyPublisher())
    }
    // An operator without a subscription of its own hands the source's on.
    if let passedOn = bench.subscription as? FreeingPublisher.Inner { bench.subscription = PassedOn(passedOn) }
    _ = source.subscription?.subscriber?.receive(bench.value(1))
    if let end { source.subscription?.end(end) } else { bench.subscription?.cancel() }
    bench.settle()
    bench.log = []
    if bench.subscriber != nil { bench.log.append("subscriber") }
    if source.subscription != nil { bench.log.append("upstream") }
    if closures != nil { bench.log.append("closures") }
    if bench.lifetimes.live != 0 { bench.log.append("\(bench.lifetimes.live) values") }
  }
}

/// A subscription that is not held.
private final class PassedOn: Subscription {
  private weak var subscription: FreeingPublisher.Inner?

  init(_ subscription: FreeingPublisher.Inner) { self.subscription = subscription }

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }
  func cancel() { subscription?.cancel() }
}

/// A publisher that, as every good one, lets go of its subscriber when it ends or is cancelled.
private final class FreeingPublisher: Publisher {
  typealias Output = Payload
  typealias Failure = TestFailure

  final class Inner: Subscription {
    var subscriber: AnySubscriber<Payload, TestFailure>?

    func request(_ demand: Subscribers.Demand) {}
    func cancel() { subscriber = nil }

    func end(_ completion: Subscribers.Completion<TestFailure>) {
      let ended = subscriber
      subscriber = nil
      ended?.receive(completion: completion)
    }
  }

  weak var subscription: Inner?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Payload, S.Failure == TestFailure {
    let inner = Inner()
    inner.subscriber = AnySubscriber(subscriber)
    subscription = inner
    subscriber.receive(subscription: inner)
  }
}
