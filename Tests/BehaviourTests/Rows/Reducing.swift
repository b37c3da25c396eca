// Behaviours of operators that make one value of many.

import Combine

extension Behaviours {
  mutating func addReducing() {
    self("collect: one array at the end") { t in (0...4).publisher.eraseToAnyPublisher().collect().watch(t) }
    self("collect: an empty array for an empty stream") { t in
      Empty<Int, Never>().eraseToAnyPublisher().collect().watch(t)
    }
    self("collect: nothing if the stream fails") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.collect().watch(t)
      source.send(1)
      source.send(completion: .failure(.oops))
    }
    self("collect: everything is asked for and the array waits for demand") { t in
      let source = Source(t, of: Int.self)
      let watcher = source.collect().watch(t, asking: nil, showsSubscription: true)
      source.send(1)
      source.send(completion: .finished)
      t.note("now")
      watcher.request(.max(1))
    }
    self("collect by count: full arrays and what is left") { t in
      (0...10).publisher.eraseToAnyPublisher().collect(5).watch(t)
    }
    self("collect by count: demand is multiplied") { t in
      let source = Source(t, of: Int.self)
      source.collect(2).watch(t, asking: .max(3), showsSubscription: true, answer: { _ in .max(2) })
      source.send(1)
      source.send(2)
    }
    self("collect by count: what is left is lost if the stream fails") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.collect(2).watch(t)
      for value in 1...3 { source.send(value) }
      source.send(completion: .failure(.oops))
    }
    self("collect by count: nothing is left") { t in
      [1, 2].publisher.eraseToAnyPublisher().collect(2).watch(t)
    }
    self("reduce: the result at the end") { t in
      (0...10).publisher.eraseToAnyPublisher().reduce(0, +).watch(t)
    }
    self("reduce: the initial value for an empty stream") { t in
      Empty<Int, Never>().eraseToAnyPublisher().reduce(7, +).watch(t)
    }
    self("reduce: everything is asked for") { t in
      let source = Source(t, of: Int.self)
      source.reduce(0, +).watch(t, asking: .max(1), showsSubscription: true)
      source.send(1)
      source.send(completion: .finished)
    }
    self("tryReduce: an error ends the stream") { t in
      let source = Source(t, of: Int.self)
      source.tryReduce(0) { sum, value in
        guard value > 0 else { throw Fault.oops }
        return sum + value
      }.watch(t)
      for value in [1, 0, 2] { source.send(value) }
    }
    self("tryReduce: the error is caught behind it") { t in
      [5.0, 4.0, 0.0].publisher.tryReduce(5.0) { sum, value in
        guard value != 0 else { throw Fault.oops }
        return sum / value
      }.catch { _ in Just(-1.0) }.watch(t)
    }
    self("count: how many there were") { t in (0...10).publisher.eraseToAnyPublisher().count().watch(t) }
    self("count: nothing if the stream fails") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.count().watch(t)
      source.send(1)
      source.send(completion: .failure(.oops))
    }
    self("min: the smallest at the end") { t in [-1, 0, 10, 5].publisher.eraseToAnyPublisher().min().watch(t) }
    self("min: nothing for an empty stream") { t in Empty<Int, Never>().eraseToAnyPublisher().min().watch(t) }
    self("min: by a closure") { t in
      ["five", "ace", "queen"].publisher.eraseToAnyPublisher().min { $0.count < $1.count }.watch(t)
    }
    self("min: the first of equals") { t in
      [(1, "a"), (1, "b")].publisher.eraseToAnyPublisher().min { $0.0 < $1.0 }.watch(t)
    }
    self("tryMin: an error ends the stream") { t in
      [0, 10, 6, 13, 22].publisher.eraseToAnyPublisher().tryMin { first, second in
        guard first % 2 == 0 else { throw Fault.oops }
        return first < second
      }.watch(t)
    }
    self("max: the greatest at the end") { t in [0, 10, 5].publisher.eraseToAnyPublisher().max().watch(t) }
    self("max: by a closure") { t in
      ["five", "ace", "queen"].publisher.eraseToAnyPublisher().max { $0.count < $1.count }.watch(t)
    }
    self("max: demand") { t in
      let source = Source(t, of: Int.self)
      source.max().watch(t, asking: .max(1), showsSubscription: true)
      source.send(1)
      source.send(completion: .finished)
    }
    self("max: everything is asked for before there is demand") { t in
      let source = Source(t, of: Int.self)
      let watcher = source.max().watch(t, asking: nil)
      source.send(1)
      source.send(completion: .finished)
      t.note("now")
      watcher.request(.max(1))
    }
    self("tryMax: an error ends the stream and cancels the upstream") { t in
      let source = Source(t, of: Int.self)
      source.tryMax { _, _ in throw Fault.oops }.watch(t)
      source.send(1)
      source.send(2)
      source.send(3)
    }
    self("contains: true at once") { t in
      let source = Source(t, of: Int.self)
      source.contains(5).watch(t)
      source.send(-1)
      source.send(5)
      source.send(10)
    }
    self("contains: false at the end") { t in
      let source = Source(t, of: Int.self)
      source.contains(5).watch(t)
      source.send(-1)
      source.send(completion: .finished)
    }
    self("contains(where:): true at once") { t in
      [-1, 0, 10, 5].publisher.eraseToAnyPublisher().contains { $0 > 4 }.watch(t)
    }
    self("contains(where:): the answer waits for demand") { t in
      let source = Source(t, of: Int.self)
      let watcher = source.contains { $0 > 4 }.watch(t, asking: nil, showsSubscription: true)
      source.send(5)
      t.note("now")
      watcher.request(.max(1))
    }
    self("tryContains: an error ends the stream") { t in
      [3, 2].publisher.eraseToAnyPublisher().tryContains { value in
        guard value % 2 == 0 else { throw Fault.oops }
        return value < 10
      }.watch(t)
    }
    self("allSatisfy: true at the end") { t in
      [-1, 0, 10, 5].publisher.eraseToAnyPublisher().allSatisfy { (-1...100).contains($0) }.watch(t)
    }
    self("allSatisfy: false at once") { t in
      let source = Source(t, of: Int.self)
      source.allSatisfy { $0 > 0 }.watch(t)
      for value in [1, 0, 2] { source.send(value) }
    }
    self("allSatisfy: true for an empty stream") { t in
      Empty<Int, Never>().eraseToAnyPublisher().allSatisfy { $0 > 0 }.watch(t)
    }
    self("tryAllSatisfy: an error ends the stream") { t in
      [-1, 10, 5, 0].publisher.eraseToAnyPublisher().tryAllSatisfy { value in
        guard value != 0 else { throw Fault.oops }
        return value < 100
      }.watch(t)
    }
    self("tryAllSatisfy: false before the error") { t in
      [-1, 200, 0].publisher.eraseToAnyPublisher().tryAllSatisfy { value in
        guard value != 0 else { throw Fault.oops }
        return value < 100
      }.watch(t)
    }
  }
}
