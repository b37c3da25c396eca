// The ways on which four threads' values come to one subscriber: subjects, and operators that join streams.

import Weir
import WeirExtras

/// How many threads send.
let senders = 4

/// Four ways in, one subscriber.
struct Joint {
  /// What each sender calls with its values.
  var sends: [(Int) -> Void]
  var cancellable: AnyCancellable
  /// Whether a sender's values get to the subscriber.
  var delivers = Array(repeating: true, count: senders)
  /// Subscribes once more.
  var subscribe: ((_ receive: @escaping (Int) -> Void) -> AnyCancellable)?
  /// Whether a subscriber has a value as soon as it is there.
  var hasFirstValue = false
}

/// One kind of subject or joining operator.
struct Route: Sendable {
  let name: String
  let order: Witness.Order
  /// Whether a value comes with those of the other senders that have the same number.
  let isPaired: Bool
  /// Whether others may subscribe, and cancel, while the senders send.
  let canSubscribe: Bool
  /// - Parameter contention: What senders do while another thread delivers, `nil` for what is the default.
  let make: @Sendable (_ witness: Witness, _ contention: ContentionPolicy?) -> Joint

  init(
    _ name: String, _ order: Witness.Order = .all, isPaired: Bool = false, canSubscribe: Bool = false,
    _ make: @escaping @Sendable (Witness, ContentionPolicy?) -> Joint
  ) {
    (self.name, self.order, self.isPaired, self.canSubscribe, self.make) = (name, order, isPaired, canSubscribe, make)
  }
}

typealias Relay = PassthroughSubject<Int, Never>

/// What senders do where an attack leaves the default: as a mutant, which every attack on it must find, they hand over.
let mutation: ContentionPolicy? = CommandLine.arguments.contains("--mutant") ? .handOver : nil

func relay(_ contention: ContentionPolicy?) -> Relay {
  (contention ?? mutation).map { Relay(contention: $0) } ?? Relay()
}

func current(_ contention: ContentionPolicy?) -> CurrentValueSubject<Int, Never> {
  (contention ?? mutation).map { CurrentValueSubject(0, contention: $0) } ?? CurrentValueSubject(0)
}

private func all(_ send: @escaping (Int) -> Void) -> [(Int) -> Void] { Array(repeating: send, count: senders) }

/// A route on which all senders use one subject, whose publisher an operator changes.
private func single(
  _ name: String, _ change: @escaping @Sendable (Relay) -> any Publisher<Int, Never>
) -> Route {
  Route(name) { witness, contention in
    let subject = relay(contention)
    let sink = change(subject).eraseToAnyPublisher().sink { witness.receive($0) }
    return Joint(sends: all { subject.send($0) }, cancellable: sink)
  }
}

/// A route on which each sender has a subject, and an operator joins them.
private func joined(
  _ name: String, _ join: @escaping @Sendable ([Relay]) -> any Publisher<Int, Never>
) -> Route {
  Route(name) { witness, contention in
    let subjects = (0..<senders).map { _ in relay(contention) }
    let sink = join(subjects).eraseToAnyPublisher().sink { witness.receive($0) }
    return Joint(sends: subjects.map { subject in { subject.send($0) } }, cancellable: sink)
  }
}

final class Model: ObservableObject, @unchecked Sendable {
  @Published var value = 0
}

private let passthrough = Route("passthrough", canSubscribe: true) { witness, contention in
  let subject = relay(contention)
  let sink = subject.sink { witness.receive($0) }
  return Joint(sends: all { subject.send($0) }, cancellable: sink, subscribe: { subject.sink(receiveValue: $0) })
}

private let currentValue = Route("current-value", canSubscribe: true) { witness, contention in
  let subject = current(contention)
  let sink = subject.dropFirst().sink { witness.receive($0) }
  return Joint(
    sends: all { subject.send($0) }, cancellable: sink, subscribe: { subject.sink(receiveValue: $0) },
    hasFirstValue: true)
}

private let published = Route("published", canSubscribe: true) { witness, _ in
  let model = Model()
  let sink = model.$value.dropFirst().sink { witness.receive($0) }
  return Joint(
    sends: all { model.value = $0 }, cancellable: sink, subscribe: { model.$value.sink(receiveValue: $0) },
    hasFirstValue: true)
}

