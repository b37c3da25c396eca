// Behaviours of operators that change, replace or watch for failures.

import Combine

extension Behaviours {
  mutating func addErrors() {
    self("mapError: the failure is changed") { t in
      struct Wrapped: Error { let error: any Error }
      [5.0, 0.0].publisher.tryMap { value in
        guard value != 0 else { throw Fault.oops }
        return 1 / value
      }.mapError { Wrapped(error: $0) }.watch(t)
    }
    self("mapError: values and end are passed on") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.mapError { _ in Fault.other }.watch(t, asking: .max(2), showsSubscription: true, answer: { _ in .max(3) })
      source.send(1)
      source.send(completion: .finished)
    }
    self("replaceError: a value and the end in place of the failure") { t in
      Fail<Int, Fault>(error: .oops).replaceError(with: 0).watch(t, showsSubscription: true)
    }
    self("replaceError: values before it are passed on") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.replaceError(with: 42).watch(t, asking: .max(1), answer: { _ in .max(1) })
      source.send(41)
      source.send(completion: .failure(.oops))
    }
    self("replaceError: the replacement waits for demand") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      let watcher = source.replaceError(with: 42).watch(t, asking: nil)
      source.send(completion: .failure(.oops))
      t.note("now")
      watcher.request(.max(1))
    }
    self("replaceError: a stream that finishes is left alone") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.replaceError(with: 42).watch(t)
      source.send(1)
      source.send(completion: .finished)
    }
    self("replaceError: the stream ends where catching in a flatMap would go on") { t in
      let subject = PassthroughSubject<Int, Fault>()
      subject.replaceError(with: -1).watch(t)
      subject.send(1)
      subject.send(completion: .failure(.oops))
      subject.send(2)
    }
    self("assertNoFailure: values and end are passed on") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.assertNoFailure().watch(t, asking: .max(2), showsSubscription: true)
      source.send(1)
      source.send(completion: .finished)
    }
    self("breakpoint: closures that return false change nothing") { t in
      [1, 2].publisher.eraseToAnyPublisher().breakpoint(
        receiveSubscription: { _ in
          t.note("subscription")
          return false
        },
        receiveOutput: { value in
          t.note("output \(value)")
          return false
        },
        receiveCompletion: { _ in
          t.note("completion")
          return false
        }
      ).watch(t)
    }
    self("breakpointOnError: a stream that finishes") { t in
      Result<Int, Fault>.success(1).publisher.breakpointOnError().watch(t)
    }
  }

  mutating func addRecovery() {
    self("catch: another stream in place of the failure") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.catch { error in
        t.note("caught \(error)")
        return [-1, -2].publisher
      }.watch(t, showsSubscription: true)
      source.send(1)
      source.send(completion: .failure(.oops))
    }
    self("catch: the documented numbers") { t in
      [5, 4, 3, 2, 1, 0, 9].publisher.tryLast { value in
        guard value != 0 else { throw Fault.oops }
        return true
      }.catch { _ in Just(-1) }.watch(t)
    }
    self("catch: demand that is left goes to the other stream") { t in
      let source = Source(t, "first", of: Int.self, failing: Fault.self)
      let other = Source(t, "second", of: Int.self, failing: Fault.self)
      source.catch { _ in other }.watch(t, asking: .max(5))
      source.send(1)
      source.send(2)
      source.send(completion: .failure(.oops))
      other.send(3)
    }
    self("catch: the other stream's failure is not caught") { t in
      Fail<Int, Fault>(error: .oops).catch { _ in Fail<Int, Fault>(error: .other) }.watch(t)
    }
    self("catch: a stream that finishes is left alone") { t in
      [1].publisher.setFailureType(to: Fault.self).catch { _ in Just(9) }.watch(t)
    }
    self("catch: cancelled while the other stream's subscription is on its way") { t in
      let source = Source(t, "first", of: Int.self, failing: Fault.self)
      let other = Source(t, "second", of: Int.self, isLate: true)
      let watcher = source.catch { _ in other }.watch(t, asking: .max(3))
      source.send(completion: .failure(.oops))
      watcher.cancel()
      other.sendSubscription()
      other.send(completion: .finished)
    }
    self("catch: inside of flatMap the outer stream goes on") { t in
      ["1", "x", "3"].publisher.flatMap { text in
        Just(text).tryMap { text in
          guard let number = Int(text) else { throw Fault.oops }
          return number
        }.catch { _ in Just(-1) }
      }.watch(t)
    }
    self("tryCatch: another stream in place of the failure") { t in
      [2, 1, -1, 7].publisher.tryMap { value in
        guard value > 0 else { throw Fault.oops }
        return value
      }.tryCatch { _ in Just(0) }.watch(t)
    }
    self("tryCatch: the closure throws") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.tryCatch { _ -> Just<Int> in throw Fault.other }.watch(t, showsSubscription: true)
      source.send(completion: .failure(.oops))
    }
    self("retry: so many times and then the failure") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.retry(2).watch(t, asking: .max(5), showsSubscription: true)
      for value in 1...3 {
        source.send(value)
        source.send(completion: .failure(.oops))
      }
    }
    self("retry: a stream that finishes is left alone") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.retry(2).watch(t)
      source.send(completion: .finished)
      t.note(source.subscriptions)
    }
    self("retry: finishes after a failure") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.retry(1).watch(t)
      source.send(completion: .failure(.oops))
      source.send(1)
      source.send(completion: .finished)
    }
    self("retry: of zero passes the failure on") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.retry(0).watch(t, asking: .max(1))
      source.send(completion: .failure(.oops))
      t.note(source.subscriptions)
    }
    self("retry: demand in return for a value is a request") { t in
      let source = Source(t, of: Int.self, failing: Fault.self)
      source.retry(5).watch(t, asking: .max(3), answer: { .max($0) })
      source.send(5)
    }
    self("retry: a closure that fails twice") { t in
      nonisolated(unsafe) var attempts = 0
      Deferred {
        attempts += 1
        t.note("attempt \(attempts)")
        return attempts < 3 ? Result<Int, Fault>.failure(.oops).publisher : Result<Int, Fault>.success(7).publisher
      }.retry(3).watch(t)
    }
    self("retry: a resolved future is not run again") { t in
      let future = t.keep(
        Future<Int, Fault> { promise in
          t.note("running")
          promise(.failure(.oops))
        })
      future.retry(2).watch(t)
    }
  }
}
