// The operators of several streams, and those that hand streams on, for the questions asked of all.

import TestKit
import Weir

extension Specimen {
  static let combining: [Specimen] = [
    Specimen("zip(_:)") { upstream, bench in upstream.zip(bench.values(1..<300)) },
    Specimen("zip(_:_:)", calls: .value) { upstream, bench in
      upstream.zip(bench.values(1..<300)) { first, _ in bench.pass(first) }
    },
    Specimen("zip(_:_:) of three") { upstream, bench in upstream.zip(bench.values(1..<300), bench.values(1..<300)) },
    Specimen("zip(_:_:_:)", calls: .value) { upstream, bench in
      upstream.zip(bench.values(1..<300), bench.values(1..<300)) { first, _, _ in bench.pass(first) }
    },
    Specimen("zip(_:_:_:) of four") { upstream, bench in
      upstream.zip(bench.values(1..<300), bench.values(1..<300), bench.values(1..<300))
    },
    Specimen("zip(_:_:_:_:)", calls: .value) { upstream, bench in
      upstream.zip(bench.values(1..<300), bench.values(1..<300), bench.values(1..<300)) { first, _, _, _ in
        bench.pass(first)
      }
    },
    Specimen("combineLatest(_:)") { upstream, bench in upstream.combineLatest(bench.values(8..<9)) },
    Specimen("combineLatest(_:_:)", calls: .value) { upstream, bench in
      upstream.combineLatest(bench.values(8..<9)) { first, _ in bench.pass(first) }
    },
    Specimen("combineLatest(_:_:) of three") { upstream, bench in
      upstream.combineLatest(bench.values(8..<9), bench.values(8..<9))
    },
    Specimen("combineLatest(_:_:_:)", calls: .value) { upstream, bench in
      upstream.combineLatest(bench.values(8..<9), bench.values(8..<9)) { first, _, _ in bench.pass(first) }
    },
    Specimen("combineLatest(_:_:_:) of four") { upstream, bench in
      upstream.combineLatest(bench.values(8..<9), bench.values(8..<9), bench.values(8..<9))
    },
    Specimen("combineLatest(_:_:_:_:)", calls: .value) { upstream, bench in
      upstream.combineLatest(bench.values(8..<9), bench.values(8..<9), bench.values(8..<9)) { first, _, _, _ in
        bench.pass(first)
      }
    },
    Specimen("combineLatest(_:) as the second") { upstream, bench in bench.values(8..<9).combineLatest(upstream) },
    Specimen("merge(with:)") { upstream, bench in upstream.merge(with: bench.none()) },
    Specimen("merge(with:_:)") { upstream, bench in upstream.merge(with: bench.none(), bench.none()) },
    Specimen("merge(with:_:_:)") { upstream, bench in
      upstream.merge(with: bench.none(), bench.none(), bench.none())
    },
    Specimen("merge(with:_:_:_:)") { upstream, bench in
      upstream.merge(with: bench.none(), bench.none(), bench.none(), bench.none())
    },
    Specimen("merge(with:_:_:_:_:)") { upstream, bench in
      upstream.merge(with: bench.none(), bench.none(), bench.none(), bench.none(), bench.none())
    },
    Specimen("merge(with:_:_:_:_:_:)") { upstream, bench in
      upstream.merge(with: bench.none(), bench.none(), bench.none(), bench.none(), bench.none(), bench.none())
    },
    Specimen("merge(with:_:_:_:_:_:_:)") { upstream, bench in
      upstream.merge(
        with: bench.none(), bench.none(), bench.none(), bench.none(), bench.none(), bench.none(), bench.none())
    },
    Specimen("merge(with:) of the same kind") { upstream, bench in
      upstream.merge(with: bench.none().eraseToAnyPublisher())
    },
    Specimen("flatMap(maxPublishers:_:)", calls: .value) { upstream, bench in
      upstream.flatMap { [bench.pass($0)].publisher.setFailureType(to: TestFailure.self) }
    },
    Specimen("flatMap(maxPublishers:_:) of children that can't fail", calls: .value) { upstream, bench in
      upstream.flatMap(maxPublishers: .max(1)) { Just(bench.pass($0)) }
    },
    Specimen(
      "flatMap(maxPublishers:_:) of an upstream that can't fail", calls: .value, lacks: [.upstreamFailure]
    ) { upstream, bench in
      upstream.assertNoFailure().flatMap { value -> Publishers.Sequence<[Payload], TestFailure> in
        Publishers.Sequence(sequence: [bench.pass(value)])
      }
    },
    Specimen("flatMap(maxPublishers:_:) as a child") { upstream, _ in Just(0).flatMap { _ in upstream } },
    Specimen("switchToLatest()") { upstream, bench in
      upstream.map { Publishers.Sequence<[Payload], TestFailure>(sequence: [$0]) }.switchToLatest()
    },
    Specimen("switchToLatest() of streams that can't fail") { upstream, _ in upstream.map { Just($0) }.switchToLatest()
    },
    Specimen("switchToLatest() as the latest") { upstream, _ in Just(upstream).switchToLatest() },
    Specimen("append(_:)") { upstream, bench in upstream.append(bench.value(8)) },
    Specimen("append(_:) of a sequence") { upstream, bench in upstream.append([bench.value(8)]) },
    Specimen("append(_:) of a publisher") { upstream, bench in upstream.append(bench.values(8..<9)) },
    Specimen("prepend(_:)") { upstream, bench in upstream.prepend(bench.value(8)) },
    Specimen("prepend(_:) of a sequence") { upstream, bench in upstream.prepend([bench.value(8)]) },
    Specimen("prepend(_:) of a publisher") { upstream, bench in upstream.prepend(bench.values(8..<9)) },
    Specimen("prepend(_:) of a publisher without values") { upstream, bench in upstream.prepend(bench.none()) },
    Specimen("append(_:) to another") { upstream, bench in bench.values(8..<9).append(upstream) },
    Specimen("drop(untilOutputFrom:)") { upstream, bench in upstream.drop(untilOutputFrom: bench.values(8..<9)) },
    Specimen("drop(untilOutputFrom:) before the other publishes", lacks: [.value]) { upstream, _ in
      upstream.drop(untilOutputFrom: Empty<Int, TestFailure>(completeImmediately: false))
    },
    Specimen("prefix(untilOutputFrom:)") { upstream, _ in
      upstream.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false))
    },
    Specimen("catch(_:)", calls: .failure) { upstream, bench in
      upstream.catch { _ in Just(bench.pass(bench.value(8))) }
    },
    Specimen("tryCatch(_:)", calls: .failure) { upstream, bench in
      upstream.tryCatch { _ in bench.closure { bench.values(8..<9) } }
    },
    Specimen("retry(_:)") { upstream, _ in upstream.retry(0) },
    Specimen("retry(_:) once") { upstream, _ in upstream.retry(1) },
    Specimen("share()") { upstream, _ in upstream.share() },
    Specimen("autoconnect() of multicast(_:)") { upstream, _ in
      upstream.multicast { PassthroughSubject<Payload, TestFailure>() }.autoconnect()
    },
    Specimen("multicast(_:)", calls: .value) { upstream, bench in
      bench.connected(upstream.multicast { bench.closure { PassthroughSubject<Payload, TestFailure>() } })
    },
    Specimen("multicast(subject:)") { upstream, bench in
      bench.connected(upstream.multicast(subject: PassthroughSubject<Payload, TestFailure>()))
    },
    Specimen("makeConnectable()", lacks: [.upstreamFailure]) { upstream, bench in
      bench.connected(upstream.assertNoFailure().makeConnectable())
    },
    Specimen("buffer(size:prefetch:whenFull:)") { upstream, _ in
      upstream.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest)
    },
    // As in Combine, its error waits for the next request, whatever demand there was before.
    Specimen("buffer(size:prefetch:whenFull:) that is full", calls: .value, lacks: [.value]) { upstream, bench in
      upstream.buffer(size: 0, prefetch: .byRequest, whenFull: .customError { bench.closure { .second } })
    },
    Specimen("buffer(size:prefetch:whenFull:) by request") { upstream, _ in
      upstream.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest)
    },
  ]
}

extension Bench {
  /// A stream of no values.
  func none() -> Publishers.Sequence<[Payload], TestFailure> { values(0..<0) }

  /// A publisher that was connected before anybody subscribed to it.
  func connected<Connectable: ConnectablePublisher>(_ publisher: Connectable) -> Connectable {
    hold(publisher.connect())
    return publisher
  }

  /// Runs what is to run inside of a closure.
  func closure<Result>(_ result: () -> Result) -> Result {
    inside()
    return result()
  }
}
