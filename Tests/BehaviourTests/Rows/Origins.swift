// Behaviours of publishers that make values of their own.

import Combine

extension Behaviours {
  mutating func addOrigins() {
    self("Just: value and end") { t in Just(7).watch(t, showsSubscription: true) }
    self("Just: waits for demand") { t in
      let watcher = Just(7).watch(t, asking: nil)
      t.note("now")
      watcher.request(.max(1))
    }
    self("Just: asked again from within the value") { t in
      let watcher = Just(7).watch(t, asking: nil)
      watcher.onValue = { _ in watcher.request(.max(5)) }
      watcher.request(.max(1))
    }
    self("Just: cancelled before it is asked") { t in
      let watcher = Just(7).watch(t, asking: nil)
      watcher.cancel()
      watcher.request(.unlimited)
    }
    self("Just: two subscribers") { t in
      let just = Just(7)
      just.watch(t, "a")
      just.watch(t, "b")
    }
    self("Just: operators that keep it one value are types of their own") { t in
      t.note(type(of: Just(7).map { $0 + 1 }))
      t.note(type(of: Just(7).tryMap { $0 + 1 }))
      t.note(type(of: Just(7).filter { $0 > 7 }))
      t.note(type(of: Just(7).count()))
    }
    self("Empty: ends at once") { t in Empty<Int, Never>().watch(t, asking: nil, showsSubscription: true) }
    self("Empty: that does not complete") { t in
      Empty<Int, Never>(completeImmediately: false).watch(t, showsSubscription: true)
    }
    self("Empty: equality") { t in
      t.note(Empty<Int, Never>() == Empty<Int, Never>())
      t.note(Empty<Int, Never>() == Empty<Int, Never>(completeImmediately: false))
    }
    self("Fail: fails without demand") { t in
      Fail<Int, Fault>(error: .oops).watch(t, asking: nil, showsSubscription: true)
    }
    self("Fail: equality") { t in
      t.note(Fail<Int, Fault>(error: .oops) == Fail(error: .oops))
      t.note(Fail<Int, Fault>(error: .oops) == Fail(error: .other))
    }
    self("Future: the closure runs when it is made") { t in
      _ = Future<Int, Never> { _ in t.note("running") }
      t.note("made")
    }
    self("Future: resolved before it is subscribed to") { t in
      Future<Int, Never> { $0(.success(1)) }.watch(t, showsSubscription: true)
    }
    self("Future: resolved later") { t in
      nonisolated(unsafe) var promise: Future<Int, Fault>.Promise?
      let future = t.keep(Future<Int, Fault> { promise = $0 })
      future.watch(t, "a")
      future.watch(t, "b")
      t.note("now")
      promise?(.success(1))
      future.watch(t, "late")
    }
    self("Future: the first result counts") { t in
      nonisolated(unsafe) var promise: Future<Int, Fault>.Promise?
      let future = t.keep(Future<Int, Fault> { promise = $0 })
      future.watch(t)
      promise?(.success(1))
      promise?(.success(2))
      promise?(.failure(.oops))
    }
    self("Future: a value waits for demand") { t in
      let watcher = t.keep(Future<Int, Fault> { $0(.success(1)) }).watch(t, asking: nil)
      t.note("now")
      watcher.request(.max(1))
    }
    self("Future: a failure does not wait for demand") { t in
      t.keep(Future<Int, Fault> { $0(.failure(.oops)) }).watch(t, asking: nil)
    }
    self("Future: one run for several subscribers") { t in
      let future = t.keep(
        Future<Int, Never> { promise in
          t.note("running")
          promise(.success(5))
        })
      future.watch(t, "a")
      future.watch(t, "b")
    }
    self("Future: cancelled before it is resolved") { t in
      nonisolated(unsafe) var promise: Future<Int, Never>.Promise?
      let watcher = t.keep(Future<Int, Never> { promise = $0 }).watch(t)
      watcher.cancel()
      promise?(.success(1))
    }
    self("Deferred: made anew for each subscriber") { t in
      nonisolated(unsafe) var made = 0
      let deferred = Deferred {
        made += 1
        t.note("made")
        return Just(made)
      }
      t.note("waiting")
      deferred.watch(t)
      deferred.watch(t)
    }
    self("Deferred: a future inside runs on subscription") { t in
      let deferred = Deferred {
        Future<Int, Never> { promise in
          t.note("running")
          promise(.success(1))
        }
      }
      t.note("made")
      deferred.watch(t)
      deferred.watch(t)
    }
    self("Record: replays values and end") { t in
      Record<Int, Fault> { recording in
        recording.receive(1)
        recording.receive(2)
        recording.receive(completion: .failure(.oops))
      }.watch(t)
    }
    self("Record: values and completion by initialiser") { t in
      Record<Int, Never>(output: [1, 2], completion: .finished).watch(t)
    }
    self("Record: a recording without completion finishes") { t in
      Record<Int, Fault> { $0.receive(1) }.watch(t)
    }
    self("Record: as many as were asked for") { t in
      let watcher = Record<Int, Never>(output: [1, 2, 3], completion: .finished).watch(t, asking: .max(2))
      t.note("now")
      watcher.request(.max(1))
    }
    self("Record: an empty one ends without demand") { t in
      Record<Int, Fault>(output: [], completion: .failure(.oops)).watch(t, asking: nil)
    }
    self("Record: may be asked for its recording") { t in
      let record = Record<Int, Never>(output: [1, 2], completion: .finished)
      t.note(record.recording.output)
      t.note(record.recording.completion)
    }
    self("Optional: a value") { t in Optional(3).publisher.watch(t, showsSubscription: true) }
    self("Optional: nil ends without demand") { t in
      Int?.none.publisher.watch(t, asking: nil, showsSubscription: true)
    }
    self("Optional: a value waits for demand") { t in
      let watcher = Optional(3).publisher.watch(t, asking: nil)
      t.note("now")
      watcher.request(.max(1))
    }
    self("Result: success") { t in Result<Int, Fault>.success(3).publisher.watch(t, showsSubscription: true) }
    self("Result: failure without demand") { t in
      Result<Int, Fault>.failure(.oops).publisher.watch(t, asking: nil, showsSubscription: true)
    }
    self("Result: a throwing operator keeps it a result") { t in
      Result<Int, Fault>.success(3).publisher.tryMap { _ in throw Fault.other }.watch(t)
    }
  }
}
