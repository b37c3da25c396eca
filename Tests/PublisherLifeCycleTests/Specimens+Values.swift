// The operators that stand between one upstream and one downstream and pass values on, for the questions asked of all.

import TestKit
import Weir

extension Specimen {
  static let values: [Specimen] = [
    Specimen("eraseToAnyPublisher()") { upstream, _ in upstream.eraseToAnyPublisher() },
    Specimen("contention(_:)") { upstream, _ in upstream.contention(.handOver) },
    Specimen("map(_:)", calls: .value) { upstream, bench in upstream.map { bench.pass($0) } },
    Specimen("tryMap(_:)", calls: .value) { upstream, bench in upstream.tryMap { bench.pass($0) } },
    Specimen("map(_:) of a key path") { upstream, _ in upstream.map(\.number as KeyPath) },
    Specimen("map(_:_:) of key paths") { upstream, _ in upstream.map(\.number, \.number) },
    Specimen("map(_:_:_:) of key paths") { upstream, _ in upstream.map(\.number, \.number, \.number) },
    Specimen("mapError(_:)", calls: .failure) { upstream, bench in
      upstream.mapError {
        bench.inside()
        return $0
      }
    },
    Specimen("replaceNil(with:)") { upstream, bench in
      let replacement = bench.value(0)
      return upstream.map(Optional.some).replaceNil(with: replacement)
    },
    Specimen("setFailureType(to:)", lacks: [.upstreamFailure]) { upstream, _ in
      upstream.assertNoFailure().setFailureType(to: TestFailure.self)
    },
    Specimen("assertNoFailure(_:file:line:)", lacks: [.upstreamFailure]) { upstream, _ in upstream.assertNoFailure() },
    Specimen("filter(_:)", calls: .value) { upstream, bench in upstream.filter { bench.accept($0) } },
    Specimen("tryFilter(_:)", calls: .value) { upstream, bench in upstream.tryFilter { bench.accept($0) } },
    Specimen("compactMap(_:)", calls: .value) { upstream, bench in
      upstream.compactMap { Optional(bench.pass($0)) }
    },
    Specimen("tryCompactMap(_:)", calls: .value) { upstream, bench in
      upstream.tryCompactMap { Optional(bench.pass($0)) }
    },
    Specimen("scan(_:_:)", calls: .value) { upstream, bench in
      upstream.scan(bench.value(0)) { _, value in bench.pass(value) }
    },
    Specimen("tryScan(_:_:)", calls: .value) { upstream, bench in
      upstream.tryScan(bench.value(0)) { _, value in bench.pass(value) }
    },
    Specimen("removeDuplicates()") { upstream, _ in upstream.removeDuplicates() },
    Specimen("removeDuplicates(by:)", calls: .secondValue) { upstream, bench in
      upstream.removeDuplicates { _, value in !bench.accept(value) }
    },
    Specimen("tryRemoveDuplicates(by:)", calls: .secondValue) { upstream, bench in
      upstream.tryRemoveDuplicates { _, value in !bench.accept(value) }
    },
    Specimen("replaceError(with:)") { upstream, bench in upstream.replaceError(with: bench.value(9)) },
    Specimen("replaceEmpty(with:)") { upstream, bench in upstream.replaceEmpty(with: bench.value(9)) },
    Specimen("dropFirst(_:)") { upstream, _ in upstream.dropFirst(0) },
    Specimen("drop(while:)", calls: .value) { upstream, bench in upstream.drop { !bench.accept($0) } },
    Specimen("tryDrop(while:)", calls: .value) { upstream, bench in upstream.tryDrop { !bench.accept($0) } },
    Specimen("prefix(_:)") { upstream, _ in upstream.prefix(99) },
    Specimen("prefix(_:) of nothing") { upstream, _ in upstream.prefix(0) },
    Specimen("output(at:)") { upstream, _ in upstream.output(at: 0) },
    Specimen("output(in:)") { upstream, _ in upstream.output(in: 0...99) },
    Specimen("prefix(while:)", calls: .value) { upstream, bench in upstream.prefix { bench.accept($0) } },
    Specimen("tryPrefix(while:)", calls: .value) { upstream, bench in upstream.tryPrefix { bench.accept($0) } },
    Specimen("collect(_:)") { upstream, _ in upstream.collect(1) },
    Specimen("collect(_:) of more") { upstream, _ in upstream.collect(2) },
    Specimen("encode(encoder:)", calls: .value) { upstream, bench in
      upstream.encode(encoder: SamePayloadCoder(bench: bench))
    },
    Specimen("decode(type:decoder:)", calls: .value) { upstream, bench in
      upstream.decode(type: Payload.self, decoder: SamePayloadCoder(bench: bench))
    },
    Specimen(
      "handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)",
      calls: .value
    ) { upstream, bench in
      upstream.handleEvents(receiveOutput: { _ in bench.inside() })
    },
    Specimen("breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)", calls: .value) { upstream, bench in
      upstream.breakpoint(receiveOutput: { !bench.accept($0) })
    },
    Specimen(
      "handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:) of the end",
      calls: .value
    ) { upstream, bench in
      upstream.handleEvents(receiveCompletion: { _ in bench.inside() })
    },
    Specimen(
      "handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:) of requests",
      calls: .value
    ) { upstream, bench in
      upstream.handleEvents(receiveRequest: { _ in bench.inside() })
    },
    Specimen(
      "handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:) of subscriptions",
      calls: .value
    ) { upstream, bench in
      upstream.handleEvents(receiveSubscription: { _ in bench.inside() })
    },
    Specimen("breakpoint(receiveSubscription:receiveOutput:receiveCompletion:) of the end", calls: .value) {
      upstream, bench in
      upstream.breakpoint(receiveCompletion: { _ in bench.closure { false } })
    },
    Specimen("breakpointOnError()", lacks: [.upstreamFailure]) { upstream, _ in upstream.breakpointOnError() },
    // As in Combine, its stream is kept with the subscription: it also writes down what comes after the end.
    Specimen("print(_:to:)", calls: .value) { upstream, bench in upstream.print("", to: Reader(bench: bench)) },
  ]
}

extension Bench {
  /// Is a closure that lets everything pass.
  func accept(_ value: Payload) -> Bool {
    inside()
    return true
  }

  /// Is a closure that hands its value on.
  func pass(_ value: Payload) -> Payload {
    inside()
    return value
  }
}

/// Codes values as themselves.
private struct SamePayloadCoder: TopLevelEncoder, TopLevelDecoder {
  let bench: Bench

  func encode<T: Encodable>(_ value: T) throws -> Payload { bench.pass(value as! Payload) }

  func decode<T: Decodable>(_ type: T.Type, from input: Payload) throws -> T { bench.pass(input) as! T }
}

/// Answers when it is told of a value.
private struct Reader: TextOutputStream {
  let bench: Bench

  mutating func write(_ string: String) {
    if string.contains("receive value") { bench.inside() }
  }
}
