// A publisher to which the questions about its life cycle are put, and what observes its answers.

import TestKit
import Testing
import Weir

/// A value whose life is counted.
struct Payload: Comparable, Codable, CustomStringConvertible {
  let tracked: LifetimeTracked

  init(_ number: Int, _ lifetimes: Lifetimes) { tracked = lifetimes.track(number) }
  init(from decoder: any Decoder) throws { fatalError("coders of the tests hand the value itself on") }

  func encode(to encoder: any Encoder) throws { fatalError("coders of the tests hand the value itself on") }

  var number: Int { tracked.number }
  var description: String { "\(number)" }

  static func < (lhs: Payload, rhs: Payload) -> Bool { lhs.number < rhs.number }
}

/// What stands above and below a specimen, and writes down what happens to it.
final class Bench {
  /// Everything that happened, in order.
  var log: [String] = []
  /// What is asked for when a subscription arrives; nothing if `nil`.
  var demand: Subscribers.Demand? = .unlimited
  /// The newest subscription.
  var subscription: (any Subscription)?
  /// Its name when it arrived.
  var subscriptionName: String?
  /// The newest subscriber.
  weak var subscriber: AnyObject?
  /// Runs within the delivery of each value.
  var onValue: () -> Void = {}
  /// Runs within the specimen's closure, each time it is called.
  var inside: () -> Void = {}

  /// What the specimen is subscribed to, if that is a script.
  let source = ScriptedPublisher<Payload, TestFailure>()
  private var feed: Feed?
  let scheduler: ManualScheduler
  let lifetimes: Lifetimes
  private let holder: Bench?
  private var held: [AnyCancellable] = []

  /// Creates a bench.
  ///
  /// - Parameter kind: What stands above the specimen.
  init(fedBy kind: Feed.Kind = .script) {
    scheduler = ManualScheduler()
    lifetimes = Lifetimes()
    holder = nil
    feed = Feed(kind, source, lifetimes)
    source.subscription = subscription(named: "upstream")
  }

  /// A bench to build a specimen on that lives no longer than the specimen's closures do, and shares another's time.
  init(sharing other: Bench) {
    scheduler = other.scheduler
    lifetimes = other.lifetimes
    holder = other
  }

  /// Writes down a value, as a subscriber that has no subscription to show.
  func take(_ value: Payload) {
    let observer = holder ?? self
    observer.log.append("\(value)")
    observer.onValue()
  }

  /// Writes down an end.
  func end(_ completion: Subscribers.Completion<TestFailure>) {
    (holder ?? self).log.append(completion == .finished ? "finished" : "failed")
  }

  /// Keeps something up until everything is over.
  func hold(_ cancellable: any Cancellable) { (holder ?? self).held.append(AnyCancellable(cancellable.cancel)) }

  /// A value.
  func value(_ number: Int) -> Payload { Payload(number, lifetimes) }

  /// A stream of values that ends.
  func values(_ numbers: Range<Int>) -> Publishers.Sequence<[Payload], TestFailure> {
    Publishers.Sequence(sequence: numbers.map(value))
  }

  /// A subscription that writes down what it is told.
  func subscription(named name: String) -> RecordingSubscription {
    let subscription = RecordingSubscription(name)
    subscription.onRequest = { [unowned self] in log.append("\(name)+\($0.max.map(String.init) ?? "all")") }
    subscription.onCancel = { [unowned self] in log.append("\(name)-cancelled") }
    return subscription
  }

  /// Lets time pass until nothing is under way any more.
  func settle() { scheduler.advance(by: 10) }

  /// What the specimen is subscribed to.
  var upstream: Specimen.Upstream { feed!.publisher }

  /// Lets go of what the specimen is subscribed to.
  ///
  /// - Returns: It, or its part of the subscription; `nil` if nobody needs it any more.
  func forgetUpstream() -> AnyObject? {
    weak let upstream = feed?.kept
    feed = nil
    return upstream
  }

  func send(_ number: Int) {
    sendOnly(number)
    settle()
  }

  /// Sends a value, and leaves it to the caller to let time pass.
  func sendOnly(_ number: Int) { feed?.send(value(number)) }

  func finish() {
    feed?.send(completion: .finished)
    settle()
  }

  func fail(_ failure: TestFailure) {
    feed?.send(completion: .failure(failure))
    settle()
  }

  func request(_ demand: Subscribers.Demand) {
    subscription?.request(demand)
    settle()
  }

  func cancel() {
    subscription?.cancel()
    settle()
  }
}

/// A subscriber that writes down what it is told.
private final class Witness<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  let description = "subscriber"
  private let bench: Bench

  init(_ bench: Bench) { self.bench = bench }

  func receive(subscription: any Subscription) {
    bench.log.append("subscribed")
    bench.subscription = subscription
    bench.subscriptionName = "\(subscription)"
    if let demand = bench.demand { subscription.request(demand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    bench.log.append("\(input)".split(separator: ", ").joined(separator: "&"))
    bench.onValue()
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: bench.log.append("finished")
    case .failure: bench.log.append("failed")
    }
  }
}

