// Behaviours of operators that change values.

import Combine
import Foundation

extension Behaviours {
  mutating func addMapping() {
    self("map: each value is changed") { t in
      let numerals = [5: "V", 4: "IV", 1: "I"]
      [5, 4, 1, 0].publisher.eraseToAnyPublisher().map { numerals[$0] ?? "?" }.watch(t)
    }
    self("map: the subscription of the upstream is passed on") { t in
      Source(t, of: Int.self).map { $0 }.watch(t, asking: .max(3), showsSubscription: true)
    }
    self("map: demand in return for a value goes up") { t in
      let source = Source(t, of: Int.self)
      source.map { $0 * 2 }.watch(t, asking: .max(1), answer: { _ in .max(4) })
      source.send(1)
    }
    self("map: a failure is passed on") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.map { $0 * 2 }.watch(t, asking: nil)
      source.send(1)
      source.send(completion: .failure(.oops))
    }
    self("map: two maps in a row are one") { t in
      t.note(type(of: Source(t, of: Int.self).map { $0 + 1 }.map { "\($0)" }))
    }
    self("tryMap: an error ends the stream and cancels the upstream") { t in
      let source = Source(t, of: Int.self)
      source.tryMap { if $0 == 2 { throw Fault.oops } else { $0 * 10 } }.watch(t)
      for value in 1...3 { source.send(value) }
    }
    self("tryMap: the documented numerals") { t in
      let numerals = [5: "V", 4: "IV", 3: "III", 2: "II", 1: "I"]
      [5, 4, 3, 2, 1, 0].publisher.tryMap { value in
        guard let numeral = numerals[value] else { throw Fault.oops }
        return numeral
      }.watch(t)
    }
    self("tryMap: the upstream is cancelled before the failure is told") { t in
      let source = Source(t, of: Int.self)
      source.tryMap { _ in throw Fault.oops }.watch(t, asking: .max(1))
      source.send(1)
    }
    self("tryMap: an upstream that goes on makes the closure throw again") { t in
      let source = Source(t, of: Int.self)
      source.tryMap { _ in throw Fault.oops }.watch(t)
      source.send(1)
      source.send(2)
    }
    self("map by key path: its type") { t in
      struct Roll { let die: Int }
      t.note(type(of: Source(t, of: Roll.self).map(\.die)))
    }
    self("map by key path: one part of a value") { t in
      [("a", 1), ("b", 2)].publisher.eraseToAnyPublisher().map(\.1).watch(t)
    }
    self("map by key path: several parts as a tuple") { t in
      struct Roll { let first: Int, second: Int, third: Int }
      Just(Roll(first: 3, second: 5, third: 4)).eraseToAnyPublisher().map(\.first, \.second, \.third).watch(t)
    }
    self("replaceNil: nil is replaced") { t in
      [1.0, 2.0, nil, 3.0].publisher.eraseToAnyPublisher().replaceNil(with: 0.0).watch(t)
    }
    self("replaceNil: demand is passed on") { t in
      let source = Source(t, of: Int?.self)
      source.replaceNil(with: 0).watch(t, asking: .max(2))
      source.send(nil)
    }
    self("scan: each step is published") { t in
      (0...5).publisher.eraseToAnyPublisher().scan(0, +).watch(t)
    }
    self("scan: each subscriber begins anew") { t in
      let sums = [1, 2].publisher.eraseToAnyPublisher().scan(0, +)
      sums.watch(t, "a")
      sums.watch(t, "b")
    }
    self("scan: demand is passed on") { t in
      let source = Source(t, of: Int.self)
      source.scan(0, +).watch(t, asking: .max(2), answer: { _ in .max(3) })
      source.send(1)
    }
    self("tryScan: an error ends the stream") { t in
      [1, 2, 3, 4, 5, 0, 6].publisher.tryScan(10) { last, value in
        guard value != 0 else { throw Fault.oops }
        return (last + value) / value
      }.watch(t)
    }
    self("tryScan: an error cancels the upstream") { t in
      let source = Source(t, of: Int.self)
      source.tryScan(0) { _, _ in throw Fault.oops }.watch(t)
      source.send(1)
      source.send(2)
    }
    self("setFailureType: values and end are passed on") { t in
      let source = Source(t, of: Int.self)
      source.setFailureType(to: Fault.self).watch(t, asking: .max(2), showsSubscription: true)
      source.send(1)
      source.send(completion: .finished)
    }
    self("setFailureType: lets it be combined with a stream that may fail") { t in
      let second = t.keep(CurrentValueSubject<Int, any Error>(0))
      [0, 1, 2, 3, 4, 5].publisher.setFailureType(to: (any Error).self).combineLatest(second).watch(t)
    }
    self("encode: each value becomes data") { t in
      Just(["a": 1]).encode(encoder: JSONEncoder()).map { String(decoding: $0, as: UTF8.self) }.watch(t)
    }
    self("decode: data become values") { t in
      let source = Source(t, of: Data.self)
      source.decode(type: [Int].self, decoder: JSONDecoder()).watch(t, asking: .max(1))
      source.send(Data("[1,2]".utf8))
    }
    self("decode: what can't be decoded ends the stream") { t in
      let source = Source(t, of: Data.self)
      source.decode(type: [Int].self, decoder: JSONDecoder()).mapError { _ in Fault.oops }.watch(t)
      source.send(Data("no".utf8))
      source.send(Data("[1]".utf8))
    }
    self("measureInterval: time since the value before or the subscription") { t in
      let source = Source(t, of: Int.self)
      let clock = t.clock
      source.measureInterval(using: clock).map { $0.magnitude / 1_000_000 }.watch(t)
      clock.advance(by: 2)
      source.send(1)
      clock.advance(by: 0.5)
      source.send(2)
      source.send(completion: .finished)
    }
    self("measureInterval: demand is passed on") { t in
      let source = Source(t, of: Int.self)
      source.measureInterval(using: t.clock).watch(t, asking: .max(2), showsSubscription: true)
    }
  }
}
