// Behaviours of operators that choose values by their place in the stream.

import Combine

extension Behaviours {
  mutating func addPositions() {
    self("first: the first value and the end") { t in
      (-10...10).publisher.eraseToAnyPublisher().first().watch(t)
    }
    self("first: the upstream is cancelled before the value is passed on") { t in
      let source = Source(t, of: Int.self)
      source.first().watch(t, asking: .max(5))
      source.send(1)
      source.send(2)
    }
    self("first: an empty stream ends when there is demand") { t in
      let source = Source(t, of: Int.self)
      let watcher = source.first().watch(t, asking: nil)
      source.send(completion: .finished)
      t.note("now")
      watcher.request(.max(1))
    }
    self("first: the value waits for demand") { t in
      let source = Source(t, of: Int.self)
      let watcher = source.first().watch(t, asking: nil)
      source.send(1)
      t.note("now")
      watcher.request(.max(1))
    }
    self("first(where:): the first that the predicate holds for") { t in
      (-10...10).publisher.eraseToAnyPublisher().first { $0 > 0 }.watch(t)
    }
    self("first(where:): what is passed over is not asked for again") { t in
      let source = Source(t, of: Int.self)
      source.first { $0 > 1 }.watch(t, asking: .max(1))
      source.send(1)
      source.send(2)
    }
    self("tryFirst: an error ends the stream") { t in
      let source = Source(t, of: Int.self)
      source.tryFirst { value in
        guard value < 99 else { throw Fault.oops }
        return false
      }.watch(t)
      for value in [1, 100, 2] { source.send(value) }
    }
    self("tryFirst: the documented range") { t in
      (-1...50).publisher.eraseToAnyPublisher().tryFirst { value in
        guard value < 99 else { throw Fault.oops }
        return true
      }.watch(t)
    }
    self("last: the last value at the end") { t in (-10...10).publisher.eraseToAnyPublisher().last().watch(t) }
    self("last: nothing if the stream fails") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.last().watch(t)
      source.send(1)
      source.send(completion: .failure(.oops))
    }
    self("last(where:): the last that the predicate holds for") { t in
      (-10...10).publisher.eraseToAnyPublisher().last { $0 < 6 }.watch(t)
    }
    self("last(where:): none ends without a value") { t in
      [1, 2].publisher.eraseToAnyPublisher().last { $0 > 5 }.watch(t)
    }
    self("tryLast: the documented numbers") { t in
      [-62, 1, 6, 10, 9, 22, 41, -1, 5].publisher.eraseToAnyPublisher().tryLast { value in
        guard value != 0 else { throw Fault.oops }
        return true
      }.watch(t)
    }
    self("tryLast: an error ends the stream") { t in
      let source = Source(t, of: Int.self)
      source.tryLast { value in
        guard value != 0 else { throw Fault.oops }
        return true
      }.watch(t)
      for value in [1, 0, 2] { source.send(value) }
    }
    self("output(at:): the value at the place") { t in
      (1...10).publisher.eraseToAnyPublisher().output(at: 5).watch(t)
    }
    self("output(at:): one more for each that is passed over and a cancellation behind the value") { t in
      let source = Source(t, of: Int.self)
      source.output(at: 1).watch(t)
      for value in 0...2 { source.send(value) }
    }
    self("output(in:): the values at the places") { t in
      [1, 1, 2, 2, 2, 3, 4, 5, 6].publisher.eraseToAnyPublisher().output(in: 3...5).watch(t)
    }
    self("output(in:): demand") { t in
      let source = Source(t, of: Int.self)
      source.output(in: 1...3).watch(t, asking: .max(2))
      for value in 0...2 { source.send(value) }
    }
    self("prefix: so many values and the end") { t in
      (0...10).publisher.eraseToAnyPublisher().prefix(2).watch(t)
    }
    self("prefix: cancels behind the last value and before the end") { t in
      let source = Source(t, of: Int.self)
      source.prefix(2).watch(t)
      for value in 1...3 { source.send(value) }
    }
    self("prefix: a shorter stream ends where it ends") { t in
      [1].publisher.eraseToAnyPublisher().prefix(2).watch(t)
    }
    self("prefix(while:): up to the first that the predicate doesn't hold for") { t in
      (0...10).publisher.eraseToAnyPublisher().prefix { $0 < 5 }.watch(t)
    }
    self("prefix(while:): cancels and ends") { t in
      let source = Source(t, of: Int.self)
      source.prefix { $0 < 2 }.watch(t)
      for value in 1...3 { source.send(value) }
    }
    self("tryPrefix: an error ends the stream") { t in
      (0...10).reversed().publisher.tryPrefix { value in
        guard value != 0 else { throw Fault.oops }
        return value <= 10
      }.watch(t)
    }
    self("prefix(untilOutputFrom:): ends with the other's value") { t in
      let taps = PassthroughSubject<Int, Never>()
      let ready = PassthroughSubject<Void, Never>()
      taps.prefix(untilOutputFrom: ready).watch(t)
      for value in 1...5 {
        taps.send(value)
        if value == 2 { ready.send() }
      }
    }
    self("prefix(untilOutputFrom:): the other's end changes nothing") { t in
      let taps = PassthroughSubject<Int, Never>()
      let ready = PassthroughSubject<Void, Never>()
      taps.prefix(untilOutputFrom: ready).watch(t)
      taps.send(1)
      ready.send(completion: .finished)
      taps.send(2)
    }
    self("prefix(untilOutputFrom:): what is asked of both") { t in
      let source = Source(t, "source", of: Int.self)
      let trigger = Source(t, "trigger", of: Int.self)
      source.prefix(untilOutputFrom: trigger).watch(t, asking: .max(3))
      trigger.send(0)
    }
    self("dropFirst: the first ones are left out") { t in
      (1...10).publisher.eraseToAnyPublisher().dropFirst(5).watch(t)
    }
    self("dropFirst: more is asked for by as many") { t in
      let source = Source(t, of: Int.self)
      source.dropFirst(2).watch(t, asking: .max(3), showsSubscription: true)
      for value in 1...3 { source.send(value) }
    }
    self("dropFirst: further demand is passed on") { t in
      let source = Source(t, of: Int.self)
      let watcher = source.dropFirst(1).watch(t, asking: .max(1), answer: { _ in .max(4) })
      watcher.request(.max(2))
      source.send(1)
      source.send(2)
    }
    self("dropFirst: the subscription of the upstream comes after the cancellation") { t in
      let source = Source(t, of: Int.self, isLate: true)
      source.dropFirst(1).watch(t, asking: nil).cancel()
      source.sendSubscription()
    }
    self("drop(while:): from the first that the predicate doesn't hold for") { t in
      [-62, -1, 0, 10, 0, 22, 41, -1, 5].publisher.eraseToAnyPublisher().drop { $0 <= 0 }.watch(t)
    }
    self("drop(while:): one more for each that is dropped") { t in
      let source = Source(t, of: Int.self)
      source.drop { $0 < 3 }.watch(t, asking: .max(1), answer: { _ in .max(2) })
      for value in [1, 2, 3, 1] { source.send(value) }
    }
    self("tryDrop: an error ends the stream") { t in
      [1, 2, 0, -1, 7].publisher.tryDrop { value in
        guard value != 0 else { throw Fault.oops }
        return value > 0
      }.watch(t)
    }
    self("tryDrop: the documented numbers") { t in
      [1, 2, 3, -1, 7, 8].publisher.tryDrop { value in
        guard value != 0 else { throw Fault.oops }
        return (1...100).contains(value)
      }.watch(t)
    }
    self("drop(untilOutputFrom:): from the other's first value") { t in
      let upstream = PassthroughSubject<Int, Never>()
      let second = PassthroughSubject<String, Never>()
      upstream.drop(untilOutputFrom: second).watch(t)
      upstream.send(1)
      upstream.send(2)
      second.send("A")
      upstream.send(3)
      upstream.send(4)
    }
    self("drop(untilOutputFrom:): the other ends without a value") { t in
      let upstream = PassthroughSubject<Int, Never>()
      let second = PassthroughSubject<Int, Never>()
      upstream.drop(untilOutputFrom: second).watch(t)
      upstream.send(1)
      second.send(completion: .finished)
      upstream.send(2)
    }
    self("drop(untilOutputFrom:): the other ends twice") { t in
      let source = Source(t, "source", of: Int.self)
      let trigger = Source(t, "trigger", of: Int.self)
      source.drop(untilOutputFrom: trigger).watch(t, asking: nil)
      trigger.send(completion: .finished)
      trigger.send(completion: .finished)
    }
    self("drop(untilOutputFrom:): the subscription of the upstream comes after the end") { t in
      let source = Source(t, of: Int.self, isLate: true)
      source.drop(untilOutputFrom: Empty<Int, Never>()).watch(t, asking: .max(14))
      source.sendSubscription()
    }
    self("drop(untilOutputFrom:): the other is not cancelled when it has published") { t in
      let source = Source(t, "source", of: Int.self)
      let trigger = Source(t, "trigger", of: Int.self)
      let watcher = source.drop(untilOutputFrom: trigger).watch(t)
      trigger.send(0)
      source.send(3)
      watcher.cancel()
    }
    self("drop(untilOutputFrom:): dropped values use up demand") { t in
      let source = Source(t, "source", of: Int.self)
      let trigger = Source(t, "trigger", of: Int.self)
      source.drop(untilOutputFrom: trigger).watch(t, asking: .max(4), showsSubscription: true)
      source.send(1)
      source.send(2)
      trigger.send(0)
      source.send(3)
    }
  }
}