/// A publisher, and what questions it can be asked.
struct Specimen: CustomTestStringConvertible, @unchecked Sendable {
  typealias Upstream = AnyPublisher<Payload, TestFailure>

  /// What it can't be asked about, as there is nothing to ask about.
  enum Lack: String {
    case upstream = "n/a: no upstream"
    case upstreamFailure = "n/a: its upstream can't fail"
    case value = "n/a: no values"
    case demand = "n/a: it asks for everything itself"
    case closure = "n/a: no closure"
  }

  /// What makes it call its closure.
  enum Trigger { case value, secondValue, failure }

  /// The declaration that it comes from.
  let name: String
  var testDescription: String { name }
  /// The publisher's or subscriber's type, without what it is generic over.
  let type: String
  /// What makes it call its closure, if it has one.
  let trigger: Trigger?
  /// What there is nothing to ask about.
  let lacks: Set<Lack>

  private let attach: (Upstream, Bench, Bench) -> Void
  private let sink: (Upstream, Bench) -> AnyCancellable

  /// Describes a publisher.
  ///
  /// - Parameters:
  ///   - name: The declaration that it comes from.
  ///   - trigger: What makes it call its closure, if it has one.
  ///   - lacks: What there is nothing to ask about.
  ///   - make: Makes the publisher; its closure is to run `inside` of the bench.
  init<Applied: Publisher>(
    _ name: String, calls trigger: Trigger? = nil, lacks: Set<Lack> = [],
    _ make: @escaping (Upstream, Bench) -> Applied
  ) {
    self.name = name
    self.trigger = trigger
    self.lacks = trigger == nil ? lacks.union([.closure]) : lacks
    type = Self.name(of: Applied.self)
    attach = { upstream, bench, closures in
      let witness = Witness<Applied.Output, Applied.Failure>(bench)
      bench.subscriber = witness
      make(upstream, closures).subscribe(witness)
    }
    sink = { upstream, closures in
      make(upstream, closures).sink(
        receiveCompletion: { _ in closures.inside() }, receiveValue: { _ in closures.inside() })
    }
  }

  /// Describes a subscriber.
  ///
  /// - Parameters:
  ///   - name: The declaration that it comes from.
  ///   - type: The subscriber's type.
  ///   - lacks: What there is nothing to ask about.
  ///   - subscribe: Subscribes it, to write down on the bench what it gets, and returns what cancels it.
  init(
    _ name: String, subscriber type: Any.Type, lacks: Set<Lack> = [],
    _ subscribe: @escaping (Upstream, Bench) -> any Cancellable
  ) {
    self.name = name
    self.type = Self.name(of: type)
    trigger = nil
    self.lacks = lacks.union([.closure, .demand])
    attach = { upstream, bench, closures in
      bench.subscription = CancellableSubscription(subscribe(upstream, closures))
    }
    sink = { upstream, closures in AnyCancellable(subscribe(upstream, closures)) }
  }

  /// A type's name, without its module and without what it is generic over.
  private static func name(of type: Any.Type) -> String {
    var name = ""
    var depth = 0
    for character in String(reflecting: type) {
      if character == "<" { depth += 1 }
      if depth == 0 { name.append(character) }
      if character == ">" { depth -= 1 }
    }
    for prefix in ["(extension in Weir):", "Weir.", "Swift."] where name.hasPrefix(prefix) {
      name.removeFirst(prefix.count)
    }
    return name
  }

  /// Subscribes to the publisher, applied to the bench's upstream.
  ///
  /// - Parameters:
  ///   - bench: Observes the publisher.
  ///   - closures: What the publisher's closures capture, if that isn't the bench.
  func subscribe(on bench: Bench, closures: Bench? = nil) {
    attach(bench.upstream, bench, closures ?? bench)
    bench.settle()
  }

  /// Attaches closures to the publisher, applied to the bench's upstream.
  ///
  /// - Parameters:
  ///   - bench: Has the upstream.
  ///   - closures: What the closures capture.
  /// - Returns: What cancels when it is let go of.
  func sink(on bench: Bench, closures: Bench) -> AnyCancellable {
    let cancellable = sink(bench.upstream, closures)
    bench.settle()
    return cancellable
  }
}

/// Cancels what a subscriber that keeps its subscription to itself gave out.
private final class CancellableSubscription: Subscription {
  private let cancellable: any Cancellable

  init(_ cancellable: any Cancellable) { self.cancellable = cancellable }

  func request(_ demand: Subscribers.Demand) {}
  func cancel() { cancellable.cancel() }
}
