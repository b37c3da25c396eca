// Behaviours of publishers of sequences.

import Combine

extension Behaviours {
  mutating func addSequences() {
    self("Sequence: all values and the end") { t in [1, 2, 3].publisher.watch(t) }
    self("Sequence: as many as were asked for") { t in
      let watcher = [1, 2, 3].publisher.watch(t, asking: .max(2))
      t.note("now")
      watcher.request(.max(1))
    }
    self("Sequence: the end comes with the last value") { t in [1, 2].publisher.watch(t, asking: .max(2)) }
    self("Sequence: an empty one ends without demand") { t in
      [Int]().publisher.watch(t, asking: nil, showsSubscription: true)
    }
    self("Sequence: demand in return for a value") { t in
      [1, 2, 3, 4].publisher.watch(t, asking: .max(1), answer: { $0 == 1 ? .max(2) : .none })
    }
    self("Sequence: asked from within a value") { t in
      let watcher = [1, 2, 3].publisher.watch(t, asking: nil)
      watcher.onValue = { value in
        t.note("asking")
        if value < 3 { watcher.request(.max(1)) }
        t.note("asked")
      }
      watcher.request(.max(1))
    }
    self("Sequence: cancelled from within a value") { t in
      let watcher = [1, 2, 3].publisher.watch(t, asking: nil)
      watcher.onValue = { if $0 == 2 { watcher.cancel() } }
      watcher.request(.unlimited)
    }
    self("Sequence: each subscriber gets all of it") { t in
      let publisher = (1...2).publisher
      publisher.watch(t, "a")
      publisher.watch(t, "b")
    }
    self("Sequence: what a subscription says of itself") { t in
      [1, 2].publisher.watch(t, asking: nil, showsSubscription: true)
      (1...2).publisher.watch(t, asking: nil, showsSubscription: true)
      ["a", "b"].publisher.watch(t, asking: nil, showsSubscription: true)
    }
    self("Sequence: operators are applied to the sequence itself") { t in
      [3, 1].publisher.map { $0 * 2 }.watch(t, asking: nil, showsSubscription: true)
      [3, 1, 2].publisher.filter { $0 > 1 }.watch(t, asking: nil, showsSubscription: true)
      [3, 1].publisher.scan(0, +).watch(t, asking: nil, showsSubscription: true)
      [3, 1].publisher.count().watch(t, asking: nil, showsSubscription: true)
      [3, 1].publisher.max().watch(t, asking: nil, showsSubscription: true)
      [3, 1].publisher.reduce(0, +).watch(t, asking: nil, showsSubscription: true)
      [3, 1].publisher.contains(1).watch(t, asking: nil, showsSubscription: true)
      [3, 1].publisher.ignoreOutput().watch(t, asking: nil, showsSubscription: true)
    }
    self("Sequence: a lazy prefix says only what it is") { t in
      (1...5).publisher.prefix(2).watch(t, asking: nil, showsSubscription: true)
      (1...7).publisher.dropFirst(4).watch(t, asking: nil, showsSubscription: true)
    }
    self("Sequence: appending and prepending keep it one sequence") { t in
      [3].publisher.prepend(1, 2).append([4, 5]).watch(t)
      t.note(type(of: [3].publisher.prepend(1, 2).append([4, 5])))
    }
    self("Sequence: a predicate runs when the operator is applied") { t in
      let publisher = [1, 2].publisher.map { value in
        t.note("mapping")
        return value
      }
      t.note("subscribing")
      publisher.watch(t)
    }
  }
}
