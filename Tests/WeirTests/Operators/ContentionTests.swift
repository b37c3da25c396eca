// Tests of the operator that says what threads do that meet where streams join.
//
// A race is enumerated by running the other thread, to its end, inside a sink's delivery.

import TestKit
import Testing
import Weir

@Suite struct ContentionTests {
  typealias Relay = PassthroughSubject<Int, Never>
  typealias Joined = AnyPublisher<Int, Never>

  private static var joins: [(name: String, join: (Relay, Relay) -> Joined)] { [
    ("merge", { $0.merge(with: $1).eraseToAnyPublisher() }),
    ("flatMap", { a, b in [a, b].publisher.flatMap { $0 }.eraseToAnyPublisher() }),
    ("combineLatest", { a, b in a.combineLatest(b.prepend(0)) { $0 + $1 }.eraseToAnyPublisher() }),
  ] }

  @Test(arguments: joins.map(\.name))
  func aValueIsLeftToTheThreadThatIsDelivering(_ name: String) {
    let (a, b) = (Relay(), Relay())
    var values: [Int] = []
    let join = Self.joins.first { $0.name == name }!.join
    let sink = join(a, b).contention(.handOver).sink { value in
      values.append(value)
      guard value == 1 else { return }
      onThreads(1) { _ in b.send(20) }
      #expect(values == [1])
    }
    a.send(1)
    #expect(values.count == 2)
    #expect(values.last! >= 20)
    sink.cancel()
  }

  @Test func theNearestOneCounts() {
    let (a, b) = (Relay(), Relay())
    let depths = Shared<[Int]>([])
    let merged = a.merge(with: b).contention(.handOver)
    let sink = merged.contention(.wait).sink { value in
      depths.value.append(value)
      if value == 1 { onThreads(1) { _ in b.send(2) } }
    }
    a.send(1)
    #expect(depths.value == [1, 2])
    sink.cancel()
  }

  @Test func nothingElseIsChanged() {
    let publisher = [1, 2, 3].publisher.contention(.handOver)
    let recorder = RecordingSubscriber<Int, Never>(.max(2))
    publisher.subscribe(recorder)
    #expect(recorder.values == [1, 2])
    recorder.cancel()
    #expect(publisher.policy == .handOver)
    #expect(publisher.upstream.sequence == [1, 2, 3])
  }
}
