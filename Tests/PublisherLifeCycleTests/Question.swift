// What every publisher is asked about its life cycle, as scripts that end in a history.

import TestKit
import Weir

/// A question; its answer is everything that happened, in order.
enum Question: String, CaseIterable, Sendable {
  case names
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
    case .names, .finishTwice, .cancelFirst, .leakAfterFinish, .leakAfterCancellation: []
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
  ///
  /// - Parameter kind: What stands above the specimen.
  func ask(_ specimen: Specimen, fedBy kind: Feed.Kind = .script) -> String {
    let bench = Bench(fedBy: kind)
    switch self {
    case .names: names(specimen, bench)
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
    case .leakAfterFinish: return Ending.finish.leftovers(of: specimen, fedBy: .publisher)
    case .leakAfterFailure: return Ending.failure.leftovers(of: specimen, fedBy: .publisher)
    case .leakAfterCancellation: return Ending.cancellation.leftovers(of: specimen, fedBy: .publisher)
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

  /// The names by which what is above and what is below are told of it.
  private func names(_ specimen: Specimen, _ bench: Bench) {
    specimen.subscribe(on: bench)
    bench.log = []
    if let subscriber = bench.source.subscriber { bench.log.append("upstream-sees:\(subscriber)") }
    if let name = bench.subscriptionName {
      bench.log.append("subscriber-sees:\(name)".split(separator: ", ").joined(separator: "&"))
    }
  }
}

/// How a stream comes to its end.
enum Ending {
  case finish, failure, cancellation, drop

  /// Lists what is still there when all is over, while the upstream and the specimen's subscription are.
  func leftovers(of specimen: Specimen, fedBy kind: Feed.Kind) -> String {
    let bench = Bench(fedBy: kind)
    weak var closures: Bench?
    var cancellable: AnyCancellable?
    do {
      let capturedByClosures = Bench(sharing: bench)
      closures = capturedByClosures
      if self == .drop {
        cancellable = specimen.sink(on: bench, closures: capturedByClosures)
      } else {
        specimen.subscribe(on: bench, closures: capturedByClosures)
      }
    }
    // An operator without a subscription of its own hands the upstream's on.
    if let passedOn = bench.subscription as? RegularPublisher.Inner { bench.subscription = PassedOn(passedOn) }
    bench.send(1)
    switch self {
    case .finish: bench.finish()
    case .failure: bench.fail(.first)
    case .cancellation: bench.cancel()
    case .drop:
      withExtendedLifetime(cancellable) {}
      cancellable = nil
      bench.settle()
    }
    var left: [String] = []
    if bench.subscriber != nil { left.append("subscriber") }
    if closures != nil { left.append("closures") }
    if bench.lifetimes.live != 0 { left.append("\(bench.lifetimes.live) values") }
    if bench.forgetUpstream() != nil { left.insert("upstream", at: bench.subscriber == nil ? 0 : 1) }
    return left.isEmpty ? "nothing" : left.joined(separator: " ")
  }
}

/// A subscription that is not held.
private final class PassedOn: Subscription {
  private weak var subscription: RegularPublisher.Inner?

  init(_ subscription: RegularPublisher.Inner) { self.subscription = subscription }

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }
  func cancel() { subscription?.cancel() }
}
