// Publishers that begin streams, and subjects, which are fed by a stream, for the questions asked of all.

import TestKit
import Weir

extension Specimen {
  static let origins: [Specimen] = [
    Specimen("Just.init(_:)", lacks: [.upstream]) { _, bench in Just(bench.value(1)) },
    Specimen("Optional.publisher", lacks: [.upstream]) { _, bench in Optional(bench.value(1)).publisher },
    Specimen("Optional.publisher of nil", lacks: [.upstream, .value]) { _, _ in Payload?.none.publisher },
    Specimen("Result.publisher", lacks: [.upstream]) { _, bench in
      Result<Payload, TestFailure>.success(bench.value(1)).publisher
    },
    Specimen("Result.publisher of a failure", lacks: [.upstream, .value]) { _, _ in
      Result<Payload, TestFailure>.failure(.first).publisher
    },
    Specimen("Sequence.publisher", lacks: [.upstream]) { _, bench in [bench.value(1), bench.value(2)].publisher },
    Specimen("Empty.init(completeImmediately:)", lacks: [.upstream, .value]) { _, _ in Empty<Payload, TestFailure>() },
    Specimen("Empty.init(completeImmediately:) false", lacks: [.upstream, .value]) { _, _ in
      Empty<Payload, TestFailure>(completeImmediately: false)
    },
    Specimen("Fail.init(error:)", lacks: [.upstream, .value]) { _, _ in Fail<Payload, TestFailure>(error: .first) },
    Specimen("Record.init(output:completion:)", lacks: [.upstream]) { _, bench in
      Record<Payload, TestFailure>(output: [bench.value(1), bench.value(2)], completion: .failure(.first))
    },
    Specimen("Future.init(_:)", lacks: [.upstream]) { _, bench in
      Future<Payload, TestFailure> { $0(.success(bench.value(1))) }
    },
    Specimen("Future.init(_:) that fails", lacks: [.upstream, .value]) { _, _ in
      Future<Payload, TestFailure> { $0(.failure(.first)) }
    },
    Specimen("Future.init(_:) that waits", lacks: [.upstream, .value]) { _, bench in
      Future<Payload, TestFailure> { promise in bench.hold(AnyCancellable { _ = promise }) }
    },
    Specimen("Deferred.init(createPublisher:)", calls: .value) { upstream, bench in
      Deferred { bench.closure { upstream } }
    },
    Specimen("PassthroughSubject.init()") { upstream, bench in
      bench.fed(PassthroughSubject<Payload, TestFailure>(), by: upstream)
    },
    Specimen("CurrentValueSubject.init(_:)") { upstream, bench in
      bench.fed(CurrentValueSubject<Payload, TestFailure>(bench.value(0)), by: upstream)
    },
    Specimen("Published.projectedValue", lacks: [.upstreamFailure]) { upstream, bench in
      let model = Model(bench.value(0))
      upstream.assertNoFailure().assign(to: &model.$value)
      bench.hold(AnyCancellable { _ = model })
      return model.$value
    },
    Specimen("ObservableObjectPublisher.init()", lacks: [.upstreamFailure]) { upstream, bench in
      let publisher = ObservableObjectPublisher()
      bench.hold(upstream.assertNoFailure().sink { [unowned publisher] _ in publisher.send() })
      bench.hold(AnyCancellable { _ = publisher })
      return publisher
    },
  ]

  /// Subscribers that keep their subscription to themselves.
  static let subscribers: [Specimen] = [
    Specimen("sink(receiveCompletion:receiveValue:)", subscriber: Subscribers.Sink<Payload, TestFailure>.self) {
      upstream, bench in
      upstream.sink(receiveCompletion: { bench.end($0) }, receiveValue: { bench.take($0) })
    },
    Specimen(
      "sink(receiveValue:)", subscriber: Subscribers.Sink<Payload, Never>.self, lacks: [.upstreamFailure]
    ) { upstream, bench in
      upstream.assertNoFailure().sink { bench.take($0) }
    },
    Specimen(
      "assign(to:on:)", subscriber: Subscribers.Assign<Observer, Payload>.self, lacks: [.upstreamFailure]
    ) { upstream, bench in
      upstream.assertNoFailure().assign(to: \.value, on: Observer(bench))
    },
    Specimen(
      "assign(to:)", subscriber: Published<Payload>.Publisher.self, lacks: [.upstreamFailure]
    ) { upstream, bench in
      let model = Model(bench.value(0))
      upstream.assertNoFailure().assign(to: &model.$value)
      return model.$value.dropFirst().sink { [model] value in
        bench.take(value)
        withExtendedLifetime(model) {}
      }
    },
    // It is nothing but its closures, of which one here keeps the subscription.
    Specimen("subscribe(_:)", subscriber: AnySubscriber<Payload, TestFailure>.self) { upstream, bench in
      var subscription: (any Subscription)?
      upstream.subscribe(
        AnySubscriber(
          receiveSubscription: {
            subscription = $0
            $0.request(.unlimited)
          },
          receiveValue: {
            bench.take($0)
            return .none
          }, receiveCompletion: { bench.end($0) }))
      return subscription ?? Subscriptions.empty
    },
  ]

  static let all = values + folds + combining + timing + origins + subscribers
}

extension Bench {
  /// A subject that passes on what a stream publishes.
  func fed<Fed: Subject>(_ subject: Fed, by upstream: Specimen.Upstream) -> Fed
  where Fed.Output == Payload, Fed.Failure == TestFailure {
    hold(upstream.subscribe(subject))
    return subject
  }
}

/// An object with a property that tells of its changes.
private final class Model {
  @Published var value: Payload

  init(_ value: Payload) { _value = Published(initialValue: value) }
}

/// An object that tells a bench of what is assigned to it.
private final class Observer {
  private let bench: Bench
  var value: Payload { didSet { bench.take(value) } }

  init(_ bench: Bench) {
    self.bench = bench
    value = bench.value(0)
  }
}
