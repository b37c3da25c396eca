// Behaviours of buffer.

import Combine

extension Behaviours {
  mutating func addBuffering() {
    self("buffer: asks for its size and then passes its subscription on") { t in
      Source(t, of: Int.self).buffer(size: 42, prefetch: .keepFull, whenFull: .dropOldest)
        .watch(t, asking: nil, showsSubscription: true)
    }
    self("buffer: by request asks for everything") { t in
      Source(t, of: Int.self).buffer(size: 42, prefetch: .byRequest, whenFull: .dropOldest)
        .watch(t, asking: nil, showsSubscription: true)
    }
    for (name, strategy) in [
      ("drops the newest", Publishers.BufferingStrategy<Fault>.dropNewest), ("drops the oldest", .dropOldest),
      ("fails when it is full", .customError { .oops }),
    ] as [(String, Publishers.BufferingStrategy<Fault>)] {
      nonisolated(unsafe) let strategy = strategy
      self("buffer: \(name)") { t in
        let source = Source(t, of: Int.self, failing: Fault.self)
        let watcher = source.buffer(size: 3, prefetch: .byRequest, whenFull: strategy).watch(t, asking: nil)
        for value in 1...5 { source.send(value) }
        t.note("now")
        watcher.request(.max(3))
        watcher.request(.max(1))
      }
      self("buffer: kept full \(name)") { t in
        let source = Source(t, of: Int.self, failing: Fault.self)
        let watcher = source.buffer(size: 5, prefetch: .keepFull, whenFull: strategy).watch(t, asking: nil)
        for value in 0..<10 { source.send(value) }
        t.note("now")
        watcher.request(.max(3))
        watcher.request(.max(1))
      }
    }
    self("buffer: kept full it asks for as many as it has delivered") { t in
      let source = Source(t, of: Int.self)
      let watcher = source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropOldest)
        .watch(t, asking: .max(1), answer: { $0 == 2 ? .max(1) : .none })
      for value in 0...3 { source.send(value) }
      watcher.request(.max(2))
      watcher.request(.max(1))
    }
    self("buffer: what is asked for goes through") { t in
      let source = Source(t, of: Int.self)
      source.buffer(size: 5, prefetch: .keepFull, whenFull: .dropNewest).watch(t)
      source.send(1)
      source.send(2)
    }
    self("buffer: the end waits for what is left and for demand") { t in
      let source = Source(t, of: Int.self)
      let watcher = source.buffer(size: 5, prefetch: .byRequest, whenFull: .dropNewest).watch(t, asking: nil)
      source.send(1)
      source.send(2)
      source.send(completion: .finished)
      t.note("now")
      watcher.request(.max(1))
      t.note("and now")
      watcher.request(.max(1))
      t.note("and again")
      watcher.request(.max(1))
    }
    self("buffer: a failure comes without demand and before what is left") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      let watcher = source.buffer(size: 5, prefetch: .byRequest, whenFull: .dropNewest).watch(t, asking: nil)
      source.send(1)
      source.send(completion: .failure(.oops))
      t.note("now")
      watcher.request(.unlimited)
    }
    self("buffer: a failure within a delivery goes before the rest of what was asked for") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      let watcher = source.buffer(size: 5, prefetch: .byRequest, whenFull: .dropNewest).watch(t, asking: nil)
      watcher.onValue = { if $0 == 1 { source.send(completion: .failure(.oops)) } }
      for value in 1...4 { source.send(value) }
      watcher.request(.max(3))
    }
    self("buffer: bridges a subject to limited demand") { t in
      let subject = PassthroughSubject<Int, Never>()
      let watcher = subject.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).watch(t, asking: .max(1))
      for value in 1...4 { subject.send(value) }
      watcher.request(.max(5))
    }
  }
}
