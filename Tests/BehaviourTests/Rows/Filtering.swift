// Behaviours of operators that leave values out.

import Combine

extension Behaviours {
  mutating func addFiltering() {
    self("filter: what the predicate holds for") { t in
      [1, 2, 3, 4, 5].publisher.eraseToAnyPublisher().filter { $0 % 2 == 0 }.watch(t)
    }
    self("filter: one more is asked for in place of what is left out") { t in
      let source = Source(t, of: Int.self)
      source.filter { $0 > 1 }.watch(t, asking: .max(1), answer: { _ in .max(5) })
      source.send(1)
      source.send(2)
    }
    self("filter: a failure is passed on") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.filter { _ in true }.watch(t)
      source.send(completion: .failure(.oops))
    }
    self("filter: two filters in a row are one") { t in
      t.note(type(of: Source(t, of: Int.self).filter { $0 > 1 }.filter { $0 > 2 }))
    }
    self("tryFilter: an error ends the stream") { t in
      [1, 2, 3, 4, 0, 5].publisher.tryFilter { value in
        guard value != 0 else { throw Fault.oops }
        return value % 2 == 0
      }.watch(t)
    }
    self("tryFilter: an error cancels the upstream") { t in
      let source = Source(t, of: Int.self)
      source.tryFilter { _ in throw Fault.oops }.watch(t)
      source.send(1)
      source.send(2)
    }
    self("compactMap: nil is left out") { t in
      let numerals = [1: "I", 2: "II", 3: "III", 5: "V"]
      (0...5).publisher.eraseToAnyPublisher().compactMap { numerals[$0] }.watch(t)
    }
    self("compactMap: one more is asked for in place of nil") { t in
      let source = Source(t, of: String.self)
      source.compactMap { Int($0) }.watch(t, asking: .max(1))
      source.send("x")
      source.send("1")
    }
    self("tryCompactMap: nil is left out and an error ends the stream") { t in
      let numerals = [5: "V", 4: "IV", 1: "I"]
      [6, 5, 4, 1, 0, 5].publisher.tryCompactMap { value in
        guard value != 0 else { throw Fault.oops }
        return numerals[value]
      }.watch(t)
    }
    self("tryCompactMap: demand") { t in
      let source = Source(t, of: Int.self)
      source.tryCompactMap { value -> Int? in
        guard value > 0 else { throw Fault.oops }
        return value > 1 ? value : nil
      }.watch(t, asking: .max(2))
      for value in [1, 2, 0, 3] { source.send(value) }
    }
    self("removeDuplicates: equal neighbours are left out") { t in
      [0, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 0].publisher.eraseToAnyPublisher().removeDuplicates().watch(t)
    }
    self("removeDuplicates: one more is asked for in place of a duplicate") { t in
      let source = Source(t, of: Int.self)
      source.removeDuplicates().watch(t, asking: .max(2))
      for value in [1, 1, 2] { source.send(value) }
    }
    self("removeDuplicates: by a predicate") { t in
      [(0, 0), (0, 1), (1, 1), (2, 1)].publisher.removeDuplicates { $0.0 == $1.0 }.watch(t)
    }
    self("removeDuplicates: compares with the value before whether that was passed on or not") { t in
      [1, 2, 3, 5].publisher.eraseToAnyPublisher().removeDuplicates { $1 - $0 < 2 }.watch(t)
    }
    self("tryRemoveDuplicates: an error ends the stream") { t in
      [0, 0, 1, 2, 2, 4, 4].publisher.tryRemoveDuplicates { first, second in
        guard first != 4 || second != 4 else { throw Fault.oops }
        return first == second
      }.watch(t)
    }
    self("replaceEmpty: a stream without values gets one") { t in
      Empty<Int, Never>().eraseToAnyPublisher().replaceEmpty(with: 1).watch(t, showsSubscription: true)
    }
    self("replaceEmpty: a stream with values is left alone") { t in
      [1.0, 2.0].publisher.eraseToAnyPublisher().replaceEmpty(with: 9).watch(t)
    }
    self("replaceEmpty: a failure is passed on") { t in
      Fail<Int, Fault>(error: .oops).replaceEmpty(with: 1).watch(t)
    }
    self("replaceEmpty: the replacement waits for demand") { t in
      let source = Source(t, of: Int.self)
      let watcher = source.replaceEmpty(with: 1).watch(t, asking: nil)
      source.send(completion: .finished)
      t.note("now")
      watcher.request(.max(1))
    }
    self("ignoreOutput: only the end arrives") { t in
      let source = Source(t, of: Int.self)
      source.ignoreOutput().watch(t)
      source.send(1)
      source.send(2)
      source.send(completion: .finished)
    }
    self("ignoreOutput: everything is asked for without demand") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.ignoreOutput().watch(t, asking: nil, showsSubscription: true)
      source.send(1)
      source.send(completion: .failure(.oops))
    }
    self("ignoreOutput: a failure arrives") { t in
      [1, 2, 0, 3].publisher.tryFilter { value in
        guard value != 0 else { throw Fault.oops }
        return true
      }.ignoreOutput().watch(t)
    }
  }
}
