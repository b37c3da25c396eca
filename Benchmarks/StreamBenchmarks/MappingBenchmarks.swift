// Operators that make one value of one value.

import Gauge
import GenericChains
import Weir

@BenchmarkBuilder var mappingBenchmarks: [Benchmark] {
  chain("mapping/map", Map())
  chain("mapping/try-map", TryMap())
  chain("mapping/key-path", MapKeyPath())
  chain("mapping/scan", Scan())
  chain("mapping/try-scan", passes: .exact, TryScan())
  chain("mapping/replace-nil", passes: .exact, ReplaceNil())
  chain("mapping/set-failure-type", passes: .exact, SetFailureType())
  chain("mapping/encode", passes: .exact, Encode())
  chain("mapping/decode", passes: .exact, Decode())
}

private struct Map: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.map { $0 &+ 1 }.subscribe(downstream)
  }
}

private struct TryMap: BenchmarkedChain {
  typealias Failure = any Error

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, any Error>) {
    upstream.tryMap { $0 &+ 1 }.subscribe(downstream)
  }
}

private struct MapKeyPath: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.map(\.byteSwapped).subscribe(downstream)
  }
}

private struct Scan: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.scan(0) { $0 &+ $1 }.subscribe(downstream)
  }
}

private struct TryScan: BenchmarkedChain {
  typealias Failure = any Error

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, any Error>) {
    upstream.tryScan(0) { $0 &+ $1 }.subscribe(downstream)
  }
}

/// Not the map before it: half of the values are `nil`.
private struct ReplaceNil: BenchmarkedChain {
  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, Never>) {
    upstream.map { $0 & 2 == 0 ? nil : $0 }.replaceNil(with: 0).subscribe(downstream)
  }
}

private struct SetFailureType: BenchmarkedChain {
  typealias Failure = any Error

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, any Error>) {
    upstream.setFailureType(to: (any Error).self).subscribe(downstream)
  }
}

private struct Encode: BenchmarkedChain {
  typealias Failure = any Error

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, any Error>) {
    upstream.encode(encoder: Identity()).subscribe(downstream)
  }
}

private struct Decode: BenchmarkedChain {
  typealias Failure = any Error

  func connect(_ upstream: some Publisher<Int, Never>, to downstream: some Subscriber<Int, any Error>) {
    upstream.decode(type: Int.self, decoder: Identity()).subscribe(downstream)
  }
}

/// Encodes numbers as themselves, so that what is measured is the operator.
private struct Identity: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> Int {
    guard let number = value as? Int else { throw NoNumber() }
    return number
  }

  func decode<T: Decodable>(_ type: T.Type, from input: Int) throws -> T {
    guard let value = input as? T else { throw NoNumber() }
    return value
  }
}

private struct NoNumber: Error {}