private let replay = Route("replay", canSubscribe: true) { witness, _ in
  let subject = ReplaySubject<Int, Never>(bufferSize: 3)
  let sink = subject.sink { witness.receive($0) }
  subject.send(0)
  return Joint(
    sends: all { subject.send($0) }, cancellable: sink, subscribe: { subject.sink(receiveValue: $0) },
    hasFirstValue: true)
}

private let merge = joined("merge") { $0[0].merge(with: $0[1], $0[2], $0[3]) }
private let flatMap = joined("flat-map") { $0.publisher.flatMap { $0 } }

private let zip = Route("zip", isPaired: true) { witness, contention in
  let subjects = (0..<senders).map { _ in relay(contention) }
  let sink = subjects[0].zip(subjects[1], subjects[2], subjects[3]).sink { witness.receive($0) }
  return Joint(sends: subjects.map { subject in { subject.send($0) } }, cancellable: sink)
}

private let combineLatest = Route("combine-latest", .repeats) { witness, contention in
  let subjects = (0..<senders).map { _ in relay(contention) }
  let sink = subjects[0].combineLatest(subjects[1], subjects[2], subjects[3]).sink { witness.receive($0) }
  for subject in subjects { subject.send(0) }
  return Joint(sends: subjects.map { subject in { subject.send($0) } }, cancellable: sink)
}

private let combineLatestOfFive = Route("combine-latest-5", .repeats) { witness, contention in
  let subjects = (0..<senders).map { _ in relay(contention) }
  let sink = subjects[0].combineLatest(subjects[1], subjects[2], subjects[3], Just(0)).sink {
    witness.receive(($0.0, $0.1, $0.2, $0.3))
  }
  for subject in subjects { subject.send(0) }
  return Joint(sends: subjects.map { subject in { subject.send($0) } }, cancellable: sink)
}

private let objectWillChange = Route("object-will-change", .gaps) { witness, _ in
  let publisher = ObservableObjectPublisher()
  let sink = publisher.sink { witness.receiveSignal() }
  return Joint(sends: all { _ in publisher.send() }, cancellable: sink)
}

private let withLatestFrom = Route("with-latest-from") { witness, contention in
  let (values, other) = (relay(contention), relay(contention))
  let sink = values.withLatestFrom(other) { value, _ in value }.sink { witness.receive($0) }
  other.send(0)
  let send = { values.send($0) }
  return Joint(
    sends: [send, send, send, { other.send($0) }], cancellable: sink, delivers: [true, true, true, false])
}

private let multicast = Route("multicast", canSubscribe: true) { witness, contention in
  let subject = relay(contention)
  let publisher = subject.multicast { relay(contention) }
  let sink = publisher.sink { witness.receive($0) }
  let connection = publisher.connect()
  let both = AnyCancellable {
    connection.cancel()
    sink.cancel()
  }
  return Joint(sends: all { subject.send($0) }, cancellable: both, subscribe: { publisher.sink(receiveValue: $0) })
}

/// The routes that starve most easily.
let mainRoutes = [passthrough, currentValue, published, replay, merge, flatMap, zip, combineLatest]

/// All subjects and all operators that join streams.
let allRoutes =
  mainRoutes + [
    combineLatestOfFive, objectWillChange, withLatestFrom, multicast,
    single("share") { $0.share() },
    single("share-replay") { $0.shareReplay(bufferSize: 2) },
    single("buffer") { $0.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest) },
    single("switch-to-latest") { Just($0).append(Empty(completeImmediately: false)).switchToLatest() },
    single("flat-map-first") { subject in
      Just(0).append(Empty(completeImmediately: false)).flatMapFirst { _ in subject }
    },
    single("flat-map-latest") { subject in
      Just(0).append(Empty(completeImmediately: false)).flatMapLatest { _ in subject }
    },
    single("prefix-until") { $0.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)) },
    single("drop-until") { $0.drop(untilOutputFrom: Just(0)) },
    single("append") { $0.append(Just(0)) },
    single("prepend") { $0.prepend(0) },
    single("scan") { $0.scan(0) { $1 } },
    single("subject-into-subject") { first in
      let second = Relay()
      let feed = first.subscribe(second)
      return second.handleEvents(receiveCancel: { feed.cancel() })
    },
  ]
